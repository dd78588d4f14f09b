"""Shapes of pieces: squares with a letter each, as text (`##/#.`), turned, mirrored, and laid side by side."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from scoring.connected_squares import group_connected_squares
from scoring.world_wonders.terrain import Square

Shape = Mapping[Square, str]
"""The squares of a piece, shifted to start at (0, 0), each with its letter."""


def parse_shape(text: str, letters: str) -> Shape:
    """Return the squares of rows separated by `/`, each with one of the letters; `.` is empty. Raise ValueError if
    invalid.
    """
    lines = text.split("/")
    squares = {(r, c): letter for r, line in enumerate(lines) for c, letter in enumerate(line) if letter != "."}
    if not squares or len({len(line) for line in lines}) > 1 or not set(squares.values()) <= set(letters):
        raise ValueError(f"{text!r} is no shape: rows of one length, parted by /, of . and {', '.join(letters)}")
    if len(group_connected_squares(squares)) > 1:
        raise ValueError(f"{text!r} is no shape: its squares do not hang together")
    return _move_to_origin(squares)


def list_quarter_turns(shape: Shape) -> tuple[Shape, ...]:
    """Return the shape in its 4 quarter turns, without repeats."""
    turns = [shape]
    for _ in range(3):
        turns.append(_move_to_origin({(col, -row): letter for (row, col), letter in turns[-1].items()}))
    return _drop_repeats(turns)


def list_orientations(shape: Shape) -> tuple[Shape, ...]:
    """Return the shape in its quarter turns and those of its mirror image, without repeats."""
    mirrored = _move_to_origin({(row, -col): letter for (row, col), letter in shape.items()})
    return _drop_repeats([*list_quarter_turns(shape), *list_quarter_turns(mirrored)])


def shift_to_origin(squares: Collection[Square]) -> frozenset[Square]:
    """Return the squares shifted to start at (0, 0), so that equal shapes in the same orientation compare equal."""
    return frozenset(_move_to_origin(dict.fromkeys(squares, "#")))


def can_cover_squares(parts: Iterable[Shape], squares: Mapping[Square, str]) -> bool:
    """Return whether the parts, each turned or mirrored, cover the squares exactly.

    A part's letter must equal the square's, or be `?`, which matches any.
    """
    every_part = list(parts)
    return sum(map(len, every_part)) == len(squares) and split_among_parts(every_part, squares) is not None


def split_among_parts(parts: Iterable[Shape], squares: Mapping[Square, str]) -> tuple[frozenset[Square], ...] | None:
    """Split squares among some of the parts, each turned or mirrored; return None if no exact cover exists.

    A part's letter must equal the square's, or be `?`, which matches any.
    """
    rest = list(parts)
    if not squares:
        return ()
    for index, part in enumerate(rest):
        for turned in list_orientations(part):
            placed_part = _move_to_first(turned, min(squares))
            if all(square in squares and letter in ("?", squares[square]) for square, letter in placed_part.items()):
                left_over = {square: letter for square, letter in squares.items() if square not in placed_part}
                others = split_among_parts(rest[:index] + rest[index + 1 :], left_over)
                if others is not None:
                    return (frozenset(placed_part), *others)
    return None


def _move_to_first(shape: Shape, first: Square) -> Shape:
    """Return the shape shifted so that its first square is at the given one."""
    top, left = min(shape)
    return {(first[0] + row - top, first[1] + col - left): letter for (row, col), letter in shape.items()}


def _move_to_origin(squares: Shape) -> Shape:
    top, left = min(row for row, _ in squares), min(col for _, col in squares)
    return {(row - top, col - left): squares[row, col] for row, col in sorted(squares)}


def _drop_repeats(shapes: Iterable[Shape]) -> tuple[Shape, ...]:
    return tuple(dict(key) for key in dict.fromkeys(tuple(shape.items()) for shape in shapes))
