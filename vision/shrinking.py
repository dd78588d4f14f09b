"""Pictures made smaller by area averaging: all of them, or only where somebody looks.

Averaging twelve megapixels takes longer than most of what is then done with them, and tiles cover half of a photo. A
part is averaged over the same pixels as in the whole picture, so that it differs from that by rounding alone: it is cut
where a border of the small picture's pixels coincides with one of the picture's own.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Image = NDArray[np.uint8]
Span = tuple[slice, slice]

COINCIDE = 0.01
"""Of a pixel: borders so near to each other count as one, which makes a grey level at the sharpest edges."""
BAND_PX = 96
"""Least height, in the small picture, of the bands that a part is made in."""
NEAR_PX = 2.0
"""So much more of the small picture is made: between two pixels both count."""


def shrink(image: Image, factors: tuple[float, float], quads: Floats | None = None) -> Image:
    """The picture `factors` times as large across and down, which are at most 1.

    Of (n, 4, 2) `quads` in its pixels, what lies in the bounding box of none of them may be left black.
    """
    if quads is None:
        return _averaged(image, factors)
    across, down = (_Borders(image.shape[1 - axis], factors[axis]) for axis in (0, 1))
    small = np.zeros((down.size, across.size, *image.shape[2:]), np.uint8)
    low, high = quads.min(axis=1) * factors - NEAR_PX, quads.max(axis=1) * factors + NEAR_PX
    for rows, own_rows in down.bands():
        inside = (high[:, 1] > rows.start) & (low[:, 1] < rows.stop)
        if inside.any():
            cols, own_cols = across.around(float(low[inside, 0].min()), float(high[inside, 0].max()))
            small[rows, cols] = _averaged(image[own_rows, own_cols], factors)
    return small


def _averaged(image: Image, factors: tuple[float, float]) -> Image:
    fx, fy = factors
    return np.asarray(cv2.resize(image, None, fx=fx, fy=fy, interpolation=cv2.INTER_AREA), np.uint8)


class _Borders:
    """Along one axis of a picture, `length` pixels long, the places where it can be cut before it is made smaller.

    `size` is its length then. Both pictures' first and last borders are among them.
    """

    def __init__(self, length: int, factor: float) -> None:
        self.size = round(length * factor)
        small = np.arange(self.size + 1)
        own = np.rint(small / factor).astype(np.int64)
        own[-1] = length
        near = np.abs(small / factor - own) <= COINCIDE
        near &= np.rint((length - own) * factor) == self.size - small
        near[[0, -1]] = True
        self._small, self._own = small[near], own[near]

    def bands(self) -> Iterator[Span]:
        """The whole length in pieces, in the small picture's pixels and in its own."""
        ends = [0]
        for number, border in enumerate(self._small.tolist()):
            if border - self._small[ends[-1]] >= BAND_PX:
                ends.append(number)
        ends = [*(ends[:-1] or ends), len(self._small) - 1]
        return (self._span(first, last) for first, last in pairwise(ends))

    def around(self, low: float, high: float) -> Span:
        """The piece that holds all from `low` to `high` in the small picture's pixels."""
        first = self._small[1:-1].searchsorted(low, "right")
        last = self._small[1:-1].searchsorted(high) + 1
        return self._span(int(first), int(last))

    def _span(self, first: int, last: int) -> Span:
        return slice(*self._small[[first, last]].tolist()), slice(*self._own[[first, last]].tolist())
