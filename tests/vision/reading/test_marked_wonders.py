"""Pieces that are looked at before a wonder is sure help to tell it, and are placed by what then lies there."""

from __future__ import annotations

from dataclasses import replace

from tests.api.corrections.further import OWNER, WONDER, load_nets, read_without_wonder
from vision.board.wonders.finder import FoundWonders


def test_a_wonder_that_is_in_doubt_is_read_with_its_marker_once_its_pieces_are_found() -> None:
    board, possible = read_without_wonder()
    table = load_nets().joiner.read_table(replace(board, wonders=possible))
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
    table = load_nets().joiner.read_table(board)
    assert table.board.wonders is board.wonders
    assert table.board.wonders == FoundWonders()
    assert "upside_down" not in {meeple.pose for meeple in table.meeples}
