"""Where what stands on the table leans in a photo: away from the camera, the farther the lower it is seen from.

A homography of the table is the camera's first two axes and its place (Zhang, A flexible new technique for camera
calibration, 2000), but for the focal length, which a photo from straight above does not tell: there it is taken for
that of a phone.
"""

from __future__ import annotations

import numpy as np

from vision.arrays import Floats

USUAL_FOCAL_SHARE = 0.9
"""The usual focal length as a share of the picture's longer side: a phone's main camera has 0.72, its longer ones
and what is cropped have more."""
FOCAL_SHARES = np.geomspace(0.45, 2.5, 60)
"""The focal lengths (60,) that are tried, as shares of the picture's longer side."""
USUAL_FOCAL_WEIGHT = 1e-3
"""How much the squared log of a focal length over the usual one counts against the misfit of the two axes: one
hand-laid table differs by that."""
MAX_LEAN_TILES = 2.0
"""A point one tile above the table is never seen farther beside its place than this: that keeps places near the
horizon finite."""


def compute_leans(camera: Floats, places: Floats) -> Floats:
    """Compute the (n, 2) steps in lattice units by which a point one tile above each of (n, 2) places is seen beside
    it.

    `camera` is its place over the lattice, (3,): col, row, and height in tiles.
    """
    leans = (places - camera[:2]) / camera[2]
    length = np.linalg.norm(leans, axis=1, keepdims=True)
    return np.asarray(leans * np.minimum(1, MAX_LEAN_TILES / np.maximum(length, 1e-9)))


def estimate_camera(homography: Floats, size: tuple[int, int]) -> Floats:
    """Estimate the camera's place over the lattice, (3,): col, row and height, all in tiles.

    `homography` (3, 3) takes lattice places (col, row) to pixels of a picture of `size` (width, height).
    """
    centred = _centre(homography, size)
    best = min(FOCAL_SHARES, key=lambda focal: _compute_misfit(centred, focal))
    axes = np.diag([1 / best, 1 / best, 1]) @ centred
    axes = axes / np.sqrt(np.linalg.norm(axes[:, 0]) * np.linalg.norm(axes[:, 1]))
    east, south, place = axes.T
    at = -np.linalg.solve(np.stack([east, south, np.cross(east, south)], axis=1), place)
    return np.array([at[0], at[1], max(abs(at[2]), 1e-6)])


def compute_view_misfit(homography: Floats, size: tuple[int, int]) -> float:
    """Compute how far a homography (3, 3) of the table is from any that a camera has, whatever its focal length.

    It takes lattice places to pixels of a picture of `size` (width, height); 0 is what a camera has.
    """
    centred = _centre(homography, size)
    return min(_compute_misfit(centred, focal) for focal in FOCAL_SHARES)


def compare_axes(homography: Floats, size: tuple[int, int]) -> Floats:
    """Return (2,) how far the two axes of a homography (3, 3) are from being square, and from being as long as each
    other, as a camera of usual focal length sees them in a picture of `size` (width, height)."""
    return np.array(_compare_axes(_centre(homography, size), USUAL_FOCAL_SHARE))


def _compare_axes(centred: Floats, focal: float) -> tuple[float, float]:
    axes = np.diag([1 / focal, 1 / focal, 1]) @ centred
    east, south = axes[:, 0], axes[:, 1]
    size = east @ east + south @ south
    return float(2 * (east @ south) / size), float((east @ east - south @ south) / size)


def _centre(homography: Floats, size: tuple[int, int]) -> Floats:
    """The homography to a picture that is one wide about its middle."""
    longer = max(size)
    return np.asarray(np.array([[1, 0, -size[0] / 2], [0, 1, -size[1] / 2], [0, 0, longer]]) / longer @ homography)


def _compute_misfit(centred: Floats, focal: float) -> float:
    """How far the two axes are from being square and as long as each other, and the focal length from usual."""
    skewed, uneven = _compare_axes(centred, focal)
    return float(skewed**2 + uneven**2 + USUAL_FOCAL_WEIGHT * np.log(focal / USUAL_FOCAL_SHARE) ** 2)
