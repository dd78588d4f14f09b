"""Colour histograms: slightly blurred counts in cells of Lab, for comparing the looks of a table and its tiles."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Floats

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
