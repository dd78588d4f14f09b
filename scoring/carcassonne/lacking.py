"""Whether a board lacks a few tiles of a whole game: a finished one has them all, so they may have been overlooked."""

from __future__ import annotations

from scoring.carcassonne.board import Board
from scoring.carcassonne.catalogue import base_catalogue

FEW = 4
"""Where more are lacking, the game is likelier not over, or a part of it is shown."""


def tiles_lacking(board: Board, in_play: int | None = None) -> int:
    """How many tiles a board of base games lacks of all that they hold, where these are few; else 0.

    None are lacking where somebody said that no more were `in_play` than lie there, a wonder counting five.

    Of the base game every tile is laid (the rules set one aside only where it fits nowhere). Of other boxes people
    leave some out, so a board with any of their tiles says nothing. Wonders come beside the 72.
    """
    if board.expansions or board.foreign or in_play == len(board.tiles):
        return 0
    lacking = -tiles_laid(board) % sum(layout.count for layout in base_catalogue())
    return lacking if lacking <= FEW else 0


def tiles_laid(board: Board) -> int:
    """How many tiles lie on a board, known or not, wonders apart."""
    return sum(placement is None or placement.wonder is None for placement in board.tiles.values())
