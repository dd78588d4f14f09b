"""A tile's axes from the five numbers that the localiser returns, and back."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from models.samples.dense_targets import measure_parallelogram
from vision.localise.detector import compute_tile_axes

lengths = st.floats(15, 200)
angles = st.floats(0, 6.28)


@given(lengths, lengths, angles, st.floats(0.6, 2.5))
def test_axes_span_the_tile_up_to_a_quarter_turn(one: float, two: float, turn: float, between: float) -> None:
    assume(max(one, two) < 3 * min(one, two))
    e1 = one * np.array([np.cos(turn), np.sin(turn)])
    e2 = two * np.array([np.cos(turn + between), np.sin(turn + between)])
    quad = np.array([-e1 - e2, e1 - e2, e1 + e2, -e1 + e2]) / 2
    a1, a2 = compute_tile_axes(measure_parallelogram(quad)[None].astype(np.float64))[0].T
    ways = [(a1, a2), (a2, -a1), (-a1, -a2), (-a2, a1)]
    assert min(np.abs(np.array(way) - (e1, e2)).max() for way in ways) == pytest.approx(0, abs=0.01 * max(one, two))
