"""The camera is a pinhole; tiles lie as hands lay them: rigid, near their squares."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from datasets.scene.camera import Camera
from datasets.scene.table import lay_by_hand
from tests.datasets.tables import GREY, camera, laid, table

angles = st.floats(-180, 180)
spots = st.floats(-2, 3)
SQUARES = [(row, col) for row in range(4) for col in range(5)]
seeds = st.integers(0, 2**32)


@st.composite
def cameras(draw: st.DrawFn) -> Camera:
    return Camera.look_at(
        (draw(spots), draw(spots)),
        elevation=draw(st.floats(25, 90)),
        azimuth=draw(angles),
        roll=draw(angles),
        distance=draw(st.floats(12, 60)),
        focal_px=draw(st.floats(300, 4000)),
        size=(draw(st.integers(100, 4000)), draw(st.integers(100, 4000))),
    )


@given(viewpoint=cameras(), x=spots, y=spots, z=st.floats(-0.5, 1))
def test_the_homography_of_a_plane_projects_its_points(viewpoint: Camera, x: float, y: float, z: float) -> None:
    across = cv2.perspectiveTransform(np.array([[[x, y]]]), viewpoint.plane(z))[0, 0]
    np.testing.assert_allclose(viewpoint.project([(x, y, z)])[0], across, atol=1e-6)


@given(x=spots, y=spots, elevation=st.floats(20, 90), azimuth=angles, roll=angles)
def test_the_target_is_in_the_middle_of_the_picture(
    x: float, y: float, elevation: float, azimuth: float, roll: float
) -> None:
    viewpoint = Camera.look_at(
        (x, y), elevation=elevation, azimuth=azimuth, roll=roll, distance=9, focal_px=500, size=(640, 480)
    )
    np.testing.assert_allclose(viewpoint.project([(x, y, 0)])[0], (320, 240), atol=1e-6)
    assert viewpoint.depth([(x, y, 0)])[0] == pytest.approx(9)
    assert viewpoint.elevation == pytest.approx(elevation, abs=1e-4)


@given(azimuth=angles, roll=angles)
def test_a_square_seen_from_straight_above_stays_a_square(azimuth: float, roll: float) -> None:
    corners = camera(90, azimuth, roll, distance=10).project([(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)])
    sides = np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1)
    np.testing.assert_allclose(sides, 90, atol=1e-6)
    assert np.dot(corners[1] - corners[0], corners[3] - corners[0]) == pytest.approx(0, abs=1e-6)


@given(viewpoint=cameras(), x=spots, y=spots)
def test_no_camera_mirrors_the_board(viewpoint: Camera, x: float, y: float) -> None:
    here, right, down = viewpoint.project([(x, y, 0), (x + 0.01, y, 0), (x, y + 0.01, 0)])
    (a, b), (c, d) = right - here, down - here
    assert a * d - b * c > 0


@given(viewpoint=cameras(), x=spots, y=spots)
def test_a_head_is_nearer_to_the_camera_than_its_foot(viewpoint: Camera, x: float, y: float) -> None:
    foot, head = viewpoint.depth([(x, y, 0), (x, y, 0.3)])
    assert head < foot


def test_without_roll_a_head_is_seen_above_its_foot() -> None:
    foot, head = camera(50, azimuth=-70).project([(0.5, 0.5, 0), (0.5, 0.5, 0.3)])
    assert head[1] < foot[1]
    assert head[0] == pytest.approx(foot[0])


def test_the_photographer_stands_at_the_azimuth() -> None:
    x, y, z = camera(45, azimuth=0, distance=10).position
    assert (x, y, z) == pytest.approx((0.5 + 10 * np.sqrt(0.5), 0.5, 10 * np.sqrt(0.5)))


def test_points_behind_the_camera_have_no_projection() -> None:
    viewpoint = camera(30, azimuth=0, distance=5)
    assert np.isnan(viewpoint.project([(20, 0.5, 0)])).all()


@given(seed=seeds)
def test_without_sloppiness_the_lattice_is_perfect(seed: int) -> None:
    for (row, col), corners in lay_by_hand(SQUARES, np.random.default_rng(seed), 0.0).items():
        exact = [(col, row), (col + 1, row), (col + 1, row + 1), (col, row + 1)]
        np.testing.assert_allclose(corners, exact, atol=1e-9)


@given(seed=seeds, sloppiness=st.floats(0, 1.5))
def test_imprecise_hands_move_and_turn_tiles_but_do_not_bend_them(seed: int, sloppiness: float) -> None:
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
def test_a_point_of_a_square_is_placed_by_its_corners(u: float, v: float) -> None:
    assert laid((2, 3), GREY).at(u, v) == pytest.approx((3 + u, 2 + v))


def test_the_bounds_contain_every_tile() -> None:
    tiles = {square: laid(square, GREY) for square in ((0, 0), (2, 1), (1, 4))}
    assert table(tiles, camera()).bounds == (0, 0, 5, 3)
