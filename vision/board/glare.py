"""Squares beside the board that a photo cannot show, since a lamp's glare covers them: a tile may lie there."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from scoring.carcassonne.tiles.geometry import SIDES, Square, find_outer_neighbours, get_neighbour
from vision.photo.crops import compute_tile_px, crop_squares
from vision.reading.values import TileReading
from vision.survey.survey import PlacedSurvey

LOOK_TILE_PX = 24.0
"""Size of a tile in the picture that is looked at."""
WHITE = 245
"""Of 255: a pixel whose darkest channel is no darker says nothing of what lies there."""
COVERED = 0.5
"""Of a square: so much of it white is nothing that anybody could read."""
TOUCHED = 0.05
"""Of a tile: glare that lies on the board covers a part of a tile beside."""
TOUCHED_MOST = 0.25
"""Of the tiles: where more have so much white, the photo is too bright as a whole, and a white table is no glare."""
UNSEEN = 0.5
"""How sure it is that a tile lies there: nobody can say."""


def find_tiles_under_glare(tiles: Sequence[TileReading], photos: Sequence[PlacedSurvey]) -> tuple[TileReading, ...]:
    """An unknown tile for each free square beside the board that is under glare in every photo that shows it."""
    laid = [(tile.row, tile.col) for tile in tiles]
    beside = find_outer_neighbours(laid)
    told = [_covered(photo, laid, beside) for photo in photos]
    seen = {square: [own[square] for own in told if square in own] for square in beside}
    covered = [square for square in beside if seen[square] and all(seen[square])]
    return tuple(
        TileReading(*square, None, 0, photos[0].corners(square), confidence=UNSEEN, doubtful=True) for square in covered
    )


def _covered(photo: PlacedSurvey, laid: Sequence[Square], beside: Sequence[Square]) -> dict[Square, bool]:
    """Whether each of the squares beside the board that a photo shows lies under glare there, which touches a tile."""
    shown = [square for square, whole in zip(beside, photo.shows(beside), strict=True) if whole]
    touched = {square for square, white in zip(laid, _white(photo, laid), strict=True) if white >= TOUCHED}
    if len(touched) > TOUCHED_MOST * len(laid):
        touched = set()
    near = [square for square in shown if any(get_neighbour(square, side) in touched for side in SIDES)]
    covered = {square for square, white in zip(near, _white(photo, near), strict=True) if white >= COVERED}
    return {square: square in covered for square in shown}


def _white(photo: PlacedSurvey, squares: Sequence[Square]) -> list[float]:
    """How much of each square is white."""
    if not squares:
        return []
    corners = photo.quads(squares)
    image, scale = photo.survey.photo.halves.sized(LOOK_TILE_PX / float(np.median(compute_tile_px(corners))))
    if not cv2.inRange(image, (WHITE,) * 3, (255,) * 3).any():
        return [0.0] * len(squares)
    crops = crop_squares(image, corners * scale, int(LOOK_TILE_PX), margin=0.0)
    return [float(own) for own in (crops.min(axis=3) >= WHITE).mean(axis=(1, 2))]
