"""How likely what is read of World Wonders is really so: what was said, held against tables of known truth.

As in `vision.doubt.calibration`: the logit of what was said, times a slope, plus an offset, for each kind of thing.
Fitted on arts and table tops that are neither trained on nor measured (`python -m models.calibration.maps`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from scoring.calibration import Platt, apply_scaling

Kind = Literal["nothing", "road", "piece", "marker"]
"""What is read: a square with nothing on it, a road or bridge, another piece, or a marker."""

MIN_PROBABILITY = 1e-4


def calibrate_probability(kind: Kind, probability: float, scalings: Mapping[str, Platt]) -> float:
    """Return how often what is read with this probability is so, by the scalings of `load_platt_scalings`."""
    return apply_scaling(scalings, kind, probability, MIN_PROBABILITY)
