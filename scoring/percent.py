"""Shares and probabilities as people read them: what is less than sure is never called sure, what may be never none."""

from __future__ import annotations

from typing import Literal, NamedTuple

SHARE_DIGITS = 4
"""Decimal places of a probability in a report."""
_LEAST = 1e-9
_WORDS = {"more": "over ", "less": "under ", None: ""}


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


def convert_likelihood(probability: float) -> Percent:
    """Return how likely something is in percent: never all, also of what was rounded to 1, and never nothing."""
    return convert_to_percent(min(max(probability, _LEAST), 1 - _LEAST))


def format_percent(share: float, digits: int = 0) -> str:
    """Return a share of a whole in English: `97%`, `over 99%`, `under 1%`, and `100%` of all."""
    return _format(convert_to_percent(share, digits), digits)


def format_likelihood(probability: float) -> str:
    """Return how likely something is in English: `97%`, at most `over 99%`, at least `under 1%`."""
    return _format(convert_likelihood(probability), 0)


def _format(percent: Percent, digits: int) -> str:
    return f"{_WORDS[percent.than]}{percent.value:.{digits}f}%"
