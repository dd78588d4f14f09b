"""The pose of five squares that are one piece of cardboard: an outline fitted to a region, then to its edges.

A homography maps the outline's own frame, (col, row) in tiles, to pixels. It is initialised by the second moments of
the region, which leave only a rotation open, and refined by least squares (Gauss-Newton over the images of four points,
with weights that reduce outliers).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from shapely import box, union_all

from scoring.carcassonne.tiles.geometry import Square
from scoring.carcassonne.wonders.tiles import list_outer_edges, turn_square
from vision.arrays import Flags, Floats, Image, Singles
from vision.geometry.camera import compare_axes
from vision.geometry.rectification import apply_homography
from vision.localise.refinement import stack_square_corners
from vision.photo.crops import CORNERS

Outline = tuple[Square, ...]
Measure = Callable[[Floats], tuple[Floats, Floats, Floats]]
"""For an outline under a homography (3, 3): the residual (n,) at each of its points, in pixels, its direction (n, 2),
and the weight of each point (n,)."""

EDGE_POINTS = 10
"""Number of points along each outer edge. Bounds time."""
INNER_POINTS = 8
"""Number of points in a row, and of rows, of each square whose area is compared with a region's. Bounds time."""
_ANGLES = np.deg2rad(np.arange(0, 360, 10))
"""The angles of the rotations. Bounds time."""
TURNS = np.moveaxis(np.array([[np.cos(_ANGLES), -np.sin(_ANGLES)], [np.sin(_ANGLES), np.cos(_ANGLES)]]), -1, 0)
"""The rotations (36, 2, 2) that are tried."""
EQUAL_SHARE = 0.03
"""Difference in common area within which rotations count as equal to the best. A guess."""
MAX_REGION_POINTS = 600
"""Approximate maximum number of points of a region that are compared. Bounds time."""
SIMPLIFIED_SHARES = (0.008, 0.013, 0.02, 0.03)
"""Tolerances, as shares of its length, by which a region's border is simplified until it has an outline's corners. A
guess."""
CARDBOARD_SHARE = SIMPLIFIED_SHARES[1]
"""Tolerance by which the border of a piece of cardboard is simplified."""
MIN_STRAIGHT_SHARE = 0.95
"""Minimum share of its area that a piece of cardboard keeps by that. A guess."""
MAX_CORNERS = 12
"""Maximum number of corners of five squares in one piece: a cross has that many. Geometry of the piece."""
MASK_ROUNDS, EDGE_ROUNDS = 12, 5
"""Maximum rounds of the fits to a region and to edges. Bounds time."""
MASK_SOFT_TILES = 0.06
"""Distance of a point of the outline from the region's border beyond which it weighs less. A guess."""
STEP_PX, MAX_STEP_PX = 0.5, 8.0
"""Step of numeric derivatives, and maximum step of a fit, in pixels. A guess."""
ENOUGH_PX = 0.05
"""Step at which a fit has converged, in pixels. A guess."""
STILLNESS = 1e-3
"""Weight that keeps each of the four points in place, against the evidence for moving it. A guess."""
REGION_VIEW_WEIGHT, EDGE_VIEW_WEIGHT = 0.3, 0.03
"""Residual in tiles, at each point, by which a unit of deviation from a usual camera's axes is weighed: a region's
border is vague, an edge sharp. A guess."""
SUPPORT_REACH_TILES, SUPPORT_TILES = 0.25, 0.045
"""A point is supported if an edge within the second distance stands out among those within the first. A guess."""
STRONG_QUANTILE = 0.9
"""Quantile of the changes beside the outline that an edge of the photo must exceed. A guess."""
STEP_OVER = 4
"""Maximum number of profile steps an edge of the photo may span. A guess."""
PROFILE_POINTS = 51
"""Number of points of a profile. Bounds time."""


@dataclass(frozen=True, slots=True)
class OutlinePoints:
    """Points (n, 2) along the outer edges of an outline, and the outward direction (n, 2) at each."""

    at: Floats
    outward: Floats


@cache
def list_outline_points(outline: Outline) -> OutlinePoints:
    """Return points spread along all outer edges of some squares."""
    sides = {"N": (0, 1, (0, -1)), "E": (1, 2, (1, 0)), "S": (2, 3, (0, 1)), "W": (3, 0, (-1, 0))}
    along = (np.arange(EDGE_POINTS) + 0.5)[:, None] / EDGE_POINTS
    points, ways = [], []
    for cell, side in list_outer_edges(outline):
        first, last, way = sides[side]
        corners = CORNERS + np.array(outline[cell])[::-1]
        points.append(corners[first] + along * (corners[last] - corners[first]))
        ways.append(np.tile(np.array(way, np.float64), (EDGE_POINTS, 1)))
    return OutlinePoints(np.concatenate(points), np.concatenate(ways))


