"""How far pieces hide what is printed on the squares: by where they stand, and how they lean away from the camera."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from scoring.carcassonne.geometry import Square
from vision.pieces import Piece
from vision.stands import heights

Floats = NDArray[np.float64]

CELLS = 16
"""A square is told of in so many rows and columns of cells."""
BROAD, SOFT = 0.17, 0.03
"""In tiles: how far about the line from its foot to its head a piece hides the table, and how gradually that ends."""


def hidden_shares(squares: Sequence[Square], pieces: Sequence[Piece], leans: Floats, poses: Sequence[str]) -> Floats:
    """(n,) what share of each of n squares pieces hide.

    Squares and pieces are in one lattice; `leans` (p, 2) are those of something one tile tall at each of the pieces,
    whose odds of poses are in the order of `poses`.
    """
    along = (np.arange(CELLS) + 0.5) / CELLS
    cells = np.stack(np.meshgrid(along, along), axis=-1)
    corners = np.array(squares, np.float64).reshape(-1, 1, 1, 2)[..., ::-1]
    high = heights(np.array([piece.poses for piece in pieces]).reshape(-1, len(poses)), poses)
    hidden = np.zeros((len(squares), CELLS, CELLS))
    for piece, head in zip(pieces, high[:, None] * leans, strict=True):
        near = np.linalg.norm(corners[:, 0, 0] + 0.5 - piece.at, axis=1) < 1.1 + np.linalg.norm(head)
        points = corners[near] + cells - piece.at
        up = np.clip(points @ head / max(float(head @ head), 1e-12), 0, 1)
        away = np.linalg.norm(points - up[..., None] * head, axis=-1)
        hidden[near] = np.maximum(hidden[near], piece.presence / (1 + np.exp((away - BROAD) / SOFT)))
    return np.asarray(hidden.mean(axis=(1, 2)))
