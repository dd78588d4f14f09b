"""How likely what a reading offers instead is really so: what was said, held against tables of known truth.

As in `vision.doubt.calibration`: the logit of what was said, times a slope, plus an offset, for each kind of spot; and
how often the truth is not among what is offered. `python -m models.calibration.babel` fits them on arts that are never
measured.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Literal

Kind = Literal["parts", "discs", "track", "row"]

PLAIN = (1.0, 0.0)
HONEST: Mapping[Kind, tuple[float, float]] = {
    "discs": (1.54, 0.85),  # 125 offered, 5 of them so, 4.5 by what was said
    "parts": (1.05, 0.31),  # 151 offered, 10 of them so, 8.2 by what was said
    "row": (1.24, 0.10),  # 68 offered, 1 of them so, 1.4 by what was said
    "track": (1.17, -0.34),  # 19 offered, 0 of them so, 0.7 by what was said
}
"""Slope and offset, by 40 tables on boards of oasis, papyrus, marble, dusk and one drawn at random."""
AMISS: Mapping[Kind, float] = {
    "discs": 0.0016,  # 0 of 320 spots
    "parts": 0.0057,  # 16 of 2912 spots
    "row": 0.0122,  # 0 of 40 spots
    "track": 0.0027,  # 0 of 181 spots
}
"""How often a spot holds what neither was told nor is offered, half a spot being thought amiss before any is seen."""
SUREST = 1e-4
EVEN = 0.5
"""Of what is told: what is offered instead is never likelier together."""


def calibrate_probabilities(offered: Sequence[float], by: tuple[float, float]) -> list[float]:
    """How often what is offered with these probabilities is so, each by a slope and an offset."""
    slope, offset = by
    told = [_honest(min(max(own, SUREST), 1 - SUREST), slope, offset) for own in offered]
    total = sum(told)
    return [own / total * min(total, EVEN) for own in told] if total else told


def _honest(said: float, slope: float, offset: float) -> float:
    return 1 / (1 + math.exp(-slope * math.log(said / (1 - said)) - offset))
