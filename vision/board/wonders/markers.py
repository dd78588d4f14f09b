"""Pieces on their heads: only a wonder's marker stands so, and it stays on the wonder for good.

Therefore a piece that seems to stand on its head is evidence for a wonder on its square, and squares without such a
piece are evidence against one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from scoring.calibration import load_weights
from scoring.carcassonne.tiles.geometry import Square
from vision.arrays import Floats

MarkerLooks = Mapping[Square, Sequence[float]]
"""The log-odds by their looks alone that the pieces on a square stand on their heads, in nats."""


def count_marker_evidence(squares: Sequence[Square], looks: MarkerLooks) -> Floats:
    """Return (n,) the likelihood ratio of the pieces on each square with a wonder's marker among them.

    Fitted by `python -m models.calibration.markers`. It is summed over the squares of a wonder, relative to the number
    of pieces expected there without it.
    """
    look = load_weights("carcassonne", "wonders")["marker_look"]
    evidence = np.zeros(len(squares))
    for i, square in enumerate(squares):
        odds = np.array(looks.get(square, ()))
        nats = np.clip(look["slope"] * odds + look["offset"], look["least"], look["most"])
        evidence[i] = np.exp(nats).sum() / look["expected"]
    return evidence


def weigh_marker(evidence: Floats) -> Floats:
    """Return the log-likelihood ratio of a wonder given the pieces on squares; `evidence` is the sum over these."""
    none = load_weights("carcassonne", "wonders")["marker"]["none"]
    return np.asarray(np.log(none + (1 - none) * evidence))
