"""Pieces read before a wonder is certain help to identify it, and are then placed on it."""

from __future__ import annotations

from dataclasses import replace

from tests.api.carcassonne.corrections.further import OWNER, WONDER, read_without_wonder
from tests.readers import reader
from vision.board.wonders.finder import FoundWonders
from vision.multiview.joiner import JoinedBoard, Joiner
from vision.reading.piece import Piece


def test_a_wonder_that_is_in_doubt_is_read_with_its_marker_once_its_pieces_are_found() -> None:
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


def test_where_no_wonder_is_in_doubt_the_board_is_not_read_again() -> None:
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


def test_pieces_are_looked_for_once_more_only_where_other_tiles_lie_then() -> None:
    without, possible = read_without_wonder()
    board = reader().joiner.read_board(without.joint)
    doubtful = FoundWonders(tuple(replace(wonder, probability=0.8) for wonder in board.wonders.read))
    assert doubtful.doubtful
    for wonders, tiles, searches in ((doubtful, board.tiles, 1), (possible, without.tiles, 2)):
        joiner = CountingJoiner(reader().square_reader, reader().piece_reader)
        table = joiner.read_table(replace(board, wonders=wonders, tiles=tiles))
        assert joiner.searches == searches
        assert [wonder.placed.layout.id for wonder in table.board.wonders.read] == [WONDER.id]
