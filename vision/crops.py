"""Squares cut out of a photo: one small upright picture a square, for the tile classifier."""

from __future__ import annotations

from math import ceil, floor

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Image = NDArray[np.uint8]

CORNERS = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float64)
"""(4, 2) corners NW, NE, SE, SW of a square (col, row), one unit wide."""
CROP_PX = 64
CROP_MARGIN = 0.07
"""Of a tile, on each side: the neighbours' borders show where this tile ends when the lattice is a little off."""
STARTS_TRIED = 24
"""A part's first pixel is the one of so many that falls nearest to where a pixel of the larger picture begins."""
ROUNDING = 1e-6

Box = tuple[float, float, float, float]
"""Left, top, right and bottom in pixels."""


def tile_px(corners: Floats) -> Floats:
    """(n,) size of each square in pixels, the root of its area, from (n, 4, 2) corners."""
    a, b = corners[:, 2] - corners[:, 0], corners[:, 3] - corners[:, 1]
    return np.asarray(np.sqrt(np.abs(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]) / 2))


def box_about(points: Floats, room: float) -> Box:
    """The box of (n, 2) pixels, and so much around it."""
    left, top = (points.min(0) - room).tolist()
    right, bottom = (points.max(0) + room).tolist()
    return left, top, right, bottom


def box_scaled(box: Box, scale: float) -> Box:
    """The box in the pixels of the picture at `scale`."""
    left, top, right, bottom = box
    return left * scale, top * scale, right * scale, bottom * scale


def shrink_to(image: Image, scale: float, within: Box | None = None) -> tuple[Image, float]:
    """The picture made smaller by area averaging, and the scale really used; never made larger.

    Only what lies `within` a box of its pixels is sure to be there: see `shrunk_part`.
    """
    if scale >= 0.95:
        return image, 1.0
    if within is not None:
        return shrunk_part(image, (scale, scale), within), scale
    return np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), dtype=np.uint8), scale


def shrunk_part(image: Image, scales: tuple[float, float], box: Box) -> Image:
    """A picture as shrinking the whole by `scales` (x, y) gives it, but black beyond a box of its own pixels."""
    h, w = image.shape[:2]
    small = np.zeros((int(h * scales[1] + ROUNDING), int(w * scales[0] + ROUNDING), *image.shape[2:]), np.uint8)
    left, top = (_start(edge, scale) for edge, scale in zip(box[:2], scales, strict=True))
    right, bottom = (max(0, ceil(edge + 2 / scale)) for edge, scale in zip(box[2:], scales, strict=True))
    part = image[round(top / scales[1]) : bottom, round(left / scales[0]) : right]
    if part.shape[0] * scales[1] >= 1 and part.shape[1] * scales[0] >= 1:
        shrunk = cv2.resize(part, None, fx=scales[0], fy=scales[1], interpolation=cv2.INTER_AREA)
        room = small[top : top + shrunk.shape[0], left : left + shrunk.shape[1]]
        room[:] = shrunk[: room.shape[0], : room.shape[1]]
    return small


def _start(at: float, scale: float) -> int:
    """A pixel of the smaller picture at or before `at` of the larger one, where pixels of both begin."""
    last = max(0, floor(at * scale))
    starts = range(last, max(-1, last - STARTS_TRIED), -1)
    return min(starts, key=lambda start: abs(start / scale - round(start / scale)))


def crop_squares(image: Image, corners: Floats, size: int = CROP_PX, margin: float = CROP_MARGIN) -> Image:
    """(n, size, size, channels) crops of the squares with (n, 4, 2) corners NW, NE, SE, SW in pixels of `image`.

    `margin` is the share of a tile that shows beyond each side. Sharpest where a square is 1 to 2 times as large in the
    picture: shrink larger ones first (`shrink_to`).
    """
    scaled = size / (1 + 2 * margin)
    low = margin * scaled - 0.5
    high = low + scaled
    target = np.array([(low, low), (high, low), (high, high), (low, high)], np.float32)
    crops = np.empty((len(corners), size, size, image.shape[2]), np.uint8)
    for crop, quad in zip(crops, corners, strict=True):
        m = cv2.getPerspectiveTransform((quad - 0.5).astype(np.float32), target)
        cv2.warpPerspective(image, m, (size, size), crop, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return crops
