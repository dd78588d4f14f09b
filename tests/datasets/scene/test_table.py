"""Tiles as hands lay them: rigid, near their squares, and exactly on them if nothing is sloppy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from datasets.scene.table import lay_by_hand
from tests.datasets.tables import GREY, camera, laid, table

SQUARES = [(row, col) for row in range(4) for col in range(5)]
seeds = st.integers(0, 2**32)


@given(seed=seeds)
def test_without_sloppiness_the_lattice_is_perfect(seed: int) -> None:
    for (row, col), corners in lay_by_hand(SQUARES, np.random.default_rng(seed), 0.0).items():
        exact = [(col, row), (col + 1, row), (col + 1, row + 1), (col, row + 1)]
        np.testing.assert_allclose(corners, exact, atol=1e-9)


@given(seed=seeds, sloppiness=st.floats(0, 1.5))
def test_hands_move_and_turn_tiles_but_bend_none(seed: int, sloppiness: float) -> None:
    for corners in lay_by_hand(SQUARES, np.random.default_rng(seed), sloppiness).values():
        nw, ne, se, sw = corners
        np.testing.assert_allclose(ne - nw, se - sw, atol=1e-9)
        assert np.linalg.norm(ne - nw) == pytest.approx(1)
        right, down = ne - nw, sw - nw
        np.testing.assert_allclose(down, (-right[1], right[0]), atol=1e-9)
        assert right[0] > 0.9


@given(seed=seeds)
def test_neighbours_stay_neighbours(seed: int) -> None:
    placed = lay_by_hand(SQUARES, np.random.default_rng(seed))
    for row, col in SQUARES:
        if (row, col + 1) in placed:
            step = placed[row, col + 1].mean(0) - placed[row, col].mean(0)
            np.testing.assert_allclose(step, (1, 0), atol=0.4)


def test_the_same_seed_lays_the_same_table() -> None:
    first, second = (lay_by_hand(SQUARES, np.random.default_rng(5)) for _ in range(2))
    assert all((first[square] == second[square]).all() for square in SQUARES)


@pytest.mark.parametrize("turns", range(4))
def test_a_turn_moves_the_printed_corners_clockwise(turns: int) -> None:
    tile = laid((2, 3), GREY, turns)
    np.testing.assert_array_equal(tile.canonical_corners[0], tile.corners[turns])


@given(u=st.floats(0, 1), v=st.floats(0, 1))
def test_a_point_of_a_square_is_where_its_corners_put_it(u: float, v: float) -> None:
    assert laid((2, 3), GREY).at(u, v) == pytest.approx((3 + u, 2 + v))


def test_bounds_hold_every_tile() -> None:
    tiles = {square: laid(square, GREY) for square in ((0, 0), (2, 1), (1, 4))}
    assert table(tiles, camera()).bounds == (0, 0, 5, 3)
