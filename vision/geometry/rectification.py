"""A view from straight above, from a first pass over the tiles: the change of their size and shape over the picture.

The area of a square of the table falls with the cube of its distance, and the inverse distance is linear over a picture
of a plane (Hartley and Zisserman, Multiple View Geometry, 2004, chapter 8). A linear function fitted to the cube root
of the tiles' area therefore gives the line at infinity. Once that is removed, the remaining map is linear and given by
the tiles' mean shape.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np

from vision.arrays import Floats, Image
from vision.photo.pyramid import Halves

FIT_ROUNDS = 8
"""Number of reweighted fits. Bounds time."""
MAX_SIZE_MISFIT_SHARE = 0.12
"""Residual of a tile's size, as a share of the usual size, beyond which it weighs less. A guess."""
MAX_NEARNESS_RATIO = 1.8
"""Maximum nearness of a tile relative to the mean, so that a fit to wrong sizes cannot turn the view inside out. A
guess."""
SOURCE_SHARPNESS_RATIO = 1.3
"""Resolution of the source picture relative to the view, at the view's sharpest point. A guess."""
MAX_LEVEL_SHAPE = 0.3
"""Maximum squeeze of tiles in a view from above, and maximum logarithm of their growth from far to near. A guess."""


@dataclass(frozen=True, slots=True, eq=False)
class Lie:
    """The pose of the table in a picture: `plane` (3, 3) maps its pixels to pixels in which tiles are squares.

    About the tiles' middle it keeps the picture's scale and orientation. `shape` is the squeeze of tiles there (0:
    none; twice the logarithm of long over short), `growth` the ratio of the sizes of near and far tiles.
    """

    plane: Floats
    shape: float
    growth: float

    @property
    def level(self) -> bool:
        """Whether the picture is as good as one from above."""
        return max(self.shape, math.log(self.growth)) < MAX_LEVEL_SHAPE


def estimate_lie(at: Floats, axes: Floats, weight: Floats) -> Lie:
    """Estimate the pose of a table from its tiles.

    They lie at (n, 2) pixels `at`, are spanned by (n, 2, 2) `axes` in columns, and have (n,) `weight`.
    """
    middle = np.average(at, axis=0, weights=weight)
    spread = float(np.sqrt(np.average(((at - middle) ** 2).sum(1), weights=weight))) + 1e-9
    places = (at - middle) / spread
    slope = _fit_slope(places, np.cbrt(np.abs(np.linalg.det(axes))), weight)
    nearness = 1 + places @ slope
    # Jacobian of p -> p / nearness(p), which maps the axes into the levelled picture
    jacobian = (np.eye(2) - places[:, :, None] * slope / nearness[:, None, None]) / nearness[:, None, None]
    carried = jacobian @ axes
    spans = carried @ carried.transpose(0, 2, 1) / np.abs(np.linalg.det(carried))[:, None, None]
    logs = _compute_matrix_logs(spans)
    across, skew, down = (_compute_weighted_median(logs[:, i, j], weight) for i, j in ((0, 0), (0, 1), (1, 1)))
    mean = np.array([(across, skew), (skew, down)])
    values, vectors = np.linalg.eigh(mean)
    upright = np.eye(3)
    upright[:2, :2] = vectors @ np.diag(np.exp(-values / 2)) @ vectors.T
    away = np.array([[1, 0, 0], [0, 1, 0], [*slope, 1.0]])
    norm = np.array([[1 / spread, 0, -middle[0] / spread], [0, 1 / spread, -middle[1] / spread], [0, 0, 1]])
    far, near = np.quantile(nearness, (0.03, 0.97))
    return Lie(
        np.linalg.inv(norm) @ upright @ away @ norm, float(values.max() - values.min()), float((near / far) ** 1.5)
    )


