"""Boards with the maximum number of tiles, in several shapes, and with one more."""

from __future__ import annotations

from scoring.connected_squares import MAX_BOARD_SQUARES


def row_of(tiles: int, tile: str = "V0") -> str:
    """Return tiles side by side."""
    return tile * tiles


def column_of(tiles: int, tile: str = "V0") -> str:
    """Return tiles below each other."""
    return "/".join([tile] * tiles)


def snake_of(tiles: int) -> str:
    """Return stairs of curves down to the left, on which one road runs from the first tile to the last."""
    steps = tiles // 2
    stairs = [f"-{ahead}V3V1" if ahead else "V3V1" for ahead in range(steps - 1, -1, -1)]
    return "/".join([*stairs, "V3" * (tiles % 2)][: steps + tiles % 2])


def square_of(tiles: int, tile: str = "U0") -> str:
    """Return rows of twenty, the last one shorter."""
    rows, rest = divmod(tiles, 20)
    return "/".join([tile * 20] * rows + [tile * rest] * bool(rest))


SHAPES = {"row": row_of, "column": column_of, "snake": snake_of, "square": square_of}
AT_BOUND = {name: shape(MAX_BOARD_SQUARES) for name, shape in SHAPES.items()}
ABOVE = {name: shape(MAX_BOARD_SQUARES + 1) for name, shape in SHAPES.items()}
