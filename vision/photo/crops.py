"""Crops of squares from a photo: one small upright picture per square, for the tile classifier."""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np

from vision.arrays import Floats, Image, round_to_step

CORNERS = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float64)
"""Corners (4, 2) NW, NE, SE, SW of a square (col, row), one unit wide."""
MAX_SHRINK_SHARE = 0.95
"""Maximum scale at which a picture is reduced rather than kept. A guess."""
CUT_GRID_PX = 0.125
"""Step to which crop positions are rounded, in pixels. A guess.

OpenCV rounds both the position of each pixel and its value, and the nets round in turn: a shift by a millionth of a
pixel changes a logit by 0.2. With rounding, all pictures are identical to the last bit if places differ only by a
processor's rounding, and nearly all if they differ slightly more. An eighth of a pixel is 1/600 of a tile in the
pictures cropped here, far less than the error of lattices.
"""
SCALE_STEPS = 128
"""Number of steps per power of 2 to which scales are rounded. A guess."""
CROP_PX = 64
"""Size of a crop of a square, in pixels. Geometry of the net."""
COARSE_PX = 14
"""Size of a crop, in pixels, in coarse comparisons of two prints. A guess."""
CROP_MARGIN = 0.07
"""Margin of a crop on each side, as a share of a tile: the neighbours' borders show the end of the tile if the lattice
is slightly off. Geometry of the net."""


def compute_tile_px(corners: Floats) -> Floats:
    """Return the size (n,) of each square in pixels, the root of its area, from (n, 4, 2) corners."""
    a, b = corners[:, 2] - corners[:, 0], corners[:, 3] - corners[:, 1]
    return np.asarray(np.sqrt(np.abs(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]) / 2))


def expand_quads(quads: Floats, beyond: float) -> Floats:
    """Return the corners (n, 4, 2) of squares extended by `beyond` tiles on each side."""
    middles = quads.mean(axis=1, keepdims=True)
    return np.asarray(middles + (1 + 2 * beyond) * (quads - middles))


def shrink_image(image: Image, scale: float) -> tuple[Image, float]:
    """Return the picture reduced by area averaging, and the actual scale; it is never enlarged."""
    if scale >= MAX_SHRINK_SHARE:
        return image, 1.0
    mantissa, exponent = math.frexp(scale)
    scale = math.ldexp(round(SCALE_STEPS * mantissa) / SCALE_STEPS, exponent)  # small variations have no effect
    return scale_image(image, scale), scale


def round_cut(places: Floats) -> Floats:
    """Return the pixels (...) of a crop rounded to `CUT_GRID_PX`."""
    return round_to_step(places, CUT_GRID_PX)


def scale_image(image: Image, scale: float) -> Image:
    """Return the picture scaled by area averaging; each side has at least one pixel."""
    height, width = (round(side * scale) for side in image.shape[:2])
    if min(height, width) < 1:  # a long strip: OpenCV would return an empty picture
        size = max(width, 1), max(height, 1)
        return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)
    return np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)


def crop_squares(image: Image, corners: Floats, size: int = CROP_PX, margin: float = CROP_MARGIN) -> Image:
    """Return the (n, size, size, channels) crops of the squares with (n, 4, 2) corners NW, NE, SE, SW in pixels of
    `image`.

    `margin` is the visible share of a tile beyond each side. Crops are sharpest if a square is 1 to 2 times as large in
    the picture: reduce larger ones first (`shrink_image`).
    """
    scaled = size / (1 + 2 * margin)
    low = margin * scaled - 0.5
    high = low + scaled
    target = np.array([(low, low), (high, low), (high, high), (low, high)])
    return crop_quads(image, corners, target, (size, size))


def crop_quads(image: Image, corners: Floats, target: Floats, size: tuple[int, int]) -> Image:
    """Return (n, height, width, channels) pictures of a `size` (width, height) cropped from `image`.

    Each maps its own (n, 4, 2) corners, rounded (`round_cut`), to the (4, 2) points of `target`, in pixel centres of
    the picture.
    """
    width, height = size
    crops = np.empty((len(corners), height, width, image.shape[2]), np.uint8)
    for crop, quad in zip(crops, round_cut(corners), strict=True):
        m = cv2.getPerspectiveTransform((quad - 0.5).astype(np.float32), target.astype(np.float32))
        cv2.warpPerspective(image, m, size, crop, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return crops


def join_channels(pictures: Sequence[Image]) -> Image:
    """Return the channels of pictures (h, w, c) of one size as one picture, in the order of the pictures."""
    joined = np.empty((*pictures[0].shape[:2], sum(picture.shape[2] for picture in pictures)), np.uint8)
    if joined.size:
        pairs = np.repeat(np.arange(joined.shape[2]), 2).tolist()
        cv2.mixChannels([*pictures], [joined], pairs)  # takes a fifth of concatenate's time
    return joined
