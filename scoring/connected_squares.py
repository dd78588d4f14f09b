"""Squares of a board that share sides."""

from __future__ import annotations

from collections.abc import Collection, Iterator

Square = tuple[int, int]
"""Row and column."""
MAX_BOARD_SQUARES = 400
"""Maximum number of squares on a board, a wonder counting as 5. Bounds time, which grows with the squares.

Measured: the largest tournament board has fewer than 200, and the largest known board, of many boxes, has 311. All
inputs share this bound.
"""

MAX_COORDINATE = 9999
"""Maximum distance of a row or column from the first square of a board: the 4 digits of a notation. Inputs with numeric
squares, such as labels and corrections, share this bound.
"""


def list_neighbours(square: Square) -> Iterator[Square]:
    """Yield the 4 squares that share a side with a square, on the board or beyond it."""
    row, col = square
    yield from ((row - 1, col), (row, col + 1), (row + 1, col), (row, col - 1))


def group_connected_squares(squares: Collection[Square]) -> list[frozenset[Square]]:
    """Return the connected groups of squares, joined by sides, in the order of their first squares."""
    left, groups = set(squares), []
    while left:
        group: set[Square] = set()
        fringe = {min(left)}
        while fringe:
            group |= fringe
            fringe = {near for square in fringe for near in list_neighbours(square) if near in left} - group
        left -= group
        groups.append(frozenset(group))
    return groups
