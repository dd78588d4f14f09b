"""Checks of a wonder's drawing, each with its own error code."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from shapely import LineString, union_all
from shapely.affinity import translate
from shapely.geometry.base import BaseGeometry

from scoring.carcassonne.tiles.geometry import SIDE_LINES, Square
from scoring.carcassonne.tiles.layout import MIN_TOUCH_TILES, Kind
from scoring.carcassonne.tiles.topology import GRID_UNITS, trim_road
from scoring.carcassonne.wonders.drawing import WonderDrawing, build_square_box
from scoring.carcassonne.wonders.facts import STATED
from scoring.carcassonne.wonders.plans import WonderPlan
from scoring.carcassonne.wonders.tiles import WonderLayout, find_inner_sides, list_outer_edges
from scoring.errors import CatalogueError


def refuse_impossible_drawing(drawing: WonderDrawing) -> None:
    """Raise CatalogueError for a drawing that no tile can have."""
    _refuse_beyond(drawing)
    _refuse_overlaps(drawing)
    _refuse_borders(drawing)
    _refuse_edges(drawing)
    _refuse_places(drawing)


def _refuse_beyond(drawing: WonderDrawing) -> None:
    outline = drawing.outline.buffer(MIN_TOUCH_TILES)
    for shape in (*drawing.built, *drawing.roads):
        if not outline.covers(shape):
            raise CatalogueError(
                "beyond_the_squares",
                f"what is drawn at {_format_position(shape)} leaves the five squares",
                at=_locate(shape),
            )


def _refuse_overlaps(drawing: WonderDrawing) -> None:
    shapes = drawing.built
    for index, shape in enumerate(shapes):
        for other in shapes[index + 1 :]:
            common = shape.intersection(other)
            if common.area > MIN_TOUCH_TILES:
                raise CatalogueError(
                    "overlap",
                    f"two of city, monastery and wonder overlap at {_format_position(common)}",
                    at=_locate(common),
                )


def _refuse_borders(drawing: WonderDrawing) -> None:
    borders = union_all([_place_side_line(square, side) for square, side in _list_inner_borders(drawing.squares)])
    for shape in (*(built.boundary for built in drawing.built), *drawing.roads):
        common = shape.intersection(borders)
        if common.length > MIN_TOUCH_TILES:
            raise CatalogueError(
                "on_the_border",
                f"a wall or road runs along a square's border at {_format_position(common)}",
                at=_locate(common),
            )


def _refuse_edges(drawing: WonderDrawing) -> None:
    for cell, side in list_outer_edges(drawing.squares):
        square = drawing.squares[cell]
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
    edges = list_outer_edges(drawing.squares)
    for shape in (*drawing.cities, *(trim_road(road, drawing.built) for road in drawing.roads)):
        if not any(_leads(shape, _place_side_line(drawing.squares[cell], side)) for cell, side in edges):
            raise CatalogueError(
                "no_way_out", f"a road or city at {_format_position(shape)} meets no outer edge", at=_locate(shape)
            )


def _leads(shape: BaseGeometry, edge: LineString) -> bool:
    return bool(shape.intersection(edge).length > MIN_TOUCH_TILES) if shape.area else bool(shape.intersects(edge))


def _refuse_places(drawing: WonderDrawing) -> None:
    for monastery in drawing.monasteries:
        if (
            sum(monastery.intersection(build_square_box(square)).area > MIN_TOUCH_TILES for square in drawing.squares)
            != 1
        ):
            raise CatalogueError("bad_monastery", "the monastery must stand on one square", key="monastery")
    if not drawing.wonder.contains(drawing.marker):
        raise CatalogueError("bad_marker", "the marker meeple's spot must lie on the wonder", key="marker")


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
        text = what.format(_format_list(contradiction.found))
        raise CatalogueError("contradicts_the_rules", f"{layout.name}: {text}, which no rule text allows", key=key)


_WORDS = {
    "road_squares": ("its roads cover {} squares", "roads"),
    "road_ends": ("its roads have {} open ends", "roads"),
    "city_squares": ("its cities cover {} squares", "cities"),
    "monasteries": ("its monastery is missing or one too many", "monastery"),
}


def _count_parts(layout: WonderLayout, kind: Kind) -> int:
    return sum(part.kind == kind for part in layout.parts)


def _list_inner_borders(squares: tuple[Square, ...]) -> list[tuple[Square, str]]:
    return [(square, side) for square in squares for side in find_inner_sides(squares, square)]


def _place_side_line(square: Square, side: str) -> LineString:
    return translate(SIDE_LINES[side], square[1], square[0])


def _locate(shape: BaseGeometry) -> list[int]:
    """Return a point of a shape as written in files, [x, y]."""
    at = shape.representative_point()
    return [round(at.x * GRID_UNITS), round(at.y * GRID_UNITS)]


def _format_position(shape: BaseGeometry) -> str:
    x, y = _locate(shape)
    return f"x {x}, y {y}"


def _format_list(numbers: Any) -> str:
    return ", ".join(map(str, numbers)) or "no"
