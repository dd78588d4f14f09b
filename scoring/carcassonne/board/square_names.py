"""Squares of a board as people count them: rows and columns from 1, starting at the top left tile.

A game in progress is counted from its first board, so that names stay as the board grows: its start tile is in row 1
and column 1, and the row above it is row 0.

Documents keep a board's own numbers, (row, col), and give the name beside them; every text for people counts by
`number_square`, and whatever people type is read by `read_square_name`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from scoring.carcassonne.tiles.geometry import Square

ORIGIN: Square = (0, 0)

_NAME = re.compile(
    r"\s*(?:(?:row|reihe|r[âa]ndul)\s*)?(-?[0-9]{1,4})\s*,\s*(?:col(?:umn|oana)?|spalte)?\s*(-?[0-9]{1,4})\s*", re.I
)


def find_origin(squares: Iterable[Square]) -> Square:
    """Return the first row and the first column of the squares: those that people call row 1 and column 1."""
    rows, cols = zip(*squares, strict=True) if (squares := tuple(squares)) else ((0,), (0,))
    return min(rows), min(cols)


def number_square(square: Square, origin: Square) -> Square:
    """Return the row and column of a square as people count them."""
    return square[0] - origin[0] + 1, square[1] - origin[1] + 1


def find_numbered_square(numbers: Square, origin: Square) -> Square:
    """Return the square of a row and column as people count them; the inverse of `number_square`."""
    return numbers[0] + origin[0] - 1, numbers[1] + origin[1] - 1


def read_square_name(text: str) -> Square | None:
    """Return the row and column that a name of a square gives, `row 3, column 7` in any language or `3,7`."""
    named = _NAME.fullmatch(text)
    return None if named is None else (int(named[1]), int(named[2]))


def name_square(square: Square, origin: Square) -> str:
    """Return a square in English: `row 3, column 7`."""
    row, col = number_square(square, origin)
    return f"row {row}, column {col}"


def name_squares(squares: Iterable[Square], origin: Square) -> str:
    """Return squares in English, in their order: `row 3, column 7; row 4, column 7`."""
    return "; ".join(name_square(square, origin) for square in squares)
