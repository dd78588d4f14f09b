from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from datasets.scene.camera import Camera
from tests.vision.flat_boards.boards import CORNERS, photographed, printed
from vision.flat_boards.board import (
    BoardLie,
    lift_from_board,
    normalise_homography,
    project_points,
    project_to_board,
    rectify_picture,
)

SIZE = (1600, 1200)


@st.composite
def cameras(draw: st.DrawFn) -> Camera:
    return Camera.look_at(
        draw(st.tuples(st.floats(100, 400), st.floats(100, 400))),
        elevation=draw(st.floats(35, 90)),
        azimuth=draw(st.floats(0, 360)),
        roll=draw(st.floats(-30, 30)),
        distance=draw(st.floats(500, 1500)),
        focal_px=draw(st.floats(900, 2000)),
        size=SIZE,
    )


def lie_of(camera: Camera) -> BoardLie:
    return BoardLie(normalise_homography(camera.plane(), np.array([250.0, 250.0])), 0, 0.0, 1.0, 1.0)


places = st.lists(st.tuples(st.floats(0, 500), st.floats(0, 500)), min_size=1, max_size=6)


@given(cameras(), places)
def test_millimetres_map_to_the_cameras_pixels_and_back(camera: Camera, mm: list[tuple[float, float]]) -> None:
    lie, points = lie_of(camera), np.array(mm)
    pixels = lie.to_photo(points)
    assume(np.isfinite(pixels).all())
    assert np.allclose(pixels, camera.project(np.column_stack([points, np.zeros(len(points))])), atol=1e-4)
    assert np.allclose(lie.to_mm(pixels), points, atol=1e-4)


@given(cameras(), places, st.floats(1, 40))
def test_a_standing_object_projects_behind_its_foot(camera: Camera, mm: list[tuple[float, float]], high: float) -> None:
    tops = np.column_stack([np.array(mm), np.full(len(mm), high)])
    projections = project_to_board(camera.position, tops[:, :2], high)
    pixels = camera.project(tops)
    assume(np.isfinite(pixels).all())
    assert np.allclose(lie_of(camera).to_photo(projections), pixels, atol=1e-4)
    assert np.allclose(lift_from_board(camera.position, projections, high), mm, atol=1e-6)


def test_points_behind_the_camera_are_not_mapped() -> None:
    low = Camera.look_at((0, 0), elevation=30, azimuth=0, roll=0, distance=300, focal_px=900, size=SIZE)
    lie = BoardLie(normalise_homography(low.plane(), np.zeros(2)), 0, 0.0, 1.0, 1.0)
    assert np.isnan(lie.to_photo(np.array([(900.0, 0.0)]))).all()


@pytest.mark.parametrize("elevation", [45.0, 60.0, 80.0])
def test_the_camera_is_estimated_from_the_boards_pose(elevation: float) -> None:
    camera = Camera.look_at((0, 0), elevation=elevation, azimuth=20, roll=5, distance=800, focal_px=1300, size=SIZE)
    lie = BoardLie(normalise_homography(camera.plane(), np.zeros(2)), 0, 0.0, 1.0, 1.0)
    assert np.linalg.norm(lie.camera(SIZE) - camera.position) < 80


def test_a_rectified_photo_shows_the_board_alone() -> None:
    board = printed(3)
    shot = photographed(board, 4, elevation=60)
    mm = CORNERS * board.size_mm
    picture = rectify_picture(shot.photo, project_points(shot.homographies[0], mm), board.size_mm)
    reference = board.at(picture.shape[1] / board.size_mm[0])
    assert picture.shape == reference.shape
    assert np.corrcoef(picture.ravel(), reference.ravel())[0, 1] > 0.8
