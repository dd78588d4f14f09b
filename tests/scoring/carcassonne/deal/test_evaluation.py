"""Players' expectations: exactly the final points when no tile is left, and more the more can be closed."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.carcassonne.board.board import Board, PlacedMeeple, Placement
from scoring.carcassonne.deal.boards import deal_random_board
from scoring.carcassonne.deal.evaluation import FARM_CITY_POINTS, Prospects
from scoring.carcassonne.final.scoring import compute_final_scoring
from scoring.carcassonne.play.running_features import Laying, Tracker

HANDS = {"red": 3, "blue": 3}


def lying(board: Board) -> Laying:
    """Return a board with its meeples, as a laying of all of it."""
    laying = Laying(Tracker())
    laying.lay(dict(board.known))
    for meeple in board.meeples:
        laying.stand(meeple)
    return laying


def hopes(board: Board, tiles_left: int, hands: dict[str, int] | None = None) -> dict[str, float]:
    return Prospects(board.meeples, hands or HANDS, tiles_left).after(lying(board))


@settings(max_examples=8, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_with_no_tile_left_it_is_the_final_scoring_but_for_the_farms(seed: int) -> None:
    board = deal_random_board(Random(seed), 60, players=3)
    expected: dict[str, float] = dict.fromkeys(board.players, 0.0)
    for entry in compute_final_scoring(board).entries:
        expected[entry.player] += entry.points / 3 * FARM_CITY_POINTS if entry.rule == "field.farm" else entry.points
    prospects = hopes(board, 0, dict.fromkeys(board.players, 2))
    assert prospects == pytest.approx(expected)


def city(*, closed: bool) -> Board:
    """Return two tiles whose city is closed, or one with a city that is open; red is its knight."""
    tiles = {(0, 0): Placement("E", 2)} | ({(1, 0): Placement("E", 0)} if closed else {})
    return Board(tiles, (PlacedMeeple("red", (0, 0), 0),))


def test_an_open_city_promises_more_while_tiles_are_left() -> None:
    rest = hopes(Board(city(closed=False).tiles), 30)["red"]
    late, early = hopes(city(closed=False), 0)["red"], hopes(city(closed=False), 30)["red"] - rest
    assert late == 1
    assert early > late


def test_a_meeple_on_what_is_closed_is_as_good_as_in_hand() -> None:
    with_four = {**HANDS, "red": 4}
    scored = hopes(city(closed=True), 30)["red"] - hopes(Board(city(closed=True).tiles), 30, with_four)["red"]
    assert round(scored, 6) == 4


def test_the_last_meeple_in_hand_is_worth_most_and_none_at_the_end() -> None:
    def of_hand(meeples: int, tiles_left: int) -> float:
        return hopes(Board(city(closed=False).tiles), tiles_left, {"red": meeples, "blue": 0})["red"]

    assert of_hand(1, 30) - of_hand(0, 30) > of_hand(7, 30) - of_hand(6, 30) > 0
    assert of_hand(3, 60) > of_hand(3, 30) > of_hand(3, 0) == 0


def test_a_rival_who_is_ahead_has_all_the_points() -> None:
    board = city(closed=False)
    two = Board(board.tiles, (*board.meeples, PlacedMeeple("blue", (0, 0), 0), PlacedMeeple("blue", (0, 0), 0)))
    assert hopes(two, 0) == {"red": 0, "blue": 1}
