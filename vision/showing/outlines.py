"""Detection of plain shapes in a printed board's picture: rectangles and rounds with an outline or their own colour.

A user who enrols a board points at its print; these are the shapes that the pointing is matched to.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

import cv2
import numpy as np

from scoring.calibration import load_weights
from vision.arrays import Flags, Floats, Image, Singles
from vision.photo.crops import scale_image

ShapeKind = Literal["rectangle", "round", "space", "card", "side", "grid"]
SEARCH_PX = 1600
"""Longer side of the straightened picture of a board, in which shapes are searched for. A guess."""
MIN_SIDE_SHARE, MAX_SIDE_SHARE = 0.012, 0.45
"""Range of a rectangle's sides, relative to the picture's longer side. A guess."""
MIN_RADIUS_SHARE, MAX_RADIUS_SHARE = 0.008, 0.05
"""Range of a round's radius, likewise. A guess."""
EDGE_QUANTILES = (0.80, 0.88, 0.94)
"""Quantiles of edge strength used as thresholds: the first finds faint lines, the last strong lines close together. A
guess."""
LINE_POINTS = 21
"""Number of points along a side at which its line is measured. Bounds time."""
MAX_LINE_PX = 10
"""Maximum width of a line in pixels. A guess."""


@cache
def load_shape_rules(kind: ShapeKind) -> Mapping[str, float]:
    """Load the criteria of a kind of shape (`[boards.shapes]` of `models/calibration.toml` explains each number).

    Raises ScoringError as `load_weights` does.
    """
    return load_weights("boards", "shapes")[kind]


@dataclass(frozen=True, slots=True, eq=False)
class Outlines:
    """Shapes in pixels of a picture: `boxes` (n, 4) x, y, width, height, and `rounds` (m, 3) x, y, radius."""

    boxes: Floats
    rounds: Floats


def find_outlines(picture: Image) -> Outlines:
    """Find the upright rectangles and the rounds in a rectified (h, w, 3) BGR picture of a board."""
    scale = min(1.0, SEARCH_PX / max(picture.shape[:2]))
    small = scale_image(picture, scale) if scale < 1 else picture
    smooth = np.asarray(cv2.bilateralFilter(small, 7, 30, 5), np.uint8)
    boxes = [box for edges in _list_edge_masks(smooth) for box in _list_boxes(edges)]
    return Outlines(_merge_boxes(boxes, max(small.shape)) / scale, _find_rounds(smooth) / scale)


def _list_edge_masks(smooth: Image) -> Iterator[Flags]:
    """Yield masks (h, w) of changing colours, for several thresholds."""
    strength = measure_edges(smooth)
    for quantile in EDGE_QUANTILES:
        yield strength > np.quantile(strength, quantile)


def measure_edges(smooth: Image) -> Singles:
    """Measure the change (h, w) of colours at each place of a smooth picture (h, w, 3)."""
    lab = cv2.cvtColor(smooth, cv2.COLOR_BGR2LAB).astype(np.float32)
    gradients = [cv2.Scharr(lab[..., channel], cv2.CV_32F, *way) for channel in range(3) for way in ((1, 0), (0, 1))]
    return np.asarray(np.sqrt(np.sum(np.square(gradients), axis=0)), np.float32)


def _list_boxes(edges: Flags) -> Iterator[Floats]:
    """Yield each upright rectangle enclosed by edges, x, y, width, height, along the middle of its line."""
    longer, rules = max(edges.shape), load_shape_rules("rectangle")
    inside = np.asarray(~edges, np.uint8)
    contours, family = cv2.findContours(inside, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_SIMPLE)
    for contour, (*_, parent) in zip(contours, family[0] if len(contours) else (), strict=True):
        _, _, w, h = cv2.boundingRect(contour)
        if min(w, h) < MIN_SIDE_SHARE * longer or max(w, h) > MAX_SIDE_SHARE * longer:
            continue
        area = cv2.contourArea(cv2.convexHull(contour))
        (cx, cy), (rw, rh), angle = cv2.minAreaRect(contour)
        lean = min(angle % 90, 90 - angle % 90)
        if area < rules["filled"] * rw * rh or lean > rules["lean_degrees"]:
            continue
        if 45 < angle % 180 < 135:
            rw, rh = rh, rw
        is_hole = parent >= 0  # the contour of a hole runs outside the line around it
        wider = -1.0 if is_hole else 1.0
        box = np.array([cx + 0.5 - (rw + wider) / 2, cy + 0.5 - (rh + wider) / 2, rw + wider, rh + wider])
        yield _move_to_lines(edges, box, -1 if is_hole else 1)


def _move_to_lines(edges: Flags, box: Floats, way: int) -> Floats:
    """Move the rectangle x, y, width, height to the middles of the lines around it (`way` 1) or inside it (-1)."""
    x, y, w, h = box
    shares = np.linspace(0.1, 0.9, LINE_POINTS)
    xs, ys = x + w * shares, y + h * shares
    left, right = (way * _measure_line(edges, edge, ys, out * way, False) for edge, out in ((x, -1), (x + w, 1)))
    top, bottom = (way * _measure_line(edges, edge, xs, out * way, True) for edge, out in ((y, -1), (y + h, 1)))
    return np.array([x - left, y - top, w + left + right, h + top + bottom])


def _measure_line(edges: Flags, edge: float, along: Floats, way: int, lies: bool) -> float:
    """Return half the width of the line beside a side at `edge`; it `lies` if the line is horizontal."""
    steps = np.floor(edge + way * (np.arange(MAX_LINE_PX) + 0.5)).astype(int)
    across, beside = (np.clip(steps, 0, edges.shape[0 if lies else 1] - 1), np.floor(along).astype(int))
    beside = np.clip(beside, 0, edges.shape[1 if lies else 0] - 1)
    line = edges[np.ix_(across, beside)] if lies else edges[np.ix_(beside, across)].T
    return 0.5 * float(np.median(np.where(line.all(axis=0), MAX_LINE_PX, line.argmin(axis=0))))


def _merge_boxes(boxes: Sequence[Floats], longer: int) -> Floats:
    """Return the rectangles (n, 4), with coinciding ones merged to their median."""
    left, merged = np.array(boxes).reshape(-1, 4), list[Floats]()
    near = load_shape_rules("rectangle")["same"] * longer
    while len(left):
        off = left - left[0]
        same = np.abs(np.column_stack([off[:, :2], off[:, :2] + off[:, 2:]])).max(axis=1) < near
        merged.append(np.median(left[same], axis=0))
        left = left[~same]
    return np.array(merged).reshape(-1, 4)


def _find_rounds(smooth: Image) -> Floats:
    """Return rounds (m, 3), the clearest first."""
    longer = max(smooth.shape[:2])
    low, high = round(MIN_RADIUS_SHARE * longer), round(MAX_RADIUS_SHARE * longer)
    grey = cv2.cvtColor(smooth, cv2.COLOR_BGR2GRAY)
    votes = load_shape_rules("round")["votes"]
    found = cv2.HoughCircles(
        grey, cv2.HOUGH_GRADIENT_ALT, 1.5, 1.2 * low, param1=120, param2=votes, minRadius=low, maxRadius=high
    )
    return np.zeros((0, 3)) if found is None else np.asarray(found.reshape(-1, found.shape[-1])[:, :3], np.float64)
