"""Wonder tiles among the squares of a board: five squares that are one of the eight by outline and outer edges.

No net knows a wonder's art: to the classifier each of its squares is a tile of no known layout, whose edges it reads.
Every way to lay a wonder on the squares is held against what they would be without it, each either a layout of the
catalogue or an unknown tile. What speaks for the wonder is how strange its squares look, how well their outer edges, as
seen on both sides of the border, are those of the wonder (what lies inside is no edge and is not asked), and what is
known of its art. Ways that overlap, and those of one and the same wonder, exclude each other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from scoring.carcassonne.board.board import PlacedWonder, Placement
from scoring.carcassonne.tiles.catalogue import Catalogue
from scoring.carcassonne.tiles.geometry import SIDES, Square
from scoring.carcassonne.wonders.catalogue import load_wonder_catalogue
from scoring.carcassonne.wonders.tiles import WonderLayout
from vision.arrays import Floats, Ints
from vision.board.legal.problem import EDGE_KINDS, build_classes
from vision.reading.values import WonderReading
from vision.squares.classifier import OTHER_PRIOR, TileLogits

KnownArt = Mapping[tuple[str, int, int], Floats]
"""By (a wonder's id, its square's index, turns) how much likelier, in nats (n,), each square of the board shows just
that than some unknown tile: what reference pictures of a wonder's real art tell."""

EDGE_SHARES = np.array([0.45, 0.29, 0.25, 0.01])
"""The share of all tile edges (4,) at which each of EDGE_KINDS lies."""
MAX_EDGE_NATS = 4.0
"""No edge speaks against a wonder with more nats than this."""
MIN_STRANGE_NATS, MAX_STRANGE_NATS = -6.0, 4.0
"""No square speaks against being a tile of no known layout, or for it, with more nats than these."""
TRAINING_STRANGE_ODDS = 0.12
"""The odds of unknown tiles to known ones among the crops that the net was trained on."""
WONDER_PROBABILITY = 0.05
"""The prior probability that each one of the wonders lies on a table."""
MIN_UNKNOWN_SHARE, MAX_UNKNOWN_SHARE = 0.02, 0.5
"""The least and the greatest share of a table's tiles that may be of an unknown layout."""
MIN_WONDER_PROBABILITY = 0.5
"""A wonder is read only where it is at least this probable that some wonder lies on the squares."""
MIN_ALTERNATIVE_PROBABILITY = 0.001
"""Other ways to lay a wonder that are less probable than this are not offered as alternatives."""
MIN_PROBABILITY = 1e-9


def find_wonders(
    squares: Sequence[Square], logits: TileLogits, catalogue: Catalogue, art: KnownArt | None = None
) -> tuple[WonderReading, ...]:
    """Return the wonders that lie on squares (row, col) of a board; the n rows of `logits` go with the n squares."""
    if not squares:
        return ()
    evidence = _Evidence.from_logits(squares, logits, catalogue)
    ways = [
        way for wonder in load_wonder_catalogue().values() for way in _list_ways(wonder, squares, evidence, art or {})
    ]
    return tuple(_select_wonders(ways))


def apply_wonder_evidence(
    squares: Sequence[Square], logits: TileLogits, wonders: Sequence[WonderReading]
) -> TileLogits:
    """Return the logits with the squares of wonders marked as no catalogue tile, and with a wonder's edges on the
    outside."""
    layouts, edges = logits.layouts.copy(), logits.edges.copy()
    index = {square: i for i, square in enumerate(squares)}
    for wonder in wonders:
        kinds = _list_edge_kinds(wonder.placed.layout, wonder.placed.turns)
        for square, square_kinds in zip(wonder.placed.squares, kinds, strict=True):
            i = index[square]
            layouts[i] = np.log(MIN_PROBABILITY)
            layouts[i, -2] = 0.0
            for side in np.flatnonzero(square_kinds >= 0):
                mixed = (1 - wonder.probability) * np.exp(edges[i, side])
                mixed[square_kinds[side]] += wonder.probability
                edges[i, side] = np.log(np.maximum(mixed, MIN_PROBABILITY))
    return TileLogits(layouts, edges)


