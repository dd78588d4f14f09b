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
    "coat": (0.99, 0.36),  # 845 offered, 176 of them so, 143.7 by what was said
    "colour": (1.43, 0.19),  # 206 offered, 8 of them so, 12.1 by what was said
    "further": (0.95, -0.92),  # 46 offered, 3 of them so, 6.5 by what was said
    "gone": (1.12, 0.90),  # 1244 offered, 9 of them so, 5.5 by what was said
    "place": (1.32, -1.84),  # 149 offered, 1 of them so, 12.0 by what was said
    "rest": (1.34, -3.06),  # 3031 offered, 0 of them so, 29.1 by what was said
    "tile": (1.37, -1.31),  # 725 offered, 1 of them so, 6.4 by what was said
}
"""Slope and offset, by 67 tables; what is not here stays as it was said: other kinds of pieces lay on none of them."""
SUREST = 1e-6


def honest(doubted: Doubted, said: float) -> float:
    """How often what is offered with this probability is so."""
    slope, offset = HONEST.get(doubted, (1.0, 0.0))
    return float(expit(slope * logit(min(max(said, SUREST), 1 - SUREST)) + offset))
