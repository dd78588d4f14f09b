"""Doubts about a wonder: another one in its place, its coats of arms, or one where other tiles were read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar, Self

from scoring.carcassonne.board.board import Board, PlacedMeeple, PlacedWonder
from scoring.carcassonne.doubt.kinds.base import Alternative, Description, Subject, Values, lay_tiles, name_coats
from scoring.carcassonne.doubt.kinds.wonder_edges import EDGES, format_edges
from scoring.carcassonne.tiles.geometry import Square

_SIDE_NAMES = {"N": "north", "E": "east", "S": "south", "W": "west"}


@dataclass(frozen=True, slots=True)
class OtherWonder(Alternative):
    """Squares of a wonder that may hold another wonder, perhaps shifted, or unknown tiles (None).

    `standing` are the pieces on it under this alternative, by their indices in the board's meeples; other pieces move
    to the matching part.
    """

    squares: tuple[Square, ...]
    placed: PlacedWonder | None
    probability: float
    standing: tuple[tuple[int, PlacedMeeple], ...] = ()
    step: ClassVar[int] = 2
    spans_several: ClassVar[bool] = True
    keeps_other_tiles: ClassVar[bool] = False
    """Whether the readings of squares outside the new wonder stay."""

    @property
    def subject(self) -> Subject:
        return "wonder", self.squares

    @property
    def changed_squares(self) -> tuple[Square, ...]:
        """Return the squares of both wonders."""
        return (*self.squares, *(self.placed.squares if self.placed else ()))

    def on(self, board: Board) -> Board:
        """Return the board under this alternative; meeples move to the matching part of their new tile."""
        instead = self.placed.placements if self.placed else {}
        freed = () if self.keeps_other_tiles else self.squares
        laid = lay_tiles(board, {**dict.fromkeys(freed), **instead})
        meeples = [*laid.meeples]
        for index, meeple in self.standing:
            meeples[index] = meeple
        return replace(laid, meeples=tuple(meeples))

    def follow(self, indices: Mapping[int, int]) -> Self | None:
        """Return the alternative with new indices of the board's meeples, without those that have none."""
        standing = ((indices[index], meeple) for index, meeple in self.standing if index in indices)
        return replace(self, standing=tuple(standing))

    def describe(self, board: Board) -> Description:
        """Describe the wonder by its differences from the one read: other edges of a copy, or another start."""
        instead, values = self._name(board)
        return Description("tile", self.squares[0], instead, values)

    def _name(self, board: Board) -> tuple[str, Values]:
        placed = self.placed
        if placed is None:
            return "no wonder", {"wonder": ""}
        name, values = placed.layout.name, Values({"wonder": placed.layout.id, "turns": placed.turns})
        if {*placed.squares} != {*self.squares}:
            row, col = min(placed.squares)
            where = {"first_row": row, "first_col": col}
            return f"{name}, starting at {board.name_square((row, col))}", {**values, **where}
        read = next((here for here in board.wonders if placed.is_copy_of(here)), None)
        edges = {end: kind for end, kind in placed.edges.items() if read is not None and read.edges.get(end) != kind}
        if not edges:
            return f"{name} turned {placed.turns}", values
        differences = [
            f"{kind} at the {_SIDE_NAMES[side]} of {board.name_square(at)}" for (at, side), kind in edges.items()
        ]
        return "; ".join([name, *differences]), {**values, EDGES: format_edges(edges)}


@dataclass(frozen=True, slots=True)
class OtherCoats(OtherWonder):
    """The same copy of a wonder with another number of coats of arms in its cities."""

    @property
    def subject(self) -> Subject:
        return "coats of a wonder", self.squares

    def list_coat_cities(self, board: Board) -> list[tuple[tuple[Square, ...], int]]:
        """List the cities whose coats of arms differ from the board's: their squares and the new number of coats."""
        here = next((placed for placed in board.wonders if placed.squares == self.squares), None)
        if self.placed is None or here is None:
            return []
        layout = self.placed.layout
        cities = [part for part, segment in enumerate(layout.parts) if segment.kind == "city"]
        changed = [city for city in cities if layout.count_coats(city) != here.layout.count_coats(city)]
        cells = {city: dict.fromkeys(cell for cell, _ in layout.members(city)) for city in changed}
        return [(tuple(self.squares[cell] for cell in cells[city]), layout.count_coats(city)) for city in changed]

    def describe(self, board: Board) -> Description:
        """Describe the first city with other coats of arms: its first square, and the number of its squares."""
        squares, coats = next(iter(self.list_coat_cities(board)), (self.squares, 0))
        wonder = self.placed.layout.id if self.placed else ""
        values: Values = {"wonder": wonder, "coats": coats, "squares": len(squares)}
        return Description("tile", squares[0], name_coats(coats), values)


@dataclass(frozen=True, slots=True)
class FurtherWonder(OtherWonder):
    """A wonder that may lie where none was read; the readings of squares outside its own are kept."""

    keeps_other_tiles: ClassVar[bool] = True

    @property
    def subject(self) -> Subject:
        return "further wonder", self.squares
