"""Shares and probabilities for people: no uncertain value is shown as certain, and no possible one as impossible."""

from __future__ import annotations

from typing import Literal, NamedTuple

SHARE_DIGITS = 4
"""Decimal places of a probability in a report."""
_LEAST = 1e-9
_WORDS = {"more": "over ", "less": "under ", None: ""}


class Percent(NamedTuple):
    """A share in percent: exactly `value`, or `more` or `less` than it."""

    value: float
    than: Literal["more", "less"] | None = None


def round_share(share: float, digits: int = SHARE_DIGITS) -> float:
    """Return a share from 0 to 1 rounded, but not up to 1 or down to 0 unless it is exactly that."""
    rounded, step = round(share, digits), 10.0**-digits
    return min(max(rounded, step), round(1 - step, digits)) if 0 < share < 1 else rounded


def convert_to_percent(share: float, digits: int = 0) -> Percent:
    """Return a share from 0 to 1 in rounded percent; near 0 and 1, the bound it is below or above."""
    step, percent = round(10.0**-digits, digits), share * 100
    if 0 < percent < step:
        return Percent(step, "less")
    if round(100 - step, digits) < percent < 100:
        return Percent(round(100 - step, digits), "more")
    return Percent(round(percent, digits))


def convert_likelihood(probability: float) -> Percent:
    """Return a probability in percent: never 100 or 0, even if it was rounded to 1 or 0."""
    return convert_to_percent(min(max(probability, _LEAST), 1 - _LEAST))


def format_percent(share: float, digits: int = 0) -> str:
    """Return a share of a whole in English: `97%`, `over 99%`, `under 1%`, and `100%` of all."""
    return _format(convert_to_percent(share, digits), digits)


def format_likelihood(probability: float) -> str:
    """Return a probability in English: `97%`, at most `over 99%`, at least `under 1%`."""
    return _format(convert_likelihood(probability), 0)


def _format(percent: Percent, digits: int) -> str:
    return f"{_WORDS[percent.than]}{percent.value:.{digits}f}%"
