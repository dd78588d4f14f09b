"""Looks in a photo for the score boards that a person taught, by what is printed on them."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from scoring.carcassonne.score_board.spaces import TILE_MM
from vision.enrolment.score_boards import TaughtScoreBoard
from vision.photo.pyramid import Halves
from vision.printed.detector import BoardFinder
from vision.printed.photo_features import Viewing
from vision.score_board.first_edition import ScoreSheet

BOARD_PX = 320
"""The longer side of a board in the picture that it is looked for in: enough for its print to be known."""
LOOK_RANGE_PX = (700, 2800)
"""The least and the greatest longer side of the picture that is looked at: what is found in it takes most of the
time."""
MIN_ALIKE_SHARE = 0.5
"""At least this share of the parts that the photo shows must look as enrolled: hardly anything lies on a score
board."""


class ScoreBoardFinder:
    """A finder of some enrolled score boards; what each is known by is worked out once."""

    def __init__(self, boards: Iterable[TaughtScoreBoard]) -> None:
        self._finders = [(taught, BoardFinder(taught.board)) for taught in boards]

    def find(self, photo: Halves, tile_px: float) -> ScoreSheet | None:
        """Find the score board that a photo shows most surely in which a tile is so large; None where none of them
        is seen."""
        if not self._finders:
            return None
        look = self._compute_look_px(max(photo.size), tile_px)
        sheets = [
            ScoreSheet(lie.homography, lie.alike, taught.layout, taught.name, taught.picture)
            for taught, finder in self._finders
            for lie in finder.find_all(photo, most=1, looks=(Viewing(look),), is_tilted=False)
            if lie.alike >= MIN_ALIKE_SHARE
        ]
        return max(sheets, key=lambda sheet: sheet.likeness, default=None)

    def _compute_look_px(self, longer: int, tile_px: float) -> int:
        """How large a photo with such a longer side is looked at: tiles tell how large the boards are in it."""
        smallest = min(max(taught.size_mm) for taught, _ in self._finders) / TILE_MM * tile_px
        return int(np.clip(longer * BOARD_PX / smallest, *LOOK_RANGE_PX))
