"""A wonder's shapes, derived from the features on its squares and the outer edges they reach.

This makes drawing paths unnecessary. Each city is a bulge at every edge it runs along, joined within its squares; each
road takes the cheapest way from its edge to the wonder (minimal cost paths on a fine grid, scikit-image). The result is
a drawing like any other: the rest is field, and all features follow from it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import LineString, MultiLineString, Point, Polygon, maximum_inscribed_circle, unary_union
from shapely.geometry.base import BaseGeometry
from skimage.graph import MCP_Geometric

from scoring.carcassonne.tiles.geometry import SIDES, STEPS, Square, get_neighbour
from scoring.carcassonne.tiles.topology import Area
from scoring.carcassonne.wonders.drawing import WonderDrawing, build_square_box
from scoring.carcassonne.wonders.plans import End, PlannedCity, PlannedRoad, WonderPlan
from scoring.errors import CatalogueError

Cell = tuple[int, int]

GRID = 17
"""Cells of the grid along a square's side; odd, so that the middle of a side is a cell. A guess."""
BULGE_TILES = 0.16
"""Depth of a city at an edge it runs along. A guess."""
CITY_TILES, ROAD_TILES = 0.05, 0.04
"""Half the width of a city between its edges, and the free margin on each side of a road. A guess."""
WONDER_TILES, ARM_TILES, MONASTERY_TILES = 0.22, 0.16, 0.16
"""Radii of the wonder around the centres of its squares, of its arms between them, and of the monastery. A guess."""
BENT_TILES = 0.03
"""Maximum deviation of a drawn road from its path on the grid. A guess."""
NEAR_COST = 8.0
"""Extra cost of a step close to another shape, in steps: paths stay in the middle of free space. A guess."""


def sketch_wonder(plan: WonderPlan) -> WonderDrawing:
    """Return possible shapes for a plan's features, without coats of arms (`place_coats` places these).

    Raises CatalogueError (cannot_be_drawn) if none are found.
    """
    return _Sketch(plan).draw()


def place_coats(plan: WonderPlan, drawing: WonderDrawing) -> list[Point]:
    """Return a spot for each coat of arms of a plan in the drawn cities."""
    drawn = zip(plan.cities, drawing.cities, strict=True)
    return [coat for city, shape in drawn for coat in _place_coats(plan, city, shape)]


