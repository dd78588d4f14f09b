"""From paths in SVG notation to geometry: outlines, lines, the remaining fields, and the sides that features meet."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray
from shapely import LineString, MultiLineString, MultiPolygon, Polygon, polygonize, unary_union
from shapely.geometry.base import BaseGeometry

from scoring.carcassonne.tiles.geometry import HALF_EDGES, SIDE_LINES
from scoring.carcassonne.tiles.layout import MIN_TOUCH_TILES

GRID_UNITS = 100
"""Units of a drawing along the side of a square."""
Area = Polygon | MultiPolygon
Line = LineString | MultiLineString
Points = NDArray[np.float64]
CURVE_STEPS = 16
"""Number of straight steps of a flattened cubic curve. A guess."""
MAX_UNITS = 10_000.0
"""Maximum number in a path: a wonder's frame has 10 squares of 100 units, and curve handles are close to it. Bounds
memory.
"""
_TOKEN = re.compile(r"[A-Za-z]|-?\d+(?:\.\d+)?", re.ASCII)
_PAIRS = {"M": 1, "L": 1, "C": 3, "S": 2, "Z": 0}


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
    return (_flatten_path("M" + stroke) / GRID_UNITS for stroke in path.split("M")[1:])


def _flatten_path(path: str) -> Points:
    """Return the points (n, 2) of a path of absolute M, L, C, S and Z; a cubic curve becomes 16 straight steps.

    Raises ValueError for any other command, and for a number beyond `MAX_UNITS`.
    """
    points: list[Points] = []
    reflected: Points | None = None
    for command, arguments in _split_commands(path):
        if command in "ML":
            points.append(arguments)
        elif command in "CS":
            start = points[-1][-1]
            if command == "S":
                arguments = np.vstack([start if reflected is None else reflected, arguments])
            points.append(_flatten_cubic(start, *arguments))
            reflected = 2 * arguments[2] - arguments[1]
        if command not in "CS":
            reflected = None
    return np.vstack(points)


def _split_commands(path: str) -> Iterator[tuple[str, Points]]:
    tokens = _TOKEN.findall(path)
    while tokens:
        command = tokens.pop(0)
        if command not in _PAIRS:
            raise ValueError(f"a path holds {command!r}, where one of {', '.join(_PAIRS)} is expected")
        length = 2 * _PAIRS[command]
        numbers, tokens = tokens[:length], tokens[length:]
        values = np.array(numbers, dtype=np.float64).reshape(-1, 2)
        if (np.abs(values) > MAX_UNITS).any():
            raise ValueError(f"a path holds a number beyond {MAX_UNITS:g}")
        yield command, values


def _flatten_cubic(start: Points, first: Points, second: Points, end: Points) -> Points:
    t = np.linspace(0, 1, CURVE_STEPS + 1)[1:, None]
    curve = (1 - t) ** 3 * start + 3 * (1 - t) ** 2 * t * first + 3 * (1 - t) * t**2 * second + t**3 * end
    curve[-1] = end
    return np.asarray(curve)
