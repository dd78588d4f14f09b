"""The compositor paints every object where the truth has it; light, lens and sensor leave its size."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as effort
from hypothesis import strategies as st
from numpy.typing import NDArray

from datasets.render.compositor import build_pyramid, compose, project_top_corners
from datasets.render.photometric import compress_jpeg, fade, photograph
from datasets.scene.pieces import Piece
from datasets.scene.table import Table
from tests.datasets.tables import GREY, camera, compute_silhouette, laid, plain, table
from vision.arrays import Floats

SQUARES = [(row, col) for row in (-1, 0, 1) for col in (-1, 0, 1)]
QUARTERS = ((30, 30, 220), (30, 220, 30), (220, 30, 30), (220, 220, 220))
"""The colours of a picture's north-west, north-east, south-east and south-west quarter."""


def colour_at(image: NDArray[np.uint8], point: Floats) -> NDArray[np.uint8]:
    x, y = np.floor(point).astype(int)
    return np.asarray(image[y, x])


def inside(scene: Table, square: tuple[int, int], u: float, v: float) -> Floats:
    row, col = square
    return np.asarray(scene.camera.project([(col + u, row + v, 0)])[0])


@pytest.mark.parametrize("elevation", [35, 60, 90])
@pytest.mark.parametrize("clutter_seed", [None, 0, 1, 2])
def test_every_tile_shows_its_own_art_among_other_objects(elevation: float, clutter_seed: int | None) -> None:
    rng = np.random.default_rng(1)
    colours = {square: tuple(int(c) for c in rng.integers(40, 250, 3)) for square in SQUARES}
    tiles = {square: laid(square, plain((b, g, r))) for square, (b, g, r) in colours.items()}
    scene = table(tiles, camera(elevation), clutter_seed=clutter_seed)
    image = compose(scene)
    for square, colour in colours.items():
        for u, v in ((0.1, 0.1), (0.9, 0.1), (0.5, 0.5), (0.9, 0.9), (0.1, 0.9)):
            np.testing.assert_allclose(colour_at(image, inside(scene, square, u, v)), colour, atol=1)


@pytest.mark.parametrize("turns", range(4))
def test_turns_are_clockwise(turns: int) -> None:
    picture = plain((0, 0, 0))
    picture[:32, :32], picture[:32, 32:], picture[32:, 32:], picture[32:, :32] = QUARTERS
    scene = table({(0, 0): laid((0, 0), picture, turns)}, camera(50, azimuth=-60))
    image = compose(scene)
    for i, (u, v) in enumerate([(0.25, 0.25), (0.75, 0.25), (0.75, 0.75), (0.25, 0.75)]):
        np.testing.assert_allclose(colour_at(image, inside(scene, (0, 0), u, v)), QUARTERS[(i - turns) % 4], atol=2)


@pytest.mark.parametrize(("elevation", "azimuth", "distance"), [(90, 0, 3), (60, 25, 3), (40, 200, 3), (70, -50, 6)])
def test_corners_are_exact_to_a_fraction_of_a_pixel(elevation: float, azimuth: float, distance: float) -> None:
    cells = 5
    board = np.indices((cells, cells)).sum(axis=0) % 2 * 255
    picture = np.repeat(np.kron(board, np.ones((64, 64)))[..., None], 3, axis=2).astype(np.uint8)
    scene = table({(0, 0): laid((0, 0), picture)}, camera(elevation, azimuth, distance=distance))
    nodes = [(i / cells, j / cells) for j in range(1, cells) for i in range(1, cells)]
    expected = cv2.perspectiveTransform(
        np.array([nodes]),
        cv2.getPerspectiveTransform(_unit(), project_top_corners(scene, scene.tiles[0]).astype(np.float32)),
    )[0]
    grey = cv2.cvtColor(compose(scene), cv2.COLOR_BGR2GRAY)
    stop = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_COUNT, 40, 0.001)
    # Pixel centres are at integers for OpenCV, half a pixel further for the camera.
    start = np.ascontiguousarray(expected - 0.5, np.float32)
    corners = cv2.cornerSubPix(grey, start, (5, 5), (-1, -1), stop) + 0.5
    assert np.abs(corners - expected).max() < 0.25
    assert np.abs((corners - expected).mean(axis=0)).max() < 0.1


def _unit() -> NDArray[np.float32]:
    return np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32)


@pytest.mark.parametrize("pose", ["standing", "lying", "disc"])
def test_a_meeple_is_painted_above_its_foot(pose: str) -> None:
    viewpoint = camera(50, distance=5)
    piece = Piece("red", "meeple", pose, (0.4, 0.6), 0.3, (20, 20, 230))
    image = compose(table({(0, 0): laid((0, 0), plain((60, 140, 60)))}, viewpoint, (piece,)))
    red = (image[..., 2].astype(int) - image[..., 1] > 70) & (image[..., 2].astype(int) - image[..., 0] > 70)
    rows, cols = np.nonzero(red)
    foot_x, foot_y = viewpoint.project([(*piece.at, 0)])[0]
    hull = compute_silhouette(piece, viewpoint)
    assert red.sum() > 100
    assert cols.min() >= hull[:, 0].min() - 2
    assert cols.max() <= hull[:, 0].max() + 2
    assert rows.min() < foot_y < rows.max() + 3
    assert abs(cols.mean() - foot_x) < 10
    if pose == "standing":
        assert foot_y - rows.min() > 2 * (rows.max() - foot_y)


