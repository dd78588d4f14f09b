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
    "coat", "strange coat", "tile", "rest", "wonder", "place", "pose", "colour", "kind", "gone", "further", "marker"
]
"""What may be otherwise. A tile: its coat of arms alone (in an art whose coats are known, or hardly), all of it, or
something that is no tile of the catalogue. A meeple: what it stands on, how it stands or lies, its colour, its
kind, whether it is there; or there is a further one, such as the marker of a wonder that nobody seems to have
marked."""

HONEST: Mapping[Doubted, tuple[float, float]] = {
    "coat": (1.27, -0.20),  # 1416 offered, 22 of them so, 38.9 by what was said
    "colour": (0.72, -0.29),  # 169 offered, 19 of them so, 16.1 by what was said
    "further": (1.29, 0.35),  # 54 offered, 7 of them so, 7.2 by what was said
    "gone": (1.14, -0.51),  # 6987 offered, 8 of them so, 15.5 by what was said
    "place": (1.39, -2.64),  # 888 offered, 2 of them so, 87.8 by what was said
    "pose": (1.18, -0.38),  # 114 offered, 5 of them so, 9.0 by what was said
    "rest": (1.43, -1.09),  # 6623 offered, 0 of them so, 9.0 by what was said
    "strange coat": (0.71, -0.14),  # 667 offered, 209 of them so, 199.9 by what was said
    "tile": (1.37, 0.78),  # 1611 offered, 13 of them so, 14.3 by what was said
}
"""Slope and offset, by 499 of 510 tables, six of them real: on the others tiles are asked about that nobody knows. What
is not here stays as it was said: other kinds of pieces lay on hardly any of them."""
SUREST = 1e-6


def honest(doubted: Doubted, said: float) -> float:
    """How often what is offered with this probability is so."""
    slope, offset = HONEST.get(doubted, (1.0, 0.0))
    said = min(max(said, SUREST), 1 - SUREST)
    return 1 / (1 + math.exp(-slope * math.log(said / (1 - said)) - offset))
