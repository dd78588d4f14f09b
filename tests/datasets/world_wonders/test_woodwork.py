"""Wooden parts: outlines with rounded corners, sides that hide what lies behind them, monuments unlike each other."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
import shapely

from datasets.scene.camera import Camera
from datasets.world_wonders.monument_shapes import build_monument
from datasets.world_wonders.own_copy import MONUMENTS
from datasets.world_wonders.style import build_style
from datasets.world_wonders.woodwork import (
    MARKERS,
    Part,
    build_marker,
    build_tower,
    draw_piece,
    measure_frame,
    round_corners,
    saw_part,
)
from vision.arrays import Image

STYLE = build_style("papyrus")
LIGHT = np.array([0.3, 0.2, 0.93])
SIZE = (240, 240)


def seen(parts: list[Part], azimuth: float = 250.0, elevation: float = 55.0) -> Image:
    camera = Camera.look_at((0, 0), elevation=elevation, azimuth=azimuth, roll=0, distance=150, focal_px=400, size=SIZE)
    image = np.full((SIZE[1], SIZE[0], 3), 128, np.uint8)
    draw_piece(image, parts, camera, LIGHT, 0.0, np.random.default_rng(1))
    return image


@pytest.mark.parametrize("name", MONUMENTS)
def test_a_monument_stands_within_its_squares(name: str) -> None:
    wide, high = measure_frame(MONUMENTS[name])
    points = np.vstack([part.points for part in build_monument(name, STYLE)])
    assert (points[:, :2].min(0) >= 0).all()
    assert (points[:, :2].max(0) <= (wide, high)).all()
    assert points[:, 2].min() == pytest.approx(0, abs=1e-9)
    assert 8 <= points[:, 2].max() <= 34


def test_monuments_differ_in_shape_from_each_other() -> None:
    shapes = {}
    for name in MONUMENTS:
        frame = np.array(measure_frame(MONUMENTS[name])) / 2
        grey = [Part(part.first, part.second, (90, 90, 90)) for part in build_monument(name, STYLE)]
        shapes[name] = seen([part.moved(-frame) for part in grey])
    for one, other in combinations(shapes, 2):
        assert (shapes[one] != shapes[other]).any(axis=2).sum() > 300, (one, other)


def test_a_tower_is_sawn_or_turned_and_markers_have_several_shapes() -> None:
    styles = [build_style(f"any-{n}") for n in range(8)]
    assert len({len(build_tower(style)) for style in styles}) == 2
    shapes = {len(part.first) for style in styles for track in range(5) for part in build_marker(style, track)}
    assert len(shapes) >= len(MARKERS) - 1


def test_outer_corners_are_rounded_and_notches_stay() -> None:
    notched = [(0, 0), (20, 0), (20, 10), (12, 10), (12, 5), (8, 5), (8, 10), (0, 10)]
    rounded, whole = (shapely.Polygon(outline) for outline in (round_corners(notched, 0.8), notched))
    assert rounded.within(whole.buffer(1e-6))
    assert 0.97 < rounded.area / whole.area < 1
    assert not rounded.contains(shapely.Point(10, 8))


def test_an_arch_is_transparent_and_a_wall_is_not() -> None:
    wall = [(-10, 0), (10, 0), (10, 12), (-10, 12)]
    arch = [(-10, 0), (-5, 0), (-5, 8), (5, 8), (5, 0), (10, 0), (10, 12), (-10, 12)]
    open_px, closed_px = (
        (seen([saw_part(outline, 2, (20, 20, 200))], 270, 20) == 128).all(axis=2).sum() for outline in (arch, wall)
    )
    assert open_px - closed_px > 300


def test_paint_differs_a_little_from_piece_to_piece() -> None:
    rng = np.random.default_rng(3)
    camera = Camera.look_at((0, 0), elevation=70, azimuth=0, roll=0, distance=150, focal_px=400, size=SIZE)
    means = []
    for _ in range(12):
        image = np.zeros((SIZE[1], SIZE[0], 3), np.uint8)
        draw_piece(image, build_monument("giza", STYLE), camera, LIGHT, 0.0, rng)
        means.append(image[image.any(axis=2)].mean())
    assert 0.005 < np.std(means) / np.mean(means) < 0.08
