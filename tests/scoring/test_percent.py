"""Percentages: never 100 for a value below 1, never 0 for a value above 0."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.percent import convert_to_percent, format_likelihood, format_percent, round_share

inside = st.floats(0, 1, exclude_min=True, exclude_max=True)
digits = st.integers(0, 4)


@pytest.mark.parametrize(
    ("share", "places", "text"),
    [
        (0.9963, 0, "over 99%"),
        (0.995, 0, "over 99%"),
        (0.99, 0, "99%"),
        (0.5, 0, "50%"),
        (0.01, 0, "1%"),
        (0.0049, 0, "under 1%"),
        (1.0, 0, "100%"),
        (0.0, 0, "0%"),
        (1.0, 1, "100.0%"),
        (0.99951, 1, "over 99.9%"),
        (0.999951, 2, "over 99.99%"),
        (0.9876, 2, "98.76%"),
    ],
)
def test_a_share_is_written(share: float, places: int, text: str) -> None:
    assert format_percent(share, places) == text


@pytest.mark.parametrize(
    ("probability", "text"),
    [(1.0, "over 99%"), (0.9963, "over 99%"), (0.99, "99%"), (0.5, "50%"), (0.0004, "under 1%"), (0.0, "under 1%")],
)
def test_nothing_is_wholly_likely_or_not_at_all(probability: float, text: str) -> None:
    assert format_likelihood(probability) == text


@given(inside, digits)
def test_what_is_not_quite_sure_is_never_written_as_sure(share: float, places: int) -> None:
    written = format_percent(share, places)
    value = float(written.rsplit(" ", 1)[-1].rstrip("%"))
    assert 0 < value < 100
    percent = convert_to_percent(share, places)
    is_true = {"more": share * 100 > percent.value, "less": share * 100 < percent.value}
    assert is_true[percent.than] if percent.than else math.isclose(share * 100, value, abs_tol=0.51 * 10.0**-places)


@given(inside, digits.filter(bool))
def test_a_share_that_is_kept_is_neither_whole_nor_none(share: float, places: int) -> None:
    rounded = round_share(share, places)
    assert 0 < rounded < 1
    assert math.isclose(rounded, share, abs_tol=10.0**-places)
    assert round_share(rounded, places) == rounded


def test_what_is_whole_or_none_stays_so() -> None:
    assert (round_share(1.0), round_share(0.0)) == (1.0, 0.0)