class _Sketch:
    """The shapes so far; `owner` is the index of the square that each grid cell belongs to, or -1."""

    def __init__(self, plan: WonderPlan) -> None:
        self.plan = plan
        side = 1 + max(max(square) for square in plan.squares)
        centres = (np.arange(side * GRID) + 0.5) / GRID
        self.x, self.y = np.meshgrid(centres, centres)
        self.owner = np.full(self.x.shape, -1)
        for index, (row, col) in enumerate(plan.squares):
            self.owner[row * GRID : (row + 1) * GRID, col * GRID : (col + 1) * GRID] = index
        self.wonder = self._shape_wonder()
        self.monastery = None if plan.monastery is None else self._middle(plan.monastery).buffer(MONASTERY_TILES)
        self.cities = [
            unary_union([_bulge(plan.squares[i], side) for i, side in city.ends] or [Polygon()]) for city in plan.cities
        ]
        self.roads: list[list[LineString]] = []

    def draw(self) -> WonderDrawing:
        for index in range(len(self.plan.cities)):
            self._join_city(index)
        for road in self.plan.roads:
            self.roads.append(self._lay_road(road))
        cities = [Polygon(city.exterior) for city in self.cities if isinstance(city, Polygon)]
        if len(cities) < len(self.cities):
            raise _refuse(self.plan, "a city's parts do not hang together")
        return WonderDrawing(
            id=self.plan.id,
            squares=self.plan.squares,
            cities=[*cities],
            roads=[strokes[0] if len(strokes) == 1 else MultiLineString(strokes) for strokes in self.roads],
            monasteries=[self.monastery] if self.monastery is not None else [],
            wonder=self.wonder,
            marker=self._middle(self.plan.wonder[0]),
            coats=[],
        )

    def _middle(self, index: int) -> Point:
        row, col = self.plan.squares[index]
        return Point(col + 0.5, row + 0.5)

    def _shape_wonder(self) -> Polygon:
        squares = self.plan.wonder
        shapes: list[BaseGeometry] = [self._middle(i).buffer(WONDER_TILES) for i in squares]
        for i in squares:
            near = {get_neighbour(self.plan.squares[i], side) for side in SIDES}
            shapes += [
                LineString([self._middle(i), self._middle(j)]).buffer(ARM_TILES)
                for j in squares
                if self.plan.squares[j] in near
            ]
        whole = unary_union(shapes)
        if not isinstance(whole, Polygon):
            raise _refuse(self.plan, "the squares of the wonder itself do not hang together")
        return Polygon(whole.exterior)

    def _join_city(self, index: int) -> None:
        """Join a city's bulges, and extend it over squares where it meets no edge."""
        city = self.plan.cities[index]
        open_squares = {i for i, _ in city.ends}
        nodes = [self._find_cell(_step(self._middle(i), side, 0.5 - BULGE_TILES / 2)) for i, side in city.ends]
        free = self._free(city.squares, CITY_TILES, but=[self.cities[index]])
        for i in city.squares:
            if i not in open_squares:
                cells = _list_cells(free & (self.owner == i))
                if not cells:
                    raise _refuse(self.plan, "a city has no room on one of its squares")
                row, col = self._find_cell(self._middle(i))
                nodes.append(min(cells, key=lambda cell: abs(cell[0] - row) + abs(cell[1] - col)))
        reached = [nodes[0]]
        for node in nodes[1:]:
            path = self._find_path(free, [node], reached)
            self.cities[index] = unary_union([self.cities[index], self._trace(path).buffer(CITY_TILES)])
            reached += path
        if city.walled:
            inside = self._inside(self.wonder) & np.isin(self.owner, city.squares)
            near = self._free(city.squares, CITY_TILES, but=[self.cities[index], self.wonder])
            line = self._trace(self._find_path(near | inside, reached, _list_cells(inside)))
            apart = unary_union([self.cities[index], line.buffer(CITY_TILES)]).difference(self.wonder)
            self.cities[index] = max(shapely.get_parts(apart), key=lambda part: float(part.area))
        if len(nodes) == 1:
            self.cities[index] = unary_union([self.cities[index], self._trace(nodes).buffer(CITY_TILES)])
        if isinstance(whole := self.cities[index], Polygon):
            self.cities[index] = Polygon(whole.exterior)

    def _lay_road(self, road: PlannedRoad) -> list[LineString]:
        """Return the road's strokes, which meet in common points: the first leads to its target, and others join it."""
        shapes = {"wonder": self.wonder, "monastery": self.monastery}
        goals = [goal for target in road.targets if (goal := shapes[target]) is not None]
        free = self._free(road.squares, ROAD_TILES, but=goals)
        starts = [self._find_cell(_step(self._edge_middle(end), end[1], -0.5 / GRID)) for end in road.ends]
        if len(goals) + len(starts) < 2:
            raise _refuse(self.plan, "a road with one edge runs into nothing")
        for end in road.ends:
            stub = LineString([self._edge_middle(end), _step(self._edge_middle(end), end[1], -3 * ROAD_TILES)])
            free |= self._inside(stub.buffer(1 / GRID)) & (self.owner == end[0])
        reached, paths = starts[:1], list[list[Cell]]()
        for goal in goals:
            inside = self._inside(goal) & np.isin(self.owner, road.squares)
            free &= ~inside
            paths.append(self._find_path(free | inside, reached, _list_cells(inside)))
            reached = [cell for path in paths for cell in path]
        for start in starts[1:]:
            paths.append(self._find_path(free, [start], [cell for cell in reached if free[cell]]))
            reached += paths[-1]
        if road.closed and len(goals) > 1:
            beside = unary_union([self._trace(path).buffer(2 * ROAD_TILES) for path in paths])
            ways = (free & ~self._inside(beside)) | self._inside(unary_union([goals[0], goals[1]]))
            first, second = (_list_cells(self._inside(goal) & np.isin(self.owner, road.squares)) for goal in goals[:2])
            paths.append(self._find_path(ways, first, second))
        nodes = {path[0] for path in paths} | {path[-1] for path in paths}
        ends = {start: self._edge_middle(end) for start, end in zip(starts, road.ends, strict=True)}
        return [stroke for path in paths for stroke in self._split(path, nodes, ends)]

    def _split(self, path: Sequence[Cell], nodes: set[Cell], ends: dict[Cell, Point]) -> Iterator[LineString]:
        cuts = [i for i, cell in enumerate(path) if cell in nodes]
        for first, last in pairwise(cuts):
            points = [Point(*at) for at in self._points(path[first : last + 1])]
            edges = [ends.get(path[first]), ends.get(path[last])]
            line = LineString([point for point in (edges[0], *points, edges[1]) if point is not None])
            yield LineString(line.simplify(BENT_TILES).coords)

    def _free(self, squares: Sequence[int], margin: float, but: Sequence[BaseGeometry]) -> NDArray[np.bool_]:
        """Return the free cells of some squares: only the shapes `but` are within twice a margin."""
        others: list[BaseGeometry] = [self.wonder, *self.cities, *(s for strokes in self.roads for s in strokes)]
        others += [self.monastery] if self.monastery is not None else []
        areas = [shape.buffer(2 * margin) for shape in others if not any(shape is one for one in but)]
        outline = unary_union([build_square_box(square) for square in self.plan.squares])
        free = self._inside(outline.buffer(-2 * margin)) & ~self._inside(unary_union(areas))
        return np.asarray((free | self._inside(unary_union([*but]))) & np.isin(self.owner, squares))

    def _find_path(self, free: NDArray[np.bool_], starts: Iterable[Cell], goals: Iterable[Cell]) -> list[Cell]:
        """Return the cheapest path over free cells from any start to any goal."""
        prices = np.full(free.shape, -1.0)
        near = shapely.distance(shapely.points(self.x[free], self.y[free]), self._all()) < 3 * ROAD_TILES
        prices[free] = 1.0 + NEAR_COST * near
        mcp = MCP_Geometric(prices)
        costs, _ = mcp.find_costs([cell for cell in starts if free[cell]])
        reached = [goal for goal in goals if np.isfinite(costs[goal])]
        if not reached:
            raise _refuse(self.plan, "a road or city has no way to where it leads")
        return [(int(row), int(col)) for row, col in mcp.traceback(min(reached, key=lambda cell: float(costs[cell])))]

    def _all(self) -> BaseGeometry:
        return unary_union([self.wonder, *self.cities, *(s for strokes in self.roads for s in strokes)])

    def _inside(self, shape: BaseGeometry) -> NDArray[np.bool_]:
        return np.asarray(shapely.contains_xy(shape, self.x, self.y))

    def _points(self, path: Sequence[Cell]) -> NDArray[np.float64]:
        return (np.array(path)[:, ::-1] + 0.5) / GRID

    def _trace(self, path: Sequence[Cell]) -> BaseGeometry:
        points = self._points(path)
        return LineString(points) if len(points) > 1 else Point(*points)

    def _find_cell(self, point: Point) -> Cell:
        last = len(self.x) - 1
        return min(int(point.y * GRID), last), min(int(point.x * GRID), last)

    def _edge_middle(self, end: End) -> Point:
        return _step(self._middle(end[0]), end[1], 0.5)


