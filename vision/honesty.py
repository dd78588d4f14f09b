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
    "coat": (1.24, -0.61),  # 1654 offered, 26 of them so, 58.3 by what was said
    "colour": (0.98, 0.10),  # 139 offered, 18 of them so, 16.2 by what was said
    "further": (1.16, 0.33),  # 82 offered, 15 of them so, 13.6 by what was said
    "gone": (1.36, 0.54),  # 9544 offered, 14 of them so, 16.4 by what was said
    "place": (1.59, -2.46),  # 880 offered, 2 of them so, 88.4 by what was said
    "pose": (1.04, 0.35),  # 106 offered, 9 of them so, 7.0 by what was said
    "rest": (1.44, -1.08),  # 7336 offered, 0 of them so, 9.3 by what was said
    "strange coat": (0.57, -0.27),  # 620 offered, 197 of them so, 193.1 by what was said
    "tile": (1.38, 0.78),  # 1704 offered, 13 of them so, 14.6 by what was said
}
"""Slope and offset, by 498 of 509 tables, six of them real: on the others tiles are asked about that nobody knows. What
is not here stays as it was said: other kinds of pieces lay on hardly any of them."""
SUREST = 1e-6


def honest(doubted: Doubted, said: float) -> float:
    """How often what is offered with this probability is so."""
    slope, offset = HONEST.get(doubted, (1.0, 0.0))
    said = min(max(said, SUREST), 1 - SUREST)
    return 1 / (1 + math.exp(-slope * math.log(said / (1 - said)) - offset))
