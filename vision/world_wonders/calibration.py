"""Calibration of the probabilities of World Wonders readings against tables of known truth.

As in `vision.doubt.alternatives`: the logit of the stated probability, times a slope, plus an offset, for each kind of
object. Fitted on arts and table tops used for neither training nor measuring (`python -m models.calibration.maps`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from scoring.calibration import Platt, apply_scaling
from vision.flat_boards.reading import MIN_PROBABILITY

Kind = Literal["nothing", "road", "piece", "marker"]
"""The kind of reading: an empty square, a road or bridge, another piece, or a marker."""


def calibrate_probability(kind: Kind, probability: float, scalings: Mapping[str, Platt]) -> float:
    """Return the calibrated probability of a reading, by the scalings of `load_platt_scalings`."""
    return apply_scaling(scalings, kind, probability, MIN_PROBABILITY)
