"""The number of base games on a table: people combine two, and then twice as many of each tile may lie there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache

from scoring.carcassonne.board.board import Board
from scoring.carcassonne.tiles.catalogue import load_base_catalogue
from scoring.connected_squares import MAX_BOARD_SQUARES

STRAY_SHARE = 0.2
"""Tiles beyond one base game, up to this share of it, are taken for misread ones or another printing's. A guess."""
MAX_STRAY_KINDS = 5
"""Where named tiles of more kinds than this are too many, another game lies there. A guess: of 80 tiles drawn from two
games 6 kinds or more are too many in each of 400 draws; on real tables of one game 5 at most were read so."""


@cache
def count_base_tiles() -> Mapping[str, int]:
    """Count the tiles of each kind in one base game, by id."""
    return {layout.id: layout.count for layout in load_base_catalogue()}


def get_most_base_games() -> int:
    """Return how many base games a board has room for."""
    return MAX_BOARD_SQUARES // sum(count_base_tiles().values())


def count_games_of_tiles(lying: Mapping[str, float], held: Mapping[str, int]) -> int:
    """Count the base games that the tiles lying there are of, by how many there are of each id.

    `held` is how many one game holds of each. One kind alone makes no further game, however often it seems to lie.
    """
    strays = STRAY_SHARE * sum(held.values())
    for games in range(1, get_most_base_games()):
        beyond = (min(lying.get(tile, 0) - games * number, number) for tile, number in held.items())
        if sum(tiles for tiles in beyond if tiles > 0) <= strays:
            return games
    return get_most_base_games()


def count_base_games(board: Board) -> int:
    """Count the base games that lie on a board, by its known tiles: 1 where nothing speaks for more."""
    return count_games_of_names(placement.tile for _, placement in board.known)


def count_games_of_names(tiles: Iterable[str]) -> int:
    """Count the base games that tiles are of, named by a person or by a reading that weighed them all, by their ids."""
    held, lying = count_base_tiles(), Counter(tiles)
    for games in range(count_games_of_tiles(lying, held), get_most_base_games()):
        if sum(lying[tile] > games * number for tile, number in held.items()) <= MAX_STRAY_KINDS:
            return games
    return get_most_base_games()
