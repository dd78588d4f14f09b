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

HONEST: Mapping[Doubted, tuple[float, float]] = {
    "coat": (0.97, 0.30),  # 1011 offered, 231 of them so, 194.0 by what was said
    "colour": (0.64, -1.25),  # 54 offered, 3 of them so, 5.6 by what was said
    "further": (1.09, -1.67),  # 54 offered, 1 of them so, 6.9 by what was said
    "gone": (1.31, 1.84),  # 1319 offered, 14 of them so, 6.5 by what was said
    "place": (1.26, -2.79),  # 161 offered, 0 of them so, 13.9 by what was said
    "rest": (1.35, -3.02),  # 3261 offered, 0 of them so, 28.5 by what was said
    "tile": (1.29, -1.57),  # 846 offered, 0 of them so, 4.8 by what was said
}
"""Slope and offset, by 71 tables; what is not here stays as it was said: other kinds of pieces lay on none of them."""
SUREST = 1e-6


def honest(doubted: Doubted, said: float) -> float:
    """How often what is offered with this probability is so."""
    slope, offset = HONEST.get(doubted, (1.0, 0.0))
    return float(expit(slope * logit(min(max(said, SUREST), 1 - SUREST)) + offset))
