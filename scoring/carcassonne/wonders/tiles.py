"""The 8 wonder tiles: each a polygon of 5 squares, drawn once like any other tile.

The rule texts state the squares of each road and city and the number of fields; the shape of a tile and its outer edges
are inferred from that (see `inferred` in the data files). An owner of a differing tile can draw it in a file (see
`scoring.carcassonne.wonders.files`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from shapely import Polygon, box, union_all
from shapely.geometry.base import BaseGeometry

from scoring.carcassonne.tiles.geometry import SIDES, Square, get_neighbour
from scoring.carcassonne.tiles.layout import Kind, TileLayout

WONDERS = {
    "WH/stonehenge": "Stonehenge",
    "WH/notre-dame": "Notre-Dame",
    "WH/circus-maximus": "Circus Maximus",
    "WH/alhambra": "Alhambra",
    "WH/abu-simbel": "Abu Simbel",
    "WH/tikal": "Tikal",
    "WH/angkor-wat": "Angkor Wat",
    "WH/terracotta-army": "Terracotta Army",
}
"""Ids and names, Set I before Set II."""
COATS_UNSEEN = "no coat of arms"
"""Entry of a layout's `inferred` if it is unknown whether its cities have coats of arms; no rule text states it."""


@dataclass(frozen=True)
class WonderPart:
    """One segment of a wonder tile: the indexes of its squares and the number of outer edges it meets.

    `cities` are the indexes of the parts that a field touches.
    """

    kind: Kind
    squares: tuple[int, ...]
    open_ends: int
    cities: tuple[int, ...] = ()


@dataclass(frozen=True, eq=False)
class WonderLayout:
    """A wonder tile in its printed orientation.

    `squares` are (row, col) in the wonder's own frame, and `cells` their layouts. `marker` is the spot (x, y) of the
    marker meeple, in squares of that frame. `inferred` lists in words the details that no rule text states. `entry` is
    the content of the wonder's file.
    """

    id: str
    name: str
    squares: tuple[Square, ...]
    cells: tuple[TileLayout, ...]
    marker: tuple[float, float]
    inferred: tuple[str, ...] = ()
    entry: Mapping[str, Any] = field(default_factory=dict)

    @property
    def is_guessed(self) -> bool:
        """Return whether its outline or its edges are a guess, coats of arms excluded."""
        return any(guess != COATS_UNSEEN for guess in self.inferred)

    @property
    def is_bare(self) -> bool:
        """Return whether only its squares are known."""
        return "wonder" not in self.entry

    @cached_property
    def parts(self) -> tuple[WonderPart, ...]:
        """Return the segments of the whole tile, in the order cities, roads, monastery, fields, wonder."""
        count = 1 + max(part for cell in self.cells for part in cell.parts)
        return tuple(self._part(index) for index in range(count))

    @property
    def extent(self) -> int:
        """Return the side length, in squares, of the square frame that holds the tile, starting at its own (0, 0)."""
        return 1 + max(max(square) for square in self.squares)

    @cached_property
    def outline(self) -> Polygon:
        """Return the union of the 5 squares, in the wonder's own frame."""
        outline = unite_squares(self.squares)
        assert isinstance(outline, Polygon)
        return outline

    @property
    def marked(self) -> tuple[int, int]:
        """Return the place of the marker meeple: the indexes of its square and of the wonder among its segments."""
        cell = self.squares.index((int(self.marker[1]), int(self.marker[0])))
        return cell, next(i for i, segment in enumerate(self.cells[cell].segments) if segment.kind == "wonder")

    def members(self, part: int) -> Iterator[tuple[int, int]]:
        """Yield the pieces of a part: (index of the square, index of the segment in its layout)."""
        for square, cell in enumerate(self.cells):
            yield from ((square, index) for index, part_index in enumerate(cell.parts) if part_index == part)

    def count_coats(self, part: int) -> int:
        """Return the number of coats of arms on a part."""
        return sum(self.cells[cell].segments[index].shields for cell, index in self.members(part))

    def placed(self, anchor: Square, turns: int) -> tuple[Square, ...]:
        """Return the squares of the board that the tile covers after clockwise turns about `anchor`, in the tile's
        order.
        """
        return tuple((anchor[0] + row, anchor[1] + col) for row, col in (turn_square(s, turns) for s in self.squares))

    def anchor(self, square: Square, cell: int, turns: int) -> Square:
        """Return the position of the tile's own (0, 0) if its square `cell` is on a square; the inverse of `placed`."""
        row, col = turn_square(self.squares[cell], turns)
        return square[0] - row, square[1] - col

    def _part(self, part: int) -> WonderPart:
        pieces = [(square, self.cells[square], index) for square, index in self.members(part)]
        cities = {cell.parts[city] for _, cell, index in pieces for city in cell.segments[index].cities}
        _, first, index = pieces[0]
        ends = sum(len(cell.segments[i].edges) for _, cell, i in pieces)
        squares = tuple(square for square, _, _ in pieces)
        return WonderPart(first.segments[index].kind, squares, ends, tuple(sorted(cities)))


def unite_squares(squares: Iterable[Square]) -> BaseGeometry:
    """Return the area of squares in a wonder's own frame."""
    return union_all([box(col, row, col + 1, row + 1) for row, col in squares])


def find_inner_sides(squares: tuple[Square, ...], square: Square) -> tuple[str, ...]:
    """Return the sides of a square inside the tile."""
    return tuple(side for side in SIDES if get_neighbour(square, side) in squares)


def list_outer_edges(squares: tuple[Square, ...]) -> list[tuple[int, str]]:
    """Return the outer edges of squares, each as the index of its square and its side."""
    inner = [find_inner_sides(squares, square) for square in squares]
    return [(cell, side) for cell in range(len(squares)) for side in SIDES if side not in inner[cell]]


def turn_square(square: Square, turns: int) -> Square:
    """Return a square after clockwise quarter turns about (0, 0)."""
    row, col = square
    for _ in range(turns % 4):
        row, col = col, -row
    return row, col
