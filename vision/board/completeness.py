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

LIKELIER = 4.0
"""Nats by which a tile that is left is likelier on a square beside the board than without knowing that. On one table in
ten, counted by hand on calibration art, there is a square where nothing lies that would be taken for some tile then,
though seldom for one of these."""
LIKELIER_BARE = 3.0
"""Nats by which a square of a tile that nobody knows is likelier bare once all tiles of the game lie there. An
estimate: it would be of another expansion, and as plain as the others; what is faintly one is paper, cloth, shadow."""
TOLD_MOST = 0.89
"""No tile that the others told of is surer than this: it is shown as a doubt."""


def count_remaining_tiles(named: Sequence[str], catalogue: Catalogue, games: int) -> Counter[str]:
    """The tiles of so many base games that are not among those named, where they are few; else none."""
    left = count_tile_supply(catalogue, games) - Counter(named)
    return left if left.total() <= MAX_MISSING_TILES else Counter()


def apply_remaining_prior(
    squares: Sequence[Square],
    logits: TileLogits,
    free: Collection[Square],
    hidden: Sequence[Square],
    left: Collection[str],
    catalogue: Catalogue,
) -> tuple[list[Square], TileLogits]:
    """Squares and their log-probabilities, told what tiles are left: those `free` of tiles, and those that are hidden.

    The hidden ones, which may be among the squares or not, say nothing of their own.
    """
    lacking = np.array([*(tile in left for tile, _ in list_layout_turns(catalogue)), False, False])
    layouts, edges = logits.layouts.copy(), logits.edges.copy()
    asked = np.array([square in free for square in squares])
    layouts[np.ix_(asked, lacking)] += LIKELIER
    blank = np.full((len(hidden), len(lacking)), -np.inf)
    blank[:, lacking] = LIKELIER - np.log(lacking.sum())
    blank[:, -1] = 0.0
    seen = [square not in hidden for square in squares]
    return (
        [*(square for square, own in zip(squares, seen, strict=True) if own), *hidden],
        TileLogits(
            log_softmax(np.concatenate([layouts[seen], blank])),
            np.concatenate([edges[seen], np.full((len(hidden), *edges.shape[1:]), -np.log(edges.shape[-1]))]),
        ),
    )


def apply_bare_prior(squares: Sequence[Square], logits: TileLogits, unknown: Collection[Square]) -> TileLogits:
    """The log-probabilities where all tiles of the game are laid: squares that are `unknown` are likelier bare."""
    layouts = logits.layouts.copy()
    layouts[[square in unknown for square in squares], -1] += LIKELIER_BARE
    return TileLogits(log_softmax(layouts), logits.edges)


def doubt_inferred_tiles(before: Sequence[TileReading], now: Sequence[TileReading]) -> tuple[TileReading, ...]:
    """The tiles as they are read now, those doubtful whose squares were taken for none that is known before."""
    known = {(tile.row, tile.col) for tile in before if tile.tile is not None}
    return tuple(
        tile
        if (tile.row, tile.col) in known
        else replace(tile, confidence=min(tile.confidence, TOLD_MOST), doubtful=True)
        for tile in now
    )
