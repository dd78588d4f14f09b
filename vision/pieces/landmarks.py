"""Where a river springs or ends a tile shows what may be taken for a piece: a spring, a lake, a volcano.

Such a tile has no twin in the photo that would tell what is printed there (`vision.pieces.background`).
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
"""How far from its middle such a landmark is printed."""
NEAR_EDGE_TILES = 0.03
"""A river's end nearer than this to the edge or to a city is there."""


def is_at_landmark(at: tuple[float, float], board: Board) -> bool:
    """Return whether a foot at lattice units (col, row) stands where a river springs or ends."""
    square = (math.floor(at[1]), math.floor(at[0]))
    placement = board.tiles.get(square)
    if placement is None or placement.wonder is not None:
        return False
    foot = unplace_geometry(Point(at), placement.turns, square)
    return any(math.hypot(x - foot.x, y - foot.y) < LANDMARK_REACH_TILES for x, y in find_landmarks(placement.layout))


@lru_cache(maxsize=1024)
def find_landmarks(layout: TileLayout) -> tuple[tuple[float, float], ...]:
    """Find the ends (x, y) of a layout's only river in open country; none of one that runs up to a city or meets
    others."""
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
