"""The number of tiles on a board: how many base games they come from, and whether some were overlooked.

Players may combine 2 base games, which doubles the number of each tile. A finished game has all its tiles, and each is
laid next to another.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache

from scoring.carcassonne.board.board import Board
from scoring.carcassonne.tiles.catalogue import load_base_catalogue
from scoring.connected_squares import MAX_BOARD_SQUARES, group_connected_squares

STRAY_SHARE = 0.2
"""Share of one base game by which its tiles may be exceeded: up to this many are treated as misread or of another
printing. A guess.
"""
MAX_STRAY_KINDS = 5
"""Maximum number of kinds with too many named tiles in one game; more kinds mean another game.

A guess. Measured: among 80 tiles drawn from 2 games, at least 6 kinds exceeded one game in each of 400 draws; on real
tables of one game, at most 5 kinds were read so.
"""
MAX_MISSING_TILES = 4
"""Maximum number of missing tiles that counts as overlooked; if more are missing, the game is more likely unfinished or
only partly shown. A guess.
"""


@cache
def count_base_tiles() -> Mapping[str, int]:
    """Count the tiles of each kind in one base game, by id."""
    return {layout.id: layout.count for layout in load_base_catalogue()}


def get_most_base_games() -> int:
    """Return the number of base games that a board has room for."""
    return MAX_BOARD_SQUARES // sum(count_base_tiles().values())


def count_games_of_tiles(lying: Mapping[str, float], counts: Mapping[str, int]) -> int:
    """Return the number of base games that the tiles come from, given the number of each id.

    `counts` is the number of each tile in one game. A single kind never implies a further game, however often read.
    """
    strays = STRAY_SHARE * sum(counts.values())
    for games in range(1, get_most_base_games()):
        beyond = (min(lying.get(tile, 0) - games * number, number) for tile, number in counts.items())
        if sum(tiles for tiles in beyond if tiles > 0) <= strays:
            return games
    return get_most_base_games()


def count_base_games(board: Board) -> int:
    """Return the number of base games on a board: as stated, or judged by its known tiles, 1 unless these show more."""
    return board.boxes.get("base") or count_games_of_names(placement.tile for _, placement in board.known)


def count_games_of_names(tiles: Iterable[str]) -> int:
    """Return the number of base games for tile ids named by a person or by a reading that weighed all of them."""
    counts, lying = count_base_tiles(), Counter(tiles)
    for games in range(count_games_of_tiles(lying, counts), get_most_base_games()):
        if sum(lying[tile] > games * number for tile, number in counts.items()) <= MAX_STRAY_KINDS:
            return games
    return get_most_base_games()


def may_lack_tiles(board: Board, in_play: int | None = None) -> bool:
    """Return whether a few tiles are missing, or the tiles that connect a board that falls apart.

    This is false if a person stated that no more tiles are `in_play` than lie there; a wonder counts as 5.
    """
    falls_apart = len(group_connected_squares(board.tiles)) > 1 and in_play != len(board.tiles)
    return falls_apart or count_lacking_tiles(board, in_play) > 0


def count_lacking_tiles(board: Board, in_play: int | None = None) -> int:
    """Return the number of tiles missing from a board of base games if it is small; otherwise 0.

    The result is 0 if a person stated that no more tiles are `in_play` than lie there; a wonder counts as 5.

    Every tile of the base game is laid (the rules set one aside only if it fits nowhere). Players leave out tiles of
    other boxes, so a board with any of their tiles is no evidence. Wonders come in addition to the 72 tiles.
    """
    if board.expansions or board.other_boxes or board.foreign or in_play == len(board.tiles):
        return 0
    laid, one_game = count_laid_tiles(board), sum(count_base_tiles().values())
    games = max(count_base_games(board), -(-laid // one_game))
    lacking = games * one_game - laid
    return lacking if lacking <= MAX_MISSING_TILES else 0


def count_laid_tiles(board: Board) -> int:
    """Return the number of tiles on a board, known or not, wonders excluded."""
    return sum(placement is None or placement.wonder is None for placement in board.tiles.values())
