"""The boxes on the table, decided by all squares and all boxes together.

Each expansion is absent, there in its first printing, or there in a later one. A set of such choices explains every
square: by the tiles that the boxes hold, as often as they hold them, or as a stray, which any tile may be. Boxes that
hold the same tiles therefore compete for them, and one that is there without showing its other tiles is unlikely. All
sets are weighed. One square alone never decides, since a tile unknown to the net may resemble anything.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from scoring.carcassonne.board.tile_counts import count_games_of_tiles
from scoring.carcassonne.tiles.catalogue import (
    BOXES,
    LATER_PRINTINGS,
    Catalogue,
    list_layout_turns,
    load_catalogue,
)
from vision.arrays import EVEN_ODDS, Flags, Floats, compute_softmax
from vision.board.legal.problem import BOX_PRIOR_NATS, EXTRA_TILE_COST_NATS, SHOWN_PROBABILITY
from vision.squares.catalogue import list_new_topologies
from vision.squares.classifier import UNKNOWN_TILE_SHARES

EXPANSION_DENSITIES = (0.125, 0.5, 2.0)
"""Numbers of tiles of an expansion per tile of the base game, relative to whole boxes, all equally likely: games end
early, or leave tiles out. A guess."""
TRAINING_BOX_SHARE = 0.1
"""Approximate share of the net's training crops that belong to any one box. A guess."""
TRAINING_UNKNOWN_SHARE = 0.06
"""Approximate share of the net's training crops that show tiles of no known layout. A guess."""
STRAY_SHARE = 0.02
"""Share of squares that are misread, or hold a tile of a box that is not there, which limits the evidence of each. A
guess."""

_Contents = Mapping[str, int]
"""The number of copies of each tile in a box, by the id under which it is read."""
_Printing = tuple[str, bool]
"""A box, and whether the tiles of its later printings are in it."""
_BASE = ("base", False)
NONE_STATED: Mapping[str, int] = MappingProxyType({})
"""The copies of boxes of a table about which nothing was stated."""
OTHER_BOXES = "other boxes"
"""All boxes that are not drawn, as one: it holds each topology that no tile of the drawn boxes has."""


@dataclass(frozen=True, slots=True, eq=False)
class TableBoxes:
    """The expansions on the table (`names`), and the sets of boxes that may be there.

    `held` (s, K) marks the turned layouts that each of s sets holds, and `belief` (s,) is the probability of each set.
    """

    names: tuple[str, ...]
    held: Flags
    belief: Floats


def infer_boxes(log_probs: Floats, catalogue: Catalogue, stated: Mapping[str, int] = NONE_STATED) -> TableBoxes:
    """Infer the boxes on the table, given the (n, K + 2) log-probabilities of its n squares and the `stated` copies."""
    probs = np.exp(log_probs)
    shows = _BoxEvidence(probs[:, :-2], probs[:, :-1].sum(axis=1), catalogue)
    if any(copies for box, copies in stated.items() if box not in BOXES):
        stated = {**stated, OTHER_BOXES: 1}
    states = [shows.list_states(box, stated.get(box)) for box in (*BOXES[1:], OTHER_BOXES)]
    sets = [[printing for printing in chosen if printing is not None] for chosen in product(*states)]
    belief = compute_softmax(np.array([shows.weigh(chosen) for chosen in sets]))
    there = Counter[str]()
    for chosen, probability in zip(sets, belief.tolist(), strict=True):
        there.update({box: probability for box, _ in chosen})
    likely = belief > SHOWN_PROBABILITY
    contents = [np.any([_mask_contents(*one, catalogue) for one in [_BASE, *chosen]], axis=0) for chosen in sets]
    names = tuple(box for box in (*BOXES, OTHER_BOXES) if there[box] > EVEN_ODDS)
    return TableBoxes(names, np.array(contents)[likely], belief[likely] / belief[likely].sum())


def apply_box_prior(log_probs: Floats, boxes: TableBoxes) -> Floats:
    """Return the log-probabilities (n, K + 2) given the boxes: a tile of none of them costs as much as one beyond the
    contents of the boxes.
    """
    given = []
    for layouts, probability in zip(boxes.held, boxes.belief.tolist(), strict=True):
        weighed = log_probs - EXTRA_TILE_COST_NATS * np.append(~layouts, [False, False])
        given.append(weighed - np.logaddexp.reduce(weighed, axis=1, keepdims=True) + np.log(probability))
    return np.asarray(np.logaddexp.reduce(given, axis=0))


def count_copies(
    log_probs: Floats, catalogue: Catalogue, boxes: TableBoxes, stated: Mapping[str, int] = NONE_STATED
) -> Mapping[str, int]:
    """Count the copies of each box on the table, the base game first: one of each box unless `stated` otherwise.

    The number of base games follows from the number of their tiles (`log_probs`, given the boxes): people combine two.
    """
    games = stated.get("base") or _count_base_games(log_probs, catalogue)
    return {"base": games, **{box: stated.get(box, 1) for box in boxes.names}}


