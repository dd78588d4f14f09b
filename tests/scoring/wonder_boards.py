"""Boards of wonders alone, with the markers of their owners."""

from __future__ import annotations

from collections.abc import Iterable

from scoring.carcassonne.board.board import Board, PlacedMeeple, PlacedWonder


def marked(wonder: PlacedWonder, *colours: str) -> Board:
    """Return a wonder alone on a board, with a marker of each colour."""
    at, placement = next(
        (at, p) for at, p in wonder.placements.items() if any(s.kind == "wonder" for s in p.layout.segments)
    )
    segment = [s.kind for s in placement.layout.segments].index("wonder")
    return Board(wonder.placements, tuple(PlacedMeeple(c, at, segment, "upside_down") for c in colours))


def together(boards: Iterable[Board]) -> Board:
    """Combine some boards that share no square."""
    apart = list(boards)
    tiles = {square: placement for board in apart for square, placement in board.tiles.items()}
    return Board(tiles, tuple(meeple for board in apart for meeple in board.meeples))
