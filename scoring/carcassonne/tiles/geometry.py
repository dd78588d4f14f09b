"""Sides, half-edges and quarter turns of the unit square (x right, y down; turns run clockwise)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache
from types import MappingProxyType
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray
from shapely import LineString, Polygon, box, transform
from shapely.affinity import translate
from shapely.geometry.base import BaseGeometry

Square = tuple[int, int]
Geometry = TypeVar("Geometry", bound=BaseGeometry)
PrintedRoads = Mapping[tuple[Square, int], BaseGeometry]
"""Printed courses of roads: lines in the unit square of the unturned tile, by square and segment."""
NO_PRINTED_ROADS: PrintedRoads = MappingProxyType({})

SIDES = ("N", "E", "S", "W")
STEPS: dict[str, Square] = {"N": (-1, 0), "E": (0, 1), "S": (1, 0), "W": (0, -1)}

HALF_EDGES = ("NL", "NR", "EL", "ER", "SL", "SR", "WL", "WR")
"""Half-edges clockwise from the north-west corner: NL is the west half of the north edge, SL the east half of the
south.
"""

UNIT: Polygon = box(0, 0, 1, 1)
_CORNERS = {"N": ((0, 0), (1, 0)), "E": ((1, 0), (1, 1)), "S": ((1, 1), (0, 1)), "W": ((0, 1), (0, 0))}
SIDE_LINES = {side: LineString(ends) for side, ends in _CORNERS.items()}


def turn_geometry(geometry: Geometry, turns: int) -> Geometry:
    """Return a geometry of the unit square after clockwise quarter turns of the square."""
    for _ in range(turns % 4):
        geometry = transform(geometry, _turn_quarter)
    return geometry


def unturn_geometry(geometry: Geometry, turns: int) -> Geometry:
    """Return a geometry of the unit square after counterclockwise quarter turns of the square."""
    return turn_geometry(geometry, -turns)


def place_geometry(geometry: Geometry, turns: int, square: Square) -> Geometry:
    """Return a geometry of a tile in lattice units: a tile at (row, col) covers [col, col + 1] x [row, row + 1]."""
    row, col = square
    return translate(turn_geometry(geometry, turns), col, row)


def unplace_geometry(geometry: Geometry, turns: int, square: Square) -> Geometry:
    """Return a geometry given in lattice units in the unit square of the unturned tile."""
    row, col = square
    return unturn_geometry(translate(geometry, -col, -row), turns)


def turn_point(point: tuple[float, float], turns: int) -> tuple[float, float]:
    """Return a point (x, y) of the unit square after clockwise quarter turns of the square."""
    x, y = point
    for _ in range(turns % 4):
        x, y = 1 - y, x
    return x, y


def unplace_point(point: tuple[float, float], turns: int, square: Square) -> tuple[float, float]:
    """Return a point (x, y) given in lattice units in the unit square of the unturned tile."""
    row, col = square
    return turn_point((point[0] - col, point[1] - row), -turns)


@cache
def turn_edge(edge: str, turns: int) -> str:
    """Return a side (N) or half-edge (NL) after clockwise quarter turns."""
    return SIDES[(SIDES.index(edge[0]) + turns) % 4] + edge[1:]


@cache
def get_opposite_side(side: str) -> str:
    """Return the side that faces this one across the table."""
    return turn_edge(side, 2)


def get_neighbour(square: Square, side: str) -> Square:
    """Return the square across a side."""
    row, col = STEPS[side]
    return square[0] + row, square[1] + col


def list_block(square: Square) -> list[Square]:
    """Return a square and the 8 around it, row by row."""
    row, col = square
    return [(row + down, col + right) for down in (-1, 0, 1) for right in (-1, 0, 1)]


def find_outer_neighbours(squares: Collection[Square]) -> list[Square]:
    """Return the squares adjacent to some of these but not among them, in order."""
    return sorted({get_neighbour(square, side) for square in squares for side in SIDES} - set(squares))


def _turn_quarter(points: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.column_stack([1 - points[:, 1], points[:, 0]])
