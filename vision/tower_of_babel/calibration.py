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

MIN_PROBABILITY = 1e-4
MAX_OFFERED_PROBABILITY = 0.5
"""All that is offered instead is never likelier together than this."""


def calibrate_probabilities(offered: Sequence[float], scaling: Platt) -> list[float]:
    """Return how often what is offered with these probabilities is so, each by a slope and an offset."""
    probabilities = [scaling.apply(probability, MIN_PROBABILITY) for probability in offered]
    total = sum(probabilities)
    return (
        [probability / total * min(total, MAX_OFFERED_PROBABILITY) for probability in probabilities]
        if total
        else probabilities
    )