def _bulge(square: Square, side: str) -> Polygon:
    """Return a city along a whole side of a square: as deep as BULGE_TILES in the middle, from corner to corner."""
    row, col = square
    along, depth = np.array([0, 0.15, 0.5, 0.85, 1]), BULGE_TILES * np.array([0, 0.7, 1, 0.7, 0])
    x, y = {"N": (along, depth), "S": (along, 1 - depth), "W": (depth, along), "E": (1 - depth, along)}[side]
    return Polygon(np.column_stack([x + col, y + row]))


def _step(point: Point, side: str, length: float) -> Point:
    down, right = STEPS[side]
    return Point(point.x + right * length, point.y + down * length)


def _place_coats(plan: WonderPlan, city: PlannedCity, shape: Area) -> Iterator[Point]:
    """Yield a spot for each coat of arms of a city, each at the roomiest place of a different square."""
    if city.coats:
        pieces = [shape.intersection(build_square_box(plan.squares[i])) for i in city.squares]
        widest = [max(shapely.get_parts(piece), key=lambda part: float(part.area)) for piece in pieces if piece.area]
        radii = [maximum_inscribed_circle(piece) for piece in widest]
        for radius in sorted(radii, key=lambda radius: -radius.length)[: city.coats]:
            yield Point(radius.coords[0])


def _list_cells(mask: NDArray[np.bool_]) -> list[Cell]:
    return [(int(row), int(col)) for row, col in np.argwhere(mask)]


def _refuse(plan: WonderPlan, why: str) -> CatalogueError:
    return CatalogueError("cannot_be_drawn", f"{plan.id}: {why}", id=plan.id)
