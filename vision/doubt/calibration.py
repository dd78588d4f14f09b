"""How likely what a reading offers instead is really so: what nets and rules say, held against tables of known truth.

A meeple that may be another player's with 0.3, say, is so far less often. For every kind of doubt two numbers make its
probabilities honest (Platt, 1999): the logit of what was said, times a slope, plus an offset.
`python -m models.calibration.doubt` fits them on art that is neither trained on nor measured.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Literal

Doubted = Literal[
    "coat",
    "strange coat",
    "tile",
    "rest",
    "wonder",
    "place",
    "pose",
    "colour",
    "kind",
    "gone",
    "crowded",
    "further",
    "marker",
]
"""What may be otherwise. A tile: its coat of arms alone (in an art whose coats are known, or hardly), all of it, or
something that is no tile of the catalogue. A meeple: what it stands on, how it stands or lies, its colour, its
kind, whether it is there (crowded: where it shares its tile with another); or there is a further one, such as the
marker of a wonder that nobody seems to have marked."""

HONEST: Mapping[Doubted, tuple[float, float]] = {
    "coat": (1.25, -0.44),  # 1909 offered, 20 of them so, 44.3 by what was said
    "colour": (1.18, -0.26),  # 151 offered, 11 of them so, 16.9 by what was said
    "further": (1.00, 0.95),  # 31 offered, 11 of them so, 5.3 by what was said
    "gone": (1.05, -0.63),  # 7658 offered, 6 of them so, 12.8 by what was said
    "place": (1.20, -0.41),  # 30 offered on 30 real tables, 2 of them so, 4.1 by what was said
    "pose": (1.36, 0.37),  # 65 offered, 3 of them so, 3.5 by what was said
    "rest": (1.47, -0.87),  # 8579 offered, 2 of them so, 15.3 by what was said
    "strange coat": (0.70, -0.22),  # 683 offered, 207 of them so, 207.9 by what was said
    "tile": (1.36, 0.59),  # 1919 offered, 13 of them so, 16.6 by what was said
}
"""Slope and offset, by 662 of 664 tables, six of them real, 160 of them played: on the others tiles are asked about
that nobody knows. Where pieces stand is by real tables alone, since drawn ones share the reader's geometry
(`models.calibration.doubt` tells which). Further pieces stay as an earlier reading of 501 of them had it: by these, any
that is offered would be nearly as likely as any other. What is not here stays as it was said: other kinds of pieces lay
on hardly any, wonders on none, and of pieces that share a tile the reader knows nothing but how often they are none."""
SUREST = 1e-6


def calibrate_probability(doubted: Doubted, said: float) -> float:
    """How often what is offered with this probability is so."""
    slope, offset = HONEST.get(doubted, (1.0, 0.0))
    said = min(max(said, SUREST), 1 - SUREST)
    return 1 / (1 + math.exp(-slope * math.log(said / (1 - said)) - offset))
