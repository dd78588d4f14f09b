"""Cropping of scans to the printed tile: margins, bevels and rounded corners."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Image

MAX_BORDER_SHARE = 0.07  # of the side; the widest border seen on a scan of a tile is narrower
MIN_BEVEL_CONTRAST_LEVELS = 20.0  # grey levels between a border's line and the printed line behind it
MIN_BEVEL_SHARE = 0.85  # share of a border's line with contrast of the same sign
MAX_CORNER_SHARE = 0.02  # of the picture: a rounded corner is smaller, a white shield larger


def crop_printed_tile(picture: Image, size: int) -> Image:
    """Crop the printed tile from a scan `(h, w, 3)` and resize it to a square `(size, size, 3)`."""
    top, bottom, left, right = measure_borders(picture)
    height, width = picture.shape[:2]
    inner = picture[top : height - bottom, left : width - right]
    shrinks = inner.shape[0] > size
    resized = cv2.resize(inner, (size, size), interpolation=cv2.INTER_AREA if shrinks else cv2.INTER_CUBIC)
    return fill_corners(np.asarray(resized, np.uint8))


def measure_borders(picture: Image) -> tuple[int, int, int, int]:
    """Measure the border at the top, bottom, left and right, in pixels."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY).astype(np.float32)
    return _lines(grey), _lines(grey[::-1]), _lines(grey.T), _lines(grey.T[::-1])


def _lines(grey: NDArray[np.float32]) -> int:
    """Return the number of rows from the top that end in one almost uniformly lighter or darker than the print behind
    it."""
    deepest = int(len(grey) * MAX_BORDER_SHARE)
    printed = grey[deepest + 1]
    for row in range(deepest, 0, -1):
        difference = grey[row - 1] - printed
        if (
            max(np.mean(difference > MIN_BEVEL_CONTRAST_LEVELS), np.mean(difference < -MIN_BEVEL_CONTRAST_LEVELS))
            > MIN_BEVEL_SHARE
        ):
            return row
    return 0


def fill_corners(picture: Image) -> Image:
    """Inpaint small, nearly black or white patches at a picture's four corners."""
    size = picture.shape[0]
    patch = np.zeros((size, size), np.uint8)
    for x, y in ((0, 0), (size - 1, 0), (0, size - 1), (size - 1, size - 1)):
        level = int(picture[y, x].mean())
        if 40 < level < 225:
            continue
        flooded = np.zeros((size + 2, size + 2), np.uint8)
        flags = 4 | cv2.FLOODFILL_MASK_ONLY | cv2.FLOODFILL_FIXED_RANGE | (255 << 8)
        cv2.floodFill(picture, flooded, (x, y), (0, 0, 0), (25,) * 3, (25,) * 3, flags)
        inside = flooded[1:-1, 1:-1]
        if np.count_nonzero(inside) < MAX_CORNER_SHARE * size * size:
            patch |= inside
    if not patch.any():
        return picture
    # OpenCV does not inpaint the outermost pixels, so the picture gets 2 more on every side.
    grown = cv2.dilate(cv2.copyMakeBorder(patch, 2, 2, 2, 2, cv2.BORDER_REPLICATE), np.ones((3, 3), np.uint8))
    padded = cv2.copyMakeBorder(picture, 2, 2, 2, 2, cv2.BORDER_REPLICATE)
    return np.asarray(cv2.inpaint(padded, grown, 3, cv2.INPAINT_TELEA)[2:-2, 2:-2], np.uint8)
