"""The probability that squares show a table of Carcassonne at all, and not another game, a poster or a cloth.

On a table of Carcassonne edges that touch are of one kind, although the net sees each square by itself; it is sure of
most squares, no tile lies more often than the boxes hold it, and few tiles are of no known layout. Another game's
squares each resemble some tile, but by chance.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, dataclass

import numpy as np

from scoring.calibration import load_weights
from scoring.carcassonne.tiles.catalogue import START_TILES, Catalogue, list_layout_turns
from scoring.carcassonne.tiles.geometry import Square
from vision.arrays import FLOOR, Flags, Floats, compute_sigmoid
from vision.board.expansions import apply_box_prior, count_copies, count_tile_supply, infer_boxes
from vision.board.legal.problem import EDGE_KINDS, build_classes, find_touching_pairs
from vision.errors import ReadingError
from vision.localise.search import MIN_LIE_SQUARES
from vision.reading.values import DOUBT_BELOW, TileReading
from vision.squares.board_size import MIN_BOARD_TILES, MIN_TILE_PROBABILITY, find_shown_tiles
from vision.squares.catalogue import mark_new_topologies
from vision.squares.classifier import TileLogits
from vision.survey.survey import Survey

MIN_TABLE_PROBABILITY = 1 - DOUBT_BELOW
"""Minimum probability of a table of Carcassonne for it to be read: otherwise it is as surely something else as any
tile is sure. Measured: the 41 real tables that the weights are fitted on have at least 0.98, the 11 other pictures at
most 0.013."""


@dataclass(frozen=True, slots=True)
class TableLook:
    """How far squares are from those of a table of Carcassonne, as shares.

    `disagreement` is the share of touching edges of different kinds, `spread` the mean entropy of the known layouts on
    a square, in nats, `surplus` the share of tiles beyond the boxes, and `unknown` that of tiles of no layout of the
    drawn boxes.
    """

    disagreement: float
    spread: float
    surplus: float
    unknown: float


def refuse_other_game(
    squares: Sequence[Square], logits: TileLogits, catalogue: Catalogue, tiles: Sequence[TileReading]
) -> None:
    """Raise ReadingError `board_not_found` if the squares, on which these tiles were read, are no table of Carcassonne.

    A start tile alone is one, as a game begins.
    """
    if len(tiles) == 1 and tiles[0].tile in START_TILES and not tiles[0].doubtful:
        return
    named = sum(tile.tile is not None and tile.confidence >= MIN_TILE_PROBABILITY for tile in tiles)
    if named < MIN_BOARD_TILES or weigh_table(squares, logits, catalogue, tiles) < MIN_TABLE_PROBABILITY:
        raise ReadingError("board_not_found")


def rank_table(survey: Survey, catalogue: Catalogue) -> tuple[int, float]:
    """Return the key by which surveys of one photo are chosen: the number of tiles if it is surely a table of
    Carcassonne, else 0, and the probability that it is one.
    """
    ordinary = np.ones(len(survey.squares), bool)
    probability = compute_table_probability(describe_table(survey.squares, survey.logits, catalogue, ordinary))
    return len(find_shown_tiles(survey.logits, catalogue)) if probability >= DOUBT_BELOW else 0, probability


def is_small_and_doubtful(survey: Survey, catalogue: Catalogue) -> bool:
    """Return whether a survey shows few tiles, and perhaps other things with or instead of them."""
    is_small = sum(survey.lattice.support.values()) <= MIN_LIE_SQUARES
    return is_small and not rank_table(survey, catalogue)[0]


def weigh_table(
    squares: Sequence[Square], logits: TileLogits, catalogue: Catalogue, tiles: Sequence[TileReading]
) -> float:
    """Return the probability that the squares, on which these tiles were read, show a table of Carcassonne."""
    of_wonders = {tile.square for tile in tiles if tile.cell is not None}
    ordinary = np.array([square not in of_wonders for square in squares])
    return compute_table_probability(describe_table(squares, logits, catalogue, ordinary))


def describe_table(squares: Sequence[Square], logits: TileLogits, catalogue: Catalogue, ordinary: Flags) -> TableLook:
    """Describe squares by their n rows of logits; those that are not `ordinary` (n,) show a wonder."""
    probs = np.exp(logits.layouts) * ordinary[:, None]
    known = probs[:, :-2].sum(axis=1)
    layouts = probs[:, :-2] / np.maximum(known, FLOOR)[:, None]
    entropies = -(layouts * np.log(np.maximum(layouts, FLOOR))).sum(axis=1)
    tiles, strange = max(float(known.sum()), 1.0), probs[:, [*mark_new_topologies(catalogue), True, False]]
    return TableLook(
        disagreement=_measure_disagreement(squares, probs, np.exp(logits.edges), catalogue),
        spread=float(entropies @ known) / tiles,
        surplus=_count_surplus(logits.layouts[ordinary], catalogue) / tiles,
        unknown=float(strange.sum() / max(probs[:, :-1].sum(), 1.0)),
    )


def compute_table_probability(look: TableLook) -> float:
    """Return the probability of a table of Carcassonne. Fitted by `python -m models.calibration.board.tables`."""
    fitted = load_weights("carcassonne", "table")["ours"]
    weights = [fitted[name] for name in TableLook.__slots__]
    return float(compute_sigmoid(np.dot(weights, astuple(look)) + fitted["offset"]))


def _measure_disagreement(squares: Sequence[Square], probs: Floats, edges: Floats, catalogue: Catalogue) -> float:
    """Measure the expected share of touching edges that differ, given (n, K + 2) probabilities of layouts.

    A tile of no known layout has the (n, 4, 4) probabilities of its edges by themselves.
    """
    pairs, sides = find_touching_pairs(squares)
    kinds = build_classes(catalogue).kinds[:-2]
    edge_probs = np.stack(
        [np.stack([probs[:, :-2] @ (kinds[:, side] == k) for k in range(len(EDGE_KINDS))], 1) for side in range(4)], 1
    )
    edge_probs += probs[:, -2, None, None] * edges
    here, there = pairs.T
    agreement = (edge_probs[here, sides] * edge_probs[there, (sides + 2) % 4]).sum()
    tiles = probs[:, :-1].sum(axis=1)
    touching = (tiles[here] * tiles[there]).sum()
    return float((touching - agreement) / max(touching, 1.0))


def _count_surplus(log_probs: Floats, catalogue: Catalogue) -> float:
    """Count the expected tiles beyond the contents of the boxes that are most likely on the table."""
    boxes = infer_boxes(log_probs, catalogue)
    supply = count_tile_supply(catalogue, count_copies(apply_box_prior(log_probs, boxes), catalogue, boxes))
    numbers = dict.fromkeys((tile for tile, _ in list_layout_turns(catalogue)), 0.0)
    for (tile, _), number in zip(list_layout_turns(catalogue), np.exp(log_probs[:, :-2]).sum(axis=0), strict=True):
        numbers[tile] += float(number)
    return sum(max(number - supply[tile], 0.0) for tile, number in numbers.items())
