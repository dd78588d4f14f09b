"""A search in a photo for enrolled score boards by their print, or for any score board that fills it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from scoring.carcassonne.score_board.spaces import TILE_MM, WIDTH_MM
from vision.arrays import EVEN_ODDS
from vision.enrolment.score_boards import EnrolledScoreBoard
from vision.flat_boards.detector import ALIKE_PX, BoardFinder
from vision.flat_boards.features import Viewing
from vision.photo.pyramid import Halves
from vision.reading.values import Warp
from vision.score_board.first_edition import ScoreSheet, find_score_sheet

LOOK_RANGE_PX = (700, 2800)
"""Range of the longer side of the searched picture: describing its features takes most of the time. Bounds time."""
MIN_ALIKE_SHARE = EVEN_ODDS
"""Minimum share of the visible parts that look as enrolled: a score board has hardly anything on it."""


class ScoreBoardFinder:
    """A finder of some enrolled score boards, whose features are computed once."""

    def __init__(self, boards: Iterable[EnrolledScoreBoard]) -> None:
        self._finders = [(enrolled, BoardFinder(enrolled.board)) for enrolled in boards]

    def find(self, photo: Halves, tile_px: float) -> ScoreSheet | None:
        """Find the score board that a photo shows most surely, given the size of a tile in it; None if none is seen."""
        if not self._finders:
            return None
        look = self._compute_look_px(max(photo.size), tile_px)
        sheets = [
            ScoreSheet(lie.homography, lie.alike, enrolled.layout, enrolled.name, enrolled.picture)
            for enrolled, finder in self._finders
            for lie in finder.find_all(photo, most=1, looks=(Viewing(look),), is_tilted=False)
            if lie.alike >= MIN_ALIKE_SHARE
        ]
        return max(sheets, key=lambda sheet: sheet.likeness, default=None)

    def _compute_look_px(self, longer: int, tile_px: float) -> int:
        """Compute the size at which to search a photo, from its longer side and a tile's size."""
        smallest = min(max(enrolled.size_mm) for enrolled, _ in self._finders) / TILE_MM * tile_px
        return int(np.clip(longer * ALIKE_PX / smallest, *LOOK_RANGE_PX))


FILLED_SHARES = (0.95, 0.84, 0.74, 0.65, 0.57, 0.5)
"""Shares of the picture's longer side that the board may fill; the close fit covers the sizes in between. A guess."""


def find_lone_score_board(photo: Halves, enrolled: ScoreBoardFinder) -> ScoreSheet | None:
    """Find the score board in a photo that shows it alone, from above: an enrolled one, else the first edition's."""
    sizes = list(_list_tile_sizes(max(photo.size)))
    found = (enrolled.find(photo, tile_px) for tile_px in sizes[::2])
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
