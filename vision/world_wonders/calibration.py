"""How likely what is read of World Wonders is really so: what was said, held against tables of known truth.

As in `vision.doubt.calibration`: the logit of what was said, times a slope, plus an offset, for each kind of thing.
Fitted on arts and table tops that are neither trained on nor measured (`python -m models.calibration.maps`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Literal

Told = Literal["nothing", "road", "piece", "marker"]

HONEST: Mapping[Told, tuple[float, float]] = {
    "nothing": (1.05, -0.43),  # 6331 told, 6307 of them so, 6306.9 by that
    "road": (0.89, 0.10),  # 3124 told, 3070 of them so, 3069.7 by that
    "piece": (0.67, 0.07),  # 5494 told, 5299 of them so, 5294.3 by that
    "marker": (1.42, 0.83),  # 52 told, 52 of them so, 47.8 by that
}
"""Slope and offset; a square with nothing on it, of a road or bridge, of another piece, and a marker."""
SUREST = 1e-4


def calibrate_probability(told: Told, said: float, by: Mapping[Told, tuple[float, float]] = HONEST) -> float:
    """How often what is said with this probability is so."""
    slope, offset = by.get(told, (1.0, 0.0))
    said = min(max(said, SUREST), 1 - SUREST)
    return 1 / (1 + math.exp(-slope * math.log(said / (1 - said)) - offset))
