"""The areas of a map by flood fill on sets of squares: an independent check of the geometry."""

from __future__ import annotations

from collections.abc import Callable

from scoring.world_wonders.board import Board

Place = tuple[int, int]
STEPS = ((1, 0), (-1, 0), (0, 1), (0, -1))


def sides(place: Place) -> list[Place]:
    return [(place[0] + down, place[1] + right) for down, right in STEPS]


def letter(board: Board, place: Place) -> str:
    """Return the terrain, `#` for a piece, `?` for a possible piece or green, and ` ` beyond the map."""
    row, col = place
    if row < 0 or col < 0 or row >= len(board.terrain.lines) or col >= len(board.terrain.lines[0]):
        return " "
    if any(place in piece.squares for piece in board.pieces):
        return "#"
    printed = board.terrain.lines[row][col]
    return {".": "?", "~": "w", "*": "n"}[printed] if place in board.unknown else printed


def grow(start: Place, holds: Callable[[Place], bool]) -> set[Place]:
    area, waiting = {start}, [start]
    while waiting:
        for near in sides(waiting.pop()):
            if near not in area and holds(near):
                area.add(near)
                waiting.append(near)
    return area


def districts(board: Board) -> set[str]:
    return {
        piece.name.value
        for piece in board.buildings
        if not any(letter(board, near) in ".?" for place in piece.squares for near in sides(place))
    }


def natural_resources(board: Board) -> set[Place]:
    return {
        place
        for place in board.terrain.squares
        if letter(board, place) == "*" and any(letter(board, near) == "#" for near in sides(place))
    }


def enclosed_green(board: Board) -> set[frozenset[Place]]:
    areas = set()
    for place in board.terrain.squares:
        if letter(board, place) == ".":
            area = grow(place, lambda near: letter(board, near) == ".")
            if not any(letter(board, near) in " ?" for square in area for near in sides(square)):
                areas.add(frozenset(area))
    return areas


def roads(board: Board) -> set[frozenset[Place]]:
    squares = {place for piece in board.pieces if piece.kind in ("road", "bridge") for place in piece.squares}
    return {frozenset(grow(place, squares.__contains__)) for place in squares}


def buildings_by(board: Board, holds: Callable[[Place], bool]) -> set[str]:
    return {
        piece.name.value
        for piece in board.buildings
        if any(holds(near) for square in piece.squares for near in sides(square))
    }
