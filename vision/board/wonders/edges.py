"""Which of a wonder's outer edges are field, road and city: as seen, within what the rule texts state of it.

Of a copy that nobody knows they state how many open ends its roads have, which squares each road and city covers, and
so at which edges each can end. Every way that goes with that is weighed, by sums over the edges one after the other
(dynamic programming over what is still to come).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from heapq import nlargest
from operator import itemgetter

import numpy as np

from scoring.carcassonne.wonders.facts import STATED
from scoring.carcassonne.wonders.plans import End
from scoring.carcassonne.wonders.tiles import WonderLayout
from vision.arrays import Floats, Ints
from vision.board.legal.problem import EDGE_KINDS

FIELD, ROAD, CITY = (EDGE_KINDS.index(kind) for kind in ("field", "road", "city"))
_Weighed = tuple[float, tuple[int | None, ...]]
"""Nats, and the number of each edge's feature."""
MAX_ROAD_ENDS = 3
"""Open ends of a road whose number no text states, at most."""
KEPT_WAYS = 24
"""So many of the likeliest ways are told apart."""


@dataclass(frozen=True, slots=True)
class Feature:
    """A road or city of a wonder: the indexes of the squares it covers, and how many outer edges it may meet.

    Without a `most` it may meet any that its squares have.
    """

    kind: int
    squares: tuple[int, ...]
    least: int
    most: int | None = None


@dataclass(frozen=True, slots=True)
class EdgeWay:
    """What each outer edge shows: the number of its feature, None where it is field, and how likely that is."""

    features: tuple[int | None, ...]
    probability: float


def list_features(layout: WonderLayout) -> tuple[Feature, ...]:
    """Return the roads and cities that are stated of a wonder, on the squares of a layout that has its outline."""
    known = STATED[layout.id].ends_are_known
    features = []
    for part in layout.parts:
        squares = tuple(sorted({*part.squares}))
        if part.kind == "road":
            ends = (part.open_ends, part.open_ends) if known else (1, MAX_ROAD_ENDS)
            features.append(Feature(ROAD, squares, *ends))
        elif part.kind == "city":
            features.append(Feature(CITY, squares, 1))
    return tuple(features)


def bound_road_ends(wonder: str) -> tuple[int, int]:
    """Return how many open ends the roads of a wonder have together, at least and at most."""
    stated = STATED[wonder]
    if stated.ends_are_known:
        ends = sum(road.open_ends for road in stated.roads)
        return ends, ends
    return len(stated.roads), MAX_ROAD_ENDS * len(stated.roads)


def sum_free_edges(evidence: Floats, wonders: Sequence[str]) -> Floats:
    """Return (wonders, m) how much (m, e, 4) evidence at e outer edges speaks for each, wherever its features end.

    It is the mean over all ways with as many road ends as are stated, and an edge of each city at least, in nats.
    """
    sums, blank = _sum_by_count(evidence), _count_by_count(evidence.shape[1])
    return np.array([_sum_stated(sums, wonder) - _sum_stated(blank, wonder) for wonder in wonders])


def _sum_stated(sums: Floats, wonder: str) -> Floats:
    """(m,) the log of those of the (m, roads, cities) sums that are of ways stated of a wonder."""
    least, most = bound_road_ends(wonder)
    stated_sums = sums[:, least : most + 1, len(STATED[wonder].cities) :]
    return np.asarray(np.log(stated_sums.reshape(len(sums), -1).sum(axis=1)))


@cache
def _count_by_count(edges: int) -> Floats:
    return _sum_by_count(np.zeros((1, edges, CITY + 1)))


def _sum_by_count(evidence: Floats) -> Floats:
    """(m, roads, cities) sums over all ways with so many road ends and city edges.

    Likelihoods are summed as they are: no edge's evidence is so large that a product over a tile's edges overflows, or
    so small that it vanishes.
    """
    edges = evidence.shape[1]
    sums = np.zeros((len(evidence), edges + 1, edges + 1))
    sums[:, 0, 0] = 1.0
    likelier = np.exp(evidence)
    for edge in range(edges):
        field, road, city = (likelier[:, edge, kind][:, None, None] for kind in (FIELD, ROAD, CITY))
        further = sums * field
        further[:, 1:] += sums[:, :-1] * road
        further[:, :, 1:] += sums[:, :, :-1] * city
        sums = further
    return sums


def weigh_edge_ways(
    evidence: Floats, ends: Sequence[End], features: Sequence[Feature]
) -> tuple[tuple[EdgeWay, ...], float]:
    """Return the likeliest ways, the likeliest first, in which (e, 4) evidence at outer edges goes with features.

    Their probabilities are shares of all ways, whose nats together are returned beside. Empty where there is none.
    """
    ways, total = _sum_ways(evidence, ends, features)
    return tuple(EdgeWay(way, float(np.exp(odds - total))) for odds, way in ways), total


def count_edge_ways(ends: Sequence[End], features: Sequence[Feature]) -> float:
    """Return in how many ways outer edges can go with features."""
    return float(np.exp(_sum_ways(np.zeros((len(ends), CITY + 1)), ends, features)[1]))


def _sum_ways(evidence: Floats, ends: Sequence[End], features: Sequence[Feature]) -> tuple[Sequence[_Weighed], float]:
    """The likeliest ways with their nats, and those of all together."""
    start = (0,) * len(features)
    best: Mapping[tuple[int, ...], list[_Weighed]] = {start: [(0.0, ())]}
    totals = {start: 0.0}
    for nats, (square, _) in zip(evidence, ends, strict=True):
        options: list[tuple[int | None, float]] = [(None, float(nats[FIELD]))]
        options += [(i, float(nats[f.kind])) for i, f in enumerate(features) if square in f.squares]
        further: dict[tuple[int, ...], list[_Weighed]] = {}
        sums: dict[tuple[int, ...], float] = {}
        for counts, ways in best.items():
            for option, value in options:
                state = counts if option is None else _count_end(counts, option, features)
                if state is None:
                    continue
                further.setdefault(state, []).extend((odds + value, (*way, option)) for odds, way in ways)
                sums[state] = float(np.logaddexp(sums.get(state, -np.inf), totals[counts] + value))
        best = {state: nlargest(KEPT_WAYS, ways, key=itemgetter(0)) for state, ways in further.items()}
        totals = sums
    ended = [counts for counts in best if all(n >= f.least for n, f in zip(counts, features, strict=True))]
    ways = nlargest(KEPT_WAYS, (way for counts in ended for way in best[counts]), key=itemgetter(0))
    return ways, float(np.logaddexp.reduce([-np.inf, *(totals[counts] for counts in ended)]))


def _count_end(counts: tuple[int, ...], option: int, features: Sequence[Feature]) -> tuple[int, ...] | None:
    """The counts with one end more of a feature, None where it has as many as it may.

    Of one without a bound it is enough to know that it has its least.
    """
    feature = features[option]
    if feature.most is None and counts[option] == feature.least:
        return counts
    if counts[option] == feature.most:
        return None
    return (*counts[:option], counts[option] + 1, *counts[option + 1 :])


def list_kinds(way: EdgeWay, features: Sequence[Feature]) -> Ints:
    """Return (e,) the kinds of the outer edges, indexes into EDGE_KINDS."""
    return np.array([FIELD if feature is None else features[feature].kind for feature in way.features])
