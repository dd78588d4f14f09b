"""Checks of a wonder's drawing, each with its own error code, and of its features against the rule texts ("Roads,
cities and fields on wonder tiles").
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

from shapely import LineString, union_all
from shapely.affinity import translate
from shapely.geometry.base import BaseGeometry

from scoring.carcassonne.tiles.geometry import SIDE_LINES, Square
from scoring.carcassonne.tiles.layout import MIN_TOUCH_TILES, Kind
from scoring.carcassonne.tiles.topology import GRID_UNITS, trim_road
from scoring.carcassonne.wonders.drawing import WonderDrawing, build_square_box
from scoring.carcassonne.wonders.plans import WonderPlan
from scoring.carcassonne.wonders.tiles import WonderLayout, find_inner_sides, list_outer_edges
from scoring.errors import CatalogueError


@dataclass(frozen=True)
class StatedRoad:
    """A road of a wonder tile: the squares it covers and its open ends."""

    squares: int
    open_ends: int = 1


@dataclass(frozen=True)
class Stated:
    """The stated facts of one wonder tile: its roads, the squares of each city, and the numbers of fields and
    monasteries.

    For one wonder the open ends of its road are not stated (`ends_are_known`).
    """

    roads: tuple[StatedRoad, ...]
    cities: tuple[int, ...]
    fields: int
    monasteries: int = 0
    ends_are_known: bool = True


_SHORT = StatedRoad(1)

STATED = {
    "WH/stonehenge": Stated((StatedRoad(2, 2), _SHORT, _SHORT), (1,), 4),
    "WH/notre-dame": Stated((StatedRoad(2), _SHORT), (2,), 4, monasteries=1),
    "WH/circus-maximus": Stated((_SHORT, _SHORT), (4,), 4),
    "WH/alhambra": Stated((_SHORT, _SHORT), (3,), 5),
    "WH/abu-simbel": Stated((_SHORT, StatedRoad(2, 2)), (1, 1), 3),
    "WH/tikal": Stated((StatedRoad(3),), (1, 1), 3, ends_are_known=False),
    "WH/angkor-wat": Stated((_SHORT, _SHORT, StatedRoad(2)), (1, 1), 3),
    "WH/terracotta-army": Stated((StatedRoad(1, 3), StatedRoad(2)), (1,), 4),
}
"""Stated facts by wonder id."""


def refuse_impossible_drawing(drawing: WonderDrawing) -> None:
    """Raise CatalogueError for a drawing that no tile can have."""
    outline = drawing.outline.buffer(MIN_TOUCH_TILES)
    for shape in (*drawing.built, *drawing.roads):
        if not outline.covers(shape):
            raise _build_error("beyond_the_squares", "what is drawn at {at} leaves the five squares", shape)
    for shape, other in combinations(drawing.built, 2):
        common = shape.intersection(other)
        if common.area > MIN_TOUCH_TILES:
            raise _build_error("overlap", "two of city, monastery and wonder overlap at {at}", common)
    inner = [(square, side) for square in drawing.squares for side in find_inner_sides(drawing.squares, square)]
    borders = union_all([_place_side_line(square, side) for square, side in inner])
    for line in (*(built.boundary for built in drawing.built), *drawing.roads):
        common = line.intersection(borders)
        if common.length > MIN_TOUCH_TILES:
            raise _build_error("on_the_border", "a wall or road runs along a square's border at {at}", common)
    _refuse_edges(drawing)
    _refuse_places(drawing)


def _refuse_edges(drawing: WonderDrawing) -> None:
    edges = [(drawing.squares[cell], side) for cell, side in list_outer_edges(drawing.squares)]
    for square, side in edges:
        edge = _place_side_line(square, side)
        where, named = f"the {side} edge of square {list(square)}", f"{square[0]},{square[1]} {side}"
        lengths = [city.intersection(edge).length for city in drawing.cities]
        along = [length for length in lengths if length > MIN_TOUCH_TILES]
        met = [road for road in drawing.roads if road.intersects(edge)]
        if any(length < 1 - MIN_TOUCH_TILES for length in along):
            raise CatalogueError("bad_edge", f"a city runs along a part of {where}: it must be all of it", edge=named)
        if any(road.intersection(edge).distance(edge.centroid) > MIN_TOUCH_TILES for road in met):
            raise CatalogueError("bad_edge", f"a road does not meet {where} in its middle", edge=named)
        if len(along) + len(met) > 1:
            raise CatalogueError("bad_edge", f"several roads or cities meet {where}", edge=named)
    for shape in (*drawing.cities, *(trim_road(road, drawing.built) for road in drawing.roads)):
        if not any(_leads(shape, _place_side_line(square, side)) for square, side in edges):
            raise _build_error("no_way_out", "a road or city at {at} meets no outer edge", shape)


def _leads(shape: BaseGeometry, edge: LineString) -> bool:
    return bool(shape.intersection(edge).length > MIN_TOUCH_TILES) if shape.area else bool(shape.intersects(edge))


def _refuse_places(drawing: WonderDrawing) -> None:
    boxes = [build_square_box(square) for square in drawing.squares]
    for monastery in drawing.monasteries:
        if sum(monastery.intersection(square).area > MIN_TOUCH_TILES for square in boxes) != 1:
            raise CatalogueError("bad_monastery", "the monastery must stand on one square", key="monastery")
    if not drawing.wonder.contains(drawing.marker):
        raise CatalogueError("bad_marker", "the marker meeple's spot must lie on the wonder", key="marker")


def _build_error(code: str, text: str, shape: BaseGeometry) -> CatalogueError:
    """Return the error about a shape; `{at}` in its text is a point of the shape as written in files, x and y."""
    point = shape.representative_point()
    x, y = round(point.x * GRID_UNITS), round(point.y * GRID_UNITS)
    return CatalogueError(code, text.format(at=f"x {x}, y {y}"), at=[x, y])


def _place_side_line(square: Square, side: str) -> LineString:
    return translate(SIDE_LINES[side], square[1], square[0])


@dataclass(frozen=True, slots=True)
class Contradiction:
    """A contradiction between a layout and the rule texts: the numbers `stated` and those `found`, in order.

    The numbers are the squares of each road or city, the open ends of each road, or the count of monasteries or fields.
    """

    about: Literal["road_squares", "road_ends", "city_squares", "monasteries", "fields"]
    stated: tuple[int, ...]
    found: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Features:
    """Features whose numbers the rule texts state: squares and open ends of each road, squares of each city,
    monasteries.
    """

    roads: tuple[tuple[int, int], ...]
    cities: tuple[int, ...]
    monasteries: int


def count_layout(layout: WonderLayout) -> Features:
    """Return the features of a layout."""
    return Features(
        tuple((len({*part.squares}), part.open_ends) for part in layout.parts if part.kind == "road"),
        tuple(len({*part.squares}) for part in layout.parts if part.kind == "city"),
        _count_parts(layout, "monastery"),
    )


def count_plan(plan: WonderPlan) -> Features:
    """Return the features of a plan, even if it cannot be drawn."""
    return Features(
        tuple((len(road.squares), len(road.ends)) for road in plan.roads),
        tuple(len(city.squares) for city in plan.cities),
        int(plan.monastery is not None),
    )


def list_contradictions(id: str, features: Features) -> Iterator[Contradiction]:
    """Yield the contradictions between a copy of a wonder and the rule texts, whichever copy it is."""
    stated = STATED[id]
    stated_roads, roads = sorted((road.squares, road.open_ends) for road in stated.roads), sorted(features.roads)
    stated_squares, squares = (tuple(squares for squares, _ in pairs) for pairs in (stated_roads, roads))
    if squares != stated_squares:
        yield Contradiction("road_squares", stated_squares, squares)
    elif stated.ends_are_known and roads != stated_roads:
        stated_ends, ends = (tuple(sorted(ends for _, ends in pairs)) for pairs in (stated_roads, roads))
        yield Contradiction("road_ends", stated_ends, ends)
    if sorted(features.cities) != sorted(stated.cities):
        yield Contradiction("city_squares", tuple(sorted(stated.cities)), tuple(sorted(features.cities)))
    if features.monasteries != stated.monasteries:
        yield Contradiction("monasteries", (stated.monasteries,), (features.monasteries,))


def find_other_fields(layout: WonderLayout) -> Contradiction | None:
    """Return the layout's number of fields if it differs from the rule texts; the die cut may cause this."""
    stated, fields = STATED[layout.id].fields, _count_parts(layout, "field")
    return None if fields == stated else Contradiction("fields", (stated,), (fields,))


def refuse_contradictions(layout: WonderLayout) -> None:
    """Raise CatalogueError for a tile that contradicts the rule texts.

    Their statements about roads, cities and monasteries hold for every copy. The number of fields may vary between
    copies, as the die cut does ("Additional clarifications").
    """
    for contradiction in list_contradictions(layout.id, count_layout(layout)):
        what, key = _WORDS[contradiction.about]
        text = what.format(", ".join(map(str, contradiction.found)) or "no")
        raise CatalogueError("contradicts_the_rules", f"{layout.name}: {text}, which no rule text allows", key=key)


_WORDS = {
    "road_squares": ("its roads cover {} squares", "roads"),
    "road_ends": ("its roads have {} open ends", "roads"),
    "city_squares": ("its cities cover {} squares", "cities"),
    "monasteries": ("its monastery is missing or one too many", "monastery"),
}


def _count_parts(layout: WonderLayout, kind: Kind) -> int:
    return sum(part.kind == kind for part in layout.parts)
