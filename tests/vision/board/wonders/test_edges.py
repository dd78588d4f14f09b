"""Sums over all assignments of outer edges to features agree with an enumeration."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

import numpy as np
import pytest
from hypothesis import event, given
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from scoring.carcassonne.tiles.geometry import SIDES
from scoring.carcassonne.wonders.catalogue import load_wonder_catalogue
from scoring.carcassonne.wonders.plans import End
from scoring.carcassonne.wonders.tiles import WONDERS, WonderLayout
from scoring.carcassonne.wonders.validation import STATED
from vision.arrays import Floats
from vision.board.legal.problem import EDGE_KINDS
from vision.board.wonders.edges import (
    CITY,
    FIELD,
    KEPT_WAYS,
    MAX_ROAD_ENDS,
    ROAD,
    EdgeWay,
    Feature,
    count_edge_ways,
    list_features,
    list_kinds,
    sum_free_edges,
    weigh_edge_ways,
)

IDS = sorted(WONDERS)
Way = tuple[int | None, ...]
seeds = st.integers(0, 2**32 - 1)


@st.composite
def problems(draw: DrawFn) -> tuple[Floats, list[End], list[Feature]]:
    """Return up to seven edges of three squares and up to three features there; a city may have every edge."""
    sides = st.tuples(st.integers(0, 2), st.sampled_from("NES"))
    ends = draw(st.lists(sides, max_size=7, unique=True))
    features = draw(st.lists(draw_features(), max_size=3))
    return np.random.default_rng(draw(seeds)).normal(0, 2, (len(ends), 4)), ends, features


@st.composite
def draw_features(draw: DrawFn) -> Feature:
    covered = tuple(sorted(draw(st.sets(st.integers(0, 2), min_size=1))))
    if draw(st.booleans()):
        return Feature(CITY, covered, draw(st.integers(1, 2)))
    least = draw(st.integers(1, 2))
    return Feature(ROAD, covered, least, draw(st.integers(least, MAX_ROAD_ENDS)))


def list_ways(ends: Sequence[End], features: Sequence[Feature]) -> Iterator[Way]:
    """Return every assignment of edges to features on their square or to none, within each feature's edge count."""
    options = [[None, *(i for i, f in enumerate(features) if square in f.squares)] for square, _ in ends]
    for way in product(*options):
        counts = [way.count(i) for i in range(len(features))]
        if all(f.least <= n and (f.most is None or n <= f.most) for n, f in zip(counts, features, strict=True)):
            yield way


def sum_nats(evidence: Floats, way: Way, features: Sequence[Feature]) -> float:
    kinds = [FIELD if number is None else features[number].kind for number in way]
    return float(sum(evidence[edge, kind] for edge, kind in enumerate(kinds)))


def list_outer_ends(layout: WonderLayout) -> list[End]:
    return [(i, side) for i, cell in enumerate(layout.cells) for side in SIDES if side not in cell.inside]


def test_edge_kinds_are_indexed_by_their_numbers() -> None:
    assert [EDGE_KINDS[kind] for kind in (FIELD, ROAD, CITY)] == ["field", "road", "city"]


@given(problems())
def test_shares_of_assignments_equal_those_of_an_enumeration(problem: tuple[Floats, list[End], list[Feature]]) -> None:
    evidence, ends, features = problem
    ways, total = weigh_edge_ways(evidence, ends, features)
    expected = {way: sum_nats(evidence, way, features) for way in list_ways(ends, features)}
    event("none" if not expected else "all told" if len(expected) <= KEPT_WAYS else "the likeliest told")
    assert len(ways) == min(len(expected), KEPT_WAYS)
    assert total == pytest.approx(np.logaddexp.reduce([-np.inf, *expected.values()]))
    shares = {way: float(np.exp(odds - total)) for way, odds in expected.items()}
    assert {way.features: way.probability for way in ways} == pytest.approx(
        {w.features: shares[w.features] for w in ways}
    )
    likeliest = sorted(shares.values(), reverse=True)[:KEPT_WAYS]
    assert [way.probability for way in ways] == pytest.approx(likeliest)


@given(problems())
def test_the_counted_assignments_equal_an_enumeration(problem: tuple[Floats, list[End], list[Feature]]) -> None:
    _, ends, features = problem
    assert count_edge_ways(ends, features) == pytest.approx(sum(1 for _ in list_ways(ends, features)))


@pytest.mark.parametrize("id", IDS)
def test_the_own_edges_of_a_layout_are_a_valid_assignment(id: str) -> None:
    layout = load_wonder_catalogue()[id]
    ends, features = list_outer_ends(layout), list_features(layout)
    kinds = np.array([EDGE_KINDS.index(layout.cells[cell].edge(side, 0)) for cell, side in ends])
    evidence = np.where(kinds[:, None] == np.arange(4), 0.0, -20.0)
    (best, *_), _ = weigh_edge_ways(evidence, ends, features)
    assert list_kinds(best, features).tolist() == kinds.tolist()
    assert [(f.kind, f.squares) for f in features if f.kind == CITY] == [
        (CITY, tuple(sorted({*part.squares}))) for part in layout.parts if part.kind == "city"
    ]
    assert sorted((len(f.squares), f.least) for f in features if f.kind == ROAD) == sorted(
        (road.squares, road.open_ends) for road in STATED[id].roads
    )
    assert all(f.most == (f.least if STATED[id].ends_are_known else MAX_ROAD_ENDS) for f in features if f.kind == ROAD)
    assert all(f.most is None for f in features if f.kind == CITY)


@given(st.sampled_from(IDS), st.integers(6, 7), st.integers(1, 3), seeds)
def test_free_edges_have_the_mean_of_all_ways_with_the_stated_ends(id: str, edges: int, count: int, seed: int) -> None:
    evidence = np.random.default_rng(seed).normal(0, 2, (count, edges, 4))
    stated = STATED[id]
    ends = {sum(road.open_ends for road in stated.roads)} if stated.ends_are_known else {1, 2, 3}
    ways = np.array(
        [
            way
            for way in product((FIELD, ROAD, CITY), repeat=edges)
            if way.count(ROAD) in ends and way.count(CITY) >= len(stated.cities)
        ]
    )
    weighed = np.stack([evidence[:, edge, ways[:, edge]] for edge in range(edges)]).sum(axis=0)
    mean = np.logaddexp.reduce(weighed, axis=1) - np.log(len(ways))
    np.testing.assert_allclose(sum_free_edges(evidence, [id])[0], mean)


def test_without_a_possible_assignment_no_edges_are_weighed() -> None:
    road = Feature(ROAD, (0,), 2, 2)
    assert weigh_edge_ways(np.zeros((2, 4)), [(0, "N"), (1, "N")], [road]) == ((), -np.inf)
    assert count_edge_ways([(0, "N"), (1, "N")], [road]) == 0


def test_kinds_of_edges_follow_the_numbers_of_features() -> None:
    features = [Feature(CITY, (0,), 1, 3), Feature(ROAD, (1,), 1, 1)]
    assert list_kinds(EdgeWay((None, 1, 0, 0), 1.0), features).tolist() == [FIELD, ROAD, CITY, CITY]
