"""The owners of wonders: the pieces that mark a wonder, and a marker for an owner named by a person."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from scoring.carcassonne.board.board import Board, PlacedMeeple, PlacedWonder
from scoring.errors import BoardError


def list_markers(board: Board, wonder: PlacedWonder) -> tuple[PlacedMeeple, ...]:
    """Return the pieces that mark a wonder.

    "1. Placing a wonder tile" gives it one. It may be any figure of its player ("Preparation", note), but none that
    belongs to nobody. The rule says "you can put the marker meeple upside down", so it need not be.
    """
    return tuple(meeple for meeple in board.meeples if meeple.square in wonder.squares and board.is_marker(meeple))


def mark_wonders(board: Board, owners: Mapping[str, str | None]) -> Board:
    """Return a board whose wonders carry the markers of these players, by wonder id, and no others.

    None stands for a wonder without an owner, which is added to the board's `unowned`. Raises BoardError
    `wonder_not_there`.
    """
    for id, colour in owners.items():
        board = _mark_wonder(board, id, colour)
    return board


def _mark_wonder(board: Board, id: str, colour: str | None) -> Board:
    wonder = next((placed for placed in board.wonders if placed.layout.id == id), None)
    if wonder is None:
        raise BoardError("wonder_not_there", f"{id} is not on the board", wonder=id)
    markers = list_markers(board, wonder)
    others = tuple(meeple for meeple in board.meeples if meeple not in markers)
    if colour is None:
        return replace(board, meeples=others, unowned=board.unowned | {id})
    cell, segment = wonder.layout.marked
    marker = PlacedMeeple(colour, wonder.squares[cell], segment, "upside_down")
    return replace(board, meeples=(*others, marker), unowned=board.unowned - {id})
