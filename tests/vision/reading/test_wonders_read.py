"""A rendered table with a wonder, from photo to report: its five squares are read and scored as one tile."""

from __future__ import annotations

from dataclasses import replace

from api.carcassonne.report.builder import build_report
from scoring.carcassonne.board.notation import parse_notation
from scoring.carcassonne.wonders.tiles import WONDERS
from tests.vision.reading.wonder_read import table
from vision.evaluation.matching import is_same_tile, match_reading
from vision.reading.board import build_board


def test_every_square_of_a_table_with_a_wonder_is_found() -> None:
    _, reading, truth = table()
    assert not match_reading(reading, truth).missed


def test_all_squares_of_the_wonder_are_read_as_it_lies() -> None:
    _, reading, truth = table()
    matching = match_reading(reading, truth)
    (wonder,) = truth.board.wonders
    right = {true.square for read, true in matching.tiles if is_same_tile(read, true, matching)}
    assert set(wonder.squares) <= right


def test_a_wonder_that_is_read_is_whole_and_the_report_names_its_squares() -> None:
    photo, reading, _ = table()
    report = build_report(photo, reading)
    board = build_board(reading)
    report_board = parse_notation(report.board.notation)
    assert report_board == replace(board, unseen=report_board.unseen)
    assert [wonder.layout.id for wonder in board.wonders] == [one.placed.layout.id for one in reading.wonders]
    squares = [tile.square for tile in report.board.tiles if tile.tile in WONDERS]
    assert sorted(square for square in squares if square is not None) == sorted([*range(5)] * len(reading.wonders))
    assert not [problem for problem in report.board.problems if problem.code == "broken_wonder"]
