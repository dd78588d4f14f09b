"""The bodies of pieces in their pictures: the part of each that shows the piece above its foot."""

from __future__ import annotations

import numpy as np

from vision.arrays import Floats, Image
from vision.colour.appearance import Body
from vision.colour.lab import convert_to_lab
from vision.pieces.crops import ASIDE_TILES, BEYOND_TILES, STAND_PX, STAND_TILE_PX

FOOTPRINT_TILES, BODY_WIDTH_PX = 0.075, 8.0
"""Widths of the weights along and across a piece around its middle. A guess."""
MIN_WEIGHT_SHARE = 0.01
"""Minimum weight of rows and columns of a body, relative to the largest. A guess."""


def extract_bodies(pictures: Image, leans: Floats, offsets: Floats, high: Floats) -> list[Body]:
    """Extract the bodies of the pieces in (n, STAND_PX, STAND_PX, STAND_CHANNELS) pictures.

    `leans` are (n,) lengths in tiles, `offsets` (n, 2) the offsets of the feet from the places, right and down, in
    tiles; `high` (n,) is the height of the pieces above the table, in tiles.
    """
    return [_extract_body(*inputs) for inputs in zip(pictures, leans, offsets, high, strict=True)]


def _extract_body(picture: Image, lean: float, offset: Floats, high: float) -> Body:
    x, y = (ASIDE_TILES + offset[0]) * STAND_TILE_PX, (BEYOND_TILES + offset[1]) * STAND_TILE_PX
    half = float(lean) * high * STAND_TILE_PX / 2
    tall = half + FOOTPRINT_TILES * STAND_TILE_PX
    y -= half
    along = np.arange(STAND_PX)
    down, across = np.exp(-(((along - y) / tall) ** 2)), np.exp(-(((along - x) / BODY_WIDTH_PX) ** 2))
    rows, cols = (np.flatnonzero(profile >= MIN_WEIGHT_SHARE * profile.max()) for profile in (down, across))
    part, weight = picture[np.ix_(rows, cols)], np.outer(down[rows], across[cols])
    return Body(convert_to_lab(part[..., :3]), convert_to_lab(part[..., 3:6]), part[..., 6] / 255.0, weight)
