"""A place is as likely to show a piece as both nets that look at it tell."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.pieces import as_both_tell

likely = st.floats(0, 1)


def both(seen: float, seeming: float) -> float:
    return float(as_both_tell(np.array([seen]), np.array([seeming]))[0])


@given(seen=likely, seeming=likely, more=likely)
def test_a_piece_is_likelier_the_surer_either_net_is(seen: float, seeming: float, more: float) -> None:
    assert 0 < both(seen, seeming) < 1
    assert both(max(seen, more), seeming) >= both(seen, seeming)
    assert both(seen, max(seeming, more)) >= both(seen, seeming)


def test_where_one_net_cannot_tell_the_other_decides() -> None:
    assert both(0.5, 0.7) > 0.5 > both(0.5, 0.1)
    assert both(0.9, 0.45) > 0.5 > both(0.1, 0.45)


def test_the_net_that_looks_closely_is_not_overruled_where_it_is_sure() -> None:
    assert both(0.999, 0.08) > 0.8
    assert both(0.001, 0.6) < 0.05


def test_no_place_is_none() -> None:
    assert as_both_tell(np.zeros(0), np.zeros(0)).shape == (0,)


@pytest.mark.parametrize("told", [0.0, 1.0])
def test_nothing_is_beyond_doubt(told: float) -> None:
    assert 0 < both(told, told) < 1
