"""A board a few tiles short of a whole game may have been read without them; one that lacks many is another game."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from scoring.carcassonne.board.board import Board, Placement
from scoring.carcassonne.board.missing_tiles import MAX_MISSING_TILES, count_lacking_tiles
from scoring.carcassonne.board.problems import find_problems
from scoring.carcassonne.deal.boards import deal_random_board, mix_expansions
from scoring.carcassonne.doubt.relevance import NONE_OVERLOOKED_PROBABILITY, assess_score_doubts
from scoring.carcassonne.final.table import Table
from scoring.carcassonne.wonders.catalogue import load_wonder_catalogue
from scoring.connected_squares import group_connected_squares

WHOLE = 72


def without(board: Board, count: int) -> Board:
    """Return the board without some of its tiles."""
    tiles = [*board.tiles.items()][count:]
    return replace(board, tiles=dict(tiles), meeples=())


@pytest.fixture(scope="module")
def whole() -> Board:
    return deal_random_board(Random(5), tiles=WHOLE)


@pytest.mark.parametrize(
    ("left_out", "lacking"),
    [(0, 0), (1, 1), (MAX_MISSING_TILES, MAX_MISSING_TILES), (MAX_MISSING_TILES + 1, 0), (WHOLE - 1, 0)],
    ids=str,
)
def test_few_tiles_that_are_lacking_are_counted(whole: Board, left_out: int, lacking: int) -> None:
    board = without(whole, left_out)
    assert count_lacking_tiles(board) == lacking
    problems = [problem for problem in find_problems(board) if problem.code == "tiles_lacking"]
    assert [problem.values for problem in problems] == ([{"tiles": lacking, "whole": WHOLE}] if lacking else [])
    doubts = assess_score_doubts(board, [])
    assert (doubts.doubtful, doubts.confidence) == ((True, NONE_OVERLOOKED_PROBABILITY) if lacking else (False, 1.0))


def test_a_board_that_falls_apart_lacks_what_joins_its_parts(whole: Board) -> None:
    apart = {(row, col + 40 * (number % 2)): tile for number, ((row, col), tile) in enumerate(whole.tiles.items())}
    board = replace(whole, tiles=dict([*apart.items()][MAX_MISSING_TILES + 1 :]), meeples=())
    assert len(group_connected_squares(board.tiles)) > 1
    assert count_lacking_tiles(board) == 0
    doubts = assess_score_doubts(board, [])
    assert (doubts.doubtful, doubts.confidence) == (True, NONE_OVERLOOKED_PROBABILITY)
    assert not assess_score_doubts(board, [], table=Table(tiles_in_play=len(board.tiles))).doubtful


def test_an_unknown_tile_is_one_that_was_seen(whole: Board) -> None:
    square = next(iter(whole.tiles))
    assert count_lacking_tiles(replace(whole, tiles={**whole.tiles, square: None}, meeples=())) == 0


def test_of_other_boxes_people_leave_tiles_out() -> None:
    catalogue = mix_expansions(["inns"])
    board = deal_random_board(Random(3), tiles=WHOLE - 1, catalogue=catalogue)
    assert board.expansions
    assert count_lacking_tiles(board) == 0


def test_wonders_come_beside_the_tiles() -> None:
    alhambra = load_wonder_catalogue()["WH/alhambra"]
    board = deal_random_board(Random(4), tiles=WHOLE, wonders=[alhambra])
    squares = [square for square, tile in board.known if tile.wonder is None]
    assert (len(board.wonders), len(squares)) == (1, WHOLE)
    assert count_lacking_tiles(board) == 0
    fewer = {square: tile for square, tile in board.tiles.items() if square != squares[0]}
    assert count_lacking_tiles(replace(board, tiles=fewer, meeples=())) == 1


def test_two_games_laid_together_lack_what_both_hold() -> None:
    tiles = {(row, col): Placement("BA/C", 0) for row in range(12) for col in range(12)}
    assert count_lacking_tiles(Board(tiles)) == 0
    del tiles[0, 0]
    assert count_lacking_tiles(Board(tiles)) == 1


def test_nobody_overlooked_any_where_no_more_were_in_play(whole: Board) -> None:
    board = without(whole, 2)
    assert count_lacking_tiles(board, in_play=WHOLE - 2) == 0
    assert count_lacking_tiles(board, in_play=WHOLE) == 2
    assert find_problems(board, in_play=WHOLE - 2) == ()
    assert not assess_score_doubts(board, [], table=Table(tiles_in_play=WHOLE - 2)).doubtful
    assert assess_score_doubts(board, [], table=Table(tiles_in_play=WHOLE)).doubtful


def test_a_wonder_in_play_counts_five() -> None:
    board = deal_random_board(Random(4), tiles=WHOLE, wonders=[load_wonder_catalogue()["WH/alhambra"]])
    plain = next(square for square, tile in reversed([*board.known]) if tile.wonder is None)
    fewer = replace(board, tiles={square: tile for square, tile in board.tiles.items() if square != plain}, meeples=())
    assert count_lacking_tiles(fewer) == 1
    assert count_lacking_tiles(fewer, in_play=WHOLE - 1 + 5) == 0
