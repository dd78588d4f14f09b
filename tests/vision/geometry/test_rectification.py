"""Views from above, compared with known cameras."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from datasets.scene.camera import Camera
from vision.arrays import Floats
from vision.geometry.rectification import apply_homography, estimate_lie, round_homography, warp_photo
from vision.photo.pyramid import Halves

elevations = st.floats(30, 90)
azimuths = st.floats(0, 360)
distances = st.floats(9, 40)
SIZE = (1600, 1200)


def plane_of(elevation: float, azimuth: float, distance: float) -> Floats:
    """Return the homography from table units to pixels of a camera that looks at the centre of six by six tiles."""
    camera = Camera.look_at(
        (3, 3), elevation=elevation, azimuth=azimuth, roll=3, distance=distance, focal_px=1500, size=SIZE
    )
    return camera.plane()


def tiles_through(plane: Floats) -> tuple[Floats, Floats]:
    """Return (36, 2) centres of the tiles in pixels, and the (36, 2, 2) axes of each."""
    middles = np.stack(np.meshgrid(np.arange(6) + 0.5, np.arange(6) + 0.5), -1).reshape(-1, 2)
    east, south = (
        apply_homography(plane, middles + step) - apply_homography(plane, middles - step) for step in (np.eye(2) * 5e-4)
    )
    return apply_homography(plane, middles), np.stack([east, south], axis=2) * 1000


@given(elevations, azimuths, distances)
def test_tiles_become_squares_all_of_one_size(elevation: float, azimuth: float, distance: float) -> None:
    at, axes = tiles_through(plane_of(elevation, azimuth, distance))
    lie = estimate_lie(at, axes, np.ones(len(at)))
    level, straight = tiles_through(lie.plane @ plane_of(elevation, azimuth, distance))
    sizes = np.sqrt(np.abs(np.linalg.det(straight)))
    assert np.ptp(sizes) < 0.03 * sizes.mean()
    east, south = straight[:, :, 0], straight[:, :, 1]
    assert (np.abs((east * south).sum(1)) < 0.03 * sizes**2).all()
    assert estimate_lie(level, straight, np.ones(len(level))).level


@given(azimuths, distances)
def test_a_view_from_straight_above_is_level(azimuth: float, distance: float) -> None:
    at, axes = tiles_through(plane_of(90, azimuth, distance))
    assert estimate_lie(at, axes, np.ones(len(at))).level


@given(st.integers(0, 35), st.floats(0.2, 4))
def test_one_tile_of_the_wrong_size_changes_little(wrong: int, factor: float) -> None:
    plane = plane_of(50, 70, 14)
    at, axes = tiles_through(plane)
    axes[wrong] *= factor
    lie = estimate_lie(at, axes, np.ones(len(at)))
    _, straight = tiles_through(lie.plane @ plane)
    sizes = np.sqrt(np.abs(np.linalg.det(straight)))
    assert np.ptp(sizes) < 0.2 * sizes.mean()


def test_wrong_sizes_never_turn_the_view_inside_out() -> None:
    rng = np.random.default_rng(0)
    at, axes = tiles_through(plane_of(45, 10, 12))
    axes *= np.exp(3 * (at[:, :1] - at[:, 0].mean()) / np.ptp(at[:, 0]))[:, :, None] * rng.uniform(0.5, 2)
    lie = estimate_lie(at, axes, np.ones(len(at)))
    nearness = np.column_stack([at, np.ones(len(at))]) @ lie.plane[2]
    assert (nearness * np.sign(nearness[0]) > 0).all()


@given(st.floats(-0.4, 0.4), st.floats(-0.4, 0.4), st.floats(0.05, 40))
def test_a_rounded_view_never_collapses(across: float, down: float, scale: float) -> None:
    """The horizon crosses the square, or its image is smaller than a pixel."""
    view = np.array([(scale, 0.3, 700), (0.1, scale, 500), (across, down, 1)])
    square = 4.0 * np.array([(0, 0), (1, 0), (1, 1), (0, 1)])
    rounded = round_homography(view, square)
    assert np.isfinite(rounded).all()
    assert abs(np.linalg.det(rounded / np.abs(rounded).max())) > 1e-12
    if abs(across) + abs(down) < 0.1 and scale > 2:
        pixels = apply_homography(rounded, square)
        assert np.abs(pixels - np.rint(apply_homography(view, square))).max() < 1e-3


def test_the_identity_leaves_a_picture_unchanged() -> None:
    picture = np.random.default_rng(1).integers(0, 255, (60, 80, 3)).astype(np.uint8)
    assert (warp_photo(Halves(picture), np.eye(3), (80, 60)) == picture).all()


def test_a_reduced_picture_is_averaged() -> None:
    checks = np.indices((400, 400)).sum(0) % 2 * np.uint8(255)
    picture = Halves(np.repeat(checks[..., None], 3, axis=2).astype(np.uint8))
    small = warp_photo(picture, np.diag([0.1, 0.1, 1]), (40, 40))
    assert abs(float(small.mean()) - 127.5) < 3
    assert small.std() < 20
