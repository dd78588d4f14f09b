"""From a reading to the board used by scoring."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from scoring.carcassonne.board.board import Board, PlacedMeeple, Placement
from vision.reading.values import MeepleReading, Reading, TileReading, WonderReading


def build_board(reading: Reading) -> Board:
    """Return the board as read, including facts that no photo shows; a tile without a layout becomes an unknown one."""
    tiles = {tile.square: place_tile(tile, reading.wonders) for tile in reading.tiles}
    unowned = frozenset(wonder.placed.layout.id for wonder in reading.wonders if wonder.nobodys)
    meeples = tuple(place_meeple(meeple) for meeple in reading.meeples)
    return Board(tiles, meeples, reading.unseen, unowned=unowned, box_rules=reading.box_rules, boxes=reading.boxes)


def place_tile(tile: TileReading, wonders: Sequence[WonderReading]) -> Placement | None:
    """Return a tile for the board, with the layout as read if it is of a wonder; None for an unknown one."""
    layout = next((wonder.placed.layout for wonder in wonders if wonder.placed.layout.id == tile.tile), None)
    return None if tile.tile is None else Placement(tile.tile, tile.turns, cell=tile.cell, wonder=layout)


def place_meeple(meeple: MeepleReading) -> PlacedMeeple:
    """Return a meeple for the board: its square and segment, without its place in the photo."""
    return PlacedMeeple(meeple.colour, (meeple.row, meeple.col), meeple.segment, meeple.pose, meeple.kind)


def match_meeples(meeples: Sequence[MeepleReading], board: Board) -> list[int]:
    """Return the index of each meeple among the board's, each index once: meeples of a pile are placed alike."""
    indices: dict[PlacedMeeple, list[int]] = defaultdict(list)
    for index, placed in enumerate(board.meeples):
        indices[placed].append(index)
    return [indices[place_meeple(meeple)].pop(0) for meeple in meeples]
