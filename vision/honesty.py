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
    "coat": (1.16, -0.33),  # 1051 offered, 10 of them so, 17.1 by what was said
    "colour": (0.89, -0.32),  # 33 offered, 3 of them so, 3.8 by what was said
    "further": (1.14, -0.20),  # 20 offered, 3 of them so, 4.1 by what was said
    "gone": (1.25, 0.58),  # 3595 offered, 11 of them so, 9.9 by what was said
    "place": (1.27, -1.78),  # 374 offered, 3 of them so, 33.9 by what was said
    "rest": (1.14, -1.15),  # 5574 offered, 1 of them so, 9.3 by what was said
    "strange coat": (0.50, -0.48),  # 658 offered, 221 of them so, 266.6 by what was said
    "tile": (1.26, 0.59),  # 1364 offered, 7 of them so, 8.0 by what was said
}
"""Slope and offset, by 189 tables, six of them real; what is not here stays as it was said: other kinds of pieces lay
on none of them."""
SUREST = 1e-6


def honest(doubted: Doubted, said: float) -> float:
    """How often what is offered with this probability is so."""
    slope, offset = HONEST.get(doubted, (1.0, 0.0))
    said = min(max(said, SUREST), 1 - SUREST)
    return 1 / (1 + math.exp(-slope * math.log(said / (1 - said)) - offset))