def test_nearer_meeples_hide_those_behind() -> None:
    viewpoint = camera(30, azimuth=90, distance=6)
    far, near = (Piece(c, "meeple", "standing", at, 0.0, bgr) for c, at, bgr in _two())
    tiles = {(0, 0): laid((0, 0), plain((200, 200, 200)))}
    for pieces in ((far, near), (near, far)):
        image = compose(table(tiles, viewpoint, pieces))
        head = viewpoint.project([(0.5, near.at[1], 0.3)])[0]
        blue, _, red = colour_at(image, head).astype(int)
        assert red > blue + 60


def _two() -> tuple[tuple[str, tuple[float, float], tuple[int, int, int]], ...]:
    return ("blue", (0.5, 0.3), (220, 40, 20)), ("red", (0.5, 0.6), (20, 20, 220))


def test_a_table_without_pieces_is_painted_too() -> None:
    assert compose(table({(0, 0): laid((0, 0), GREY)}, camera())).shape == (480, 640, 3)


def test_a_pyramid_halves_down_to_its_minimum_size() -> None:
    assert [level.shape[0] for level in build_pyramid(np.zeros((160, 160, 3), np.uint8))] == [160, 80, 40, 20]


@pytest.mark.parametrize(("rim", "brighter"), [((0.7, 0.02), False), ((-0.7, 0.02), True)], ids=["dark", "pale"])
def test_a_rim_changes_the_border_and_leaves_the_middle(rim: tuple[float, float], brighter: bool) -> None:
    scene = table({(0, 0): laid((0, 0), plain((120, 120, 120), 256))}, camera(90, distance=3))
    bare, rimmed = compose(replace(scene, rim=(0.0, 0.02))).astype(int), compose(replace(scene, rim=rim)).astype(int)
    middle, border = inside(scene, (0, 0), 0.5, 0.5), inside(scene, (0, 0), 0.01, 0.5)
    x, y = np.floor(middle).astype(int)
    assert (rimmed[y, x] == bare[y, x]).all()
    x, y = np.floor(border).astype(int)
    assert (rimmed[y, x] > bare[y, x] + 20 if brighter else rimmed[y, x] < bare[y, x] - 20).all()


@pytest.fixture(scope="module")
def scene() -> NDArray[np.uint8]:
    small = np.random.default_rng(0).integers(30, 220, (9, 12, 3)).astype(np.uint8)
    return np.asarray(cv2.resize(small, (160, 120), interpolation=cv2.INTER_CUBIC), dtype=np.uint8)


@given(seed=st.integers(0, 2**32), strength=st.floats(0, 1))
@effort(max_examples=30)
def test_a_photo_has_the_size_of_its_picture(scene: NDArray[np.uint8], seed: int, strength: float) -> None:
    before = scene.copy()
    photo = photograph(scene, np.random.default_rng(seed), strength)
    assert (photo.shape, photo.dtype.name) == (scene.shape, "uint8")
    np.testing.assert_array_equal(scene, before)


@given(seed=st.integers(0, 2**32))
@effort(max_examples=10)
def test_the_same_seed_takes_the_same_photo(scene: NDArray[np.uint8], seed: int) -> None:
    first, second = (photograph(scene, np.random.default_rng(seed)) for _ in range(2))
    np.testing.assert_array_equal(first, second)


@given(seed=st.integers(0, 2**32))
@effort(max_examples=20)
def test_a_flawless_camera_changes_next_to_nothing(scene: NDArray[np.uint8], seed: int) -> None:
    photo = photograph(scene, np.random.default_rng(seed), 0.0)
    assert np.abs(photo.astype(int) - scene).mean() < 2.5


def test_more_strength_changes_more(scene: NDArray[np.uint8]) -> None:
    def change(strength: float) -> float:
        photos = [photograph(scene, np.random.default_rng(seed), strength) for seed in range(20)]
        return float(np.mean([np.abs(photo.astype(int) - scene).mean() for photo in photos]))

    assert change(0.0) < change(0.4) < change(1.0)


def test_jpeg_loses_more_at_lower_quality(scene: NDArray[np.uint8]) -> None:
    loss = [np.abs(compress_jpeg(scene, quality).astype(int) - scene).mean() for quality in (95, 60, 20)]
    assert loss == sorted(loss)


@given(seed=st.integers(0, 2**32))
@effort(max_examples=30)
def test_nothing_in_a_faded_picture_is_black_and_white_stays_white(seed: int) -> None:
    grey = np.repeat(np.arange(256, dtype=np.uint8)[None, :, None], 3, axis=2)
    veiled = fade(grey, np.random.default_rng(seed))
    assert veiled[0, 0].max() >= 15
    assert (veiled[0, 255] == 255).all()
    assert (np.diff(veiled[0].astype(int), axis=0) >= 0).all()
