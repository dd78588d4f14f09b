"""Groups of squares connected by their sides, and of things joined pair by pair."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.cluster.hierarchy import DisjointSet

from scoring.connected_squares import Square, group_connected_squares, list_neighbours
from scoring.disjoint_sets import DisjointSets

squares = st.sets(st.tuples(st.integers(-3, 3), st.integers(-3, 3)))


@given(squares)
def test_groups_contain_all_squares_and_do_not_touch(squares: set[Square]) -> None:
    groups = group_connected_squares(squares)
    assert sorted(square for group in groups for square in group) == sorted(squares)
    assert [min(group) for group in groups] == sorted(min(group) for group in groups)
    for one, other in combinations(groups, 2):
        assert not any(near in other for square in one for near in list_neighbours(square))


@given(squares)
def test_every_square_of_a_group_reaches_every_other(squares: set[Square]) -> None:
    for group in group_connected_squares(squares):
        reached = {max(group)}
        for _ in group:
            reached |= {near for square in reached for near in list_neighbours(square) if near in group}
        assert reached == group


def test_squares_that_meet_at_a_corner_are_two_groups() -> None:
    assert group_connected_squares({(0, 0), (1, 1)}) == [{(0, 0)}, {(1, 1)}]
    assert group_connected_squares({(0, 0), (1, 1), (1, 0)}) == [{(0, 0), (1, 0), (1, 1)}]


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


def test_joining_keeps_the_first_representative_and_copies_are_independent() -> None:
    sets = DisjointSets[str]()
    sets.join("a", "b")
    copy = sets.copy()
    copy.join("c", "a")
    assert (sets.root("b"), copy.root("b")) == ("a", "c")
