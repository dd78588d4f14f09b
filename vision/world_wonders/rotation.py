"""Quarter turns of maps: rotating the net's input, and rotating its output back."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from vision.arrays import Image

Number = TypeVar("Number", np.int64, np.float64)

NONE = -1
"""The value of a seam without a neighbour."""


def turn_planes(planes: Image, turns: int) -> Image:
    """Return (n, h, w, 8) planes of `squares` after counter-clockwise quarter turns; leans turn as well."""
    turned = np.rot90(planes, turns, (1, 2)).copy()
    for _ in range(turns % 4):
        turned[..., 6:] = np.stack([turned[..., 7], np.uint8(255) - turned[..., 6] + np.uint8(1)], -1)
    return turned


def turn_seams(joined: NDArray[Number], turns: int) -> NDArray[Number]:
    """Return (n, rows, cols, 2), the seams to the right and below, after counter-clockwise quarter turns."""
    for _ in range(turns % 4):
        right, down = joined[:, :, :-1, 0], joined[:, :-1, :, 1]
        right, down = np.rot90(down, 1, (1, 2)), np.rot90(right, 1, (1, 2))
        joined = np.full((len(joined), joined.shape[2], joined.shape[1], 2), NONE, joined.dtype)
        joined[:, :, :-1, 0], joined[:, :-1, :, 1] = right, down
    return joined
