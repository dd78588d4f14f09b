"""Distances of a square's pixels from its tile's drawn roads: each road is measured once for all orientations."""

from __future__ import annotations

from functools import cache, lru_cache

import numpy as np
import shapely
from numpy.typing import NDArray

from scoring.carcassonne.tiles.layout import TileLayout
from vision.arrays import Floats

TILE_PX = 64
"""Size of a square in which roads are drawn and traced. A guess."""


@cache
def build_pixel_middles() -> Floats:
    """Return (TILE_PX,) the middles of pixels along a side of the unit square."""
    return (np.arange(TILE_PX) + 0.5) / TILE_PX


@lru_cache(maxsize=1024)
def measure_road_distance(layout: TileLayout, turns: int, index: int | None = None) -> Floats:
    """Measure (TILE_PX, TILE_PX) the distance of each pixel from the drawn line of one road, or of all, in tiles."""
    indices = [i for i, part in enumerate(layout.segments) if part.kind == "road" and index in (None, i)]
    distances = [np.rot90(_measure_unturned(layout, i), -turns) for i in indices]
    return np.asarray(np.min(distances, axis=0) if distances else np.full((TILE_PX, TILE_PX), np.inf))


@lru_cache(maxsize=1024)
def _measure_unturned(layout: TileLayout, index: int) -> Floats:
    return np.asarray(shapely.distance(_build_points(), layout.segments[index].geometry))


@cache
def _build_points() -> NDArray[np.object_]:
    """Build the (TILE_PX, TILE_PX) middles of pixels in the unit square."""
    middles = build_pixel_middles()
    return np.asarray(shapely.points(*np.meshgrid(middles, middles)))
