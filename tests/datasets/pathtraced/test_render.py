"""The path tracer renders every object where the truth has it."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from datasets.pathtraced.lens import Lens, LensCamera, apply_lens
from datasets.pathtraced.light import Light
from datasets.pathtraced.render import expose, render_path_traced
from datasets.pathtraced.staging import stage_table
from datasets.pathtraced.tracing import trace
from datasets.scene.pieces import Piece
from datasets.scene.table import Table
from tests.datasets.tables import camera, compute_silhouette, laid, plain, table
from vision.arrays import Image

pytest.importorskip("mitsuba", reason="path tracing needs Mitsuba: the extra [render]")

QUARTERS = ((30, 30, 220), (30, 220, 30), (220, 30, 30), (220, 220, 220))
DAY = Light(np.ones((32, 64, 3), np.float32), (5.0, -5.0, 80.0), 4.0, (20.0, 20.0, 20.0))


def picture_of(scene: Table, lens: Lens, samples: int = 8) -> Image:
    margin = lens.margin(scene.camera.size)
    surfaces = stage_table(scene, np.random.default_rng(2))
    radiance = trace(surfaces, DAY, scene.camera, 0.0, margin, samples, seed=1)
    return expose(apply_lens(lens, radiance, margin), np.random.default_rng(2))


@pytest.mark.parametrize("turns", [0, 3])
def test_a_print_lies_as_its_tile_is_turned(turns: int) -> None:
    print_ = plain((0, 0, 0))
    print_[:32, :32], print_[:32, 32:], print_[32:, 32:], print_[32:, :32] = QUARTERS
    scene = table({(0, 0): laid((0, 0), print_, turns)}, camera(50, azimuth=-60))
    image = picture_of(scene, Lens())
    for i, (u, v) in enumerate([(0.25, 0.25), (0.75, 0.25), (0.75, 0.75), (0.25, 0.75)]):
        x, y = np.floor(scene.camera.project([(u, v, 0)])[0]).astype(int)
        average = image[y - 2 : y + 3, x - 2 : x + 3].reshape(-1, 3).mean(0)
        expected = np.array(QUARTERS[(i - turns) % 4])
        assert (average > average.max() * 0.7).tolist() == (expected > 128).tolist()


@pytest.mark.parametrize(("elevation", "azimuth", "k1"), [(90, 0, 0.03), (55, 25, -0.03)])
def test_corners_are_where_the_lens_puts_them(elevation: float, azimuth: float, k1: float) -> None:
    cells = 5
    checks = np.kron(np.indices((cells, cells)).sum(axis=0) % 2 * 200 + 20, np.ones((64, 64)))
    tile = laid((0, 0), np.repeat(checks[..., None], 3, axis=2).astype(np.uint8))
    lens_camera = LensCamera.of(camera(elevation, azimuth, distance=3), Lens(k1))
    image = picture_of(table({(0, 0): tile}, lens_camera), lens_camera.lens, samples=12)
    expected = lens_camera.project([(i / cells, j / cells, 0) for j in range(1, cells) for i in range(1, cells)])
    grey = cv2.GaussianBlur(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), (0, 0), 1.5)
    stop = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_COUNT, 40, 0.001)
    corners = cv2.cornerSubPix(grey, np.ascontiguousarray(expected - 0.5, np.float32), (7, 7), (-1, -1), stop) + 0.5
    assert np.abs(corners - expected).max() < 1.5  # a bowed tile's print: a tile is 300 px wide here
    assert np.abs((corners - expected).mean(axis=0)).max() < 1.0


@pytest.mark.parametrize("pose", ["standing", "lying"])
def test_a_meeple_fills_its_silhouette(pose: str) -> None:
    piece = Piece("red", "meeple", pose, (0.5, 0.5), 0.7, (20, 20, 220))
    scene = table({(0, 0): laid((0, 0), plain((200, 200, 200)))}, camera(60, distance=3), (piece,))
    image = picture_of(scene, Lens()).astype(float)
    red = ((image[..., 2] > 1.6 * image[..., 1]) & (image[..., 2] > 40)).astype(np.uint8)
    hull = np.zeros(red.shape, np.uint8)
    cv2.fillConvexPoly(hull, compute_silhouette(piece, scene.camera).astype(np.int32), 1)
    grown = cv2.dilate(hull, np.ones((9, 9), np.uint8))
    assert red.sum() > 0.5 * hull.sum()
    assert red[grown > 0].sum() > 0.97 * red.sum()


def test_a_photo_comes_again_for_the_same_seed_and_leaves_the_generator_alone() -> None:
    scene = table({(0, 0): laid((0, 0), plain((90, 160, 60)))}, camera(70, distance=6), clutter_seed=1)
    small = replace(scene, camera=replace(scene.camera, size=(640, 480)))
    results = []
    for _ in range(2):
        rng = np.random.default_rng(5)
        table_with_lens, image = render_path_traced(small, rng)
        results.append((image, rng.random()))
        assert isinstance(table_with_lens.camera, LensCamera)
        assert image.shape == (480, 640, 3)
    np.testing.assert_array_equal(results[0][0], results[1][0])
    assert results[0][1] == results[1][1] == np.random.default_rng(5).random()
