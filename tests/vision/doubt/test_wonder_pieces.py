"""Pieces on a wonder that was not read: one of them is its marker, wherever its foot was seen."""

from __future__ import annotations

from math import floor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.carcassonne.board.notation import parse_notation
from scoring.carcassonne.wonders.tiles import WONDERS
from vision.doubt.wonder_pieces import find_marker, stand_as_marker
from vision.pieces.kind_prior import MARKER
from vision.reading.values import MeepleReading


def build_meeple(at: tuple[float, float], square: tuple[int, int]) -> MeepleReading:
    return MeepleReading("blue", "meeple", "standing", (0.0, 0.0), at, *square, None, 0.9, False, on_head=0.9)


@pytest.mark.parametrize("id", WONDERS)
@given(x=st.floats(-2, 8), y=st.floats(-2, 8), number=st.integers(0, 4))
def test_a_marker_stands_on_its_wonder_wherever_its_foot_was_seen(id: str, x: float, y: float, number: int) -> None:
    (wonder,) = parse_notation(f"({id}#0)0").wonders
    meeple = build_meeple((x, y), wonder.squares[number])
    assert find_marker([meeple], wonder) is meeple
    marker = stand_as_marker(meeple, wonder)
    assert (marker.pose, (marker.row, marker.col) in wonder.squares) == (MARKER, True)
    assert marker.segment is not None
    if (floor(y), floor(x)) not in wonder.squares and not -1 < x < 6:
        cell, segment = wonder.layout.marked
        assert ((marker.row, marker.col), marker.segment) == (wonder.squares[cell], segment)
