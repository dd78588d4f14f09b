"""Which boxes lie on the table, told by all squares together.

A box is either there, and then some share of the squares hold its tiles, or it is not, and then none does. What speaks
for it is the ratio of the two likelihoods (a mixture over shares), square by square; one square alone never brings a
box onto the table, since what a net has not seen may look like anything.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from scoring.carcassonne.tiles.catalogue import Catalogue, list_layout_turns
from vision.arrays import Floats
from vision.squares.catalogue import EXPANSIONS, find_tile_box

SHARES = np.array([0.03, 0.08, 0.2, 0.4])
"""Of the squares: what part may hold tiles of a box that is there, each as likely as the others."""
TAUGHT_SHARE = 0.1
"""Of the crops that the net was taught with: about how many were of any one box."""
STRANGE_SHARES = np.array([0.003, 0.01, 0.03, 0.08, 0.2, 0.4])
"""Of the squares: what part may hold tiles that no layout explains, each as likely as the others."""
TAUGHT_STRANGE = 0.06
"""Of the crops that the net was taught with: about how many were of such tiles."""
MOST_EVIDENCE = 3.0
"""Nats: no square says more for a box."""
BOX_PRIOR = -3.0
"""Nats for a box before any tile was seen."""
GAME_SLACK = 0.2
"""Of a base game: so many tiles more than one holds are misread ones, or of another printing."""
STRAY_COST = 6.0
"""Nats for a tile of a box that is not there."""


def detect_expansions(log_probs: Floats, catalogue: Catalogue) -> tuple[str, ...]:
    """The expansions whose tiles lie on the table, by (n, K + 2) log-probabilities of its squares."""
    return tuple(box for box in EXPANSIONS if _evidence(log_probs, _classes_of(box, catalogue)) + BOX_PRIOR > 0)


def count_base_games(log_probs: Floats, catalogue: Catalogue) -> int:
    """How many base games lie on the table, by how many of their tiles do: people lay two together."""
    base = np.array([box not in EXPANSIONS for box in _boxes_of(catalogue)])
    tiles = float(np.exp(log_probs[:, :-2][:, base]).sum())
    one_game = sum(layout.count for layout in catalogue if find_tile_box(layout.id) not in EXPANSIONS)
    return max(1, math.ceil(tiles / one_game - GAME_SLACK))


def count_tile_supply(catalogue: Catalogue, games: int, seen: Sequence[str] = ()) -> Counter[str]:
    """How many of each tile of the catalogue that many base games and the boxes seen hold."""
    times = dict.fromkeys(seen, 1)
    boxes = {layout.id: find_tile_box(layout.id) for layout in catalogue}
    copies = {tile: times.get(box, 0) if box in EXPANSIONS else games for tile, box in boxes.items()}
    return Counter({layout.id: layout.count * copies[layout.id] for layout in catalogue})


def is_supply_exhausted(tiles: Sequence[str], catalogue: Catalogue, games: int, seen: Sequence[str]) -> bool:
    """Whether so many tiles of the catalogue lie on the table as that many base games and the boxes seen hold."""
    return len(tiles) >= count_tile_supply(catalogue, games, seen).total()


def apply_expansion_prior(log_probs: Floats, catalogue: Catalogue, seen: Sequence[str]) -> Floats:
    """The log-probabilities where every tile of a box that is not there costs `STRAY_COST`."""
    absent = [box not in seen and box in EXPANSIONS for box in _boxes_of(catalogue)]
    costs = np.where([*absent, False, False], STRAY_COST, 0.0)
    weighed = log_probs - costs
    return np.asarray(weighed - np.logaddexp.reduce(weighed, axis=1, keepdims=True))


def apply_unknown_layout_prior(log_probs: Floats, plain: NDArray[np.bool_]) -> Floats:
    """The log-probabilities where a tile that no layout explains is as seldom as the table's squares together say.

    Most tables hold none, some hold many: each share of `STRANGE_SHARES` is as likely as it makes all the `plain` (n,)
    squares. The others stay as they are, and so does how likely a square holds no tile at all.
    """
    told = np.logaddexp.reduce(log_probs[plain, :-1], axis=1)
    strange = log_probs[plain, -2] - told
    known = np.log(np.maximum(-np.expm1(strange), np.finfo(np.float64).tiny))
    shares = STRANGE_SHARES[:, None]
    stranger = strange + np.log(shares / TAUGHT_STRANGE)
    another = known + np.log((1 - shares) / (1 - TAUGHT_STRANGE))
    either = np.logaddexp(stranger, another)
    belief = (np.exp(told) * either).sum(axis=1)
    belief -= np.logaddexp.reduce(belief)
    strange_now = np.logaddexp.reduce(belief[:, None] + stranger - either, axis=0)
    known_now = np.logaddexp.reduce(belief[:, None] + another - either, axis=0)
    weighed = log_probs.copy()
    weighed[plain, :-2] += (known_now - known)[:, None]
    weighed[plain, -2] += strange_now - strange
    return weighed


def _evidence(log_probs: Floats, of_box: NDArray[np.bool_]) -> float:
    """The log-likelihood ratio of a box that is there and one that is not."""
    if not of_box.any() or not len(log_probs):
        return -np.inf
    inside = np.exp(log_probs[:, of_box]).sum(axis=1)
    outside = np.maximum(np.exp(log_probs[:, :-1][:, ~of_box[:-1]]).sum(axis=1), 1e-12)
    odds = inside / outside * (1 - TAUGHT_SHARE) / TAUGHT_SHARE
    ratios = np.log((1 - SHARES) + SHARES * odds[:, None])
    told = np.exp(log_probs[:, :-1]).sum(axis=1)[:, None]
    totals = (told * np.minimum(ratios, MOST_EVIDENCE)).sum(axis=0)
    return float(np.logaddexp.reduce(totals) - np.log(len(SHARES)))


def _classes_of(box: str, catalogue: Catalogue) -> NDArray[np.bool_]:
    return np.array([*(of == box for of in _boxes_of(catalogue)), False, False])


@cache
def _boxes_of(catalogue: Catalogue) -> tuple[str, ...]:
    return tuple(find_tile_box(tile) for tile, _ in list_layout_turns(catalogue))
