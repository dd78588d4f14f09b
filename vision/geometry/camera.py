"""The camera above the table, and the lean of things on it in a photo: away from the camera, more at lower elevations.

A homography of the table consists of the camera's first two axes and its place (Zhang, A flexible new technique for
camera calibration, 2000), except for the focal length, which a photo from straight above does not determine: then that
of a phone is assumed.
"""

from __future__ import annotations

import numpy as np

from vision.arrays import Floats

USUAL_FOCAL_SHARE = 0.9
"""The usual focal length as a share of the picture's longer side: a phone's main camera has 0.72, its longer ones and
cropped photos have more. A guess."""
FOCAL_SHARES = np.geomspace(0.45, 2.5, 60)
"""The focal lengths (60,) that are tried, as shares of the picture's longer side. A guess."""
USUAL_FOCAL_WEIGHT = 1e-3
"""Weight of the squared log of a focal length over the usual one, against the misfit of the two axes. Measured: one
hand-laid table differs by that."""
MAX_LEAN_TILES = 2.0
"""Maximum displacement of a point one tile above the table, which keeps places near the horizon finite. A guess."""


def compute_leans(camera: Floats, places: Floats) -> Floats:
    """Compute the (n, 2) displacements in lattice units of points one tile above each of (n, 2) places.

    `camera` is its place over the lattice, (3,): col, row, and height in tiles.
    """
    leans = (places - camera[:2]) / camera[2]
    length = np.linalg.norm(leans, axis=1, keepdims=True)
    return np.asarray(leans * np.minimum(1, MAX_LEAN_TILES / np.maximum(length, 1e-9)))


def compute_elevations(camera: Floats, places: Floats) -> Floats:
    """Compute the elevations (n,) in degrees at which a camera sees (n, 2) places; 90 is from straight above.

    `camera` is as of `compute_leans`.
    """
    return np.asarray(np.rad2deg(np.arctan2(camera[2], np.linalg.norm(places - camera[:2], axis=1))))


def estimate_camera(homography: Floats, size: tuple[int, int]) -> Floats:
    """Estimate the camera's place over the lattice, (3,): col, row and height, all in tiles.

    `homography` (3, 3) maps lattice places (col, row) to pixels of a picture of `size` (width, height).
    """
    centred = _centre(homography, size)
    best = min(FOCAL_SHARES, key=lambda focal: _compute_misfit(centred, focal))
    axes = np.diag([1 / best, 1 / best, 1]) @ centred
    axes = axes / np.sqrt(np.linalg.norm(axes[:, 0]) * np.linalg.norm(axes[:, 1]))
    east, south, place = axes.T
    at = -np.linalg.solve(np.stack([east, south, np.cross(east, south)], axis=1), place)
    return np.array([at[0], at[1], max(abs(at[2]), 1e-6)])


def compute_view_misfit(homography: Floats, size: tuple[int, int]) -> float:
    """Compute the distance of a homography (3, 3) of the table from that of any camera, at the best focal length.

    It maps lattice places to pixels of a picture of `size` (width, height); 0 is a perfect camera.
    """
    centred = _centre(homography, size)
    return min(_compute_misfit(centred, focal) for focal in FOCAL_SHARES)


def compare_axes(homography: Floats, size: tuple[int, int]) -> Floats:
    """Return (2,) the deviations of the two axes of a homography (3, 3) from being perpendicular, and from equal
    lengths, for a camera of usual focal length and a picture of `size` (width, height)."""
    return np.array(_compare_axes(_centre(homography, size), USUAL_FOCAL_SHARE))


def _compare_axes(centred: Floats, focal: float) -> tuple[float, float]:
    axes = np.diag([1 / focal, 1 / focal, 1]) @ centred
    east, south = axes[:, 0], axes[:, 1]
    size = east @ east + south @ south
    return float(2 * (east @ south) / size), float((east @ east - south @ south) / size)


def _centre(homography: Floats, size: tuple[int, int]) -> Floats:
    """Return the homography to a picture of unit width about its middle."""
    longer = max(size)
    return np.asarray(np.array([[1, 0, -size[0] / 2], [0, 1, -size[1] / 2], [0, 0, longer]]) / longer @ homography)


def _compute_misfit(centred: Floats, focal: float) -> float:
    """Compute the deviation of the axes from perpendicular and equal ones, and of the focal length from the usual."""
    skewed, uneven = _compare_axes(centred, focal)
    return float(skewed**2 + uneven**2 + USUAL_FOCAL_WEIGHT * np.log(focal / USUAL_FOCAL_SHARE) ** 2)
