"""Alternatives are calibrated to their true frequency, and keep their order."""

from __future__ import annotations

import tomllib
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.calibration import CALIBRATION_FILE, load_platt_scalings
from vision.doubt.calibration import Doubted, calibrate_probability

doubts = st.sampled_from(get_args(Doubted))
shares = st.floats(0, 1)
UNLIKELY = 0.2


@given(doubted=doubts, said=st.tuples(shares, shares))
def test_what_was_said_to_be_likelier_stays_so(doubted: Doubted, said: tuple[float, float]) -> None:
    less, more = sorted(said)
    assert 0 < calibrate_probability(doubted, less) <= calibrate_probability(doubted, more) < 1


@given(said=st.floats(1e-5, 1 - 1e-5))
def test_what_was_never_fitted_stays_as_it_was(said: float) -> None:
    assert "wonder" not in load_platt_scalings("carcassonne")
    assert calibrate_probability("wonder", said) == pytest.approx(said)


def test_every_kind_that_tables_show_is_fitted_and_none_against_what_was_said() -> None:
    assert set(load_platt_scalings("carcassonne")) == set(get_args(Doubted)) - {"wonder", "marker", "crowded"}
    assert all(slope > 0 for slope, _ in load_platt_scalings("carcassonne").values())


@given(said=st.floats(0.05, 0.5))
def test_where_a_piece_stands_is_doubted_as_real_tables_tell(said: float) -> None:
    """A good part of the likely alternatives is true, and hardly more than on the tables of the fit."""
    row = tomllib.loads(CALIBRATION_FILE.read_text(encoding="utf-8"))["carcassonne"]["doubts"]["place"]
    seen = max(1.0, row["fitted_on"]["so"] / row["fitted_on"]["said"])
    assert said / 4 < calibrate_probability("place", said) < max(1.1 * seen * said, UNLIKELY)
