"""Pieces read before a wonder is certain help to identify it, and are then placed on it."""

from __future__ import annotations

from dataclasses import replace

from api.carcassonne.report.builder import build_report
from scoring.carcassonne.board.notation import parse_notation
from scoring.carcassonne.wonders.tiles import WONDERS
from tests.api.carcassonne.corrections.further import OWNER, WONDER, read_without_wonder
from tests.readers import reader
from tests.vision.reading.wonder_read import table
from vision.board.wonders.finder import FoundWonders
from vision.evaluation.matching import is_same_tile, match_reading
from vision.multiview.joiner import JoinedBoard, Joiner
from vision.reading.board import build_board
from vision.reading.piece import Piece


def test_a_doubtful_wonder_is_read_with_its_marker_after_its_pieces() -> None:
    board, possible = read_without_wonder()
    table = reader().joiner.read_table(replace(board, wonders=possible))
    (wonder,) = table.board.wonders.read
    assert wonder.placed.layout.id == WONDER.id
    assert {*wonder.placed.squares} == {*possible.possible[0].placed.squares}
    assert table.board.wonders.possible == ()
    (marker,) = [meeple for meeple in table.meeples if meeple.pose == "upside_down"]
    assert (marker.colour, (marker.row, marker.col) in wonder.placed.squares) == (OWNER, True)
    on_wonder = [tile for tile in table.board.tiles if tile.square in wonder.placed.squares]
    assert {tile.tile for tile in on_wonder} == {WONDER.id}


def test_without_a_doubtful_wonder_the_board_is_not_read_again() -> None:
    board, _ = read_without_wonder()
    table = reader().joiner.read_table(board)
    assert table.board.wonders is board.wonders
    assert table.board.wonders == FoundWonders()
    assert "upside_down" not in {meeple.pose for meeple in table.meeples}


class CountingJoiner(Joiner):
    """A joiner that counts how often it searches for pieces."""

    searches = 0

    def find_pieces(self, board: JoinedBoard) -> tuple[list[Piece], ...]:
        self.searches += 1
        return super().find_pieces(board)


def test_pieces_are_searched_again_only_where_tiles_changed() -> None:
    without, possible = read_without_wonder()
    board = reader().joiner.read_board(without.joint)
    doubtful = FoundWonders(tuple(replace(wonder, probability=0.8) for wonder in board.wonders.read))
    assert doubtful.doubtful
    for wonders, tiles, searches in ((doubtful, board.tiles, 1), (possible, without.tiles, 2)):
        joiner = CountingJoiner(reader().square_reader, reader().piece_reader)
        table = joiner.read_table(replace(board, wonders=wonders, tiles=tiles))
        assert joiner.searches == searches
        assert [wonder.placed.layout.id for wonder in table.board.wonders.read] == [WONDER.id]


def test_every_square_of_a_table_with_a_wonder_is_found() -> None:
    _, reading, truth = table()
    assert not match_reading(reading, truth).missed


def test_all_squares_of_the_wonder_are_read_correctly() -> None:
    _, reading, truth = table()
    matching = match_reading(reading, truth)
    (wonder,) = truth.board.wonders
    right = {true.square for read, true in matching.tiles if is_same_tile(read, true, matching)}
    assert set(wonder.squares) <= right


def test_a_wonder_is_read_whole_and_the_report_names_its_squares() -> None:
    photo, reading, _ = table()
    report = build_report(photo, reading)
    board = build_board(reading)
    report_board = parse_notation(report.board.notation)
    assert report_board == replace(board, unseen=report_board.unseen)
    assert [wonder.layout.id for wonder in board.wonders] == [one.placed.layout.id for one in reading.wonders]
    squares = [tile.square for tile in report.board.tiles if tile.tile in WONDERS]
    assert sorted(square for square in squares if square is not None) == sorted([*range(5)] * len(reading.wonders))
    assert not [problem for problem in report.board.problems if problem.code == "broken_wonder"]
