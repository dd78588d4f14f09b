"""The lean of standing pieces, compared with a camera whose position is known."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from datasets.scene.camera import Camera
from vision.geometry.camera import MAX_LEAN_TILES, USUAL_FOCAL_SHARE, compute_elevations, compute_leans, estimate_camera
from vision.pieces.crops import (
    ASIDE_TILES,
    BEFORE_TILES,
    BEYOND_TILES,
    compute_picture_axes,
    compute_stand_corners,
    move_feet,
)

SIZE = (1600, 1200)
PLACES = np.array([(4.0, 3.0), (0.5, 0.5), (8.0, 6.5), (4.2, 6.0)])

angles = st.floats(0, 360)
some_leans = st.lists(st.tuples(st.floats(-1.5, 1.5), st.floats(-1.5, 1.5)), min_size=4, max_size=4).map(np.array)


def camera(elevation: float, azimuth: float, focal: float = USUAL_FOCAL_SHARE, roll: float = 0.0) -> Camera:
    return Camera.look_at(
        (4.0, 3.5),
        elevation=elevation,
        azimuth=azimuth,
        roll=roll,
        distance=11 * focal,
        focal_px=focal * SIZE[0],
        size=SIZE,
    )


def seen_leans(view: Camera, height: float = 0.005) -> NDArray[np.float64]:
    """Return the distance of tips of low sticks from their feet in the photo, per height."""
    tips = view.project(np.column_stack([PLACES, np.full(len(PLACES), height)]))
    back = np.column_stack([tips, np.ones(len(tips))]) @ np.linalg.inv(view.plane()).T
    return np.asarray((back[:, :2] / back[:, 2:] - PLACES) / height)


@given(st.floats(48, 90), angles, st.floats(-30, 30))
def test_the_lean_of_a_stick_matches_the_camera(elevation: float, azimuth: float, roll: float) -> None:
    view = camera(elevation, azimuth, roll=roll)
    leans = compute_leans(estimate_camera(view.plane(), SIZE), PLACES)
    np.testing.assert_allclose(leans, seen_leans(view), atol=0.06)


@given(st.floats(48, 62), angles, st.floats(0.6, 2.0))
def test_a_low_view_determines_the_focal_length(elevation: float, azimuth: float, focal: float) -> None:
    view = camera(elevation, azimuth, focal)
    leans = compute_leans(estimate_camera(view.plane(), SIZE), PLACES)
    np.testing.assert_allclose(leans, seen_leans(view), atol=0.15)


@given(st.floats(8, 62), angles)
def test_elevations_are_those_of_the_lines_to_the_camera(elevation: float, azimuth: float) -> None:
    view = camera(elevation, azimuth)
    seen = compute_elevations(estimate_camera(view.plane(), SIZE), PLACES)
    away = np.linalg.norm(PLACES - view.position[:2], axis=1)
    np.testing.assert_allclose(seen, np.rad2deg(np.arctan2(view.position[2], away)), atol=4)
    assert compute_elevations(view.position, view.position[None, :2]) == pytest.approx([90])


def test_standing_objects_lean_outwards_seen_from_straight_above() -> None:
    view = camera(90, 0, focal=1.5)
    leans = compute_leans(estimate_camera(view.plane(), SIZE), PLACES)
    outward = PLACES - (4.0, 3.5)
    assert (np.einsum("ni,ni->n", leans, outward) > 0.99 * np.linalg.norm(leans, axis=1) * [0.4, 4.6, 5.0, 2.5]).all()


def test_leans_beyond_the_camera_stay_finite() -> None:
    leans = compute_leans(np.array([0.0, 0.0, 1e-6]), PLACES)
    assert np.linalg.norm(leans, axis=1) == pytest.approx(MAX_LEAN_TILES)


@given(some_leans)
def test_the_crop_of_a_standing_piece_is_an_upright_rectangle(leans: NDArray[np.float64]) -> None:
    squares = compute_stand_corners(PLACES, leans)
    right, up = compute_picture_axes(leans)
    np.testing.assert_allclose(squares[:, 1] - squares[:, 0], 2 * ASIDE_TILES * right, atol=1e-9)
    np.testing.assert_allclose(squares[:, 0] - squares[:, 3], (BEYOND_TILES + BEFORE_TILES) * up, atol=1e-9)
    np.testing.assert_allclose(right[:, 0] * up[:, 1] - right[:, 1] * up[:, 0], -1, atol=1e-9)
    along = np.linalg.norm(leans, axis=1) > 1e-3
    aligned = np.einsum("ni,ni->n", up, leans)[along]
    np.testing.assert_allclose(aligned, np.linalg.norm(leans, axis=1)[along], atol=1e-6)


@given(some_leans, some_leans)
def test_a_foot_moves_by_the_given_offset_in_the_picture(
    leans: NDArray[np.float64], offsets: NDArray[np.float64]
) -> None:
    right, up = compute_picture_axes(leans)
    step = move_feet(PLACES, leans, offsets) - PLACES
    components = np.stack([(step * right).sum(1), -(step * up).sum(1)], axis=1)
    np.testing.assert_allclose(components, offsets, atol=1e-9)