@dataclass(frozen=True, slots=True, eq=False)
class _Way:
    """One way to lay a wonder, and its log-odds against there being none on these squares."""

    placed: PlacedWonder
    squares: frozenset[Square]
    odds: float


@dataclass(frozen=True, slots=True, eq=False)
class _Evidence:
    """What n squares tell, in nats: how strange each looks (n,), and each kind at each of its sides (n, 4, 4).

    `without` (n, 16) is what a square would be worth without a wonder, by the set of its sides that count (bits N E S
    W); `grid` holds each square's number, -1 where there is none, with a margin of `MARGIN_SQUARES` squares.
    """

    strange: Floats
    edges: Floats
    without: Floats
    grid: Ints
    at: Ints

    @classmethod
    def from_logits(cls, squares: Sequence[Square], logits: TileLogits, catalogue: Catalogue) -> _Evidence:
        shares = np.exp(logits.layouts)
        known_share = np.maximum(shares[:, :-2].sum(axis=1), MIN_PROBABILITY)
        strange = (
            np.log(np.maximum(shares[:, -2], MIN_PROBABILITY))
            - np.log(known_share)
            - np.log(OTHER_PRIOR * TRAINING_STRANGE_ODDS)
        )
        strange = np.clip(
            strange + np.log(np.maximum(1 - shares[:, -1], MIN_PROBABILITY)), MIN_STRANGE_NATS, MAX_STRANGE_NATS
        )
        grid, at = _build_grid(squares)
        edges = _weigh_edges(shares, np.exp(logits.edges), catalogue, grid, at)
        unknown = np.clip(shares[:, -2].mean(), MIN_UNKNOWN_SHARE, MAX_UNKNOWN_SHARE)
        ordinary = _explain_by_catalogue(shares[:, :-2] / known_share[:, None], edges, catalogue)
        without = np.logaddexp(np.log(1 - unknown) + ordinary, np.log(unknown) + strange[:, None])
        return cls(strange, edges, without, grid, at)


MARGIN_SQUARES = 5
"""The grid's margin in squares: no wonder reaches farther from its own square (0, 0)."""


def _build_grid(squares: Sequence[Square]) -> tuple[Ints, Ints]:
    """The squares' numbers on a grid, and where (n, 2) each lies on it."""
    at = np.array(squares) - np.min(squares, axis=0) + MARGIN_SQUARES
    grid = np.full(at.max(axis=0) + MARGIN_SQUARES + 1, -1)
    grid[tuple(at.T)] = np.arange(len(at))
    return grid, at


def _weigh_edges(shares: Floats, edge_probs: Floats, catalogue: Catalogue, grid: Ints, at: Ints) -> Floats:
    """How much (n, 4, 4) speaks for each kind at each side, by the square itself and by its neighbour."""
    kinds = build_classes(catalogue).kinds[:-2]
    facing = np.stack([np.stack([shares[:, :-2] @ (kinds[:, side] == k) for k in range(4)], 1) for side in range(4)], 1)
    strange = (shares[:, -2] + MIN_PROBABILITY)[:, None, None]
    facing = facing + strange * edge_probs + shares[:, -1][:, None, None] * EDGE_SHARES
    evidence = np.log(np.maximum(edge_probs, MIN_PROBABILITY))
    for side, (down, right) in enumerate(((-1, 0), (0, 1), (1, 0), (0, -1))):
        beside = grid[at[:, 0] + down, at[:, 1] + right]
        there = np.flatnonzero(beside >= 0)
        across = facing[beside[there], (side + 2) % 4]
        evidence[there, side] += np.log(
            np.maximum(across / across.sum(axis=1, keepdims=True), MIN_PROBABILITY)
        ) - np.log(EDGE_SHARES)
    evidence -= np.logaddexp.reduce(evidence, axis=2, keepdims=True)
    return np.asarray(np.maximum(evidence - np.log(EDGE_SHARES), -MAX_EDGE_NATS))


