"""A score board as a layout: the area of each space in millimetres, x right, y down, from the board's first corner."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from shapely import MultiPoint, Point, Polygon, box, get_parts, voronoi_polygons

Place = tuple[float, float]

REACH_STEPS = 1.25
"""Reach of a space from its centre, in median distances between consecutive spaces. A guess."""


@dataclass(frozen=True, slots=True, eq=False)
class ScoreLayout:
    """Size of the board (width and height), `areas` of its spaces, starting with 0, and points per `lap`."""

    size: tuple[float, float]
    areas: tuple[Polygon, ...]
    lap: int

    def middle(self, space: int) -> Place:
        """Return a point well inside a space."""
        point = self.areas[space].representative_point()
        return float(point.x), float(point.y)

    def spaces_near(self, place: Place, reach: float = 0.0) -> tuple[int, ...]:
        """Return the spaces no farther than `reach` from a place on the board, the nearest first."""
        away = [(area.distance(Point(place)), space) for space, area in enumerate(self.areas)]
        return tuple(space for distance, space in sorted(away) if distance <= reach)

    def holds(self, place: Place, beyond: float = 0.0) -> bool:
        """Return whether a place is on the board, or no farther than `beyond` outside it."""
        width, height = self.size
        return -beyond <= place[0] <= width + beyond and -beyond <= place[1] <= height + beyond


def build_score_layout(size: tuple[float, float], middles: Sequence[Place], lap: int) -> ScoreLayout:
    """Return a layout from the centres of the spaces alone: each space is the area nearest to its own centre.

    `middles` are at least 2 different places on the board.
    """
    away = np.linalg.norm(np.diff(np.array(middles), axis=0), axis=1)
    board, reach = box(0, 0, *size), REACH_STEPS * float(np.median(away))
    cells = get_parts(voronoi_polygons(MultiPoint(middles), extend_to=board)).tolist()
    nearest_cells = [next(cell for cell in cells if cell.covers(Point(middle))) for middle in middles]
    clipped = [
        cell.intersection(board).intersection(Point(middle).buffer(reach))
        for cell, middle in zip(nearest_cells, middles, strict=True)
    ]
    return ScoreLayout(size, tuple(clipped), lap)
