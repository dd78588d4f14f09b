"""Boards with wonders on them, as tests write them down."""

from __future__ import annotations

from collections.abc import Iterable

from scoring.carcassonne.board.board import Board, PlacedMeeple, PlacedWonder
from scoring.carcassonne.board.notation import parse_notation
from scoring.carcassonne.tiles.geometry import Square
from scoring.carcassonne.wonders.catalogue import load_wonder_catalogue


def wonder(name: str, anchor: Square = (20, 0), turns: int = 0) -> PlacedWonder:
    """Lay a wonder by the end of its id, by default far below everything else on a board."""
    return PlacedWonder(load_wonder_catalogue()[f"WH/{name}"], anchor, turns)


def part(placed: PlacedWonder, kind: str, number: int = 0) -> tuple[Square, int]:
    """Return a square and segment of the n-th road, city, field (in the layout's order) or of the wonder itself."""
    parts = [index for index, segment in enumerate(placed.layout.parts) if segment.kind == kind]
    cell, segment = next(placed.layout.members(parts[number]))
    return placed.squares[cell], segment


def on(placed: PlacedWonder, colour: str, kind: str, number: int = 0) -> PlacedMeeple:
    """Put a meeple on a part of a wonder tile."""
    square, segment = part(placed, kind, number)
    pose = {"field": "lying", "wonder": "upside_down"}.get(kind, "standing")
    return PlacedMeeple(colour, square, segment, pose)


def laid(text: str, *wonders: tuple[PlacedWonder, str], meeples: tuple[PlacedMeeple, ...] = ()) -> Board:
    """Read a board from its notation, with wonders and their owners' markers added, and meeples on them."""
    board = parse_notation(text)
    tiles = {square: placement for placed, _ in wonders for square, placement in placed.placements.items()}
    markers = tuple(on(placed, owner, "wonder") for placed, owner in wonders)
    return Board({**board.tiles, **tiles}, (*board.meeples, *markers, *meeples))


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
