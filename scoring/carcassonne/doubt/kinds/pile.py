"""Doubts about the number of pieces in a pile."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar, Self

from scoring.carcassonne.board.board import Board, PlacedMeeple
from scoring.carcassonne.doubt.kinds.base import Alternative, Description, Pieces, Subject


@dataclass(frozen=True, slots=True)
class OtherCount(Alternative):
    """A pile that may hold another number of pieces: some of the board's meeples are `gone`, some are `further`.

    `pile` identifies it.
    """

    pile: tuple[int, ...]
    count: int
    gone: frozenset[int]
    further: tuple[PlacedMeeple, ...]
    probability: float
    spans_several: ClassVar[bool] = True

    @property
    def subject(self) -> Subject:
        return "pile", self.pile

    def on(self, board: Board) -> Board:
        """Return the board under this alternative."""
        left = (meeple for index, meeple in enumerate(board.meeples) if index not in self.gone)
        return replace(board, meeples=(*left, *self.further))

    def follow(self, indices: Mapping[int, int]) -> Self | None:
        """Return the alternative with new indices of the meeples that are gone; None if one of them has none."""
        if not indices.keys() >= self.gone:
            return None
        return replace(self, gone=frozenset(indices[index] for index in self.gone))

    def find_pieces(self, board: Board) -> Pieces:
        """Return the pieces that may be gone and those that may be there as well."""
        return Pieces(sorted(self.gone), self.further)

    def describe(self, board: Board) -> Description:
        """Describe the other number."""
        read = board.meeples[min(self.gone)] if self.gone else self.further[0]
        values: dict[str, int | str] = {"count": self.count, "colour": read.colour}
        return Description("pile", read.square, f"{self.count} {read.colour}", values)
