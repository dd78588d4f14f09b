"""How far pieces hide what is printed at a place: by where they stand, and how they lean away from the camera."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.arrays import Floats
from vision.pieces.classifier import Piece
from vision.pieces.crops import estimate_heights

POINT_STEP_TILES = 0.0625
"""Nine points this far from each other, in a square, stand for a place: a coat of arms is about as large."""
HIDING_RADIUS_TILES, HIDING_EDGE_TILES = 0.17, 0.03
"""How far about the line from its foot to its head a piece hides the table (`HIDING_RADIUS_TILES`), and how
gradually that ends."""


def compute_occlusion(places: Floats, pieces: Sequence[Piece], leans: Floats, poses: Sequence[str]) -> Floats:
    """Compute (n,) what share of each of (n, 2) places pieces hide.

    Places (col, row) and pieces are in one lattice; `leans` (p, 2) are those of something one tile tall at each of the
    pieces, whose odds of poses are in the order of `poses`.
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
