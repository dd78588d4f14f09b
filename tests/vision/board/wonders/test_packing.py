"""Sets of placements are weighed as if all were enumerated, and two side by side are preferred to one across both."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.arrays import Flags, Floats
from vision.board.wonders import packing
from vision.board.wonders.packing import weigh_packings

SQUARES = 6


@st.composite
def ways_listed(draw: st.DrawFn) -> tuple[Floats, Flags, list[str]]:
    """Return odds, squares and wonders of a few placements."""
    way = st.tuples(
        st.floats(-8, 12),
        st.lists(st.booleans(), min_size=SQUARES, max_size=SQUARES).filter(any),
        st.sampled_from("abcd"),
    )
    ways = draw(st.lists(way, min_size=1, max_size=8))
    return np.array([odds for odds, _, _ in ways]), np.array([c for _, c, _ in ways]), [w for _, _, w in ways]


def list_sets(covers: Flags, groups: list[str]) -> list[tuple[int, ...]]:
    """Return all possible sets."""
    chosen = [np.flatnonzero(flags).tolist() for flags in product((False, True), repeat=len(groups))]
    return [
        tuple(ways)
        for ways in chosen
        if len({groups[i] for i in ways}) == len(ways) and covers[ways].sum(axis=0).max(initial=0) <= 1
    ]


@given(ways_listed())
def test_shares_equal_those_over_all_sets(listed: tuple[Floats, Flags, list[str]]) -> None:
    odds, covers, groups = listed
    packed = weigh_packings(odds, covers, groups)
    sets = list_sets(covers, groups)
    weights = np.array([np.exp(odds[[*ways]].sum()) for ways in sets])
    expected = [sum(w for ways, w in zip(sets, weights, strict=True) if i in ways) for i in range(len(odds))]
    np.testing.assert_allclose(packed.shares, np.array(expected) / weights.sum(), atol=1e-9)
    assert {*packed.best} in [{*ways} for ways in sets]
    assert np.isclose(odds[[*packed.best]].sum(), np.log(weights.max()), atol=1e-9)


def test_the_retained_sets_suffice(monkeypatch: pytest.MonkeyPatch) -> None:
    """With as many placements as a table has, all uncertain, eight times as many sets give the same best set."""
    rng = np.random.default_rng(5)
    starts = rng.integers(0, 36, 480)
    covers = np.zeros((480, 40), np.bool_)
    for row, start in zip(covers, starts, strict=True):
        row[start : start + 5] = True
    odds = rng.normal(-2, 4, 480)
    groups = [f"{number % 8}" for number in range(480)]
    kept = weigh_packings(odds, covers, groups)
    monkeypatch.setattr(packing, "KEPT_SETS", 8 * packing.KEPT_SETS)
    more = weigh_packings(odds, covers, groups)
    assert kept.best == more.best
    np.testing.assert_allclose(kept.shares, more.shares, atol=0.05)


def test_a_single_wonder_needs_more_evidence_than_one_among_others() -> None:
    covers = np.eye(2, SQUARES, dtype=bool)
    doubted, sure = 0.5, 20.0
    (alone,) = weigh_packings(np.array([doubted]), covers[:1], ["a"], single_nats=-2.0).shares
    among = weigh_packings(np.array([doubted, sure]), covers, ["a", "b"], single_nats=-2.0).shares[0]
    before = weigh_packings(np.array([doubted]), covers[:1], ["a"]).shares[0]
    assert alone < before < among
