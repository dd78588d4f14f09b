"""Pieces on their heads: only a wonder's marker stands so, and who builds a wonder leaves it there for good.

So a piece that looks so speaks for a wonder on its square, and squares that no such piece is on speak against one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from scoring.calibration import load_weights
from scoring.carcassonne.tiles.geometry import Square
from vision.arrays import Floats

MarkerLooks = Mapping[Square, Sequence[float]]
"""How much each piece on a square looks as if it stood on its head: the odds of that by its look alone, in nats."""


def count_marker_evidence(squares: Sequence[Square], looks: MarkerLooks) -> Floats:
    """Return (n,) how much likelier pieces on each of n squares are with a wonder's marker among them than without one.

    As fitted by `models.calibration.markers`; it is added up over the squares of a wonder, on which so many pieces are
    expected without it.
    """
    look = load_weights("carcassonne", "wonders")["marker_look"]
    evidence = np.zeros(len(squares))
    for i, square in enumerate(squares):
        odds = np.array(looks.get(square, ()))
        nats = np.clip(look["slope"] * odds + look["offset"], look["least"], look["most"])
        evidence[i] = np.exp(nats).sum() / look["expected"]
    return evidence


def weigh_marker(evidence: Floats) -> Floats:
    """Return how much likelier, in nats, what stands on squares is with a wonder there; `evidence` is their sum."""
    none = load_weights("carcassonne", "wonders")["marker"]["none"]
    return np.asarray(np.log(none + (1 - none) * evidence))
