"""Staged objects lie where the table has them: prints in the atlas, objects off the board and on the table."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from datasets.pathtraced.light import compute_sky_irradiance, sample_light, sample_room
from datasets.pathtraced.staging import MAX_LIFT_TILES, build_atlas, stage_table
from datasets.pathtraced.things import is_on_table, place_clutter
from datasets.scene.clutter import build_rectangle
from datasets.scene.pieces import Piece
from datasets.scene.table import TILE_THICKNESS_TILES
from tests.datasets.tables import camera, laid, plain, table

COLOURS = ((10, 20, 200), (30, 220, 30), (220, 30, 30), (220, 220, 220), (90, 10, 120))
TILES = {(0, col): laid((0, col), plain(bgr), turns=col % 4) for col, bgr in enumerate(COLOURS)}
PIECE = Piece("red", "meeple", "standing", (0.5, 0.5), 0.3, (40, 30, 200))


@pytest.mark.parametrize("count", [1, 2, 5, 9, 10])
def test_each_picture_has_its_place_in_the_atlas(count: int) -> None:
    pictures = [plain((i, 2 * i, 3 * i), 16) for i in range(count)]
    sheet, cells = build_atlas(pictures)
    for picture, cell in zip(pictures, cells, strict=True):
        x, y = np.round(cell * sheet.shape[0]).astype(int)
        np.testing.assert_array_equal(sheet[y : y + 16, x : x + 16], picture)


@pytest.mark.parametrize("seed", range(4))
def test_the_board_shows_each_tile_its_own_print(seed: int) -> None:
    scene = table(TILES, camera())
    board = next(s for s in stage_table(scene, np.random.default_rng(seed)) if s.picture.shape[0] > 64)
    size = board.picture.shape[0]
    for vertex, uv in zip(board.mesh.vertices, board.mesh.uv, strict=True):
        col = int(np.clip(np.floor(vertex[0]), 0, len(COLOURS) - 1))
        if min(vertex[0] % 1, 1 - vertex[0] % 1) > 1e-6:
            x, y = np.floor(uv * size).astype(int)
            np.testing.assert_array_equal(board.picture[y, x], COLOURS[col])


def test_pieces_stand_on_tiles_and_strays_on_the_table() -> None:
    beside = replace(PIECE, at=(-2.0, 0.5), bgr=(200, 10, 10))
    scene = replace(table(TILES, camera(), (PIECE,)), strays=(beside,))
    feet = {
        tuple(s.picture[0, 0].tolist()): s.mesh.vertices[:, 2].min()
        for s in stage_table(scene, np.random.default_rng(0))
    }
    assert feet[PIECE.bgr] == pytest.approx(MAX_LIFT_TILES)
    assert feet[beside.bgr] == pytest.approx(-TILE_THICKNESS_TILES)


def test_what_would_fall_off_the_table_is_left_out() -> None:
    beside = replace(PIECE, at=(-2.0, 0.5), bgr=(200, 10, 10))
    edge = build_rectangle((2.5, 0.5), (6.0, 3.0), 0.0)
    scene = replace(table(TILES, camera(), (PIECE,)), strays=(beside,), edge=edge)
    colours = {
        tuple(s.picture[0, 0].tolist()) for s in stage_table(scene, np.random.default_rng(0)) if s.picture.size == 3
    }
    assert PIECE.bgr in colours
    assert beside.bgr not in colours


@pytest.mark.parametrize("edge", [None, build_rectangle((2.5, 0.5), (14.0, 12.0), 0.1)], ids=["endless", "edge"])
def test_things_stand_on_the_table_and_clear_of_the_board(edge: np.ndarray | None) -> None:
    scene = replace(table(TILES, camera()), edge=edge)
    x0, y0, x1, y1 = scene.bounds
    count = 0
    for seed in range(25):
        for thing in place_clutter(scene, np.random.default_rng(seed)):
            x, y, z = thing.mesh.vertices.T
            assert (x.max() < x0) or (x.min() > x1) or (y.max() < y0) or (y.min() > y1)
            assert z.min() >= -TILE_THICKNESS_TILES - 1e-9
            assert is_on_table(scene, thing.mesh.vertices[:, :2])
            count += 1
    assert count > 20


def test_an_even_sky_gives_what_a_level_surface_takes_from_it() -> None:
    assert compute_sky_irradiance(np.ones((64, 128, 3), np.float32)) == pytest.approx(np.pi, rel=1e-3)


def test_the_lamp_hangs_beyond_the_camera_and_the_room_is_bright() -> None:
    scene = table(TILES, camera(90, distance=40.0))
    for seed in range(10):
        rng = np.random.default_rng(seed)
        light = sample_light(scene, rng)
        assert light.at[2] - light.radius > scene.camera.position[2]
        assert min(light.radiance) > 0
        room = sample_room(rng)
        assert np.isfinite(room).all()
        assert room.min() > 0
