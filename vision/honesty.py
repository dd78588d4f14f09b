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
    "coat": (1.10, -0.30),  # 678 offered, 8 of them so, 12.8 by what was said
    "colour": (0.79, -0.47),  # 35 offered, 2 of them so, 2.5 by what was said
    "further": (1.18, 0.41),  # 26 offered, 6 of them so, 4.9 by what was said
    "gone": (1.26, 0.36),  # 3514 offered, 7 of them so, 7.7 by what was said
    "place": (1.61, -2.14),  # 340 offered, 0 of them so, 32.5 by what was said
    "rest": (1.13, -0.60),  # 4461 offered, 1 of them so, 4.6 by what was said
    "strange coat": (0.32, -0.51),  # 629 offered, 209 of them so, 237.1 by what was said
    "tile": (1.01, -0.22),  # 631 offered, 5 of them so, 6.3 by what was said
}
"""Slope and offset, by 189 tables, six of them real; what is not here stays as it was said: other kinds of pieces lay
on none of them."""
SUREST = 1e-6


def honest(doubted: Doubted, said: float) -> float:
    """How often what is offered with this probability is so."""
    slope, offset = HONEST.get(doubted, (1.0, 0.0))
    said = min(max(said, SUREST), 1 - SUREST)
    return 1 / (1 + math.exp(-slope * math.log(said / (1 - said)) - offset))
