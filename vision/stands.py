"""What stands at a place: a small upright picture of the table about it, as the piece classifier sees it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

HALF = 0.5
"""Of a tile: how far the picture reaches from its middle; a meeple seen at 40 degrees leans that far."""
STAND_PX = 96
"""Size of the picture: a meeple is about 30 pixels high in it."""
STAND_TILE_PX = 90.0
"""Size that a tile should have in the picture that these are cut from."""


def stand_squares(feet: Floats) -> Floats:
    """(n, 4, 2) lattice corners NW, NE, SE, SW of the squares about (n, 2) places (col, row)."""
    reach = np.array([(-HALF, -HALF), (HALF, -HALF), (HALF, HALF), (-HALF, HALF)])
    return np.asarray(feet[:, None] + reach)
