"""Shares with their intervals, calibration of probabilities, and coverage of doubts: of all statements with a
confidence of 0.9, 9 in 10 should be right.

The calibration error is the expected one (Naeini et al., 2015): the distance of each bin's mean confidence from its
share of right statements, weighted by the size of the bin.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any

from scoring.percent import format_percent

BINS = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.99, 0.999, 1.0)
"""Boundaries of the bins, finer towards 1, where the threshold of a doubt lies. A guess."""


def compute_wilson_interval(right: int, all_: int) -> tuple[float, float] | None:
    """Return the 95 % interval of a share (Wilson 1927), valid also near 0 and 1; None if there is nothing to count."""
    from scipy.stats import binomtest  # needed only by evaluations, and takes a second to load

    if not all_:
        return None
    interval = binomtest(right, all_).proportion_ci(0.95, method="wilson")
    return float(interval.low), float(interval.high)


def format_share(right: int, all_: int) -> str:
    """Return a share in words: `3 of 4, 75.0% (30.1% to 95.4%)`."""
    interval = compute_wilson_interval(right, all_)
    if interval is None:
        return "none"
    low, high = (format_percent(bound, 1) for bound in interval)
    return f"{right} of {all_}, {format_percent(right / all_, 1)} ({low} to {high})"


def compute_share(right: int, all_: int) -> float | None:
    """Return a share; None if there is nothing to count."""
    return right / all_ if all_ else None


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
