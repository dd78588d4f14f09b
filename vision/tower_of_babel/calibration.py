"""How likely what a reading offers instead is really so: what was said, held against tables of known truth.

As in `vision.doubt.calibration`: the logit of what was said, times a slope, plus an offset, for each kind of spot; and
how often the truth is not among what is offered. `python -m models.calibration.babel` fits them on arts that are never
measured.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from scoring.calibration import Platt

Kind = Literal["parts", "discs", "track", "row"]

SUREST = 1e-4
EVEN = 0.5
"""Of what is told: what is offered instead is never likelier together."""


def calibrate_probabilities(offered: Sequence[float], scaling: Platt) -> list[float]:
    """How often what is offered with these probabilities is so, each by a slope and an offset."""
    told = [scaling.apply(own, SUREST) for own in offered]
    total = sum(told)
    return [own / total * min(total, EVEN) for own in told] if total else told
