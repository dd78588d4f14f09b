"""A board has a maximum number of squares in every input; up to it every shape is scored."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from scoring.carcassonne.board.board import MAX_UNSEEN_SQUARES, Board
from scoring.carcassonne.board.features import Member, build_feature_map
from scoring.carcassonne.board.label import read_label, write_label
from scoring.carcassonne.board.notation import format_notation, parse_notation
from scoring.carcassonne.final.scoring import compute_final_scoring
from scoring.carcassonne.play.game import Game, Setup
from scoring.carcassonne.record.record import Record
from scoring.carcassonne.record.text import format_record, parse_record
from scoring.carcassonne.tiles.catalogue import BOXES, load_catalogue
from scoring.carcassonne.wonders.tiles import WONDERS
from scoring.connected_squares import MAX_BOARD_SQUARES
from scoring.disjoint_sets import DisjointSets
from scoring.errors import BoardError, RecordError, ScoringError
from tests.boards_at_bound import ABOVE, AT_BOUND, column_of, snake_of

LARGEST_KNOWN = 311
"""Squares of the largest board ever read."""
SETUP = Setup(("blue", "red"))


def as_label(notation: str) -> dict[str, object]:
    """Return the label of a board of plain letters, blanks and slashes, written without the board's own code."""
    rows = notation.replace("-", " .. ").split("/")
    return {"rows": [row.replace("0", "0 ") for row in rows]}


def as_record(notation: str) -> str:
    """Return a record that starts from a given board."""
    record = Record(Setup(("blue", "red"), start_board=parse_notation("D0")))
    return format_record(record).replace("D0", notation)


WAYS_IN: dict[str, Callable[[str], object]] = {
    "tiles": lambda text: Board({(0, n): None for n in range(text.count("V") + text.count("U"))}),
    "notation": parse_notation,
    "unknown tiles": lambda text: parse_notation(text.replace("V0", "??").replace("U0", "??")),
    "label": lambda text: read_label(as_label(text)),
}


@pytest.mark.parametrize("shape", ["row", "column", "square"])
@pytest.mark.parametrize("way_in", WAYS_IN)
def test_every_input_accepts_boards_up_to_the_bound_and_none_above(way_in: str, shape: str) -> None:
    WAYS_IN[way_in](AT_BOUND[shape])
    with pytest.raises(BoardError) as error:
        WAYS_IN[way_in](ABOVE[shape])
    assert error.value.code == "board_too_large"
    assert error.value.details == {"most": MAX_BOARD_SQUARES}
    assert str(MAX_BOARD_SQUARES) in error.value.text


def test_a_record_refuses_a_start_board_above_the_bound() -> None:
    with pytest.raises(RecordError) as error:
        parse_record(as_record(ABOVE["square"]))
    assert (error.value.code, error.value.line, error.value.details["most"]) == ("board_too_large", 5, 400)
    with pytest.raises(ScoringError) as other:
        parse_record(as_record(AT_BOUND["square"])).replay()
    assert other.value.code == "not_in_stack", "so many of one tile are in no box, but it is no matter of the bound"


def test_no_game_of_all_boxes_reaches_the_bound() -> None:
    tiles = sum(layout.count for name in BOXES for layout in load_catalogue(name))
    assert max(tiles + 5 * len(WONDERS), LARGEST_KNOWN) < MAX_BOARD_SQUARES
    everything = Setup(SETUP.players, ("base", "river1", "river2", "inns", "traders", "abbot"), tuple(WONDERS))
    assert len(Game(everything).supply.stack) + 5 * len(WONDERS) < MAX_BOARD_SQUARES


def test_unseen_squares_are_bounded_as_well() -> None:
    """A text of some thousand characters could name millions of them."""
    rows = [".999"] * (MAX_UNSEEN_SQUARES // 999)
    assert parse_notation("/".join([*rows, "E0"])).unseen
    with pytest.raises(BoardError) as error:
        parse_notation("/".join([".999"] * 1600))
    assert error.value.code == "board_too_large"


@pytest.mark.parametrize("shape", AT_BOUND)
def test_a_board_at_the_bound_is_scored_and_reads_back(shape: str) -> None:
    board = parse_notation(f"{AT_BOUND[shape]} blue^0,{19 if shape == 'square' else 0}=?")
    assert len(board.tiles) == MAX_BOARD_SQUARES
    assert compute_final_scoring(board).totals == {"blue": 0}
    assert parse_notation(format_notation(board)) == board
    assert set(read_label(write_label(board)).tiles) == set(board.tiles)


def test_one_road_through_every_tile_of_the_bound_is_one_feature() -> None:
    board = parse_notation(snake_of(MAX_BOARD_SQUARES))
    assert max(feature.size for feature in build_feature_map(board) if feature.kind == "road") == MAX_BOARD_SQUARES
    towers = parse_notation(column_of(MAX_BOARD_SQUARES, "J1"))
    assert len(build_feature_map(towers)) > MAX_BOARD_SQUARES


def test_joining_handles_very_deep_chains() -> None:
    """Each join puts a new member above all those joined before it, as tiles of stairs do."""
    joins, deep = DisjointSets[Member](), 20_000
    for row in range(deep, 0, -1):
        joins.join(((row - 1, 0), 0), ((row, 0), 0))
    assert joins.root(((deep, 0), 0)) == joins.root(((deep // 2, 0), 0)) == ((0, 0), 0)
