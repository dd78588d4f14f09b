"""Disjoint sets agree with SciPy's, alone and going on from others."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest
from scipy.cluster.hierarchy import DisjointSet

from scoring.disjoint_sets import DisjointSets


@pytest.mark.parametrize("seed", range(8))
def test_members_are_grouped_as_scipy_groups_them_in_every_layer(seed: int) -> None:
    rng, members = Random(seed), range(30)
    sets, expected = DisjointSets[int](), DisjointSet(members)
    for _ in range(5):
        later, before = DisjointSets(sets), [sets.root(member) for member in members]
        for _ in range(4):
            one, other = rng.choice(members), rng.choice(members)
            later.join(one, other)
            expected.merge(one, other)
        for one, other in combinations(members, 2):
            assert (later.root(one) == later.root(other)) == expected.connected(one, other)
        assert [sets.root(member) for member in members] == before
        after = [later.root(member) for member in members]
        sets.absorb(later)
        assert [sets.root(member) for member in members] == after


def test_the_first_ones_representative_stays_and_a_copy_is_independent() -> None:
    sets = DisjointSets[str]()
    sets.join("a", "b")
    copy = sets.copy()
    copy.join("c", "a")
    assert (sets.root("b"), copy.root("b")) == ("a", "c")
