"""Refinement of squares by seams and corners: the plane, the drift of tiles laid by hand, then the picture itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import cv2
import numpy as np

from vision.arrays import Floats, Singles
from vision.geometry.rectification import apply_homography
from vision.localise.detector import TileCells
from vision.photo.crops import CORNERS, compute_tile_px

Square = tuple[int, int]

REFINEMENT_ROUNDS_TILES = ((1.0, 0.12), (0.6, 0.10), (0.45, 0.07))
"""Smoothing radius of drift, and maximum move of a square, in tiles, for each round. A guess."""
LAST_SMOOTHING_TILES = 0.4
"""Smoothing radius of drift after the last round, in tiles. A guess."""
MAX_SETTLING_ROUNDS, SETTLED_STEP = 20, 1e-10
"""Maximum rounds of the fit of a plane, and the change at which it ends, for parameters of about 1. Bounds time; it
takes 3 rounds.
"""
MIN_SUPPORT_WEIGHT = 0.02
"""Weight of a square without votes, relative to those with votes. A guess."""
GRID_STEPS = 7
"""Number of positions tried per axis. Bounds time."""
SIDE_SAMPLES = 10
"""Number of samples along a side of a square. Bounds time."""
SHARPNESS = 20.0
"""Sharpness of the weights of positions by their fit. A guess."""
CENTRE_PULL_SHARE = 0.3
"""Reduction in weight of a position at the end of a square's reach, relative to the predicted one. A guess."""


def compute_square_corners(square: Square) -> Floats:
    """Return the (4, 2) lattice points (col, row) of a square's NW, NE, SE, SW corners."""
    return np.asarray(CORNERS + np.array([square[1], square[0]]))


def stack_square_corners(squares: Sequence[Square]) -> Floats:
    """Return the (n, 4, 2) lattice points (col, row) of the corners NW, NE, SE, SW of n squares."""
    return np.asarray(CORNERS + np.array(squares, np.float64).reshape(-1, 1, 2)[..., ::-1])


def fit_plane(squares: Sequence[Square], quads: Floats) -> Floats:
    """Fit a robust (3, 3) homography from (col, row) to pixels through (n, 4, 2) corners; it is affine if there are few
    squares.
    """
    source = stack_square_corners(squares).reshape(-1, 2)
    target = quads.reshape(-1, 2)
    if len(squares) >= 6:
        homography, inliers = cv2.findHomography(
            source, target, cv2.RANSAC, 0.3 * float(np.median(compute_tile_px(quads)))
        )
        if homography is not None and inliers.mean() > 0.6:
            within = inliers.ravel() > 0
            return _settle_plane(np.asarray(homography, dtype=np.float64), source[within], target[within])
    solved, *_ = np.linalg.lstsq(np.column_stack([source, np.ones(len(source))]), target, rcond=None)
    return np.vstack([solved.T, (0.0, 0.0, 1.0)])


def _settle_plane(homography: Floats, source: Floats, target: Floats) -> Floats:
    """Return the least-squares homography (3, 3) between (n, 2) points, starting from a close one.

    OpenCV's own fit works in single precision and stops after 10 rounds, converged or not.
    """
    lattice, pixels = (_build_normaliser(points) for points in (source, target))
    plane = pixels @ homography @ np.linalg.inv(lattice)
    plane /= plane[2, 2]
    points = np.column_stack([apply_homography(lattice, source), np.ones(len(source))])
    wanted = apply_homography(pixels, target)
    for _ in range(MAX_SETTLING_ROUNDS):
        u, v, w = (points @ plane.T).T
        x, y = u / w, v / w
        nought, along = np.zeros_like(points), points / w[:, None]
        slopes = np.concatenate(
            [
                np.column_stack([along, nought, -x[:, None] * along[:, :2]]),
                np.column_stack([nought, along, -y[:, None] * along[:, :2]]),
            ]
        )
        off = np.concatenate([wanted[:, 0] - x, wanted[:, 1] - y])
        step = np.linalg.solve(slopes.T @ slopes, slopes.T @ off)
        plane = plane + np.append(step, 0.0).reshape(3, 3)
        if np.abs(step).max() < SETTLED_STEP:
            break
    settled = np.linalg.inv(pixels) @ plane @ lattice
    return np.asarray(settled / settled[2, 2])


