"""Shares of counts, with their confidence intervals."""

from __future__ import annotations

from scoring.percent import format_percent


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
