"""Shares of counts, with how far they can be trusted."""

from __future__ import annotations

import math

from scoring.percent import format_percent

Z_95 = 1.959964
"""The normal quantile of a 95 % interval."""


def compute_wilson_interval(right: int, all_: int) -> tuple[float, float] | None:
    """Compute the 95 % interval of a share (Wilson 1927): honest also near 0 and 1, where counts are small."""
    if not all_:
        return None
    share, spread = right / all_, Z_95**2 / all_
    middle = (share + spread / 2) / (1 + spread)
    reach = Z_95 * math.sqrt(share * (1 - share) / all_ + spread / (4 * all_)) / (1 + spread)
    return middle - reach if right else 0.0, middle + reach if right < all_ else 1.0


def format_share(right: int, all_: int) -> str:
    """Format a share in words: `3 of 4, 75.0% (30.1% to 95.4%)`."""
    interval = compute_wilson_interval(right, all_)
    if interval is None:
        return "none"
    low, high = (format_percent(bound, 1) for bound in interval)
    return f"{right} of {all_}, {format_percent(right / all_, 1)} ({low} to {high})"


def compute_share(right: int, all_: int) -> float | None:
    """Compute a share; None of nothing."""
    return right / all_ if all_ else None
