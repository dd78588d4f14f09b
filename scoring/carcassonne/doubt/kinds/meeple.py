"""Doubts about one meeple: its place, its colour, its kind, whether it is there, and one beside those read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Self

from scoring.carcassonne.board.board import Board, PlacedMeeple
from scoring.carcassonne.doubt.kinds.base import (
    Alternative,
    Description,
    Pieces,
    Subject,
    list_meeple_values,
    name_meeple,
    name_place,
)


@dataclass(frozen=True, slots=True)
class OtherPlace(Alternative):
    """A meeple (its index in the board's meeples) that may stand elsewhere, or may not be there at all (None)."""

    meeple: int
    instead: PlacedMeeple | None
    probability: float

    @property
    def subject(self) -> Subject:
        return "meeple", self.meeple

    def on(self, board: Board) -> Board:
        """Return the board under this alternative."""
        others = (*board.meeples[: self.meeple], *board.meeples[self.meeple + 1 :])
        return replace(board, meeples=others if self.instead is None else (*others, self.instead))

    def follow(self, indices: Mapping[int, int]) -> Self | None:
        """Return the alternative with the meeple's new index; None if it has none."""
        return replace(self, meeple=indices[self.meeple]) if self.meeple in indices else None

    def find_pieces(self, board: Board) -> Pieces:
        """Return the meeple."""
        return Pieces(read=(self.meeple,))

    def describe(self, board: Board) -> Description:
        """Describe the other place, with the colour and kind if those differ."""
        read, instead = board.meeples[self.meeple], self.instead
        repainted = instead is not None and (instead.colour, instead.kind) != (read.colour, read.kind)
        name = name_meeple(instead, board) if repainted else name_place(instead, board)
        return Description("meeple", read.square, name, list_meeple_values(instead, board))


@dataclass(frozen=True, slots=True)
class AnotherMeeple(Alternative):
    """A meeple that may stand on the board beside those that were read."""

    meeple: PlacedMeeple
    probability: float

    @property
    def subject(self) -> Subject:
        return "another meeple", self.meeple

    def on(self, board: Board) -> Board:
        """Return the board under this alternative."""
        return replace(board, meeples=(*board.meeples, self.meeple))

    def find_pieces(self, board: Board) -> Pieces:
        """Return the meeple."""
        return Pieces(further=(self.meeple,))

    def describe(self, board: Board) -> Description:
        """Describe the meeple."""
        values = list_meeple_values(self.meeple, board)
        return Description("meeple", self.meeple.square, name_meeple(self.meeple, board), values)
