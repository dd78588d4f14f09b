"""Looks in a photo for the score boards that a person taught, by what is printed on them."""

from __future__ import annotations

from collections.abc import Iterable

from vision.halves import Halves
from vision.printed.finding import BoardFinder
from vision.score_boards import TaughtScoreBoard
from vision.score_sheet import ScoreSheet

ALIKE_LEAST = 0.5
"""Of the parts that the photo shows, so many must look as they were shown: hardly anything lies on a score board."""


class ScoreBoardFinder:
    """Looks for some taught score boards; what each is known by is worked out once."""

    def __init__(self, boards: Iterable[TaughtScoreBoard]) -> None:
        self._known = [(taught, BoardFinder(taught.board)) for taught in boards]

    def find(self, photo: Halves) -> ScoreSheet | None:
        """The one that a photo shows most surely; None where none of them is seen."""
        sheets = [
            ScoreSheet(lie.homography, lie.alike, taught.layout, taught.name, taught.picture)
            for taught, finder in self._known
            for lie in finder.find_all(photo, most=1)
            if lie.alike >= ALIKE_LEAST
        ]
        return max(sheets, key=lambda sheet: sheet.likeness, default=None)
