"""The number of base games on a table: players may combine 2, which doubles the number of each tile."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache

from scoring.carcassonne.board.board import Board
from scoring.carcassonne.tiles.catalogue import load_base_catalogue
from scoring.connected_squares import MAX_BOARD_SQUARES

STRAY_SHARE = 0.2
"""Share of one base game by which its tiles may be exceeded: up to this many are treated as misread or of another
printing. A guess.
"""
MAX_STRAY_KINDS = 5
"""Maximum number of kinds with too many named tiles in one game; more kinds mean another game.

A guess. Measured: among 80 tiles drawn from 2 games, at least 6 kinds exceeded one game in each of 400 draws; on real
tables of one game, at most 5 kinds were read so.
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
    """Return the number of base games on a board, judged by its known tiles: 1 unless there is evidence for more."""
    return count_games_of_names(placement.tile for _, placement in board.known)


def count_games_of_names(tiles: Iterable[str]) -> int:
    """Return the number of base games for tile ids named by a person or by a reading that weighed all of them."""
    counts, lying = count_base_tiles(), Counter(tiles)
    for games in range(count_games_of_tiles(lying, counts), get_most_base_games()):
        if sum(lying[tile] > games * number for tile, number in counts.items()) <= MAX_STRAY_KINDS:
            return games
    return get_most_base_games()
