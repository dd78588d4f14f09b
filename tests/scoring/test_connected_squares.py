"""Groups of squares connected by their sides."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from scoring.connected_squares import Square, group_connected_squares, list_neighbours

squares = st.sets(st.tuples(st.integers(-3, 3), st.integers(-3, 3)))


@given(squares)
def test_groups_hold_all_squares_and_do_not_touch(squares: set[Square]) -> None:
    groups = group_connected_squares(squares)
    assert sorted(square for group in groups for square in group) == sorted(squares)
    assert [min(group) for group in groups] == sorted(min(group) for group in groups)
    for one, other in combinations(groups, 2):
        assert not any(near in other for square in one for near in list_neighbours(square))


@given(squares)
def test_from_any_square_of_a_group_every_other_is_reached(squares: set[Square]) -> None:
    for group in group_connected_squares(squares):
        reached = {max(group)}
        for _ in group:
            reached |= {near for square in reached for near in list_neighbours(square) if near in group}
        assert reached == group


def test_squares_that_meet_at_a_corner_are_two_groups() -> None:
    assert group_connected_squares({(0, 0), (1, 1)}) == [{(0, 0)}, {(1, 1)}]
    assert group_connected_squares({(0, 0), (1, 1), (1, 0)}) == [{(0, 0), (1, 0), (1, 1)}]
