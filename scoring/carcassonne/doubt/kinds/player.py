"""Doubts about the colour of all pieces of a player."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from scoring.carcassonne.board.board import Board
from scoring.carcassonne.doubt.kinds.base import Alternative, Description, Pieces, Subject
from scoring.player_colours import NOBODY


@dataclass(frozen=True, slots=True)
class OtherPlayer(Alternative):
    """A player whose pieces may all have another colour than the one read, or be no player's (NOBODY)."""

    colour: str
    instead: str
    probability: float
    step: ClassVar[int] = 1

    @property
    def subject(self) -> Subject:
        return "player", self.colour

    def on(self, board: Board) -> Board:
        """Return the board under this alternative; pieces of nobody stand on nothing that counts."""
        change = {"segment": None} if self.instead == NOBODY else {"colour": self.instead}
        meeples = (replace(m, **change) if m.colour == self.colour else m for m in board.meeples)
        return replace(board, meeples=tuple(meeples))

    def find_pieces(self, board: Board) -> Pieces:
        """Return all pieces of the player."""
        return Pieces(read=[index for index, meeple in enumerate(board.meeples) if meeple.colour == self.colour])

    def describe(self, board: Board) -> Description:
        """Describe the other colour, at the player's first piece."""
        square = next(meeple.square for meeple in board.meeples if meeple.colour == self.colour)
        return Description("player", square, self.instead, {"player": self.colour, "colour": self.instead})
