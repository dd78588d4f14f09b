"""Doubts about the marker on a wonder."""

from __future__ import annotations

from dataclasses import dataclass, replace

from scoring.carcassonne.board.board import Board, PlacedMeeple
from scoring.carcassonne.doubt.kinds.base import Alternative, Description, Subject, list_meeple_values, name_meeple


@dataclass(frozen=True, slots=True)
class UnseenMarker(Alternative):
    """A marker that may lie on a wonder (its id) on which none was seen."""

    wonder: str
    meeple: PlacedMeeple
    probability: float

    @property
    def subject(self) -> Subject:
        return "marker", self.wonder

    def on(self, board: Board) -> Board:
        """Return the board under this alternative."""
        return replace(board, meeples=(*board.meeples, self.meeple))

    def describe(self, board: Board) -> Description:
        """Describe the marker."""
        values = list_meeple_values(self.meeple, board)
        return Description("meeple", self.meeple.square, name_meeple(self.meeple, board), values)
