"""What a wonder's drawing may not be, each with a code of its own."""

from __future__ import annotations

from typing import Any

from shapely import LineString, union_all
from shapely.affinity import translate
from shapely.geometry.base import BaseGeometry

from scoring.carcassonne.tiles.geometry import SIDE_LINES, Square
from scoring.carcassonne.tiles.layout import MIN_TOUCH_TILES
from scoring.carcassonne.tiles.topology import GRID_UNITS, trim_road
from scoring.carcassonne.wonders.drawing import WonderDrawing, build_square_box
from scoring.carcassonne.wonders.facts import STATED
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
                "beyond_the_squares", f"what is drawn at {_format_position(shape)} leaves the five squares"
            )


def _refuse_overlaps(drawing: WonderDrawing) -> None:
    shapes = drawing.built
    for index, shape in enumerate(shapes):
        for other in shapes[index + 1 :]:
            common = shape.intersection(other)
            if common.area > MIN_TOUCH_TILES:
                raise CatalogueError(
                    "overlap", f"two of city, monastery and wonder overlap at {_format_position(common)}"
                )


def _refuse_borders(drawing: WonderDrawing) -> None:
    borders = union_all([_place_side_line(square, side) for square, side in _list_inner_borders(drawing.squares)])
    for shape in (*(built.boundary for built in drawing.built), *drawing.roads):
        common = shape.intersection(borders)
        if common.length > MIN_TOUCH_TILES:
            raise CatalogueError(
                "on_the_border", f"a wall or road runs along a square's border at {_format_position(common)}"
            )


def _refuse_edges(drawing: WonderDrawing) -> None:
    for cell, side in list_outer_edges(drawing.squares):
        square = drawing.squares[cell]
        edge = _place_side_line(square, side)
        where = f"the {side} edge of square {list(square)}"
        lengths = [city.intersection(edge).length for city in drawing.cities]
        along = [length for length in lengths if length > MIN_TOUCH_TILES]
        met = [road for road in drawing.roads if road.intersects(edge)]
        if any(length < 1 - MIN_TOUCH_TILES for length in along):
            raise CatalogueError("bad_edge", f"a city runs along a part of {where}: it must be all of it")
        if any(road.intersection(edge).distance(edge.centroid) > MIN_TOUCH_TILES for road in met):
            raise CatalogueError("bad_edge", f"a road does not meet {where} in its middle")
        if len(along) + len(met) > 1:
            raise CatalogueError("bad_edge", f"several roads or cities meet {where}")
    edges = list_outer_edges(drawing.squares)
    for shape in (*drawing.cities, *(trim_road(road, drawing.built) for road in drawing.roads)):
        if not any(_leads(shape, _place_side_line(drawing.squares[cell], side)) for cell, side in edges):
            raise CatalogueError("no_way_out", f"a road or city at {_format_position(shape)} meets no outer edge")


def _leads(shape: BaseGeometry, edge: LineString) -> bool:
    return bool(shape.intersection(edge).length > MIN_TOUCH_TILES) if shape.area else bool(shape.intersects(edge))


def _refuse_places(drawing: WonderDrawing) -> None:
    for monastery in drawing.monasteries:
        if (
            sum(monastery.intersection(build_square_box(square)).area > MIN_TOUCH_TILES for square in drawing.squares)
            != 1
        ):
            raise CatalogueError("bad_monastery", "the monastery must stand on one square")
    if not drawing.wonder.contains(drawing.marker):
        raise CatalogueError("bad_marker", "the marker meeple's spot must lie on the wonder")


def refuse_contradictions(layout: WonderLayout) -> None:
    """Raise CatalogueError for a tile that the rule texts contradict.

    What they state of roads, cities and monasteries holds for every copy. The number of fields may differ from copy to
    copy, as the die cut does ("Additional clarifications").
    """
    stated = STATED[layout.id]
    roads = sorted((len(part.squares), part.open_ends) for part in layout.parts if part.kind == "road")
    cities = sorted(len(part.squares) for part in layout.parts if part.kind == "city")
    if [squares for squares, _ in roads] != sorted(road.squares for road in stated.roads):
        _contradict(layout, f"its roads cover {_format_list(squares for squares, _ in roads)} squares", "roads")
    if stated.ends_are_known and roads != sorted((road.squares, road.open_ends) for road in stated.roads):
        _contradict(layout, f"its roads have {_format_list(ends for _, ends in roads)} open ends", "roads")
    if cities != sorted(stated.cities):
        _contradict(layout, f"its cities cover {_format_list(cities)} squares", "cities")
    if sum(part.kind == "monastery" for part in layout.parts) != stated.monasteries:
        _contradict(layout, "its monastery is missing or one too many", "monastery")


def _contradict(layout: WonderLayout, what: str, key: str) -> None:
    raise CatalogueError("contradicts_the_rules", f"{layout.name}: {what}, which no rule text allows", key=key)


def _list_inner_borders(squares: tuple[Square, ...]) -> list[tuple[Square, str]]:
    return [(square, side) for square in squares for side in find_inner_sides(squares, square)]


def _place_side_line(square: Square, side: str) -> LineString:
    return translate(SIDE_LINES[side], square[1], square[0])


def _format_position(shape: BaseGeometry) -> str:
    at = shape.representative_point()
    return f"x {at.x * GRID_UNITS:.0f}, y {at.y * GRID_UNITS:.0f}"


def _format_list(numbers: Any) -> str:
    return ", ".join(map(str, numbers)) or "no"
