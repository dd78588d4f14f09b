"""The number of base games on a board, and its limits for tiles and meeples."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.carcassonne.board.board import Board, PlacedMeeple, Placement
from scoring.carcassonne.board.notation import parse_notation
from scoring.carcassonne.board.problems import NEVER_TRUE, find_impossible, find_problems
from scoring.carcassonne.board.tile_counts import (
    MAX_MISSING_TILES,
    count_base_games,
    count_base_tiles,
    count_lacking_tiles,
)
from scoring.carcassonne.deal.boards import deal_random_board, mix_expansions
from scoring.carcassonne.doubt.relevance import NONE_OVERLOOKED_PROBABILITY, assess_score_doubts
from scoring.carcassonne.final.table import Table
from scoring.carcassonne.tiles.catalogue import load_catalogue
from scoring.carcassonne.wonders.catalogue import load_wonder_catalogue
from scoring.connected_squares import group_connected_squares

BOX = [tile for tile, number in count_base_tiles().items() for _ in range(number)]
OF_TILES = {"more_than_the_box", "several_base_games", "several_boxes", "tiles_lacking"}


def draw(games: int, tiles: int, seed: int) -> Board:
    """Return a table with the first tiles drawn of some base games, whether they fit or not."""
    pile = BOX * games
    Random(seed).shuffle(pile)
    return Board({(n // 12, n % 12): Placement(tile) for n, tile in enumerate(pile[:tiles])})


def tile_problems(board: Board) -> list[str]:
    return [problem.text for problem in find_problems(board) if problem.code in OF_TILES]


@given(st.integers(1, 72), st.integers(0, 10**6))
def test_any_number_of_tiles_of_one_base_game_counts_as_one(tiles: int, seed: int) -> None:
    assert count_base_games(draw(1, tiles, seed)) == 1


@given(st.integers(73, 80), st.integers(0, 10**6))
def test_a_part_of_two_base_games_gives_few_problems(tiles: int, seed: int) -> None:
    assert len(tile_problems(draw(2, tiles, seed))) <= 1


@given(st.integers(80, 144), st.integers(0, 10**6))
def test_two_base_games_give_one_problem(tiles: int, seed: int) -> None:
    board = draw(2, tiles, seed)
    assert count_base_games(board) == 2
    lacking = count_lacking_tiles(board)
    assert lacking == (144 - tiles if tiles >= 140 else 0)
    lines = tile_problems(board)
    assert lines[0] == f"2 base games seem to lie here: there are {tiles} of their tiles, and one has 72"
    assert len(lines) == 1 + (lacking > 0)
    assert len(tile_problems(replace(board, boxes={"base": 2}))) == (lacking > 0)
    assert tile_problems(replace(board, boxes={"base": 1}))[0].startswith("more tiles of")


@pytest.mark.parametrize("games", [2, 3, 4, 5])
def test_all_tiles_of_several_base_games_count_as_that_many(games: int) -> None:
    assert count_base_games(draw(games, 72 * games, 0)) == games


def test_tiles_beyond_two_base_games_are_too_many() -> None:
    board = draw(2, 144, 0)
    more = Board({**board.tiles, (20, 0): Placement("U")})
    (further,) = tile_problems(more)
    assert further.startswith("2 base games")
    (extra,) = tile_problems(replace(more, boxes={"base": 2}))
    assert extra.endswith("where there are only 16")


@pytest.mark.parametrize("kinds", [1, 2, 4, 9])
def test_another_box_laid_twice_gives_one_problem(kinds: int) -> None:
    single = [layout.id for layout in load_catalogue("inns", "traders") if layout.count == 1][:kinds]
    board = Board({(n, row): Placement(tile) for n, tile in enumerate(single) for row in range(2)})
    problems = [problem for problem in find_problems(board) if problem.code in OF_TILES]
    assert len(problems) == 1
    assert {square for problem in problems for square in problem.squares} == set(board.tiles)


@pytest.mark.parametrize("tile", ["U0", "C0", "D0"])
def test_one_kind_of_tile_implies_no_second_game(tile: str) -> None:
    board = parse_notation(tile * 40)
    assert count_base_games(board) == 1
    assert len(tile_problems(board)) == 1


@pytest.mark.parametrize(("games", "most"), [(1, 7), (2, 15)])
def test_two_base_games_allow_the_meeples_of_both(games: int, most: int) -> None:
    """Each box holds eight of a colour, and one of all is on the score track; a big meeple comes in another box."""
    board = draw(games, 72 * games, 1)
    for kind, number in (("meeple", most), ("big", 1)):
        for count in (number, number + 1):
            pieces = tuple(PlacedMeeple("red", (0, 0), 0, kind=kind) for _ in range(count))
            codes = {problem.code for problem in find_impossible(Board(board.tiles, pieces))} & NEVER_TRUE
            assert codes == ({"too_many_meeples"} if count > number else set())


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
def test_a_few_missing_tiles_are_counted(whole: Board, left_out: int, lacking: int) -> None:
    board = without(whole, left_out)
    assert count_lacking_tiles(board) == lacking
    problems = [problem for problem in find_problems(board) if problem.code == "tiles_lacking"]
    assert [problem.values for problem in problems] == ([{"tiles": lacking, "whole": WHOLE}] if lacking else [])
    doubts = assess_score_doubts(board, [])
    assert (doubts.doubtful, doubts.confidence) == ((True, NONE_OVERLOOKED_PROBABILITY) if lacking else (False, 1.0))


def test_a_board_in_parts_lacks_the_tiles_between_them(whole: Board) -> None:
    apart = {(row, col + 40 * (number % 2)): tile for number, ((row, col), tile) in enumerate(whole.tiles.items())}
    board = replace(whole, tiles=dict([*apart.items()][MAX_MISSING_TILES + 1 :]), meeples=())
    assert len(group_connected_squares(board.tiles)) > 1
    assert count_lacking_tiles(board) == 0
    doubts = assess_score_doubts(board, [])
    assert (doubts.doubtful, doubts.confidence) == (True, NONE_OVERLOOKED_PROBABILITY)
    assert not assess_score_doubts(board, [], table=Table(tiles_in_play=len(board.tiles))).doubtful


def test_an_unknown_tile_is_not_missing(whole: Board) -> None:
    square = next(iter(whole.tiles))
    assert count_lacking_tiles(replace(whole, tiles={**whole.tiles, square: None}, meeples=())) == 0


def test_tiles_missing_from_other_boxes_are_not_counted() -> None:
    catalogue = mix_expansions(["inns"])
    board = deal_random_board(Random(3), tiles=WHOLE - 1, catalogue=catalogue)
    assert board.expansions
    assert count_lacking_tiles(board) == 0


def test_wonders_do_not_count_among_the_tiles() -> None:
    alhambra = load_wonder_catalogue()["WH/alhambra"]
    board = deal_random_board(Random(4), tiles=WHOLE, wonders=[alhambra])
    squares = [square for square, tile in board.known if tile.wonder is None]
    assert (len(board.wonders), len(squares)) == (1, WHOLE)
    assert count_lacking_tiles(board) == 0
    fewer = {square: tile for square, tile in board.tiles.items() if square != squares[0]}
    assert count_lacking_tiles(replace(board, tiles=fewer, meeples=())) == 1


def test_two_combined_base_games_lack_only_the_remaining_tiles() -> None:
    tiles = {(row, col): Placement("BA/C", 0) for row in range(12) for col in range(12)}
    assert count_lacking_tiles(Board(tiles)) == 0
    del tiles[0, 0]
    assert count_lacking_tiles(Board(tiles)) == 1


def test_no_tiles_are_missing_if_no_more_were_in_play(whole: Board) -> None:
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
