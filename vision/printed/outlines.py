"""What a printed board's picture shows of plain shapes: rectangles and rounds that are outlined or of their own colour.

A person who shows a board points at what it prints; these are the shapes that such a pointing is taken for.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np

from vision.arrays import Flags, Floats, Image, Singles

SEARCH_PX = 1600
"""Shapes are looked for in a picture whose longer side is so long."""
MIN_SIDE_SHARE, MAX_SIDE_SHARE = 0.012, 0.45
"""The sides of a rectangle, as shares of the picture's longer side."""
MIN_RADIUS_SHARE, MAX_RADIUS_SHARE = 0.008, 0.05
"""The radius of a round, likewise."""
MIN_FILLED_SHARE = 0.88
"""What a rectangle's outline encloses, as a share of the rectangle about it."""
MAX_LEAN_DEGREES = 6.0
"""Rectangles stand upright, but for this."""
EDGE_QUANTILES = (0.80, 0.88, 0.94)
"""Edges are what is stronger than these shares of the picture: faint lines are found by the first, strong ones that
lie close by the last."""
LINE_POINTS, MAX_LINE_PX = 21, 10
SAME_SHARE = 0.005
"""Rectangles whose sides are nearer to each other than this share of the picture's longer side are one."""
ROUND_VOTES = 0.75
"""How much of a circle is seen of a round (`cv2.HOUGH_GRADIENT_ALT`)."""
REFINED_SHARE, REFINED_PX = 0.03, (4.0, 30.0)
"""A side is looked for so far about where it was pointed at, as a share of the quad's longest side, and so many pixels
at least and at most."""
SIDE_POINTS = 60
SIDE_SHARES = (0.06, 0.94)
"""From where to where a side is followed: a card's corners are round."""
MAX_LINE_MISFIT_PX, SAME_LINE_PX, STEP_PX = 1.5, 0.8, 0.5
"""How far a line's points lie off it, how near to each other two lines are one, and how finely profiles are taken."""
MIN_LINE_SHARE = 0.35
"""A side is moved where so much of it agrees upon a line."""
PEAK_SHARE = 0.3
"""What counts as a line in a profile, as a share of its strongest."""


@dataclass(frozen=True, slots=True, eq=False)
class Outlines:
    """Shapes in pixels of a picture: `boxes` (n, 4) x, y, width, height, and `rounds` (m, 3) x, y, radius."""

    boxes: Floats
    rounds: Floats


def find_outlines(picture: Image) -> Outlines:
    """Find the upright rectangles and the rounds that a (h, w, 3) BGR picture of a board from above shows."""
    scale = min(1.0, SEARCH_PX / max(picture.shape[:2]))
    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else picture
    smooth = np.asarray(cv2.bilateralFilter(small, 7, 30, 5), np.uint8)
    boxes = [box for edges in _list_edge_masks(smooth) for box in _list_boxes(edges)]
    return Outlines(_merge_boxes(boxes, max(small.shape)) / scale, _find_rounds(smooth) / scale)


def _list_edge_masks(smooth: Image) -> Iterator[Flags]:
    """(h, w) where colours change, by several demands."""
    strength = measure_edges(smooth)
    for quantile in EDGE_QUANTILES:
        yield strength > np.quantile(strength, quantile)


def measure_edges(smooth: Image) -> Singles:
    """Measure (h, w) how much the colours of a smooth picture (h, w, 3) change at each place."""
    lab = cv2.cvtColor(smooth, cv2.COLOR_BGR2LAB).astype(np.float32)
    gradients = [cv2.Scharr(lab[..., channel], cv2.CV_32F, *way) for channel in range(3) for way in ((1, 0), (0, 1))]
    return np.asarray(np.sqrt(np.sum(np.square(gradients), axis=0)), np.float32)


def _list_boxes(edges: Flags) -> Iterator[Floats]:
    """Each upright rectangle that edges enclose, x, y, width, height: the middle of its line, whatever its width."""
    longer = max(edges.shape)
    inside = np.asarray(~edges, np.uint8)
    contours, family = cv2.findContours(inside, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_SIMPLE)
    for contour, (*_, parent) in zip(contours, family[0] if len(contours) else (), strict=True):
        _, _, w, h = cv2.boundingRect(contour)
        if min(w, h) < MIN_SIDE_SHARE * longer or max(w, h) > MAX_SIDE_SHARE * longer:
            continue
        area = cv2.contourArea(cv2.convexHull(contour))
        (cx, cy), (rw, rh), angle = cv2.minAreaRect(contour)
        lean = min(angle % 90, 90 - angle % 90)
        if area < MIN_FILLED_SHARE * rw * rh or lean > MAX_LEAN_DEGREES:
            continue
        if 45 < angle % 180 < 135:
            rw, rh = rh, rw
        is_hole = parent >= 0  # its contour runs outside the line about it
        wider = -1.0 if is_hole else 1.0
        box = np.array([cx + 0.5 - (rw + wider) / 2, cy + 0.5 - (rh + wider) / 2, rw + wider, rh + wider])
        yield _move_to_lines(edges, box, -1 if is_hole else 1)


