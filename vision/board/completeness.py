"""The last tiles of a game: a finished game has them all, so the other tiles imply the few that a board lacks.

Missing tiles are known in kind and lie somewhere beside the others. A square that shows too little for a tile is
therefore more likely to be one of these, and so is a square that glare hides from every photo. If none is missing, a
further tile is unlikely.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import cache

import numpy as np

from scoring.carcassonne.board.tile_counts import MAX_MISSING_TILES
from scoring.carcassonne.doubt.alternatives import MIN_ASKED_PROBABILITY
from scoring.carcassonne.tiles.catalogue import Catalogue, list_layout_turns
from scoring.carcassonne.tiles.geometry import Square
from scoring.carcassonne.tiles.other_boxes import find_plain_tile
from vision.arrays import EVEN_ODDS, compute_log_softmax
from vision.board.expansions import count_tile_supply
from vision.board.legal.problem import BOX_PRIOR_NATS
from vision.reading.values import DOUBT_BELOW, TileAlternative, TileReading
from vision.squares.classifier import TileLogits

REMAINING_TILE_NATS = 4.0
"""Nats by which a remaining tile becomes more likely on a square beside the board. A guess. Measured: on one table in
10 of calibration art, counted by hand, it turns an empty square into some tile, though seldom into one of these."""


def count_remaining_tiles(named: Sequence[str], catalogue: Catalogue, copies: Mapping[str, int]) -> Counter[str]:
    """Count the tiles of the base games that are not among those named, if they are few and no other box lies there."""
    if copies.keys() != {"base"}:
        return Counter()
    remaining = count_tile_supply(catalogue, copies) - Counter(named)
    return remaining if remaining.total() <= MAX_MISSING_TILES else Counter()


def apply_remaining_prior(
    squares: Sequence[Square],
    logits: TileLogits,
    free: Collection[Square],
    hidden: Sequence[Square],
    left: Collection[str],
    catalogue: Catalogue,
) -> tuple[list[Square], TileLogits]:
    """Return squares and their log-probabilities given the tiles that remain to be placed.

    The `free` squares hold no tile so far; `hidden` ones, whether among `squares` or not, get log-probabilities based
    on the remaining tiles alone.
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
            compute_log_softmax(np.concatenate([layouts[visible_mask], blank])),
            np.concatenate([edges[visible_mask], np.full((len(hidden), *edges.shape[1:]), -np.log(edges.shape[-1]))]),
        ),
    )


def apply_bare_prior(squares: Sequence[Square], logits: TileLogits, unknown: Collection[Square]) -> TileLogits:
    """Return the log-probabilities once all tiles are placed: squares of unknown tiles are more likely bare.

    A further tile would be of another box.
    """
    layouts = logits.layouts.copy()
    layouts[[square in unknown for square in squares], -1] -= BOX_PRIOR_NATS
    return TileLogits(compute_log_softmax(layouts), logits.edges)


def doubt_inferred_tiles(before: Sequence[TileReading], now: Sequence[TileReading]) -> tuple[TileReading, ...]:
    """Return the tiles `now`, with those marked doubtful whose squares had no known tile `before`."""
    known_squares = {tile.square for tile in before if tile.tile is not None}
    return tuple(
        tile
        if tile.square in known_squares
        else replace(tile, confidence=min(tile.confidence, DOUBT_BELOW), doubtful=True)
        for tile in now
    )


def doubt_contradicted_tiles(
    tiles: Sequence[TileReading], squares: Sequence[Square], logits: TileLogits, catalogue: Catalogue
) -> tuple[TileReading, ...]:
    """Return the tiles, with doubts about those for which only their neighbours argue: pictures show another land.

    Such a tile may be one whose picture the net does not know, of which only an abbey fits whatever lies beside it.
    """
    rows = dict(zip(squares, np.exp(logits.layouts[:, :-2]), strict=True))
    abbey = next((layout.id for layout in catalogue if layout.fits_any), None)
    lands = _list_lands(catalogue)

    def is_contradicted(tile: TileReading) -> bool:
        if tile.tile in (None, abbey) or tile.cell is not None or tile.doubtful or tile.square not in rows:
            return False
        land = find_plain_tile(str(tile.tile), tile.turns)
        return float(rows[tile.square][[other == land for other in lands]].sum()) < MIN_ASKED_PROBABILITY

    return tuple(_doubt_for_abbey(tile, abbey) if abbey and is_contradicted(tile) else tile for tile in tiles)


def _doubt_for_abbey(tile: TileReading, abbey: str) -> TileReading:
    confidence = EVEN_ODDS * tile.confidence
    others = (other for other in tile.alternatives if other.tile != abbey)
    alternatives = (TileAlternative(abbey, 0, confidence), *others)
    return replace(tile, confidence=confidence, doubtful=True, alternatives=alternatives)


@cache
def _list_lands(catalogue: Catalogue) -> tuple[tuple[str, int], ...]:
    """List the plain tile and turns of the land of each turned layout of a catalogue."""
    return tuple(find_plain_tile(tile, turns) for tile, turns in list_layout_turns(catalogue))
