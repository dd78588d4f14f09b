"""Shares and probabilities as people read them: what is less than sure is never called sure, what may be never none."""

from __future__ import annotations

from typing import Literal, NamedTuple

SHARE_DIGITS = 4
"""Decimal places of a probability in a report."""


class Percent(NamedTuple):
    """A share in hundredths: `value` as it is, or `more` or `less` than that."""

    value: float
    than: Literal["more", "less"] | None = None


def round_share(share: float, digits: int = SHARE_DIGITS) -> float:
    """Return a share from 0 to 1 rounded, but neither up to 1 nor down to 0 where it is neither."""
    rounded, step = round(share, digits), 10.0**-digits
    return min(max(rounded, step), round(1 - step, digits)) if 0 < share < 1 else rounded


def convert_to_percent(share: float, digits: int = 0) -> Percent:
    """Return a share from 0 to 1 in percent, rounded; near 0 and 1 only what it is more or less than."""
    step = round(10.0**-digits, digits)
    if 0 < share < step / 100:
        return Percent(step, "less")
    if round(100 - step, digits) / 100 < share < 1:
        return Percent(round(100 - step, digits), "more")
    return Percent(round(share * 100, digits))


def format_percent(share: float, digits: int = 0) -> str:
    """Return a share in English: `97%`, `more than 99%`, `less than 1%`."""
    percent = convert_to_percent(share, digits)
    return f"{f'{percent.than} than ' if percent.than else ''}{percent.value:.{digits}f}%"
