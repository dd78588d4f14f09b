"""Pieces that share a tile are counted by players, relative to the number expected by chance."""

from __future__ import annotations

import pytest

from models.calibration.crowds import Crowds, count_crowds, fit_rows
from scoring.carcassonne.board.board import Board, PlacedMeeple, PlacedWonder, Placement
from scoring.carcassonne.wonders.catalogue import load_wonder_catalogue
from tests.scoring.outside import SHARED, needs_shared
from vision.evaluation.labels import load_truth

ROADS = {(0, col): Placement("U") for col in range(10)}


def lay(*pieces: tuple[str, int]) -> Board:
    return Board(ROADS, meeples=tuple(PlacedMeeple(colour, (0, col), 0, "standing") for colour, col in pieces))


def test_a_pile_counts_once_for_its_player_and_once_for_each_other_on_it() -> None:
    crowds = count_crowds(lay(("red", 0), ("red", 0), ("red", 0), ("blue", 0), ("blue", 4)))
    assert (crowds.own, crowds.others) == (1, 1)
    assert crowds.own_by_chance == pytest.approx((3 + 1) / 10)
    assert crowds.others_by_chance == pytest.approx(3 * 2 / 10)
    assert (crowds.out_of_pieces, crowds.one_more) == (0, 0)


def test_a_player_with_all_pieces_on_the_board_may_have_one_more() -> None:
    crowds = count_crowds(lay(*[("red", col) for col in range(8)], *[("blue", col) for col in range(7)]))
    assert (crowds.out_of_pieces, crowds.one_more) == (2, 1)


def test_several_pieces_on_a_wonder_are_usual() -> None:
    placed = PlacedWonder(load_wonder_catalogue()["WH/alhambra"], (0, 0))
    pieces = tuple(PlacedMeeple("red", placed.squares[0], 0, "standing") for _ in range(3))
    crowds = count_crowds(Board(placed.placements, meeples=pieces))
    assert (crowds.own, crowds.others, crowds.own_by_chance) == (0, 0, 0)


def test_both_rows_hold_the_counts_plus_half_a_case() -> None:
    crowds = [Crowds(2, 1, 4.0, 10.0, 3, 1), Crowds(1, 0, 2.0, 9.0, 2, 0)]
    tiles, supply = (row.values for row in fit_rows(crowds))
    assert tiles == {"own": 0.5, "others": 0.07, "own_tiles": 3, "others_tiles": 1, "boards": 2}
    assert supply == {"one_more": 0.33, "so": 1, "of": 5}


def test_without_boards_nothing_is_ruled_out() -> None:
    tiles, supply = (row.values for row in fit_rows([]))
    assert 0 < tiles["own"] <= 1
    assert 0 < tiles["others"] <= 1
    assert 0 < supply["one_more"] <= 1


@needs_shared
def test_a_real_pile_is_counted() -> None:
    crowds = count_crowds(load_truth(SHARED / "labels" / "kpm_24.json").board)
    assert (crowds.own, crowds.others) == (3, 1)
