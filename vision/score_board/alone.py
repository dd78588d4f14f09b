"""The score board in a photo of its own, without tiles to give the scale: sizes that fill a picture are tried."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from scoring.carcassonne.score_board.spaces import TILE_MM, WIDTH_MM
from vision.photo.pyramid import Halves
from vision.reading.values import Warp
from vision.score_board.detector import ScoreBoardFinder
from vision.score_board.first_edition import ScoreSheet, find_score_sheet

FILLED_SHARES = (0.95, 0.84, 0.74, 0.65, 0.57, 0.5)
"""Shares of the picture's longer side that the board may fill; the close fit covers the sizes in between. A guess."""


def find_lone_score_board(photo: Halves, taught: ScoreBoardFinder) -> ScoreSheet | None:
    """Find the score board in a photo that shows it alone, from above: an enrolled one, else the first edition's."""
    sizes = list(_list_tile_sizes(max(photo.size)))
    found = (taught.find(photo, tile_px) for tile_px in sizes[::2])
    lone = next((sheet for sheet in found if sheet is not None), None)
    return lone or next(filter(None, (_find_first_edition(photo, tile_px) for tile_px in sizes)), None)


def _list_tile_sizes(longer_px: int) -> Iterator[float]:
    """Yield the sizes that a tile beside the board would have, in pixels."""
    return (share * longer_px * TILE_MM / WIDTH_MM for share in FILLED_SHARES)


def _find_first_edition(photo: Halves, tile_px: float) -> ScoreSheet | None:
    """Find the board at a size given by a tile, which is assumed to lie just outside the picture."""
    middle = round(photo.size[1] / 2 / tile_px)
    warp = Warp(np.diag([tile_px, tile_px, 1.0]))
    return find_score_sheet(photo, warp, [(middle, -2)])
