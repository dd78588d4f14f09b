"""From paths to geometry: outlines, lines, the remaining fields, and the sides that features meet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
from shapely import LineString, MultiLineString, MultiPolygon, Polygon, polygonize, unary_union
from shapely.geometry.base import BaseGeometry

from scoring.carcassonne.tiles.geometry import HALF_EDGES, SIDE_LINES
from scoring.carcassonne.tiles.layout import MIN_TOUCH_TILES
from scoring.carcassonne.tiles.svg_paths import Points, flatten_path

GRID_UNITS = 100
"""Units of a drawing along the side of a square."""
Area = Polygon | MultiPolygon
Line = LineString | MultiLineString


def parse_polygon(path: str) -> Area:
    """Return the area that a path encloses, in squares; several areas if it moves (M) more than once.

    Raises ValueError for an invalid path.
    """
    areas = [Polygon(points) for points in _split_strokes(path)]
    return areas[0] if len(areas) == 1 else MultiPolygon(areas)


def parse_line(path: str) -> Line:
    """Return the line of a path, in squares; several lines if it moves (M) more than once.

    Raises ValueError for an invalid path.
    """
    lines = [LineString(points) for points in _split_strokes(path)]
    return lines[0] if len(lines) == 1 else MultiLineString(lines)


def trim_road(road: Line, ends: Iterable[Area]) -> BaseGeometry:
    """Return a road cut off at the wall of the city, monastery or wonder it runs into."""
    return road.difference(unary_union([*ends]))


def find_free_faces(outline: Polygon, built: list[Area], strokes: Iterable[Line]) -> list[Polygon]:
    """Return the fields of a tile: the faces between lines and walls that are not inside any built area.

    The roads are those drawn, which cross the wall they end at: a road cut off there may miss the wall by a rounding
    error.
    """
    lines = unary_union([outline.boundary, *(shape.boundary for shape in built), *strokes])
    faces = polygonize([*getattr(lines, "geoms", [lines])]).geoms
    return [face for face in faces if not any(b.contains(face.representative_point()) for b in built)]


def find_sides(geometry: BaseGeometry) -> tuple[str, ...]:
    """Return the sides that a city runs along, or that a road ends at."""
    needed = 1 - MIN_TOUCH_TILES if geometry.area else 0.0
    return tuple(
        side
        for side, line in SIDE_LINES.items()
        if geometry.intersects(line) and geometry.intersection(line).length >= needed
    )


def find_half_edges(face: BaseGeometry) -> tuple[str, ...]:
    """Return the half-edges that a field meets."""
    halves: dict[str, LineString] = {}
    for side, edge in SIDE_LINES.items():
        corner, far = (np.array(end) for end in edge.coords)
        middle = (corner + far) / 2
        halves |= {side + "L": LineString([corner, middle]), side + "R": LineString([middle, far])}
    return tuple(half for half in HALF_EDGES if face.intersection(halves[half]).length > MIN_TOUCH_TILES)


def find_touching_areas(face: BaseGeometry, others: Iterable[BaseGeometry]) -> tuple[int, ...]:
    """Return the indexes of the areas that share part of their border with a face."""
    return tuple(
        i for i, other in enumerate(others) if face.boundary.intersection(other.boundary).length > MIN_TOUCH_TILES
    )


def _split_strokes(path: str) -> Iterator[Points]:
    if not path.startswith("M"):
        raise ValueError("a path begins with M")
    return (flatten_path("M" + stroke) / GRID_UNITS for stroke in path.split("M")[1:])
