"""Squares beside the board that a photo cannot show because a lamp's glare covers them: a tile may lie there."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from scoring.carcassonne.tiles.geometry import SIDES, Square, find_outer_neighbours, get_neighbour
from vision.arrays import EVEN_ODDS
from vision.colour.glare import compute_unreadable_shares, find_unreadable_pixels
from vision.photo.crops import compute_tile_px, crop_squares
from vision.reading.values import TileReading
from vision.squares.background import LOOK_TILE_PX
from vision.survey.survey import PlacedSurvey

MIN_TOUCHED_SHARE = 0.05
"""Glare lies on the board if it covers at least this share of a neighbouring tile. A guess."""
MAX_TOUCHED_TILES_SHARE = 0.25
"""If a larger share of the tiles is touched, the whole photo is too bright, or a white table mimics glare. A guess."""


def find_tiles_under_glare(tiles: Sequence[TileReading], photos: Sequence[PlacedSurvey]) -> tuple[TileReading, ...]:
    """Return an unknown tile, as likely as not, for each free square beside the board that is mostly under glare in
    every photo that shows it.
    """
    tile_squares = [tile.square for tile in tiles]
    beside = find_outer_neighbours(tile_squares)
    verdicts = [_covered(photo, tile_squares, beside) for photo in photos]
    by_square = {square: [verdict[square] for verdict in verdicts if square in verdict] for square in beside}
    covered = [square for square in beside if by_square[square] and all(by_square[square])]
    return tuple(
        TileReading(*square, None, 0, photos[0].corners(square), confidence=EVEN_ODDS, doubtful=True)
        for square in covered
    )


def _covered(photo: PlacedSurvey, tile_squares: Sequence[Square], beside: Sequence[Square]) -> dict[Square, bool]:
    """Return, for each visible square beside the board, whether it is under glare that touches a tile."""
    visible = [square for square, whole in zip(beside, photo.shows(beside), strict=True) if whole]
    touched = _select_white(photo, tile_squares, MIN_TOUCHED_SHARE)
    if len(touched) > MAX_TOUCHED_TILES_SHARE * len(tile_squares):
        touched = set()
    near = [square for square in visible if any(get_neighbour(square, side) in touched for side in SIDES)]
    covered = _select_white(photo, near, EVEN_ODDS)
    return {square: square in covered for square in visible}


def _select_white(photo: PlacedSurvey, squares: Sequence[Square], share: float) -> set[Square]:
    """Return the squares of which at least this share is unreadable."""
    if not squares:
        return set()
    corners = photo.quads(squares)
    image, scale = photo.survey.photo.halves.sized(LOOK_TILE_PX / float(np.median(compute_tile_px(corners))))
    if not find_unreadable_pixels(image).any():
        return set()
    crops = crop_squares(image, corners * scale, int(LOOK_TILE_PX), margin=0.0)
    return {square for square, white in zip(squares, compute_unreadable_shares(crops), strict=True) if white >= share}
