"""Which boxes lie on the table, told by all squares together.

A box is either there, and then some share of the squares hold its tiles, or it is not, and then none does. What speaks
for it is the ratio of the two likelihoods (a mixture over shares), square by square; one square alone never brings a
box onto the table, since what a net has not seen may look like anything.
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
from vision.squares.catalogue import EXPANSIONS, find_tile_box

BOX_SHARES = np.array([0.03, 0.08, 0.2, 0.4])
"""The shares (4,) of a table's squares that the tiles of a box may fill, each as likely as the others."""
TRAINING_BOX_SHARE = 0.1
"""About what share of the crops that the net was trained on belonged to any one box."""
UNKNOWN_TILE_SHARES = np.array([0.003, 0.01, 0.03, 0.08, 0.2, 0.4])
"""The shares (6,) of a table's squares that tiles of no known layout may fill, each as likely as the others."""
TRAINING_UNKNOWN_SHARE = 0.06
"""About what share of the crops that the net was trained on showed tiles of no known layout."""
MAX_EVIDENCE_NATS = 3.0
"""No single square speaks for a box with more nats than this."""
BOX_PRIOR_NATS = -3.0
"""The log-odds of a box before any tile was seen."""
STRAY_COST_NATS = 6.0
"""What a tile costs whose box does not lie on the table, or whose printing does not."""
LATER_PRINTING = "C31"
"""What the ids of tiles begin with that only the third edition's later printing of a box holds."""


def detect_expansions(log_probs: Floats, catalogue: Catalogue) -> tuple[str, ...]:
    """Return the expansions whose tiles lie on the table, by (n, K + 2) log-probabilities of its n squares."""
    probs = np.exp(log_probs)
    return tuple(box for box in EXPANSIONS if _shows_set(probs, _mask_box_classes(box, catalogue)))


def count_base_games(log_probs: Floats, catalogue: Catalogue) -> int:
    """Count the base games on the table by how many of their tiles lie there: people combine two."""
    lying: Counter[str] = Counter()
    for (tile, _), number in zip(list_layout_turns(catalogue), np.exp(log_probs[:, :-2]).sum(axis=0), strict=True):
        lying[tile] += number
    held = {layout.id: layout.count for layout in catalogue if find_tile_box(layout.id) not in EXPANSIONS}
    return count_games_of_tiles(lying, held)


def count_tile_supply(catalogue: Catalogue, games: int, expansions: Sequence[str] = ()) -> Counter[str]:
    """Count the copies of each catalogue tile that so many base games and the given expansions hold."""
    times = dict.fromkeys(expansions, 1)
    boxes = {layout.id: find_tile_box(layout.id) for layout in catalogue}
    copies = {tile: times.get(box, 0) if box in EXPANSIONS else games for tile, box in boxes.items()}
    return Counter({layout.id: layout.count * copies[layout.id] for layout in catalogue})


def is_supply_exhausted(tiles: Sequence[str], catalogue: Catalogue, games: int, expansions: Sequence[str]) -> bool:
    """Return whether as many catalogue tiles lie on the table as the base games and the given expansions hold."""
    return len(tiles) >= count_tile_supply(catalogue, games, expansions).total()


def apply_expansion_prior(log_probs: Floats, catalogue: Catalogue, expansions: Sequence[str]) -> Floats:
    """Return the log-probabilities (n, K + 2) where every tile of a box that is not there costs `STRAY_COST_NATS`.

    A tile that only a later printing of its box holds costs as much where the table's tiles are not of that printing:
    what looks like it is rather a tile of another box.
    """
    absent = np.array([box not in expansions and box in EXPANSIONS for box in _list_class_boxes(catalogue)])
    later = _mask_later_printing(catalogue)
    if not _shows_set(np.exp(log_probs), later):
        absent |= later[:-2]
    costs = np.where([*absent, False, False], STRAY_COST_NATS, 0.0)
    weighed = log_probs - costs
    return np.asarray(weighed - np.logaddexp.reduce(weighed, axis=1, keepdims=True))


def apply_unknown_layout_prior(log_probs: Floats, plain: NDArray[np.bool_]) -> Floats:
    """Return the log-probabilities (n, K + 2) where unknown tiles are as rare as all the table's squares together say.

    Most tables hold none, some hold many: each share of `UNKNOWN_TILE_SHARES` is as likely as it makes all the `plain`
    (n,) squares. The others stay as they are, and so does how likely a square holds no tile at all.
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
    """Whether the tiles of a box, or of a printing, are on the table, by (n, K + 2) probabilities."""
    return _compute_box_evidence(probs, of_set) + BOX_PRIOR_NATS > 0


def _compute_box_evidence(probs: Floats, of_box: NDArray[np.bool_]) -> float:
    """The log-likelihood ratio of a box that is there and one that is not, by (n, K + 2) probabilities."""
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
