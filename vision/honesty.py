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
    "coat": (1.28, -0.14),  # 1426 offered, 20 of them so, 35.6 by what was said
    "colour": (0.76, -0.13),  # 125 offered, 17 of them so, 13.7 by what was said
    "further": (1.00, 0.95),  # 31 offered, 11 of them so, 5.3 by what was said
    "gone": (1.23, -0.20),  # 6415 offered, 7 of them so, 12.4 by what was said
    "place": (1.75, -2.76),  # 895 offered, 0 of them so, 88.3 by what was said
    "pose": (1.32, -0.55),  # 59 offered, 0 of them so, 2.0 by what was said
    "rest": (1.49, -0.06),  # 6735 offered, 5 of them so, 13.5 by what was said
    "strange coat": (0.68, -0.24),  # 667 offered, 203 of them so, 204.5 by what was said
    "tile": (1.34, 0.22),  # 1676 offered, 10 of them so, 15.5 by what was said
}
"""Slope and offset, by 506 of 510 tables, six of them real: on the others tiles are asked about that nobody knows.
Further pieces stay as an earlier reading of 501 of them had it: by these, any that is offered would be nearly as likely
as any other. What is not here stays as it was said: other kinds of pieces lay on hardly any, wonders on none."""
SUREST = 1e-6


def honest(doubted: Doubted, said: float) -> float:
    """How often what is offered with this probability is so."""
    slope, offset = HONEST.get(doubted, (1.0, 0.0))
    said = min(max(said, SUREST), 1 - SUREST)
    return 1 / (1 + math.exp(-slope * math.log(said / (1 - said)) - offset))
