"""River ends, where the print may be mistaken for a piece: a spring, a lake, a volcano.

Such a tile has no twin in the photo that would show the print (`vision.pieces.background`).
"""

from __future__ import annotations

import math
from functools import lru_cache

import shapely
from shapely import Point

from scoring.carcassonne.board.board import Board
from scoring.carcassonne.tiles.geometry import unplace_geometry
from scoring.carcassonne.tiles.layout import TileLayout

LANDMARK_REACH_TILES = 0.25
"""Maximum distance of such a landmark from the river's end. A guess."""
NEAR_EDGE_TILES = 0.03
"""Maximum distance of a river's end from the edge or a city it reaches. A guess."""


def is_at_landmark(at: tuple[float, float], board: Board) -> bool:
    """Return whether a foot at lattice units (col, row) stands at a river's spring or end."""
    square = (math.floor(at[1]), math.floor(at[0]))
    placement = board.tiles.get(square)
    if placement is None or placement.wonder is not None:
        return False
    foot = unplace_geometry(Point(at), placement.turns, square)
    return any(math.hypot(x - foot.x, y - foot.y) < LANDMARK_REACH_TILES for x, y in find_landmarks(placement.layout))


@lru_cache(maxsize=1024)
def find_landmarks(layout: TileLayout) -> tuple[tuple[float, float], ...]:
    """Return the ends (x, y) of a layout's only river in open country; none if it reaches a city or there are several
    rivers.
    """
    if len(layout.rivers) != 1:
        return ()
    ends = shapely.get_coordinates(layout.rivers[0].boundary).tolist()
    cities = [segment.geometry for segment in layout.segments if segment.kind == "city"]
    return tuple(
        (x, y)
        for x, y in ends
        if min(x, y, 1 - x, 1 - y) > NEAR_EDGE_TILES
        and all(city.distance(Point(x, y)) > NEAR_EDGE_TILES for city in cities)
    )
