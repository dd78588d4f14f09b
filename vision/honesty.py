"""How likely what a reading offers instead is really so: what nets and rules say, held against tables of known truth.

A meeple that may be another player's with 0.3, say, is so far less often. For every kind of doubt two numbers make its
probabilities honest (Platt, 1999): the logit of what was said, times a slope, plus an offset.
`python -m models.calibrate_doubt` fits them on art that is neither trained on nor measured.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Literal

Doubted = Literal[
    "coat", "strange coat", "tile", "rest", "wonder", "place", "colour", "kind", "gone", "further", "marker"
]
"""What may be otherwise. A tile: its coat of arms alone (in an art whose coats are known, or hardly), all of it, or
something that is no tile of the catalogue. A meeple: what it stands on, its colour, its kind, whether it is there; or
there is a further one, such as the marker of a wonder that nobody seems to have marked."""

HONEST: Mapping[Doubted, tuple[float, float]] = {
    "coat": (1.24, -0.40),  # 1715 offered, 32 of them so, 59.9 by what was said
    "colour": (0.87, -0.11),  # 159 offered, 18 of them so, 16.6 by what was said
    "further": (1.38, 0.28),  # 83 offered, 12 of them so, 13.7 by what was said
    "gone": (1.28, 0.16),  # 9768 offered, 12 of them so, 16.9 by what was said
    "place": (0.85, -2.51),  # 992 offered, 10 of them so, 98.0 by what was said
    "rest": (1.46, 0.59),  # 7691 offered, 22 of them so, 24.2 by what was said
    "strange coat": (0.59, -0.27),  # 643 offered, 203 of them so, 199.8 by what was said
    "tile": (1.23, 0.29),  # 1975 offered, 16 of them so, 20.4 by what was said
}
"""Slope and offset, by 509 tables, six of them real; what is not here stays as it was said: other kinds of pieces lay
on none of them."""
SUREST = 1e-6


def honest(doubted: Doubted, said: float) -> float:
    """How often what is offered with this probability is so."""
    slope, offset = HONEST.get(doubted, (1.0, 0.0))
    said = min(max(said, SUREST), 1 - SUREST)
    return 1 / (1 + math.exp(-slope * math.log(said / (1 - said)) - offset))
