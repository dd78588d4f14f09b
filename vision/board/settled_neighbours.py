"""Probabilities of a square's tiles after its neighbours have been settled, by the edges at which they touch.

Two tiles whose touching edges differ are as unlikely together as when the photo was read
(`vision.board.legal.problem`). The reader kept only each square's marginal probabilities, which already average over
all neighbours. A settled neighbour therefore adds the ratio between a tile's fit to the true neighbour and its expected
fit to the neighbour as read.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from math import exp

from scoring.carcassonne.board.board import Placement
from scoring.carcassonne.tiles.geometry import get_opposite_side
from scoring.carcassonne.tiles.layout import may_adjoin
from vision.board.legal.problem import EDGE_COST

Likely = Sequence[tuple[Placement, float]]
"""The tiles that a square may hold, each with its probability (0 to 1); the rest is for tiles that are not listed."""


@dataclass(frozen=True, slots=True)
class SettledNeighbour:
    """The neighbour at a `side` of a square: its true tile, and the tiles it may have held `as_read`."""

    side: str
    tile: Placement
    as_read: Likely


def reweigh_tiles(likely: Likely, neighbours: Collection[SettledNeighbour]) -> list[float]:
    """Return the probability of each tile of a square, given its settled neighbours.

    The probabilities are returned unchanged, to the last digit, if every tile fits the neighbours as well as before.
    """
    chances = [chance for _, chance in likely]
    factors = [_compute_factor(placement, neighbours) for placement, _ in likely]
    if all(factor == 1.0 for factor in factors):
        return chances
    rest = max(0.0, 1 - sum(chances))
    weights = [chance * factor for chance, factor in zip(chances, factors, strict=True)]
    total = sum(weights) + rest
    return [weight / total for weight in weights]


def _compute_factor(placement: Placement, neighbours: Collection[SettledNeighbour]) -> float:
    """Return how much likelier a tile is with its neighbours known than it was with them in doubt."""
    factor = 1.0
    for neighbour in neighbours:
        edge, opposite = placement.edge(neighbour.side), get_opposite_side(neighbour.side)
        expected = sum(chance * _compute_fit(edge, other.edge(opposite)) for other, chance in neighbour.as_read)
        rest = max(0.0, 1 - sum(chance for _, chance in neighbour.as_read))
        factor *= _compute_fit(edge, neighbour.tile.edge(opposite)) / (expected + rest)
    return factor


def _compute_fit(edge: str, facing: str) -> float:
    return 1.0 if may_adjoin(edge, facing) else exp(-EDGE_COST)
