"""Colours in CIE Lab, whose distances are those that a person sees, and histograms of them, slightly blurred."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Floats, Image, Singles

LIGHTNESS_WEIGHT = 0.5
"""Weight of a unit of lightness relative to one of hue: a shadow is no piece. A guess."""


def convert_to_lab(pixels: Image | Singles | Floats) -> Floats:
    """Convert pixels (h, w, 3) BGR, 0 to 255, to CIE Lab."""
    return np.asarray(cv2.cvtColor((pixels / 255).astype(np.float32), cv2.COLOR_BGR2LAB), np.float64)


def compute_colour_distance(photo: Floats, printed: Floats) -> Floats:
    """Return the distance (h, w) of a photo from the print, both (h, w, 3) CIE Lab; a shadow counts less."""
    return np.asarray(np.linalg.norm((photo - printed) * (LIGHTNESS_WEIGHT, 1, 1), axis=2))


BINS = 16
"""Number of bins per axis of CIE Lab. A guess."""
BIN_WIDTH_LAB = 256 // BINS
"""Width of a bin in Lab units of 8 bits. Geometry of the colour space."""
CELLS = BINS**3
"""Number of colour cells. Geometry of the colour space, which has three axes."""


def compute_colour_cells(pixels: NDArray[np.uint8]) -> NDArray[np.intp]:
    """Return the colour cell (h, w), below CELLS, of each BGR pixel, with `BINS` along each axis of Lab."""
    first, second, third = cv2.split(cv2.cvtColor(np.ascontiguousarray(pixels), cv2.COLOR_BGR2LAB) // BIN_WIDTH_LAB)
    return (np.asarray(first, np.intp) * BINS + second) * BINS + third


def compute_colour_shares(counts: NDArray[np.intp] | Floats) -> Floats:
    """Return the share of each colour (..., CELLS) from pixel counts; shares sum to 1, or to 0 without pixels."""
    counted = (counts / np.maximum(counts.sum(axis=-1, keepdims=True), 1)).reshape(*counts.shape[:-1], *(BINS,) * 3)
    for axis in (-3, -2, -1):
        edges = [(0, 0)] * counted.ndim
        edges[axis] = (1, 1)
        padded = np.pad(counted, edges, mode="edge")
        before, here, after = (np.take(padded, range(start, start + BINS), axis) for start in range(3))
        counted = (before + 2 * here + after) / 4
    return np.asarray(counted.reshape(counts.shape), np.float64)