def _move_to_lines(edges: Flags, box: Floats, way: int) -> Floats:
    """The rectangle x, y, width, height moved to the middles of the lines about it (`way` 1), or within it (-1)."""
    x, y, w, h = box
    shares = np.linspace(0.1, 0.9, LINE_POINTS)
    xs, ys = x + w * shares, y + h * shares
    left, right = (way * _measure_line(edges, edge, ys, out * way, False) for edge, out in ((x, -1), (x + w, 1)))
    top, bottom = (way * _measure_line(edges, edge, xs, out * way, True) for edge, out in ((y, -1), (y + h, 1)))
    return np.array([x - left, y - top, w + left + right, h + top + bottom])


def _measure_line(edges: Flags, edge: float, along: Floats, way: int, lies: bool) -> float:
    """Half the width of the line beside a side at `edge`; it `lies` where it runs from left to right."""
    steps = np.floor(edge + way * (np.arange(MAX_LINE_PX) + 0.5)).astype(int)
    across, beside = (np.clip(steps, 0, edges.shape[0 if lies else 1] - 1), np.floor(along).astype(int))
    beside = np.clip(beside, 0, edges.shape[1 if lies else 0] - 1)
    line = edges[np.ix_(across, beside)] if lies else edges[np.ix_(beside, across)].T
    return 0.5 * float(np.median(np.where(line.all(axis=0), MAX_LINE_PX, line.argmin(axis=0))))


def _merge_boxes(boxes: Sequence[Floats], longer: int) -> Floats:
    """(n, 4) the rectangles, those that are one as their median."""
    left, merged = np.array(boxes).reshape(-1, 4), list[Floats]()
    while len(left):
        off = left - left[0]
        same = np.abs(np.column_stack([off[:, :2], off[:, :2] + off[:, 2:]])).max(axis=1) < SAME_SHARE * longer
        merged.append(np.median(left[same], axis=0))
        left = left[~same]
    return np.array(merged).reshape(-1, 4)


def _find_rounds(smooth: Image) -> Floats:
    """(m, 3) rounds, those that are seen best first."""
    longer = max(smooth.shape[:2])
    low, high = round(MIN_RADIUS_SHARE * longer), round(MAX_RADIUS_SHARE * longer)
    grey = cv2.cvtColor(smooth, cv2.COLOR_BGR2GRAY)
    found = cv2.HoughCircles(
        grey, cv2.HOUGH_GRADIENT_ALT, 1.5, 1.2 * low, param1=120, param2=ROUND_VOTES, minRadius=low, maxRadius=high
    )
    return np.zeros((0, 3)) if found is None else np.asarray(found.reshape(-1, found.shape[-1])[:, :3], np.float64)


def refine_corners(photo: Image, corners: Floats, least_share: float) -> Floats:
    """Move the (4, 2) corners of a quad onto the lines in a photo (h, w, 3) that its sides lie nearly on.

    A side that no line is seen near stays where it is. Of lines that are as good as `least_share` of the best, the
    outermost is taken: what is printed lies within. The second look is closer than the first.
    """
    longest = float(np.linalg.norm(corners - np.roll(corners, -1, axis=0), axis=1).max())
    reach = float(np.clip(REFINED_SHARE * longest, *REFINED_PX))
    return _move_sides(photo, _move_sides(photo, corners, reach, least_share), reach / 3, least_share)


def _move_sides(photo: Image, corners: Floats, reach: float, least_share: float) -> Floats:
    lines = [_refine_side(photo, corners[i], corners[(i + 1) % 4], reach, least_share) for i in range(4)]
    moved = np.array([_cross(lines[i - 1], lines[i]) for i in range(4)])
    near = np.linalg.norm(moved - corners, axis=1).max() < 4 * reach
    return moved if np.isfinite(moved).all() and near else corners


