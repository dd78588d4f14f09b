"""Squares beside the board that a photo cannot show, since a lamp's glare covers them: a tile may lie there."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from scoring.carcassonne.tiles.geometry import SIDES, Square, find_outer_neighbours, get_neighbour
from vision.photo.crops import compute_tile_px, crop_squares
from vision.photo.glare import compute_unreadable_shares, find_unreadable_pixels
from vision.reading.values import TileReading
from vision.survey.survey import PlacedSurvey

LOOK_TILE_PX = 24.0
"""Size of a tile in the picture that is looked at."""
MIN_COVERED_SHARE = 0.5
"""A square of which so much is unreadable is nothing that anybody could read."""
MIN_TOUCHED_SHARE = 0.05
"""Glare that lies on the board covers so much of a tile beside."""
MAX_TOUCHED_TILES_SHARE = 0.25
"""Where more of the tiles are touched, the photo is too bright as a whole, and a white table is no glare."""
HIDDEN_TILE_CONFIDENCE = 0.5
"""How sure it is that a tile lies there: nobody can say."""


def find_tiles_under_glare(tiles: Sequence[TileReading], photos: Sequence[PlacedSurvey]) -> tuple[TileReading, ...]:
    """Return an unknown tile for each free square beside the board that is under glare in every photo that shows it."""
    tile_squares = [tile.square for tile in tiles]
    beside = find_outer_neighbours(tile_squares)
    verdicts = [_covered(photo, tile_squares, beside) for photo in photos]
    by_square = {square: [verdict[square] for verdict in verdicts if square in verdict] for square in beside}
    covered = [square for square in beside if by_square[square] and all(by_square[square])]
    return tuple(
        TileReading(*square, None, 0, photos[0].corners(square), confidence=HIDDEN_TILE_CONFIDENCE, doubtful=True)
        for square in covered
    )


def _covered(photo: PlacedSurvey, tile_squares: Sequence[Square], beside: Sequence[Square]) -> dict[Square, bool]:
    """Whether each of the squares beside the board that a photo shows lies under glare there, which touches a tile."""
    visible = [square for square, whole in zip(beside, photo.shows(beside), strict=True) if whole]
    touched = _select_white(photo, tile_squares, MIN_TOUCHED_SHARE)
    if len(touched) > MAX_TOUCHED_TILES_SHARE * len(tile_squares):
        touched = set()
    near = [square for square in visible if any(get_neighbour(square, side) in touched for side in SIDES)]
    covered = _select_white(photo, near, MIN_COVERED_SHARE)
    return {square: square in covered for square in visible}


def _select_white(photo: PlacedSurvey, squares: Sequence[Square], share: float) -> set[Square]:
    """Those of some squares of which at least such a share is unreadable."""
    if not squares:
        return set()
    corners = photo.quads(squares)
    image, scale = photo.survey.photo.halves.sized(LOOK_TILE_PX / float(np.median(compute_tile_px(corners))))
    if not find_unreadable_pixels(image).any():
        return set()
    crops = crop_squares(image, corners * scale, int(LOOK_TILE_PX), margin=0.0)
    return {square for square, white in zip(squares, compute_unreadable_shares(crops), strict=True) if white >= share}
