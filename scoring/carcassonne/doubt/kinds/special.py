"""Doubts about which of a player's pieces is of a kind that each player has once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar, Self

from scoring.carcassonne.board.board import Board
from scoring.carcassonne.doubt.kinds.base import (
    MEEPLE,
    Alternative,
    Description,
    Pieces,
    Subject,
    list_meeple_values,
    name_meeple,
)


@dataclass(frozen=True, slots=True)
class OtherSpecial(Alternative):
    """A player's pieces, one of which may be of a kind that each player has once, such as the big meeple.

    `pieces` are the candidates, by their indices in the board's meeples; `special` is the chosen one, or None for none.
    """

    kind: str
    pieces: tuple[int, ...]
    special: int | None
    probability: float
    spans_several: ClassVar[bool] = True

    @property
    def subject(self) -> Subject:
        return "special", (self.kind, self.pieces)

    def on(self, board: Board) -> Board:
        """Return the board under this alternative."""
        meeples = list(board.meeples)
        for index in self.pieces:
            kind = self.kind if index == self.special else MEEPLE
            if self.kind in (kind, meeples[index].kind):
                meeples[index] = replace(meeples[index], kind=kind)
        return replace(board, meeples=tuple(meeples))

    def follow(self, indices: Mapping[int, int]) -> Self | None:
        """Return the alternative with new indices of the candidates; None if one of them has none."""
        if not indices.keys() >= {*self.pieces}:
            return None
        special = None if self.special is None else indices[self.special]
        return replace(self, pieces=tuple(indices[piece] for piece in self.pieces), special=special)

    def find_pieces(self, board: Board) -> Pieces:
        """Return the candidates."""
        return Pieces(read=self.pieces)

    def describe(self, board: Board) -> Description:
        """Describe the chosen piece; for none, the piece read as special as an ordinary one."""
        read_so = next((i for i in self.pieces if board.meeples[i].kind == self.kind), self.pieces[0])
        index, kind = (read_so, MEEPLE) if self.special is None else (self.special, self.kind)
        meeple = replace(board.meeples[index], kind=kind)
        return Description("meeple", meeple.square, name_meeple(meeple, board), list_meeple_values(meeple, board))
