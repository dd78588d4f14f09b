"""A map board as printed: squares of land, water and natural resources, as lines of text.

`.` is land, `~` water, `*` a natural resource. Row 0 is farthest from the Sidewalk, which runs below the last row;
mountains bound the other 3 edges.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

Square = tuple[int, int]
"""(row, col), starting at 0."""
Beyond = Literal["edge", "sidewalk"]
"""Surroundings of the map: mountains, or the Sidewalk."""

LAND, WATER, NATURAL = ".", "~", "*"
MAX_SQUARES = 1600
"""Maximum number of squares of a map. Bounds memory."""


@dataclass(frozen=True)
class Terrain:
    """The squares of one map board; `lines` are its rows, of equal length, in the 3 letters."""

    lines: tuple[str, ...]

    def __post_init__(self) -> None:
        if not self.lines or not self.lines[0]:
            raise ValueError("A map has at least one square")
        if len({len(line) for line in self.lines}) > 1:
            raise ValueError("All rows of a map have the same number of squares")
        if len(self.lines) * len(self.lines[0]) > MAX_SQUARES:
            raise ValueError(f"A map has at most {MAX_SQUARES} squares")
        if strange := sorted(set("".join(self.lines)) - {LAND, WATER, NATURAL}):
            raise ValueError(f"A map is written with . (land), ~ (water) and * (natural resource), not {strange[0]!r}")

    @property
    def rows(self) -> int:
        """Return the number of rows."""
        return len(self.lines)

    @property
    def columns(self) -> int:
        """Return the number of squares in a row."""
        return len(self.lines[0])

    @cached_property
    def squares(self) -> tuple[Square, ...]:
        """Return all squares, row by row."""
        return tuple((row, col) for row in range(self.rows) for col in range(self.columns))

    def __contains__(self, square: Square) -> bool:
        return 0 <= square[0] < self.rows and 0 <= square[1] < self.columns

    def is_water(self, square: Square) -> bool:
        """Return whether water is printed on a square."""
        return self._letter(square) == WATER

    def is_natural(self, square: Square) -> bool:
        """Return whether a natural resource is printed on a square; it counts as land for placement."""
        return self._letter(square) == NATURAL

    def is_green(self, square: Square) -> bool:
        """Return whether only land is printed on a square."""
        return self._letter(square) == LAND

    def beyond(self, square: Square) -> Beyond | None:
        """Return the surroundings at a place outside the map; None for a square of the map."""
        if square in self:
            return None
        return "sidewalk" if square[0] >= self.rows else "edge"

    def _letter(self, square: Square) -> str:
        return self.lines[square[0]][square[1]]
