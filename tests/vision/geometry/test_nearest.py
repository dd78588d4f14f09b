"""The nearest of some points are those that a tree finds, for any number of points."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial import KDTree

from vision.geometry.nearest import CHUNK_PAIRS, MAX_COMPARED_PAIRS, find_nearest, find_nearest_few


@settings(max_examples=50, deadline=None)
@given(seed=st.integers(0, 2**32), points=st.integers(0, 300), others=st.integers(2, 80), count=st.integers(1, 2))
def test_few_points_are_held_against_all(seed: int, points: int, others: int, count: int) -> None:
    rng = np.random.default_rng(seed)
    places, targets = rng.uniform(0, 100, (points, 2)), rng.uniform(0, 100, (others, 2))
    distances, nearest = find_nearest_few(places, targets, count)
    expected, numbers = KDTree(targets).query(places, k=list(range(1, count + 1)))
    assert np.array_equal(nearest, numbers)
    assert np.allclose(distances, expected, rtol=1e-12)


@pytest.mark.parametrize("points", [CHUNK_PAIRS // 10 + 7, MAX_COMPARED_PAIRS // 10 + 1])
def test_more_than_a_chunk_and_more_than_all_pairs(points: int) -> None:
    rng = np.random.default_rng(points)
    places, targets = rng.uniform(0, 100, (points, 2)), rng.uniform(0, 100, (10, 2))
    distances, nearest = find_nearest(places, targets)
    away = np.linalg.norm(places[:, None] - targets, axis=2)
    assert np.array_equal(nearest, away.argmin(axis=1))
    assert np.allclose(distances, away.min(axis=1))
