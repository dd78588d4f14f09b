"""The last tiles of a game: a finished one has them all, so what few a board lacks are told by the others.

Which they are is known then, and that they lie somewhere beside the others: a square that shows too little to be taken
for a tile is one of these likelier, and so is one that glare hides from every photo. Where none is lacking, there is
hardly a further one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np

from scoring.carcassonne.board.missing_tiles import MAX_MISSING_TILES
from scoring.carcassonne.tiles.catalogue import Catalogue, list_layout_turns
from scoring.carcassonne.tiles.geometry import Square
from vision.board.expansions import count_tile_supply
from vision.reading.values import TileReading
from vision.squares.classifier import TileLogits, log_softmax

REMAINING_TILE_NATS = 4.0
"""Nats by which a tile that is left is likelier on a square beside the board than without knowing that. On one table in
ten, counted by hand on calibration art, there is a square where nothing lies that would be taken for some tile then,
though seldom for one of these."""
BARE_SQUARE_NATS = 3.0
"""Nats by which a square of a tile that nobody knows is likelier bare once all tiles of the game lie there. An
estimate: it would be of another expansion, and as plain as the others; what is faintly one is paper, cloth, shadow."""
MAX_INFERRED_PROBABILITY = 0.89
"""A tile that was inferred from the others is never read with more confidence than this: it is shown as a doubt."""


def count_remaining_tiles(named: Sequence[str], catalogue: Catalogue, games: int) -> Counter[str]:
    """Count the tiles of so many base games that are not among those named, where they are few; else none."""
    remaining = count_tile_supply(catalogue, games) - Counter(named)
    return remaining if remaining.total() <= MAX_MISSING_TILES else Counter()


def apply_remaining_prior(
    squares: Sequence[Square],
    logits: TileLogits,
    free: Collection[Square],
    hidden: Sequence[Square],
    left: Collection[str],
    catalogue: Catalogue,
) -> tuple[list[Square], TileLogits]:
    """Return squares and their log-probabilities under the knowledge of which tiles are left to be placed.

    The `free` squares hold no tile so far; `hidden` ones, whether among `squares` or not, get log-probabilities that
    use nothing but the tiles left.
    """
    lacking = np.array([*(tile in left for tile, _ in list_layout_turns(catalogue)), False, False])
    layouts, edges = logits.layouts.copy(), logits.edges.copy()
    free_mask = np.array([square in free for square in squares])
    layouts[np.ix_(free_mask, lacking)] += REMAINING_TILE_NATS
    blank = np.full((len(hidden), len(lacking)), -np.inf)
    blank[:, lacking] = REMAINING_TILE_NATS - np.log(lacking.sum())
    blank[:, -1] = 0.0
    visible_mask = [square not in hidden for square in squares]
    return (
        [*(square for square, visible in zip(squares, visible_mask, strict=True) if visible), *hidden],
        TileLogits(
            log_softmax(np.concatenate([layouts[visible_mask], blank])),
            np.concatenate([edges[visible_mask], np.full((len(hidden), *edges.shape[1:]), -np.log(edges.shape[-1]))]),
        ),
    )


def apply_bare_prior(squares: Sequence[Square], logits: TileLogits, unknown: Collection[Square]) -> TileLogits:
    """Return the log-probabilities once all tiles of the game are placed: squares of unknown tiles are likelier
    bare."""
    layouts = logits.layouts.copy()
    layouts[[square in unknown for square in squares], -1] += BARE_SQUARE_NATS
    return TileLogits(log_softmax(layouts), logits.edges)


def doubt_inferred_tiles(before: Sequence[TileReading], now: Sequence[TileReading]) -> tuple[TileReading, ...]:
    """Return the tiles as read now, with those marked doubtful whose squares held no known tile before."""
    known_squares = {tile.square for tile in before if tile.tile is not None}
    return tuple(
        tile
        if tile.square in known_squares
        else replace(tile, confidence=min(tile.confidence, MAX_INFERRED_PROBABILITY), doubtful=True)
        for tile in now
    )
