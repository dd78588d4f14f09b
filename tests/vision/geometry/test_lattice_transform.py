"""Steps between lattices: a group of quarter turns and shifts, which moves squares, corners, pixels and tiles alike."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.carcassonne.board.board import PlacedWonder
from scoring.carcassonne.tiles.catalogue import list_layout_turns, load_base_catalogue
from scoring.carcassonne.tiles.geometry import get_neighbour, turn_edge
from scoring.carcassonne.wonders.catalogue import load_wonder_catalogue
from vision.geometry.lattice_transform import Step
from vision.geometry.warp import is_in_front, project_to_photo
from vision.localise.refinement import compute_square_corners
from vision.reading.values import Warp
from vision.survey.survey import map_turned_classes

STEPS = st.builds(Step, st.integers(0, 3), st.integers(-20, 20), st.integers(-20, 20))
SQUARES = st.tuples(st.integers(-20, 20), st.integers(-20, 20))
POINTS = st.tuples(st.floats(-20, 20), st.floats(-20, 20))


@given(STEPS, SQUARES)
def test_a_step_and_its_inverse_cancel(step: Step, square: tuple[int, int]) -> None:
    assert step.inverse().square(step.square(square)) == square
    assert step.then(step.inverse()) == Step()
    assert step.inverse().inverse() == step


@given(STEPS, SQUARES, st.integers(0, 3), st.sampled_from(sorted(load_wonder_catalogue())))
def test_a_wonder_moves_with_its_squares_and_edges(
    step: Step, anchor: tuple[int, int], turns: int, wonder: str
) -> None:
    placed = PlacedWonder(load_wonder_catalogue()[wonder], anchor, turns)
    moved = step.wonder(placed)
    assert moved.squares == tuple(map(step.square, placed.squares))
    edges = {(step.square(square), turn_edge(side, step.turns)): kind for (square, side), kind in placed.edges.items()}
    assert moved.edges == edges
    assert step.inverse().wonder(moved) == placed


@given(STEPS, STEPS, SQUARES, POINTS)
def test_two_steps_compose_into_one(
    first: Step, second: Step, square: tuple[int, int], point: tuple[float, float]
) -> None:
    both, at = first.then(second), np.array([point])
    assert both.square(square) == second.square(first.square(square))
    assert both.points(at) == pytest.approx(second.points(first.points(at)))
    assert both.matrix == pytest.approx(second.matrix @ first.matrix)


@given(STEPS, STEPS, STEPS)
def test_steps_are_associative(one: Step, two: Step, three: Step) -> None:
    assert one.then(two).then(three) == one.then(two.then(three))


@given(STEPS, SQUARES)
def test_a_square_moves_like_its_corners(step: Step, square: tuple[int, int]) -> None:
    moved = step.points(compute_square_corners(square))
    assert step.quad(moved) == pytest.approx(compute_square_corners(step.square(square)))


@given(STEPS, SQUARES, st.sampled_from("NESW"))
def test_neighbours_stay_neighbours(step: Step, square: tuple[int, int], side: str) -> None:
    assert step.square(get_neighbour(square, side)) == get_neighbour(step.square(square), turn_edge(side, step.turns))


@given(STEPS, SQUARES)
def test_a_moved_warp_finds_the_same_pixels(step: Step, square: tuple[int, int]) -> None:
    homography = np.array([[40.0, 3, 500], [-2, 37, 400], [0.001, 0.002, 1]])
    nodes = {(row, col): (40.0 * col + 500, 37.0 * row + 400 + (row == 2) * 3) for row in range(5) for col in range(4)}
    warp = Warp(homography, nodes)
    corners = compute_square_corners((square[0] % 4, square[1] % 3))
    assert project_to_photo(step.warp(warp), step.points(corners)) == pytest.approx(project_to_photo(warp, corners))


@pytest.mark.parametrize("turns", range(4))
def test_classes_turn_as_tiles_do(turns: int) -> None:
    catalogue = load_base_catalogue()
    classes = list_layout_turns(catalogue)
    moved = map_turned_classes(catalogue, turns)
    assert sorted(moved.tolist()) == list(range(len(classes) + 2))
    for (tile, class_turns), to in zip(classes, moved.tolist(), strict=False):
        assert classes[to] == (tile, (class_turns + turns) % catalogue[tile].symmetry)


def test_points_behind_the_camera_are_not_in_front() -> None:
    homography = np.array([[100.0, 0, 300], [0, 100, 300], [0, 0.1, 1]])
    for sign in (1, -1):
        warp = Warp(sign * homography, {(0, 0): (300.0, 300.0)})
        assert is_in_front(warp, np.array([(0, 0), (3, 5), (0, -9.9), (0, -30)])).tolist() == [True, True, False, False]
