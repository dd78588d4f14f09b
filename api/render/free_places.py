"""Placement of labels in a picture: beside their subject, and clear of other content."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from vision.arrays import Floats

Box = tuple[float, float, float, float]
"""Left, top, right, bottom, in pixels."""

_CELLS = 240
"""Number of cells along the picture's longer side in the map of occupied space. A guess."""
_LABEL_WEIGHT = 3.0
"""Weight of covering another label, compared with covering content. A guess."""
_COVER_WEIGHT = 6.0
"""Weight of covering content entirely, compared with a distance of a whole picture from the subject. A guess."""


class FreePlaces:
    """Free space of a picture of some width and height, around its content and the labels so far."""

    def __init__(self, width: int, height: int, rings: Sequence[Floats]) -> None:
        self._scale = _CELLS / max(width, height)
        cells = np.zeros((round(height * self._scale), round(width * self._scale)), np.float32)
        for ring in rings:
            cv2.fillPoly(cells, [np.round(ring * self._scale).astype(np.int32)], 1.0)
        self._cells = cells

    def take(self, ring: Floats, width: float, height: float, gap: float) -> Box:
        """Reserve the best place for a label of that size beside a ring (n, 2).

        It keeps a gap from the content if there is room.
        """
        rows, cols = self._cells.shape
        wide, high = (
            min(int(np.ceil((size + gap) * self._scale)), most)
            for size, most in zip((width, height), (cols, rows), strict=True)
        )
        integral = np.asarray(cv2.integral(self._cells), np.float64)
        cover = integral[high:, wide:] - integral[:-high, wide:] - integral[high:, :-wide] + integral[:-high, :-wide]
        (left, top), (right, bottom) = ring.min(axis=0) * self._scale, ring.max(axis=0) * self._scale
        x, y = np.arange(cover.shape[1]), np.arange(cover.shape[0])
        aside = np.maximum(0, np.maximum(left - (x + wide), x - right))
        above = np.maximum(0, np.maximum(top - (y + high), y - bottom))
        way = np.hypot(aside[None, :], above[:, None]) / _CELLS
        centred = (
            np.hypot(x[None, :] + wide / 2 - (left + right) / 2, y[:, None] + high / 2 - (top + bottom) / 2) / _CELLS
        )
        cost = _COVER_WEIGHT * cover / (wide * high) + way + 0.1 * centred
        row, col = np.unravel_index(int(cost.argmin()), cost.shape)
        self._cells[row : row + high, col : col + wide] += _LABEL_WEIGHT
        middle_x, middle_y = (col + wide / 2) / self._scale, (row + high / 2) / self._scale
        return middle_x - width / 2, middle_y - height / 2, middle_x + width / 2, middle_y + height / 2
