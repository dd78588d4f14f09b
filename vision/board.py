"""From a reading to the board that scoring knows."""

from __future__ import annotations

from scoring.carcassonne.board import Board, PlacedMeeple, Placement
from vision.reading import MeepleReading, Reading


def board_of(reading: Reading) -> Board:
    """The board as read; a tile without a layout becomes an unknown one."""
    tiles = {(t.row, t.col): None if t.tile is None else Placement(t.tile, t.turns, cell=t.cell) for t in reading.tiles}
    return Board(tiles, tuple(placed_meeple(meeple) for meeple in reading.meeples))


def placed_meeple(meeple: MeepleReading) -> PlacedMeeple:
    """The meeple as the board holds it: on its square and segment, without its place in the photo."""
    return PlacedMeeple(meeple.colour, (meeple.row, meeple.col), meeple.segment, meeple.pose, meeple.kind)
