"""The boxes on the table, decided by all squares together.

A box is either present, and then some share of the squares hold its tiles, or absent, and then none does. The evidence
for it is the ratio of the two likelihoods (a mixture over shares), square by square. One square alone never suffices,
since a tile unknown to the net may resemble anything.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from scoring.carcassonne.board.base_games import count_games_of_tiles
from scoring.carcassonne.tiles.catalogue import Catalogue, list_layout_turns
from vision.arrays import Floats
from vision.board.legal.problem import EXTRA_TILE_COST_NATS
from vision.squares.catalogue import EXPANSIONS, find_tile_box

BOX_SHARES = np.array([0.03, 0.08, 0.2, 0.4])
"""The shares (4,) of a table's squares that the tiles of a box may fill, all equally likely. A guess."""
TRAINING_BOX_SHARE = 0.1
"""Approximate share of the net's training crops that belong to any one box. A guess."""
UNKNOWN_TILE_SHARES = np.array([0.003, 0.01, 0.03, 0.08, 0.2, 0.4])
"""The shares (6,) of a table's squares that tiles of no known layout may fill, all equally likely. A guess."""
TRAINING_UNKNOWN_SHARE = 0.06
"""Approximate share of the net's training crops that show tiles of no known layout. A guess."""
MAX_EVIDENCE_NATS = 3.0
"""Maximum evidence of a single square for a box. A guess."""
BOX_PRIOR_NATS = -3.0
"""The prior log-odds of a box. A guess."""
STRAY_COST_NATS = EXTRA_TILE_COST_NATS
"""Cost of a tile whose box, or whose printing, is not on the table: that of any tile beyond the contents of the
boxes."""
LATER_PRINTING = "C31"
"""The prefix of the ids of tiles found only in the third edition's later printing of a box."""


def detect_expansions(log_probs: Floats, catalogue: Catalogue) -> tuple[str, ...]:
    """Return the expansions whose tiles are on the table, given the (n, K + 2) log-probabilities of its n squares."""
    probs = np.exp(log_probs)
    return tuple(box for box in EXPANSIONS if _shows_set(probs, _mask_box_classes(box, catalogue)))


def count_base_games(log_probs: Floats, catalogue: Catalogue) -> int:
    """Count the base games on the table by the number of their tiles: people combine two."""
    lying: Counter[str] = Counter()
    for (tile, _), number in zip(list_layout_turns(catalogue), np.exp(log_probs[:, :-2]).sum(axis=0), strict=True):
        lying[tile] += number
    counts = {layout.id: layout.count for layout in catalogue if find_tile_box(layout.id) not in EXPANSIONS}
    return count_games_of_tiles(lying, counts)


def count_tile_supply(catalogue: Catalogue, games: int, expansions: Sequence[str] = ()) -> Counter[str]:
    """Count the copies of each catalogue tile in `games` base games and the given expansions."""
    times = dict.fromkeys(expansions, 1)
    boxes = {layout.id: find_tile_box(layout.id) for layout in catalogue}
    copies = {tile: times.get(box, 0) if box in EXPANSIONS else games for tile, box in boxes.items()}
    return Counter({layout.id: layout.count * copies[layout.id] for layout in catalogue})


def is_supply_exhausted(tiles: Sequence[str], catalogue: Catalogue, games: int, expansions: Sequence[str]) -> bool:
    """Return whether the table has as many catalogue tiles as the base games and the given expansions together."""
    return len(tiles) >= count_tile_supply(catalogue, games, expansions).total()


def apply_expansion_prior(log_probs: Floats, catalogue: Catalogue, expansions: Sequence[str]) -> Floats:
    """Return the log-probabilities (n, K + 2) with a cost of `STRAY_COST_NATS` on every tile of an absent box.

    A tile found only in a later printing of its box costs as much if the table's tiles are not of that printing: a
    square that resembles it is more likely a tile of another box.
    """
    absent = np.array([box not in expansions and box in EXPANSIONS for box in _list_class_boxes(catalogue)])
    later = _mask_later_printing(catalogue)
    if not _shows_set(np.exp(log_probs), later):
        absent |= later[:-2]
    costs = np.where([*absent, False, False], STRAY_COST_NATS, 0.0)
    weighed = log_probs - costs
    return np.asarray(weighed - np.logaddexp.reduce(weighed, axis=1, keepdims=True))


def apply_unknown_layout_prior(log_probs: Floats, plain: NDArray[np.bool_]) -> Floats:
    """Return the log-probabilities (n, K + 2) with the prior of unknown tiles estimated from all squares.

    Most tables have none, some have many: each share of `UNKNOWN_TILE_SHARES` is weighted by its likelihood of all the
    `plain` (n,) squares. The other squares stay as they are, and so does the probability of no tile on a square.
    """
    tile_log_probs = np.logaddexp.reduce(log_probs[plain, :-1], axis=1)
    strange = log_probs[plain, -2] - tile_log_probs
    known_log_probs = np.log(np.maximum(-np.expm1(strange), np.finfo(np.float64).tiny))
    shares = UNKNOWN_TILE_SHARES[:, None]
    stranger = strange + np.log(shares / TRAINING_UNKNOWN_SHARE)
    another = known_log_probs + np.log((1 - shares) / (1 - TRAINING_UNKNOWN_SHARE))
    either = np.logaddexp(stranger, another)
    belief = (np.exp(tile_log_probs) * either).sum(axis=1)
    belief -= np.logaddexp.reduce(belief)
    updated_strange = np.logaddexp.reduce(belief[:, None] + stranger - either, axis=0)
    updated_known = np.logaddexp.reduce(belief[:, None] + another - either, axis=0)
    weighed = log_probs.copy()
    weighed[plain, :-2] += (updated_known - known_log_probs)[:, None]
    weighed[plain, -2] += updated_strange - strange
    return weighed


def _shows_set(probs: Floats, of_set: NDArray[np.bool_]) -> bool:
    """Return whether the tiles of a box, or of a printing, are on the table, given (n, K + 2) probabilities."""
    return _compute_box_evidence(probs, of_set) + BOX_PRIOR_NATS > 0


def _compute_box_evidence(probs: Floats, of_box: NDArray[np.bool_]) -> float:
    """Compute the log-likelihood ratio of a box being present against absent, given (n, K + 2) probabilities."""
    if not of_box.any() or not len(probs):
        return -np.inf
    inside = probs[:, of_box].sum(axis=1)
    outside = np.maximum(probs[:, :-1][:, ~of_box[:-1]].sum(axis=1), 1e-12)
    odds = inside / outside * (1 - TRAINING_BOX_SHARE) / TRAINING_BOX_SHARE
    ratios = np.log((1 - BOX_SHARES) + BOX_SHARES * odds[:, None])
    tile_probs = probs[:, :-1].sum(axis=1)[:, None]
    totals = (tile_probs * np.minimum(ratios, MAX_EVIDENCE_NATS)).sum(axis=0)
    return float(np.logaddexp.reduce(totals) - np.log(len(BOX_SHARES)))


@cache
def _mask_box_classes(box: str, catalogue: Catalogue) -> NDArray[np.bool_]:
    return np.array([*(of == box for of in _list_class_boxes(catalogue)), False, False])


@cache
def _mask_later_printing(catalogue: Catalogue) -> NDArray[np.bool_]:
    later = [tile.startswith(LATER_PRINTING) for tile, _ in list_layout_turns(catalogue)]
    return np.array([*later, False, False])


@cache
def _list_class_boxes(catalogue: Catalogue) -> tuple[str, ...]:
    return tuple(find_tile_box(tile) for tile, _ in list_layout_turns(catalogue))
