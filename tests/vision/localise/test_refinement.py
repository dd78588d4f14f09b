"""Maps are interpolated between their cells as by SciPy."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.ndimage import map_coordinates

from scoring.carcassonne.tiles.geometry import Square
from vision.localise.detector import TileCells
from vision.localise.refinement import compute_square_corners, sample_map, stack_square_corners

NOWHERE = np.zeros((0, 2))


def cells_of(maps: NDArray[np.float32], scale: float) -> TileCells:
    return TileCells(NOWHERE, NOWHERE, np.zeros((0, 5)), np.zeros(0), maps, maps, maps, np.eye(3), scale)


@given(
    st.integers(2, 40),
    st.integers(2, 40),
    st.floats(0.1, 1),
    st.lists(st.tuples(*(st.floats(-50, 300),) * 2), min_size=1),
    st.lists(st.tuples(*(st.floats(-20, 20),) * 2), min_size=1),
)
def test_between_cells_and_beyond_the_border(
    h: int, w: int, scale: float, points: list[tuple[float, float]], moves: list[tuple[float, float]]
) -> None:
    maps = np.random.default_rng(h * w).random((h, w), np.float32)
    at = np.array(points) + np.array(moves)[:, None]
    expected = map_coordinates(maps, (at.reshape(-1, 2) * scale - 0.5)[:, ::-1].T, order=1, mode="nearest")
    sampled = sample_map(maps, cells_of(maps, scale), np.array([points]), np.array([moves]))
    assert sampled.shape == (1, len(moves), len(points))
    assert np.abs(sampled.ravel() - expected).max() < 2e-4  # places in single precision


@given(st.lists(st.tuples(st.integers(-20, 20), st.integers(-20, 20))))
def test_corners_of_several_squares_are_those_of_each(squares: list[Square]) -> None:
    corners = stack_square_corners(squares)
    assert corners.shape == (len(squares), 4, 2)
    assert all((quad == compute_square_corners(square)).all() for quad, square in zip(corners, squares, strict=True))
