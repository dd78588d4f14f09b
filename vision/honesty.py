"""How likely what a reading offers instead is really so: what nets and rules say, held against tables of known truth.

A meeple that may be another player's with 0.3, say, is so far less often. For every kind of doubt two numbers make its
probabilities honest (Platt, 1999): the logit of what was said, times a slope, plus an offset.
`python -m models.calibrate_doubt` fits them on art that is neither trained on nor measured.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from scipy.special import expit, logit

Doubted = Literal["coat", "tile", "rest", "wonder", "place", "colour", "kind", "gone", "further"]
"""What may be otherwise. A tile: its coat of arms alone, all of it, or something that is no tile of the catalogue. A
meeple: what it stands on, its colour, its kind, whether it is there; or there is a further one."""

HONEST: Mapping[Doubted, tuple[float, float]] = {}
"""Slope and offset; without them a probability stays as it was said."""
SUREST = 1e-6


def honest(doubted: Doubted, said: float) -> float:
    """How often what is offered with this probability is so."""
    slope, offset = HONEST.get(doubted, (1.0, 0.0))
    return float(expit(slope * logit(min(max(said, SUREST), 1 - SUREST)) + offset))