def list_begun_fits(region: Flags, outlines: Sequence[Outline]) -> Iterator[tuple[Outline, Floats, float]]:
    """Yield outlines in their upright orientation, the homography that places each like a region (h, w), and the share
    of area in common.

    The best of all rotations with the region's second moments is chosen; of equal ones, that nearest to a camera's
    view. `outlines` stand for all their orientations.
    """
    rows, cols = np.nonzero(region)
    pixels = np.asarray(np.column_stack([cols, rows]) + 0.5, np.float64)
    middle, spread = _measure_moments(pixels)
    some = pixels[:: max(1, len(pixels) // MAX_REGION_POINTS)]
    still, size = np.linalg.solve(spread, (some - middle).T), (region.shape[1], region.shape[0])
    for outline in outlines:
        outline_middle, outline_spread = _measure_moments(_list_inner_points(outline))
        grid = np.zeros((7, 7), np.bool_)
        grid[tuple(np.array(outline).T + 1)] = True
        points = np.swapaxes(outline_spread @ TURNS @ still, 1, 2) + outline_middle
        cells = np.clip(np.floor(points).astype(int) + 1, 0, 6)
        common = grid[cells[..., 1], cells[..., 0]].mean(axis=1)
        good = np.flatnonzero(common >= common.max() - EQUAL_SHARE)
        linear = spread @ np.linalg.inv(outline_spread @ TURNS[good])
        places = [np.vstack([np.column_stack([each, middle - each @ outline_middle]), (0, 0, 1)]) for each in linear]
        homography, share = min(
            zip(places, common[good] * len(pixels), strict=True), key=lambda pair: _measure_squint(pair[0], size)
        )
        area = len(outline) * abs(np.linalg.det(homography[:2, :2]))
        yield *_turn_upright(outline, homography), share / (len(pixels) + area - share)


def list_corner_fits(region: Flags, outlines: Sequence[Outline]) -> Iterator[tuple[Outline, Floats]]:
    """Yield outlines in their upright orientation, with a homography that maps its corners to those of a region (h, w).

    The region's border is simplified more and more; an outline fits if it has the same number of corners, and turns to
    the same sides at them. The possible assignment nearest to a camera's view is chosen. `outlines` stand
    for all their orientations.
    """
    (border,), _ = cv2.findContours(np.asarray(region, np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    size = region.shape[1], region.shape[0]
    for share in SIMPLIFIED_SHARES:
        corners = cv2.approxPolyDP(border, share * cv2.arcLength(border, True), True)[:, 0].astype(np.float64) + 0.5
        corners = corners if _measure_turns(corners).sum() > 0 else corners[::-1]
        signs = np.sign(_measure_turns(corners))
        for outline in outlines:
            outline_corners = _list_corners(outline)
            if len(outline_corners) != len(corners):
                continue
            outline_signs = np.sign(_measure_turns(outline_corners))
            rolls = [roll for roll in range(len(outline_corners)) if (np.roll(outline_signs, roll) == signs).all()]
            rolled = (np.roll(outline_corners, roll, axis=0) for roll in rolls)
            places = [np.asarray(cv2.findHomography(each, corners, 0)[0], np.float64) for each in rolled]
            if places:
                yield _turn_upright(outline, min(places, key=lambda place: _measure_squint(place, size)))


def is_cardboard(region: Flags) -> bool:
    """Return whether a region (h, w) has straight sides, and few of them."""
    (border,), _ = cv2.findContours(np.asarray(region, np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    corners = cv2.approxPolyDP(border, CARDBOARD_SHARE * cv2.arcLength(border, True), True)
    filled = cv2.fillPoly(np.zeros(region.shape, np.uint8), [corners], 1).astype(bool)
    common = (filled & region).sum() / (filled | region).sum()
    return len(corners) <= MAX_CORNERS and bool(common >= MIN_STRAIGHT_SHARE)


def _measure_squint(homography: Floats, size: tuple[int, int]) -> float:
    """Measure the deviation of the axes from a usual camera's view of squares."""
    return float(np.linalg.norm(compare_axes(homography, size)))


@cache
def _list_corners(outline: Outline) -> Floats:
    """Return (n, 2) the corners (col, row) of some connected squares, clockwise as rows grow downward."""
    shape = union_all([box(col, row, col + 1, row + 1) for row, col in outline]).simplify(0)
    corners = np.array(shape.boundary.coords)[:-1]
    return corners if _measure_turns(corners).sum() > 0 else corners[::-1]


def _measure_turns(corners: Floats) -> Floats:
    """Measure (n,) the exterior angle at each corner of a polygon, positive to the right, as is the total."""
    before, after = corners - np.roll(corners, 1, axis=0), np.roll(corners, -1, axis=0) - corners
    return np.asarray(np.arctan2(before[:, 0] * after[:, 1] - before[:, 1] * after[:, 0], (before * after).sum(axis=1)))


def _turn_upright(outline: Outline, homography: Floats) -> tuple[Outline, Floats]:
    """Return the outline in the orientation in which north is nearest to up in the picture."""
    east, south = homography[:2, 0], homography[:2, 1]
    turns = round(np.degrees(np.arctan2(east[1] - south[0], east[0] + south[1])) / 90) % 4
    turned = np.array([turn_square(square, turns) for square in outline])
    low = turned.min(axis=0)
    quarter = np.linalg.matrix_power(np.array([[0.0, 1, 0], [-1, 0, 1], [0, 0, 1]]), turns)
    moved = np.array([[1.0, 0, low[1]], [0, 1, low[0]], [0, 0, 1]])
    return tuple(sorted((int(row), int(col)) for row, col in turned - low)), homography @ quarter @ moved


def fit_to_region(homography: Floats, outline: Outline, region: Flags) -> Floats:
    """Move an outline so that its edges lie on the border of a region (h, w)."""
    points, ones = list_outline_points(outline), np.asarray(region, np.uint8)
    soft = MASK_SOFT_TILES * np.sqrt(region.sum() / len(outline))
    distance = _measure_distance(ones) - _measure_distance(1 - ones)
    slopes = [cv2.Sobel(distance, cv2.CV_32F, *way, ksize=3) / 8 for way in ((1, 0), (0, 1))]

    def measure(place: Floats) -> tuple[Floats, Floats, Floats]:
        pixels = apply_homography(place, points.at)
        off, *ways = (_sample(map_, pixels[:, None])[:, 0] for map_ in (distance, *slopes))
        return off, np.column_stack(ways), 1 / (1 + (off / soft) ** 2)

    return _improve(homography, outline, measure, MASK_ROUNDS, (ones.shape[1], ones.shape[0]), REGION_VIEW_WEIGHT)


def fit_to_edges(homography: Floats, outline: Outline, image: Singles, reaches: Sequence[float]) -> Floats:
    """Move an outline onto the strongest edges near it in a picture (h, w, channels).

    Edges are searched for within the distances `reaches`, in tiles, one round after the other.
    """
    points, size = list_outline_points(outline), (image.shape[1], image.shape[0])
    for reach in reaches:

        def measure(place: Floats, reach: float = reach) -> tuple[Floats, Floats, Floats]:
            tile_px = np.sqrt(measure_area(place, outline) / len(outline))
            offsets = np.linspace(-reach, reach, 2 * int(np.ceil(reach * tile_px)) + 3)
            steps = _measure_steps(image, place, points, offsets, 2)
            inner = offsets[1:-1]
            steps = steps * np.exp(-0.5 * (inner / (0.6 * reach)) ** 2)
            strongest = steps.argmax(axis=1)
            pixels = apply_homography(place, points.at)
            ways = apply_homography(place, points.at + SUPPORT_TILES * points.outward) - pixels
            ways /= np.linalg.norm(ways, axis=1, keepdims=True)
            goals = apply_homography(place, points.at + inner[strongest, None] * points.outward)
            off = -((goals - pixels) * ways).sum(axis=1)
            soft = max(1.0, 1.5 * float(np.median(np.abs(off))))
            return off, ways, np.sqrt(steps.max(axis=1)) / (1 + (off / soft) ** 2)

        homography = _improve(homography, outline, measure, EDGE_ROUNDS, size, EDGE_VIEW_WEIGHT)
    return homography


def measure_support(homography: Floats, outline: Outline, image: Singles) -> float:
    """Measure the share of an outline's points at which a picture has an edge, stronger than nearly all beside it."""
    offsets = np.linspace(-SUPPORT_REACH_TILES, SUPPORT_REACH_TILES, PROFILE_POINTS)
    steps = _measure_steps(image, homography, list_outline_points(outline), offsets, STEP_OVER)
    near = np.abs(offsets[STEP_OVER // 2 : -(STEP_OVER // 2)]) <= SUPPORT_TILES
    beside = np.sort(steps[:, ~near], axis=1)[:, int(STRONG_QUANTILE * (~near).sum())]
    return float((steps[:, near].max(axis=1) > beside).mean())


def measure_common_area(homography: Floats, outline: Outline, region: Flags) -> float:
    """Measure the intersection over union of an outline and a region (h, w)."""
    mask = np.zeros(region.shape, np.uint8)
    for quad in project_squares(homography, outline):
        cv2.fillConvexPoly(mask, np.asarray(np.round(np.clip(quad, -1e4, 1e4)), np.int32), 1)
    return float((mask.astype(bool) & region).sum() / max(1, (mask.astype(bool) | region).sum()))


def measure_area(homography: Floats, outline: Outline) -> float:
    """Measure the total area of an outline's squares in pixels."""
    quads = project_squares(homography, outline)
    across, down = quads[:, 2] - quads[:, 0], quads[:, 3] - quads[:, 1]
    return float(np.abs(across[:, 0] * down[:, 1] - across[:, 1] * down[:, 0]).sum() / 2)


def project_squares(homography: Floats, squares: Sequence[Square]) -> Floats:
    """Return (n, 4, 2) pixels of the corners NW, NE, SE, SW of some squares."""
    return apply_homography(homography, stack_square_corners(squares).reshape(-1, 2)).reshape(-1, 4, 2)


def _improve(
    homography: Floats, outline: Outline, measure: Measure, rounds: int, picture: tuple[int, int], view_weight: float
) -> Floats:
    """Move the images of four points about an outline to minimise the residuals and the view's misfit."""
    squares, points = np.array(outline)[:, ::-1], list_outline_points(outline).at
    low, high = squares.min(axis=0), squares.max(axis=0) + 1
    frame = low + CORNERS * (high - low)
    at = apply_homography(homography, frame).ravel()
    for _ in range(rounds):
        place = _place_frame(frame, at)
        off, ways, weights = measure(place)
        pixels, view = apply_homography(place, points), compare_axes(place, picture)
        moved = [_place_frame(frame, at + step) for step in STEP_PX * np.eye(8)]
        slopes = np.stack([(ways * (apply_homography(m, points) - pixels)).sum(axis=1) for m in moved], 1) / STEP_PX
        turns = np.stack([compare_axes(m, picture) - view for m in moved], axis=1) / STEP_PX
        total = max(float(weights.sum()), 1.0)
        stiff = total * view_weight**2 * measure_area(place, outline) / len(outline)
        curve = slopes.T @ (weights[:, None] * slopes) + stiff * turns.T @ turns + STILLNESS * total / 8 * np.eye(8)
        step = -np.linalg.solve(curve, slopes.T @ (weights * off) + stiff * turns.T @ view)
        at = at + np.clip(step, -MAX_STEP_PX, MAX_STEP_PX)
        if np.abs(step).max() < ENOUGH_PX:
            break
    return _place_frame(frame, at)


def _place_frame(frame: Floats, at: Floats) -> Floats:
    return np.asarray(
        cv2.getPerspectiveTransform(frame.astype(np.float32), at.reshape(4, 2).astype(np.float32)), np.float64
    )


def _measure_steps(image: Singles, place: Floats, points: OutlinePoints, offsets: Floats, over: int) -> Floats:
    """Measure (n, m - over) the change of the picture across the outline, at m offsets from it, in tiles outward."""
    at = points.at[:, None] + points.outward[:, None] * offsets[:, None]
    values = _sample(image, apply_homography(place, at.reshape(-1, 2)).reshape(*at.shape))
    return np.asarray(np.linalg.norm(values[:, over:] - values[:, :-over], axis=2), np.float64)


def _sample(image: Singles, pixels: Floats) -> Floats:
    """Sample a picture at (n, m, 2) places."""
    x, y = (np.ascontiguousarray(pixels[..., axis] - 0.5, np.float32) for axis in (0, 1))
    return np.asarray(cv2.remap(image, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.float64)


def _measure_distance(ones: Image) -> Singles:
    return np.asarray(cv2.distanceTransform(ones, cv2.DIST_L2, 5), np.float32)


@cache
def _list_inner_points(outline: Outline) -> Floats:
    along = (np.arange(INNER_POINTS) + 0.5) / INNER_POINTS
    inner = np.stack(np.meshgrid(along, along), -1).reshape(-1, 2)
    return np.concatenate([inner + np.array([col, row]) for row, col in outline])


def _measure_moments(points: Floats) -> tuple[Floats, Floats]:
    """Return the mean of points (n, 2), and the Cholesky factor (2, 2) of their covariance."""
    return np.asarray(points.mean(axis=0)), np.asarray(np.linalg.cholesky(np.cov(points.T)), np.float64)
