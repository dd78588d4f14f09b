"""The courses of a wonder's roads: the squares they cover are stated or read, but no text states their course.

A road meets an outer edge in its middle. From there it is followed, through pixels that look like roads on this photo,
over all the squares that it covers, to its destination: the wonder itself, or the monastery, somewhere on these
squares. The layout's drawing in between is a guess, and is ignored.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

import numpy as np
import shapely
from shapely import LineString
from shapely.geometry.base import BaseGeometry

from scoring.carcassonne.board.board import PlacedWonder
from scoring.carcassonne.tiles.geometry import STEPS, Square, place_geometry, turn_edge, unplace_geometry
from scoring.carcassonne.wonders.plans import PlannedRoad, plan_layout
from vision.arrays import Floats, Ints

Courses = Mapping[tuple[Square, int], BaseGeometry]
"""The course of a road by its square and segment, in the unit square of the unturned tile."""
Pixel = tuple[int, int]
"""A row and a column."""
CLOSED = -1.0
"""The cost of an impassable pixel. By the rule of scikit-image, for which negative costs are impassable."""


def trace_wonder_roads(wonder: PlacedWonder, costs: Mapping[Square, Floats]) -> Courses:
    """Trace the roads of a wonder over the squares of the board that a photo shows.

    `costs` (n, n) are the costs of each square's pixels on the way of a road, as it lies. A road with a hidden square
    keeps its drawing, and so does one on a square on which it forks.
    """
    if wonder.layout.is_bare or not costs:
        return {}
    mosaic = _Mosaic(costs)
    numbers = [number for number, part in enumerate(wonder.layout.parts) if part.kind == "road"]
    courses: dict[tuple[Square, int], BaseGeometry] = {}
    for number, road in zip(numbers, plan_layout(wonder.layout).roads, strict=True):
        ways = _follow_road(wonder, road, mosaic)
        for cell, segment in wonder.layout.members(number):
            square = wonder.squares[cell]
            drawn = wonder.layout.cells[cell].segments[segment].geometry
            course = mosaic.cut_way(ways, square) if isinstance(drawn, LineString) else None
            if course is not None:
                courses[square, segment] = unplace_geometry(course, wonder.turns, square)
    return courses


class _Mosaic:
    """The pixels of a wonder's squares, side by side as they lie on the board."""

    def __init__(self, costs: Mapping[Square, Floats]) -> None:
        self.size = len(next(iter(costs.values())))
        self.first = min(row for row, _ in costs), min(col for _, col in costs)
        last = max(row for row, _ in costs), max(col for _, col in costs)
        rows, cols = (1 + last[axis] - self.first[axis] for axis in range(2))
        self.costs = np.full((rows * self.size, cols * self.size), CLOSED)
        self.squares = {*costs}
        for square, pixels in costs.items():
            self.costs[self._find_pixels(square)] = pixels

    def open_squares(self, squares: Sequence[Square]) -> Floats:
        """Return (height, width) the costs of some squares, with everything else closed."""
        costs = np.full_like(self.costs, CLOSED)
        for square in squares:
            where = self._find_pixels(square)
            costs[where] = self.costs[where]
        return costs

    def find_edge(self, square: Square, side: str) -> Pixel:
        """Return the pixel in the middle of a square's side."""
        down, right = STEPS[side]
        row, col = self._corner(square)
        last = self.size - 1
        return row + (last + last * down) // 2, col + (last + last * right) // 2

    def list_covered(self, squares: Sequence[Square], area: BaseGeometry) -> list[Pixel]:
        """List the pixels of some squares that an area in lattice units covers."""
        rows, cols = np.nonzero(self.open_squares(squares) != CLOSED)
        x, y = ((at + 0.5) / self.size for at in (cols, rows))
        there = shapely.contains_xy(area, x + self.first[1], y + self.first[0])
        return list(zip(rows[there].tolist(), cols[there].tolist(), strict=True))

    def cut_way(self, ways: Sequence[Ints], square: Square) -> LineString | None:
        """Return the longest stretch of some ways (n, 2) on a square, in lattice units; None if there is none."""
        stretches = [stretch for way in ways for stretch in self._list_stretches(way, square)]
        longest = max(stretches, key=len, default=np.empty((0, 2)))
        if len(longest) < 2:
            return None
        return LineString((longest[:, ::-1] + 0.5) / self.size + np.array(self.first)[::-1])

    def _list_stretches(self, way: Ints, square: Square) -> Iterator[Ints]:
        inside = (way // self.size + np.array(self.first) == square).all(axis=1)
        for is_inside, numbers in groupby(range(len(way)), key=lambda i: bool(inside[i])):
            if is_inside:
                yield way[[*numbers]]

    def _corner(self, square: Square) -> Pixel:
        return (square[0] - self.first[0]) * self.size, (square[1] - self.first[1]) * self.size

    def _find_pixels(self, square: Square) -> tuple[slice, slice]:
        row, col = self._corner(square)
        return slice(row, row + self.size), slice(col, col + self.size)


def _follow_road(wonder: PlacedWonder, road: PlannedRoad, mosaic: _Mosaic) -> list[Ints]:
    """Return the ways (n, 2) of a road: the first leads to its destination, or to another edge, and others join it."""
    squares = [wonder.squares[cell] for cell in road.squares]
    if not {*squares} <= mosaic.squares:
        return []
    costs = mosaic.open_squares(squares)
    starts = [mosaic.find_edge(wonder.squares[cell], turn_edge(side, wonder.turns)) for cell, side in road.ends]
    goals = [pixels for target in road.targets if (pixels := mosaic.list_covered(squares, _shape(wonder, target)))]
    ways, reached = list[Ints](), starts[:1]
    for next_ones in (*goals, *([start] for start in starts[1:])):
        way = find_cheapest_way(costs, reached, next_ones)
        if way is not None:
            ways.append(way)
            reached = [*reached, *((int(row), int(col)) for row, col in way)]
    return ways


def _shape(wonder: PlacedWonder, kind: str) -> BaseGeometry:
    """Return the parts of a kind in a wonder's layout, in lattice units."""
    return shapely.union_all(
        [
            place_geometry(segment.geometry, wonder.turns, square)
            for square, cell in zip(wonder.squares, wonder.layout.cells, strict=True)
            for segment in cell.segments
            if segment.kind == kind
        ]
    )


def find_cheapest_way(costs: Floats, starts: Sequence[Pixel], ends: Sequence[Pixel]) -> Ints | None:
    """Find (n, 2) the pixels of the cheapest way from any start to any end (Cohen and Kimmel, 1997); None without one.

    `costs` (height, width) are those of each pixel, `CLOSED` for impassable ones.
    """
    from skimage.graph import MCP_Geometric  # slow to load, and seldom needed

    first, last = ([pixel for pixel in some if costs[pixel] != CLOSED] for some in (starts, ends))
    if not first or not last:
        return None
    graph = MCP_Geometric(costs)
    totals, _ = graph.find_costs(first, last, find_all_ends=False)
    nearest = min(last, key=lambda pixel: float(totals[pixel]))
    return np.array(graph.traceback(nearest)).reshape(-1, 2) if np.isfinite(totals[nearest]) else None
