"""How likely what is read of World Wonders is really so: what was said, held against tables of known truth.

As in `vision.honesty`: the logit of what was said, times a slope, plus an offset, for each kind of thing. Fitted on arts
and table tops that are neither trained on nor measured (`python -m models.calibrate_maps`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Literal

Told = Literal["nothing", "piece", "marker"]

HONEST: Mapping[Told, tuple[float, float]] = {"nothing": (1.0, 0.0), "piece": (1.0, 0.0), "marker": (1.0, 0.0)}
"""Slope and offset."""
SUREST = 1e-4


def honest(told: Told, said: float) -> float:
    """How often what is said with this probability is so."""
    slope, offset = HONEST[told]
    said = min(max(said, SUREST), 1 - SUREST)
    return 1 / (1 + math.exp(-slope * math.log(said / (1 - said)) - offset))