def _build_normaliser(points: Floats) -> Floats:
    """Return the map (3, 3) that normalises (n, 2) points to mean 0 and standard deviation 1."""
    middle, spread = points.mean(axis=0), float(points.std()) + 1e-9
    return np.array([(1 / spread, 0, -middle[0] / spread), (0, 1 / spread, -middle[1] / spread), (0, 0, 1)])


def smooth_corners(
    squares: Sequence[Square], quads: Floats, support: Floats, homography: Floats, radius: float
) -> Floats:
    """Return corners (n, 4, 2) with the plane's shape, shifted by the mean offset of squares within `radius` tiles from
    the plane.
    """
    plane = apply_homography(homography, stack_square_corners(squares).reshape(-1, 2)).reshape(-1, 4, 2)
    off = quads.mean(1) - plane.mean(1)
    places = np.array(squares, float)
    away = ((places[:, None] - places[None]) ** 2).sum(2)
    weight = np.exp(-away / (2 * radius**2)) * (support + MIN_SUPPORT_WEIGHT)
    moved = weight @ off / weight.sum(1, keepdims=True)
    return np.asarray(plane + moved[:, None])


def refine_corners(
    quads: Mapping[Square, Floats], support: Mapping[Square, float], cells: TileCells
) -> dict[Square, Floats]:
    """Move the squares rigidly to the seams and corners of the maps."""
    squares = list(quads)
    corners = np.array([quads[square] for square in squares])
    weight = np.array([support[square] for square in squares])
    for radius, reach in REFINEMENT_ROUNDS_TILES:
        corners = smooth_corners(squares, corners, weight, fit_plane(squares, corners), radius)
        corners = _snap_to_maps(corners, cells, reach)
    corners = smooth_corners(squares, corners, weight + 0.5, fit_plane(squares, corners), LAST_SMOOTHING_TILES)
    return dict(zip(squares, corners, strict=True))


def _snap_to_maps(corners: Floats, cells: TileCells, reach: float) -> Floats:
    """Return the corners (n, 4, 2), each square moved to the weighted mean of the positions whose outline best fits the
    maps.
    """
    sizes = compute_tile_px(corners)[:, None, None]
    grid = np.linspace(-reach, reach, GRID_STEPS)
    moves = np.stack(np.meshgrid(grid, grid), -1).reshape(-1, 2)
    along = np.linspace(0, 1, SIDE_SAMPLES)[:, None]
    following = np.roll(corners, -1, axis=1)
    outline = (corners[:, :, None] + (following - corners)[:, :, None] * along).reshape(len(corners), -1, 2)
    offsets = moves[None] * sizes
    seams = sample_map(cells.seams, cells, outline, offsets).mean(2)
    peaks = sample_map(cells.corners, cells, corners, offsets).mean(2)
    fit = np.asarray(seams + peaks, np.float64)
    fit -= CENTRE_PULL_SHARE * (moves**2).sum(1) / reach**2 * fit.max(1, keepdims=True)
    weight = np.exp(SHARPNESS * (fit - fit.max(1, keepdims=True)))
    weight /= weight.sum(1, keepdims=True)
    return np.asarray(corners + (weight[..., None] * offsets).sum(1)[:, None])


def sample_map(maps: Singles, cells: TileCells, points: Floats, offsets: Floats) -> Singles:
    """Sample the map at (n, k, 2) points of the view, shifted by (n, m, 2) offsets: (n, m, k), interpolated between
    cells.
    """
    places, moves = (np.asarray(some, np.float32) for some in (cells.to_cells(points), offsets * cells.scale))
    x, y = ((places[:, None, :, i] + moves[:, :, None, i]).reshape(len(points), -1) for i in (0, 1))
    values = cv2.remap(maps, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(values, np.float32).reshape(len(points), offsets.shape[1], points.shape[1])
