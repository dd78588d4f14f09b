"""Tiles that may have been overlooked: a finished game has all its tiles, and each is laid next to another."""

from __future__ import annotations

from scoring.carcassonne.board.base_games import count_base_games, count_base_tiles
from scoring.carcassonne.board.board import Board
from scoring.connected_squares import group_connected_squares

MAX_MISSING_TILES = 4
"""Maximum number of missing tiles that counts as overlooked; if more are missing, the game is more likely unfinished or
only partly shown. A guess.
"""


def may_lack_tiles(board: Board, in_play: int | None = None, base_games: int | None = None) -> bool:
    """Return whether a few tiles are missing, or the tiles that connect a board that falls apart.

    This is false if a person stated that no more tiles are `in_play` than lie there; a wonder counts as 5.
    """
    falls_apart = len(group_connected_squares(board.tiles)) > 1 and in_play != len(board.tiles)
    return falls_apart or count_lacking_tiles(board, in_play, base_games) > 0


def count_lacking_tiles(board: Board, in_play: int | None = None, base_games: int | None = None) -> int:
    """Return the number of tiles missing from a board of base games if it is small; otherwise 0.

    The result is 0 if a person stated that no more tiles are `in_play` than lie there; a wonder counts as 5. The number
    of games is `base_games` if given, and otherwise follows from the tiles.

    Every tile of the base game is laid (the rules set one aside only if it fits nowhere). Players leave out tiles of
    other boxes, so a board with any of their tiles is no evidence. Wonders come in addition to the 72 tiles.
    """
    if board.expansions or board.foreign or in_play == len(board.tiles):
        return 0
    laid, one_game = count_laid_tiles(board), sum(count_base_tiles().values())
    games = max(base_games or count_base_games(board), -(-laid // one_game))
    lacking = games * one_game - laid
    return lacking if lacking <= MAX_MISSING_TILES else 0


def count_laid_tiles(board: Board) -> int:
    """Return the number of tiles on a board, known or not, wonders excluded."""
    return sum(placement is None or placement.wonder is None for placement in board.tiles.values())