def _refine_side(photo: Image, first: Floats, last: Floats, reach: float, least_share: float) -> tuple[Floats, Floats]:
    """Two points of the line in the photo along a side."""
    along = (last - first) / max(float(np.linalg.norm(last - first)), 1e-9)
    out = np.array([along[1], -along[0]])
    shares = np.linspace(*SIDE_SHARES, SIDE_POINTS)[:, None]
    offsets = np.arange(-reach, reach + STEP_PX / 2, STEP_PX)
    points = (first + shares * (last - first))[:, None] + offsets[:, None] * out
    maps = (points[..., 0] - 0.5).astype(np.float32), (points[..., 1] - 0.5).astype(np.float32)
    remapped = cv2.remap(photo, *maps, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE).astype(np.float32)
    profiles = cv2.GaussianBlur(remapped, (5, 1), 1.0)
    strength = np.linalg.norm(np.gradient(profiles, axis=1), axis=2)
    where, steps, weights = _list_peaks(strength)
    line = _find_outermost_line(where, offsets[0] + STEP_PX * steps, weights, least_share)
    if line is None:
        return first, last
    ends = np.polyval(line, (0.0, 1.0))
    return first + ends[0] * out, last + ends[1] * out


def _list_peaks(strength: Floats) -> tuple[Floats, Floats, Floats]:
    """Where along a side (n,), and at which step (n,) of them, the profiles (points, steps) change most of all about.

    Their weight is how much they change, as a share of the most. A step is told to its fraction, by the parabola
    through a peak and what is on either side of it.
    """
    low, middle, high = strength[:, :-2], strength[:, 1:-1], strength[:, 2:]
    peaks = (middle >= low) & (middle > high) & (middle > PEAK_SHARE * strength.max(axis=1, keepdims=True))
    rows, cols = np.nonzero(peaks)
    bend = np.maximum(2 * middle - low - high, 1e-6)
    fraction = (0.5 * (high - low) / bend)[rows, cols]
    weights = (middle / np.maximum(strength.max(axis=1, keepdims=True), 1e-6))[rows, cols]
    return np.linspace(*SIDE_SHARES, len(strength))[rows], cols + 1 + fraction, weights


def _find_outermost_line(where: Floats, at: Floats, weights: Floats, least_share: float) -> Floats | None:
    """(2,) of the lines that many of (n,) peaks lie on, the outermost; None where there is none."""
    lines: list[tuple[float, float, Floats]] = []
    firsts, lasts = (np.flatnonzero(end) for end in (where < 0.25, where > 0.75))
    for i in firsts:
        for j in lasts:
            slope = (at[j] - at[i]) / (where[j] - where[i])
            near = np.abs(at - at[i] - slope * (where - where[i])) < MAX_LINE_MISFIT_PX
            if len(np.unique(where[near])) >= MIN_LINE_SHARE * SIDE_POINTS:
                line = _fit_line(where, at, np.array([slope, at[i] - slope * where[i]]))
                lines.append((float(np.polyval(line, 0.5)), float(weights[near].sum()), line))
    most = max((weight for _, weight, _ in lines), default=0.0)
    good = sorted((entry for entry in lines if entry[1] >= least_share * most), key=lambda entry: -entry[0])
    if not good:
        return None
    apart = next((i for i, (one, two) in enumerate(pairwise(good), 1) if one[0] - two[0] > SAME_LINE_PX), len(good))
    return max(good[:apart], key=lambda entry: entry[1])[2]


def _fit_line(where: Floats, at: Floats, line: Floats) -> Floats:
    """(2,) the line through the peaks that lie near a rough one, and nearer still."""
    for reach in (MAX_LINE_MISFIT_PX, MAX_LINE_MISFIT_PX / 2, MAX_LINE_MISFIT_PX / 2):
        near = np.abs(at - np.polyval(line, where)) < reach
        if near.sum() > 2:
            line = np.asarray(np.polyfit(where[near], at[near], 1), np.float64)
    return line


def _cross(one: tuple[Floats, Floats], other: tuple[Floats, Floats]) -> Floats:
    """The point that two lines have in common; not finite where they have none."""
    (a, b), (c, d) = one, other
    ab, cd = b - a, d - c
    turn = ab[0] * cd[1] - ab[1] * cd[0]
    if abs(turn) < 1e-9:
        return np.full(2, np.inf)
    share = ((c[0] - a[0]) * cd[1] - (c[1] - a[1]) * cd[0]) / turn
    return np.asarray(a + share * ab)