def _count_base_games(log_probs: Floats, catalogue: Catalogue) -> int:
    lying: Counter[str] = Counter()
    for (tile, _), number in zip(list_layout_turns(catalogue), np.exp(log_probs[:, :-2]).sum(axis=0), strict=True):
        lying[tile] += number
    return count_games_of_tiles(lying, _count_contents(*_BASE, catalogue))


def count_tile_supply(catalogue: Catalogue, copies: Mapping[str, int]) -> Counter[str]:
    """Count the tiles of each name in the given numbers of copies of boxes; all printings hold as many."""
    supply = Counter[str]()
    for box, number in copies.items():
        supply.update({tile: number * count for tile, count in _count_contents(box, False, catalogue).items()})
    return supply


def is_supply_exhausted(tiles: Sequence[str], catalogue: Catalogue, copies: Mapping[str, int]) -> bool:
    """Return whether the table has as many catalogue tiles as its boxes hold together."""
    return len(tiles) >= count_tile_supply(catalogue, copies).total()


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


class _BoxEvidence:
    """Evidence of n squares: `probs` (n, K) of the turned layouts, and the probabilities (n,) that they have a tile."""

    def __init__(self, probs: Floats, tile_probs: Floats, catalogue: Catalogue) -> None:
        self._probs, self._tile_probs, self._catalogue = probs, tile_probs, catalogue
        self._odds = {_BASE: self._compute_odds(_BASE)}

    def list_states(self, box: str, copies: int | None) -> Sequence[_Printing | None]:
        """List the states in which a box may be, its printings and None if it is absent, given its stated copies."""
        if copies == 0:
            return [None]
        possible = self._list_possible(box)
        if not copies or not _count_contents(box, False, self._catalogue):
            return [None, *possible]
        return possible or [(box, False)]

    def _list_possible(self, box: str) -> list[_Printing]:
        """List the printings of a box that may be on the table: those whose evidence can exceed their prior."""
        possible = []
        for printing in ((box, False), (box, True)):
            contents = _count_contents(*printing, self._catalogue)
            if not contents or (printing[1] and contents == _count_contents(box, False, self._catalogue)):
                continue
            self._odds[printing] = odds = self._compute_odds(printing)
            if np.log1p((1 / STRAY_SHARE - 1) * odds) @ self._tile_probs + _weigh_prior(printing) > 0:
                possible.append(printing)
        return possible

    def weigh(self, chosen: Sequence[_Printing]) -> float:
        """Return the log-probability, up to a constant, of a set of expansions, each with its printing."""
        sizes = np.array([sum(_count_contents(*one, self._catalogue).values()) for one in [_BASE, *chosen]])
        shares = sizes * np.array([*product((1.0,), *(EXPANSION_DENSITIES for _ in chosen))])
        shares = shares / shares.sum(axis=1, keepdims=True)
        explained = shares @ np.array([self._odds[one] for one in [_BASE, *chosen]])
        totals = np.log((1 - STRAY_SHARE) * explained + STRAY_SHARE) @ self._tile_probs
        prior = sum(_weigh_prior(one) for one in chosen) - np.log(len(totals))
        return float(prior + np.logaddexp.reduce(totals))

    def _compute_odds(self, printing: _Printing) -> Floats:
        """Compute (n,) the probability of what the squares show if they hold tiles of a box, relative to any training
        crop.

        The net learned from base tiles as often as the box holds them, and from all tiles of an expansion alike.
        """
        contents = _count_contents(*printing, self._catalogue)
        copies = np.array([contents.get(tile, 0) for tile, _ in list_layout_turns(self._catalogue)])
        if printing == _BASE:
            return np.asarray(self._probs @ (copies > 0) / (1 - TRAINING_BOX_SHARE * len(BOXES)))
        return np.asarray(self._probs @ copies * len(contents) / sum(contents.values()) / TRAINING_BOX_SHARE)


def _weigh_prior(printing: _Printing) -> float:
    """Return the prior log-odds of a printing of an expansion."""
    return BOX_PRIOR_NATS * (3 if printing[1] else 1)


@cache
def _count_contents(box: str, later: bool, catalogue: Catalogue) -> _Contents:
    """Count the copies of each tile in a box, with those of its later printings or without, as a catalogue names them.

    Tiles that the catalogue lacks are left out.
    """
    if box == OTHER_BOXES:
        return {layout.id: 1 for layout in catalogue if layout.id in list_new_topologies()}
    copies = Counter[str]()
    for layout in load_catalogue(box):
        if layout.id in catalogue and (later or not layout.id.startswith(LATER_PRINTINGS)):
            copies[catalogue[layout.id].id] += layout.count
    return copies


@cache
def _mask_contents(box: str, later: bool, catalogue: Catalogue) -> NDArray[np.bool_]:
    """Mark (K,) the turned layouts of the tiles in a box."""
    contents = _count_contents(box, later, catalogue)
    return np.array([tile in contents for tile, _ in list_layout_turns(catalogue)])
