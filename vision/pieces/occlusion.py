"""Occlusion of a place by pieces, from their positions and their lean away from the camera."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.arrays import Floats
from vision.pieces.crops import estimate_heights
from vision.reading.piece import Piece

POINT_STEP_TILES = 0.0625
"""Spacing of the 9 points in a square that represent a place; a coat of arms is about as large. A guess."""
HIDING_RADIUS_TILES, HIDING_EDGE_TILES = 0.17, 0.03
"""Radius around the line from a piece's foot to its head within which it hides the table, and softness of that radius.
A guess.
"""


def compute_occlusion(places: Floats, pieces: Sequence[Piece], leans: Floats, poses: Sequence[str]) -> Floats:
    """Return the share (n,) of each of (n, 2) places that pieces hide.

    Places (col, row) and pieces are in one lattice; `leans` (p, 2) are those of an object one tile tall at each piece,
    and `poses` is the order of the pieces' odds of poses.
    """
    steps = POINT_STEP_TILES * np.arange(-1, 2)
    points = np.asarray(places)[:, None] + np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
    high = estimate_heights(np.array([piece.poses for piece in pieces]).reshape(-1, len(poses)), poses)
    hidden = np.zeros(points.shape[:2])
    for piece, head in zip(pieces, high[:, None] * leans, strict=True):
        beyond = points - piece.at
        up = np.clip(beyond @ head / max(float(head @ head), 1e-12), 0, 1)
        away = np.linalg.norm(beyond - up[..., None] * head, axis=-1)
        hidden = np.maximum(
            hidden, piece.presence / (1 + np.exp(np.minimum((away - HIDING_RADIUS_TILES) / HIDING_EDGE_TILES, 500)))
        )
    return np.asarray(hidden.mean(axis=1))
