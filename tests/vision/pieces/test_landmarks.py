"""At the spring or end of a river an apparent piece may be printed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shapely import Point

from scoring.carcassonne.board.board import Board, Placement
from scoring.carcassonne.tiles.geometry import place_geometry
from vision.pieces.landmarks import LANDMARK_REACH_TILES, find_landmarks, is_at_landmark
from vision.squares.catalogue import build_reading_catalogue

ENDS = ("RI/s", "RI.1/I.e", "RI.2/I.v", "C3RI/spring", "C3RI/lake")


def test_springs_lakes_and_the_volcano_are_known_and_nothing_else() -> None:
    assert {layout.id for layout in build_reading_catalogue() if find_landmarks(layout)} == set(ENDS)
    assert all(len(find_landmarks(build_reading_catalogue()[tile])) == 1 for tile in ENDS)


@given(st.sampled_from(ENDS), st.integers(0, 3), st.integers(-3, 3), st.integers(-3, 3))
def test_a_landmark_turns_with_its_tile(tile: str, turns: int, row: int, col: int) -> None:
    board = Board({(row, col): Placement(tile, turns)})
    spot = place_geometry(Point(find_landmarks(build_reading_catalogue()[tile])[0]), turns, (row, col))
    assert is_at_landmark((spot.x, spot.y), board)
    away = (spot.x + (1.2 * LANDMARK_REACH_TILES if spot.x < col + 0.5 else -1.2 * LANDMARK_REACH_TILES), spot.y)
    assert not is_at_landmark(away, board)


@pytest.mark.parametrize("at", [(0.5, 0.5), (7.5, 0.5)])
def test_other_tiles_and_bare_table_have_none(at: tuple[float, float]) -> None:
    assert not is_at_landmark(at, Board({(0, 0): Placement("BA/RCr", 0)}))
