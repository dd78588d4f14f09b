"""Squares of a board that share sides."""

from __future__ import annotations

from collections.abc import Collection, Iterator

Square = tuple[int, int]
"""Row and column."""
MAX_BOARD_SQUARES = 400
"""Squares that a board may have, a wonder counting five: the largest board of a tournament has fewer than 200, and the
largest that is known, of many boxes, has 311. Time grows with the squares, so every way in has this one bound."""

MAX_COORDINATE = 9999
"""No row or column is further from the first square of a board: the four digits of a notation. Ways in that write
squares as numbers, such as labels and corrections, take no others."""


def list_neighbours(square: Square) -> Iterator[Square]:
    """Yield the four squares that share a side with a square, on the board or beyond it."""
    row, col = square
    yield from ((row - 1, col), (row, col + 1), (row + 1, col), (row, col - 1))


def group_connected_squares(squares: Collection[Square]) -> list[frozenset[Square]]:
    """Return the squares in groups that hang together by their sides, in the order of their first squares."""
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
