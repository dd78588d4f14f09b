"""How likely what a reading offers instead is really so: what nets and rules say, held against tables of known truth.

A meeple that may be another player's with 0.3, say, is so far less often. For every kind of doubt two numbers make its
probabilities honest (Platt, 1999): the logit of what was said, times a slope, plus an offset.
`python -m models.calibrate_doubt` fits them on art that is neither trained on nor measured.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Literal

Doubted = Literal["coat", "tile", "rest", "wonder", "place", "colour", "kind", "gone", "further", "marker"]
"""What may be otherwise. A tile: its coat of arms alone, all of it, or something that is no tile of the catalogue. A
meeple: what it stands on, its colour, its kind, whether it is there; or there is a further one, such as the marker of a
wonder that nobody seems to have marked."""

HONEST: Mapping[Doubted, tuple[float, float]] = {
    "coat": (0.98, 0.31),  # 1048 offered, 231 of them so, 194.4 by what was said
    "colour": (0.76, -0.86),  # 55 offered, 3 of them so, 5.6 by what was said
    "further": (1.25, -1.05),  # 54 offered, 1 of them so, 6.9 by what was said
    "gone": (1.21, 1.46),  # 1345 offered, 14 of them so, 6.5 by what was said
    "place": (1.60, -1.26),  # 166 offered, 1 of them so, 15.0 by what was said
    "rest": (1.41, -1.64),  # 3388 offered, 1 of them so, 29.0 by what was said
    "tile": (1.38, 0.17),  # 871 offered, 2 of them so, 5.2 by what was said
}
"""Slope and offset, by 77 tables, six of them real; what is not here stays as it was said: other kinds of pieces lay on
none of them."""
SUREST = 1e-6


def honest(doubted: Doubted, said: float) -> float:
    """How often what is offered with this probability is so."""
    slope, offset = HONEST.get(doubted, (1.0, 0.0))
    said = min(max(said, SUREST), 1 - SUREST)
    return 1 / (1 + math.exp(-slope * math.log(said / (1 - said)) - offset))
