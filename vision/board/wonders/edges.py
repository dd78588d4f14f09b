"""The kinds of a wonder's outer edges, field, road or city: as seen, within the limits stated by the rule texts.

For an unknown copy, the texts state the number of open ends of its roads and the squares that each road and city
covers, and so the edges at which each can end. Every consistent assignment is weighed, by sums over the edges one after
the other (dynamic programming over the remaining ends).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from heapq import nlargest
from operator import itemgetter

import numpy as np

from scoring.carcassonne.wonders.plans import End
from scoring.carcassonne.wonders.tiles import WonderLayout
from scoring.carcassonne.wonders.validation import STATED
from vision.arrays import Floats, Ints
from vision.board.legal.problem import EDGE_KINDS

FIELD, ROAD, CITY = (EDGE_KINDS.index(kind) for kind in ("field", "road", "city"))
_Weighed = tuple[float, tuple[int | None, ...]]
"""Nats, and the index of each edge's feature."""
MAX_ROAD_ENDS = 3
"""Maximum number of open ends of a road for which no text states any. A guess."""
KEPT_WAYS = 24
"""Number of the most likely assignments that are distinguished. Bounds time."""


@dataclass(frozen=True, slots=True)
class Feature:
    """A road or city of a wonder: the indices of the squares it covers, and the number of outer edges it may meet.

    Without a `most` it may meet all that its squares have.
    """

    kind: int
    squares: tuple[int, ...]
    least: int
    most: int | None = None


@dataclass(frozen=True, slots=True)
class EdgeWay:
    """An assignment of features to the outer edges, by index, None for a field, and its probability."""

    features: tuple[int | None, ...]
    probability: float


def list_features(layout: WonderLayout) -> tuple[Feature, ...]:
    """Return the roads and cities that are stated for a wonder, on the squares of a layout that has its outline."""
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
    """Return the minimum and maximum total number of open ends of a wonder's roads."""
    stated = STATED[wonder]
    if stated.ends_are_known:
        ends = sum(road.open_ends for road in stated.roads)
        return ends, ends
    return len(stated.roads), MAX_ROAD_ENDS * len(stated.roads)


def sum_free_edges(evidence: Floats, wonders: Sequence[str]) -> Floats:
    """Return (wonders, m) the support of (m, e, 4) edge evidence for each wonder, wherever its features end.

    It is the mean over all assignments with the stated number of road ends, and at least an edge of each city, in nats.
    """
    sums, blank = (_sum_by_count(each) for each in (evidence, np.zeros((1, *evidence.shape[1:]))))
    return np.array([_sum_stated(sums, wonder) - _sum_stated(blank, wonder) for wonder in wonders])


def _sum_stated(sums: Floats, wonder: str) -> Floats:
    """Return (m,) the logarithm of the sum of those (m, roads, cities) sums that agree with the text on a wonder."""
    least, most = bound_road_ends(wonder)
    stated_sums = sums[:, least : most + 1, len(STATED[wonder].cities) :]
    return np.asarray(np.log(stated_sums.reshape(len(sums), -1).sum(axis=1)))


def _sum_by_count(evidence: Floats) -> Floats:
    """Return (m, roads, cities) sums over all assignments by their numbers of road ends and city edges.

    Likelihoods are summed as they are: no edge's evidence is large enough for a product over a tile's edges to
    overflow, or small enough for it to vanish.
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
    """Return the most likely assignments of features to outer edges, best first, given (e, 4) evidence.

    Their probabilities are shares of all assignments, whose total in nats is returned as well. Empty without any.
    """
    ways, total = _sum_ways(evidence, ends, features)
    return tuple(EdgeWay(way, float(np.exp(odds - total))) for odds, way in ways), total


def count_edge_ways(ends: Sequence[End], features: Sequence[Feature]) -> float:
    """Return the number of possible assignments of features to outer edges."""
    return float(np.exp(_sum_ways(np.zeros((len(ends), CITY + 1)), ends, features)[1]))


def _sum_ways(evidence: Floats, ends: Sequence[End], features: Sequence[Feature]) -> tuple[Sequence[_Weighed], float]:
    """Return the most likely assignments with their nats, and the total of all."""
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
    """Return the counts with one more end of a feature, or None if it has its maximum.

    A feature without a maximum is counted only up to its minimum.
    """
    feature = features[option]
    if feature.most is None and counts[option] == feature.least:
        return counts
    if counts[option] == feature.most:
        return None
    return (*counts[:option], counts[option] + 1, *counts[option + 1 :])


def list_kinds(way: EdgeWay, features: Sequence[Feature]) -> Ints:
    """Return (e,) the kinds of the outer edges, indices into EDGE_KINDS."""
    return np.array([FIELD if feature is None else features[feature].kind for feature in way.features])