def _fit_slope(places: Floats, roots: Floats, weight: Floats) -> Floats:
    """Fit the (2,) slope of a linear function to the tiles' sizes, 1 in the middle; robust and positive."""
    columns = np.column_stack([np.ones(len(places)), places])
    trust = weight.copy()
    coefficients = np.array([np.median(roots), 0.0, 0.0])
    for _ in range(FIT_ROUNDS):
        weighed = columns.T * trust
        coefficients, *_ = np.linalg.lstsq(weighed @ columns, weighed @ roots, rcond=None)
        off = np.abs(columns @ coefficients - roots) / np.median(roots)
        trust = weight / np.maximum(1, off / MAX_SIZE_MISFIT_SHARE) ** 2
    slope = np.asarray(coefficients[1:] / coefficients[0]) if coefficients[0] > 0 else np.zeros(2)
    steepest = float(np.abs(places @ slope).max())
    return slope * min(1.0, (MAX_NEARNESS_RATIO - 1) / max(steepest, 1e-9))


def _compute_matrix_logs(spans: Floats) -> Floats:
    """Compute the matrix logarithms of (n, 2, 2) symmetric matrices."""
    middle = (spans[:, 0, 0] + spans[:, 1, 1]) / 2
    apart = spans - middle[:, None, None] * np.eye(2)
    radius = np.maximum(np.hypot(apart[:, 0, 0], apart[:, 0, 1]), 1e-12)
    high, low = np.log(np.maximum(middle + radius, 1e-9)), np.log(np.maximum(middle - radius, 1e-9))
    even, odd = (high + low) / 2, (high - low) / 2 / radius
    return np.asarray(even[:, None, None] * np.eye(2) + odd[:, None, None] * apart)


def _compute_weighted_median(values: Floats, weight: Floats) -> float:
    order = np.argsort(values)
    total = np.cumsum(weight[order])
    return float(values[order[int(np.searchsorted(total, total[-1] / 2))]])


def apply_homography(homography: Floats, points: Floats) -> Floats:
    """Return (n, 2) points mapped by a (3, 3) homography."""
    return np.asarray(cv2.perspectiveTransform(points.reshape(-1, 1, 2).astype(np.float64), homography)[:, 0])


def round_homography(homography: Floats, quad: Floats) -> Floats:
    """Return the homography (3, 3) that maps the points `quad` (4, 2) to the whole pixels nearest to their images.

    It stays as it is if the horizon is among them, or if their images are too close to form a quadrilateral.
    """
    whole = np.rint(apply_homography(homography, quad))
    sides = np.sign(np.column_stack([quad, np.ones(4)]) @ homography[2])
    if np.ptp(sides) or not cv2.isContourConvex(whole.astype(np.float32)):
        return homography
    return np.asarray(cv2.getPerspectiveTransform(quad.astype(np.float32), whole.astype(np.float32)), np.float64)


def warp_photo(photo: Halves, view: Floats, size: tuple[int, int]) -> Image:
    """Return the photo warped by the homography `view` (3, 3) to `size` (width, height) pixels, without aliasing."""
    image, photo_scale = photo.sized(SOURCE_SHARPNESS_RATIO * _compute_largest_scale(view, size))
    view = view @ np.diag([1 / photo_scale, 1 / photo_scale, 1.0])
    half = np.array([[1, 0, -0.5], [0, 1, -0.5], [0, 0, 1]])  # pixel edges, to OpenCV's pixel centres
    moved = half @ view @ np.linalg.inv(half)
    warped = cv2.warpPerspective(image, moved, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(warped, dtype=np.uint8)


def _compute_largest_scale(view: Floats, size: tuple[int, int]) -> float:
    """Compute the maximum number of view pixels per photo pixel, at the view's middle and corners."""
    w, h = size
    spots: Floats = np.array([(w / 2, h / 2), (0, 0), (w, 0), (w, h), (0, h)], np.float64)
    back = np.asarray(np.linalg.inv(view), np.float64)
    steps = [
        apply_homography(back, np.asarray(spots + half, np.float64)) - apply_homography(back, spots)
        for half in np.eye(2) / 2
    ]
    spans = np.abs(steps[0][:, 0] * steps[1][:, 1] - steps[0][:, 1] * steps[1][:, 0]) * 4
    return float(1 / np.sqrt(max(spans.min(), 1e-9)))
