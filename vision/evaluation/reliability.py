"""Calibration of probabilities and coverage of doubts: of all statements with a confidence of 0.9, 9 in 10 should be
right.

The calibration error is the expected one (Naeini et al., 2015): the distance of each bin's mean confidence from its
share of right statements, weighted by the size of the bin.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any

from vision.evaluation.intervals import compute_share, compute_wilson_interval

BINS = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.99, 0.999, 1.0)
"""Boundaries of the bins, finer towards 1, where the threshold of a doubt lies. A guess."""


@dataclass(frozen=True, slots=True)
class Said:
    """One statement of a reading: its confidence, whether it shows a doubt, and whether it is right."""

    confidence: float | None
    doubtful: bool
    right: bool


@dataclass(frozen=True, slots=True)
class Bin:
    """The statements with a confidence from `low` up to `high`."""

    low: float
    high: float
    n: int
    right: int
    confidence: float

    @property
    def gap(self) -> float:
        """The distance between the mean confidence and the share that is right."""
        return abs(self.confidence - self.right / self.n)


def bin_confidences(statements: Sequence[Said]) -> list[Bin]:
    """Return the bins that any statement falls into, without statements that have no confidence."""
    weighed = [(one.confidence, one.right) for one in statements if one.confidence is not None]
    bins = []
    for low, high in pairwise(BINS):
        inside = [(sure, right) for sure, right in weighed if low <= sure < high or (high == 1.0 and sure >= high)]
        if inside:
            mean = sum(sure for sure, _ in inside) / len(inside)
            bins.append(Bin(low, high, len(inside), sum(right for _, right in inside), mean))
    return bins


def compute_calibration_error(bins: Sequence[Bin]) -> float | None:
    """Compute the expected calibration error, 0 to 1; None without any bin."""
    n = sum(one.n for one in bins)
    return sum(one.n * one.gap for one in bins) / n if n else None


def summarise_reliability(statements: Sequence[Said]) -> dict[str, Any]:
    """Return the bins, the calibration error, the share marked doubtful, and the share right of the others."""
    bins, sure = bin_confidences(statements), [one for one in statements if not one.doubtful]
    return {
        "calibration_error": compute_calibration_error(bins),
        "bins": [{**asdict(one), **summarise_share(one.right, one.n)} for one in bins],
        "undoubted": summarise_share(sum(one.right for one in sure), len(sure)),
        "doubtful": summarise_share(len(statements) - len(sure), len(statements)),
    }


def summarise_share(part: int, all_: int) -> dict[str, Any]:
    """Return a share of n with its interval."""
    return {
        "part": part,
        "n": all_,
        "share": compute_share(part, all_),
        "interval_95": compute_wilson_interval(part, all_),
    }
