"""The weighted median of a body's pixels, held against the one that sorts them all."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.paint import weighted_median

VALUES = st.lists(st.floats(-130, 130), min_size=1, max_size=200)


def by_sorting(values: np.ndarray, weights: np.ndarray) -> float:
    order = np.argsort(values)
    heavy = np.cumsum(weights[order])
    return float(values[order[np.searchsorted(heavy, heavy[-1] / 2)]])


@given(VALUES, st.integers(0, 1000))
def test_as_sorting_all_values_finds_it(values: list[float], seed: int) -> None:
    weights = np.random.default_rng(seed).random(len(values)) + 0.01
    assert weighted_median(np.array(values), weights) == by_sorting(np.array(values), weights)


def test_what_weighs_nothing_does_not_count() -> None:
    values, weights = np.array([[5.0, 90.0], [7.0, 6.0]]), np.array([[1.0, 0.0], [1.0, 1.0]])
    assert weighted_median(values, weights) == 6.0


@pytest.mark.parametrize("value", [0.0, -3.5, 100.0])
def test_of_one_value_alone_it_is_that(value: float) -> None:
    assert weighted_median(np.full((4, 4), value), np.ones((4, 4))) == value
