"""Samples of maps: their truth about a city, and its validity after a turn."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from datasets.world_wonders.deal import deal_city, list_values
from datasets.world_wonders.own_copy import COLS, PIECES, ROWS, build_land
from models.samples.maps import build_truth
from vision.world_wonders.squares import KINDS, turn_planes, turn_seams


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 40), st.integers(0, 2**32))
def test_neighbours_of_one_piece_are_joined(turns: int, seed: int) -> None:
    city = deal_city("green", build_land("A", "green"), turns, np.random.default_rng(seed))
    kinds, joined = build_truth(city)
    values_by_square = dict(list_values(city))
    for row in range(ROWS):
        for col in range(COLS):
            assert (kinds[row, col] == 0) == (values_by_square[row, col] == "-")
            if col + 1 < COLS and joined[row, col, 0] >= 0:
                assert kinds[row, col] == kinds[row, col + 1]
                is_same = values_by_square[row, col] == values_by_square[row, col + 1]
                is_of_several = values_by_square[row, col].partition("#")[0] in PIECES
                assert joined[row, col, 0] == is_same or (is_same and is_of_several)
    assert (joined[:, -1, 0] == -1).all()
    assert (joined[-1, :, 1] == -1).all()


@given(st.integers(0, 3))
def test_four_turns_change_nothing(turns: int) -> None:
    rng = np.random.default_rng(turns)
    planes = rng.integers(1, 256, (2, 24, 48, 8), np.uint8)
    joined = rng.integers(-1, 2, (2, 3, 4, 2))
    joined[:, :, -1, 0] = joined[:, -1, :, 1] = -1
    assert np.array_equal(turn_planes(turn_planes(planes, turns), 4 - turns), planes)
    assert np.array_equal(turn_seams(turn_seams(joined, turns), 4 - turns), joined)


def test_a_lean_to_the_right_points_up_after_a_turn() -> None:
    planes = np.full((1, 24, 24, 8), 128, np.uint8)
    planes[..., 6] = 150
    turned = turn_planes(planes, 1)
    assert (turned[..., 6] == 128).all()
    assert (turned[..., 7] == 106).all()


def test_kinds_are_those_of_the_rules() -> None:
    assert KINDS[0] == "-"
    assert len(set(KINDS)) == len(KINDS) == 10
