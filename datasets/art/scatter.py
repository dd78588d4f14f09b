"""Random points over an area with a minimum distance between them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from shapely import contains_xy
from shapely.geometry.base import BaseGeometry

TRIES = 9


def scatter(
    area: BaseGeometry, spacing: float, rng: np.random.Generator, most: int | None = None
) -> NDArray[np.float64]:
    """Scatter points (n, 2) inside the area at least `spacing` apart, at most `most` or about as many as fit."""
    if area.is_empty:
        return np.empty((0, 2))
    left, top, right, bottom = area.bounds
    tries = round(TRIES * (right - left) * (bottom - top) / spacing**2) + TRIES
    spots = rng.uniform((left, top), (right, bottom), (tries, 2))
    chosen = np.empty((0, 2))
    for spot in spots[contains_xy(area, spots)]:
        if most is not None and len(chosen) >= most:
            break
        if not len(chosen) or ((chosen - spot) ** 2).sum(axis=1).min() >= spacing**2:
            chosen = np.vstack([chosen, spot])
    return chosen
