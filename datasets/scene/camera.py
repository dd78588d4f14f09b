"""A pinhole camera over the table: lattice units (x = col, y = row, z = up, a tile is 1) to photo pixels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from vision.arrays import Floats


@dataclass(frozen=True, slots=True, eq=False)
class Camera:
    """A camera: `matrix` (3, 4) maps homogeneous lattice points to homogeneous pixels; `size` is (width, height) in
    pixels."""

    matrix: Floats
    position: Floats
    size: tuple[int, int]

    @classmethod
    def look_at(
        cls,
        target: ArrayLike,
        *,
        elevation: float,
        azimuth: float,
        roll: float,
        distance: float,
        focal_px: float,
        size: tuple[int, int],
    ) -> Camera:
        """Return a camera that centres `target` (x, y) in the picture; angles in degrees, distance in tiles.

        `elevation` 90 looks straight down; `azimuth` is the side of the table at which the photographer stands.
        """
        e, a, r = np.deg2rad([elevation, azimuth, roll])
        toward = np.array([np.cos(a), np.sin(a)])
        look = np.array([*(-np.cos(e) * toward), np.sin(e)])  # in (x, y, depth): depth increases into the table
        up = np.array([*(-np.sin(e) * toward), -np.cos(e)])
        right = np.cross(-up, look)
        x_axis = np.cos(r) * right - np.sin(r) * up
        y_axis = -np.cos(r) * up - np.sin(r) * right
        rotation = np.stack([x_axis, y_axis, look])
        centre = np.array([*np.asarray(target, float), 0.0]) - distance * look
        w, h = size
        intrinsics = np.array([[focal_px, 0, w / 2], [0, focal_px, h / 2], [0, 0, 1]])
        world = np.hstack([rotation, (-rotation @ centre)[:, None]])
        flip = np.diag([1.0, 1.0, -1.0, 1.0])  # z up to depth
        return cls(intrinsics @ world @ flip, np.array([centre[0], centre[1], -centre[2]]), size)

    @property
    def elevation(self) -> float:
        """Angle between the table and the optical axis in degrees; 90 looks straight down."""
        look = self.matrix[2, :3]
        return float(np.rad2deg(np.arcsin(np.clip(-look[2] / np.linalg.norm(look), -1, 1))))

    @property
    def field_of_view(self) -> float:
        """Angle that the picture's longer side spans, in degrees."""
        focal = np.linalg.norm(np.cross(self.matrix[0, :3], self.matrix[2, :3])) / (self.matrix[2, :3] ** 2).sum()
        return float(np.rad2deg(2 * np.arctan(max(self.size) / (2 * focal))))

    def project(self, points: ArrayLike) -> Floats:
        """Project (n, 3) lattice points to (n, 2) pixels; points behind the camera become NaN."""
        p = np.asarray(points, float)
        q = p @ self.matrix[:, :3].T + self.matrix[:, 3]
        depth = np.where(q[:, 2] > 1e-6, q[:, 2], np.nan)
        return np.asarray(q[:, :2] / depth[:, None])

    def plane(self, z: float = 0.0) -> Floats:
        """Return the (3, 3) homography from (x, y, 1) at height `z` to pixels."""
        m = self.matrix
        return np.stack([m[:, 0], m[:, 1], m[:, 2] * z + m[:, 3]], axis=1)

    def depth(self, points: ArrayLike) -> Floats:
        """Return the distance of (n, 3) points from the camera, in tiles, for painting from far to near."""
        p = np.asarray(points, float)
        return np.asarray(np.linalg.norm(p - self.position, axis=1))