def _explain_by_catalogue(shares: Floats, edges: Floats, catalogue: Catalogue) -> Floats:
    """What layouts of the catalogue explain of a square (n, 16), by the set of its sides that count."""
    kinds = build_classes(catalogue).kinds[:-2]
    explained = [np.maximum(shares, MIN_PROBABILITY)]
    for side in range(4):
        likelier = np.exp(edges[:, side, :][:, kinds[:, side]])
        explained += [without * likelier for without in explained]
    return np.asarray(np.log(np.stack([each.sum(axis=1) for each in explained], axis=1)))


def _list_ways(wonder: WonderLayout, squares: Sequence[Square], evidence: _Evidence, art: KnownArt) -> Iterator[_Way]:
    """Every way to lay a wonder on the squares that is not past hope."""
    prior = np.log(WONDER_PROBABILITY / (4 * len(squares)))
    hopeless = np.log(MIN_ALTERNATIVE_PROBABILITY)
    for turns in range(4):
        offsets = np.array(wonder.placed((0, 0), turns)) - wonder.placed((0, 0), turns)[0]
        kinds = _list_edge_kinds(wonder, turns)
        numbers = np.stack([evidence.grid[tuple((evidence.at + offset).T)] for offset in offsets], axis=1)
        odds = np.where((numbers >= 0).all(axis=1), prior, -np.inf)
        cells, sides = np.nonzero(kinds >= 0)
        outer = ((kinds >= 0) << np.arange(4)).sum(axis=1)
        odds = odds + (evidence.strange[numbers] - evidence.without[numbers, outer]).sum(axis=1)
        odds += evidence.edges[numbers[:, cells], sides, kinds[cells, sides]].sum(axis=1)
        for cell, i in enumerate(numbers.T):
            odds += art[wonder.id, cell, turns][i] if (wonder.id, cell, turns) in art else 0.0
        for first in np.flatnonzero(odds > hopeless).tolist():
            placed = PlacedWonder(wonder, wonder.anchor(squares[first], 0, turns), turns)
            yield _Way(placed, frozenset(placed.squares), float(odds[first]))


@cache
def _list_edge_kinds(wonder: WonderLayout, turns: int) -> Ints:
    """(5, 4) indexes into EDGE_KINDS of what lies at N, E, S, W of each square as placed; -1 inside the tile."""
    named = [
        [Placement(wonder.id, turns, cell=cell, wonder=wonder).edge(side) for side in SIDES]
        for cell in range(len(wonder.cells))
    ]
    return np.array([[EDGE_KINDS.index(kind) if kind in EDGE_KINDS else -1 for kind in sides] for sides in named])


def _select_wonders(ways: Sequence[_Way]) -> Iterator[WonderReading]:
    """The best way first, then the best of those that it leaves open, as long as some wonder is likely there."""
    ways_left = sorted(ways, key=lambda way: -way.odds)
    while ways_left:
        best = ways_left[0]
        rivals = [way for way in ways_left if way.squares & best.squares or way.placed.layout is best.placed.layout]
        weights = np.exp(np.array([0.0, *(way.odds for way in rivals)]) - max(best.odds, 0.0))
        shares = weights / weights.sum()
        if 1 - shares[0] < MIN_WONDER_PROBABILITY:
            return
        others = [(way.placed, float(p)) for way, p in zip(rivals, shares[1:], strict=True) if way is not best]
        alternatives = tuple((placed, p) for placed, p in others if p >= MIN_ALTERNATIVE_PROBABILITY)
        yield WonderReading(best.placed, float(shares[1]), alternatives)
        ways_left = [way for way in ways_left if way not in rivals]
