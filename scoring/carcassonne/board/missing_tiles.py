"""Whether tiles of a board may have been overlooked: a finished game has them all, and each is laid against another."""

from __future__ import annotations

from scoring.carcassonne.board.base_games import count_base_games, count_base_tiles
from scoring.carcassonne.board.board import Board
from scoring.connected_squares import group_connected_squares

MAX_MISSING_TILES = 4
"""Where more are lacking, the game is likelier not over, or a part of it is shown."""


def may_lack_tiles(board: Board, in_play: int | None = None, base_games: int | None = None) -> bool:
    """Return whether a few tiles are lacking, or those that join a board which falls apart.

    Not where somebody said that no more were `in_play` than lie there, a wonder counting five.
    """
    falls_apart = len(group_connected_squares(board.tiles)) > 1 and in_play != len(board.tiles)
    return falls_apart or count_lacking_tiles(board, in_play, base_games) > 0


def count_lacking_tiles(board: Board, in_play: int | None = None, base_games: int | None = None) -> int:
    """Return how many tiles a board of base games lacks of all that they hold, where these are few; else 0.

    None are lacking where somebody said that no more were `in_play` than lie there, a wonder counting five. There are
    as many games as somebody said (`base_games`), else as the tiles tell.

    Of the base game every tile is laid (the rules set one aside only where it fits nowhere). Of other boxes people
    leave some out, so a board with any of their tiles says nothing. Wonders come beside the 72.
    """
    if board.expansions or board.foreign or in_play == len(board.tiles):
        return 0
    laid, one_game = count_laid_tiles(board), sum(count_base_tiles().values())
    games = max(base_games or count_base_games(board), -(-laid // one_game))
    lacking = games * one_game - laid
    return lacking if lacking <= MAX_MISSING_TILES else 0


def count_laid_tiles(board: Board) -> int:
    """Return how many tiles lie on a board, known or not, wonders apart."""
    return sum(placement is None or placement.wonder is None for placement in board.tiles.values())
