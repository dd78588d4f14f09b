"""Meeples, discs and pieces of every kind: their sizes, their places, their shadows and their paint."""

from __future__ import annotations

from random import Random

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from shapely import Polygon

from datasets.render.random_tables import Props, View, sample_table
from datasets.render.tabletops import KINDS
from datasets.scene.piece_variety import rename_players, vary_pieces
from datasets.scene.pieces import (
    COLOURS,
    CUBE,
    DISC,
    FURTHER_COLOURS,
    MEEPLE_THICKNESS_TILES,
    MEEPLE_WIDTH_TILES,
    SHAPES,
    TILE_MM,
    Finish,
    Piece,
    Shape,
    build_prism,
    compute_shadow,
    draw_piece,
)
from datasets.scene.table import Table
from scoring.carcassonne.deal.boards import deal_random_board
from tests.datasets.tables import ABOVE, camera, cheap_art, compute_silhouette

POSES = ("standing", "lying", "disc")
poses, yaws = st.sampled_from(POSES), st.floats(-4, 4)
EVERY = [(kind, make) for kind, shapes in SHAPES.items() for make in range(len(shapes))]
SIZES_MM = {
    "meeple": (16, 16, 10),
    "big": (18.5, 19.3, 9.9),
    "builder": (14.3, 20.5, 9.8),
    "pig": (22.1, 11.2, 8.0),
    "abbot": (13.0, 19.5, 10.0),
}
feet = st.tuples(st.floats(-1, 2), st.floats(-1, 2))
WHOLE = View((400, 300), elevation=(35, 90), whole=(0.05, 0.4))


def piece(pose: str, at: tuple[float, float] = (0.5, 0.5), yaw: float = 0.4) -> Piece:
    return Piece("red", "meeple", pose, at, yaw, (40, 30, 200))


def within(polygon: NDArray[np.float64], point: NDArray[np.float64]) -> bool:
    return cv2.pointPolygonTest(polygon.astype(np.float32), (float(point[0]), float(point[1])), True) > -0.5


def test_the_outline_is_symmetric_and_one_unit_wide_and_high() -> None:
    outline = SHAPES["meeple"][0].outline
    np.testing.assert_allclose(outline.min(0), (-0.5, 0), atol=1e-9)
    np.testing.assert_allclose(outline.max(0), (0.5, 1), atol=1e-9)
    mirrored = {(round(-x, 6), round(y, 6)) for x, y in outline}
    assert mirrored == {(round(x, 6), round(y, 6)) for x, y in outline}


@pytest.mark.parametrize("shape", [*(SHAPES[kind][make] for kind, make in EVERY), DISC, CUBE])
def test_outlines_are_simple_and_counter_clockwise(shape: Shape) -> None:
    outline = Polygon(shape.outline)
    assert outline.is_valid
    assert outline.exterior.is_ccw


@pytest.mark.parametrize(("kind", "make"), EVERY)
def test_pieces_have_the_size_of_the_wooden_ones(kind: str, make: int) -> None:
    points = np.vstack(build_prism(Piece("red", kind, "standing", (0, 0), 0.0, (0, 0, 0), make=make)))
    width, thickness, height = np.ptp(points, axis=0) * TILE_MM
    assert (width, height, thickness) == pytest.approx(SIZES_MM[kind])


@pytest.mark.parametrize(("kind", "make"), EVERY)
@pytest.mark.parametrize("pose", ["standing", "lying", "upside_down"])
def test_every_kind_touches_the_table_and_shows_its_colour(kind: str, make: int, pose: str) -> None:
    viewpoint = camera(50, distance=3)
    painted = Piece("blue", kind, pose, (0.5, 0.5), 0.6, (190, 80, 20), make=make, tilt=(0.1, -0.1))
    assert np.vstack(build_prism(painted))[:, 2].min() == pytest.approx(0, abs=1e-9)
    image = np.full((480, 640, 3), 255, np.uint8)
    draw_piece(image, painted, viewpoint, ABOVE, Finish(gloss=0.0))
    changed = image[(image != 255).any(axis=2)]
    assert len(changed) > 800
    assert (np.argmax(changed, axis=1) == 0).mean() > 0.95


def test_a_meeple_on_its_head_has_its_feet_up() -> None:
    head, foot = (
        np.vstack(build_prism(Piece("red", "meeple", p, (0, 0), 0, (0, 0, 0)))) for p in ("upside_down", "standing")
    )
    assert np.ptp(foot[foot[:, 2] < 0.03, 0]) > 2 * np.ptp(head[head[:, 2] < 0.03, 0])
    np.testing.assert_allclose(np.ptp(head, axis=0), np.ptp(foot, axis=0))


@given(forward=st.floats(-0.6, 0.6), aside=st.floats(-0.2, 0.2), yaw=yaws)
def test_a_leaning_piece_keeps_its_size_and_leans_to_its_side(forward: float, aside: float, yaw: float) -> None:
    upright, leaning = (
        np.vstack(build_prism(Piece("red", "meeple", "standing", (0, 0), yaw, (0, 0, 0), tilt=tilt)))
        for tilt in ((0.0, 0.0), (forward, aside))
    )
    apart = [np.linalg.norm(points[:, None] - points[None], axis=2) for points in (upright, leaning)]
    np.testing.assert_allclose(apart[0], apart[1], atol=1e-9)
    top = leaning[np.argmax(upright[:, 2])] - leaning[np.argmin(upright[:, 2])]
    assert top[2] > 0


def test_a_cube_replaces_a_disc() -> None:
    cube = np.vstack(build_prism(Piece("red", "meeple", "disc", (0, 0), 0.0, (0, 0, 0), make=1)))
    assert np.ptp(cube, axis=0) * TILE_MM == pytest.approx([9, 9, 9])


@given(pose=poses, at=feet, yaw=yaws)
def test_every_piece_stands_on_the_table_about_its_foot(pose: str, at: tuple[float, float], yaw: float) -> None:
    points = np.vstack(build_prism(piece(pose, at, yaw)))
    assert points[:, 2].min() == pytest.approx(0, abs=1e-9)
    assert np.linalg.norm(points[:, :2].mean(0) - at) < 0.1 * MEEPLE_WIDTH_TILES
    height = {"standing": MEEPLE_WIDTH_TILES, "lying": MEEPLE_THICKNESS_TILES, "disc": 0.1}[pose]
    assert points[:, 2].max() == pytest.approx(height)


@given(pose=poses, at=feet, yaw=yaws, elevation=st.floats(30, 90))
def test_a_foot_is_inside_the_silhouette(pose: str, at: tuple[float, float], yaw: float, elevation: float) -> None:
    viewpoint = camera(elevation)
    assert within(compute_silhouette(piece(pose, at, yaw), viewpoint), viewpoint.project([(*at, 0)])[0])


@given(at=feet, yaw=yaws)
def test_a_shadow_begins_at_the_foot_and_falls_away_from_the_lamp(at: tuple[float, float], yaw: float) -> None:
    viewpoint, light = camera(90), np.array([0.6, 0.0, 0.8])
    shadow = compute_shadow(piece("standing", at, yaw), viewpoint, light)
    assert within(shadow, viewpoint.project([(*at, 0)])[0])
    away = at[0] - 0.5 * MEEPLE_WIDTH_TILES * light[0] / light[2]
    assert within(shadow, viewpoint.project([(away, at[1], 0)])[0])


@pytest.mark.parametrize("pose", POSES)
@pytest.mark.parametrize("colour", COLOURS)
def test_a_piece_is_painted_in_its_colour_inside_its_silhouette(colour: str, pose: str) -> None:
    viewpoint = camera(60, distance=4)
    bgr = COLOURS[colour][0]
    painted = Piece(colour, "meeple", pose, (0.5, 0.5), 0.4, bgr)
    image = np.full((480, 640, 3), (255, 0, 255), np.uint8)
    draw_piece(image, painted, viewpoint, ABOVE, Finish(gloss=0.0))
    changed = (image != (255, 0, 255)).any(axis=2)
    hull = np.zeros((480, 640), np.uint8)
    cv2.fillConvexPoly(hull, np.round(compute_silhouette(painted, viewpoint)).astype(np.int32), 1)
    assert changed.sum() > 0.5 * hull.sum()
    assert not changed[cv2.dilate(hull, np.ones((5, 5))) == 0].any()
    middle = np.median(image[cv2.erode(changed.astype(np.uint8), np.ones((5, 5))) > 0], axis=0) + 1
    np.testing.assert_allclose(middle / middle.sum(), (np.array(bgr) + 1) / (sum(bgr) + 3), atol=0.08)


def test_a_piece_behind_the_camera_is_not_painted() -> None:
    image = np.zeros((480, 640, 3), np.uint8)
    draw_piece(image, piece("standing", at=(20, 0.5)), camera(30, azimuth=0, distance=5), ABOVE, Finish(gloss=0.0))
    assert not image.any()


@pytest.fixture(scope="module")
def table() -> Table:
    props = Props.gather([cheap_art()], [deal_random_board(Random(3))], KINDS, np.random.default_rng(0), 2, 64)
    return sample_table(props, WHOLE, np.random.default_rng(1), crowd=3.0)


def test_every_kind_and_pose_occurs(table: Table) -> None:
    pieces = [meeple.piece for meeple in vary_pieces(table, 0.8, np.random.default_rng(2)).meeples]
    assert {piece.kind for piece in pieces} == {"meeple", "big", "builder", "pig", "abbot"}
    assert {piece.pose for piece in pieces} == {"standing", "lying", "disc", "upside_down"}
    assert {piece.make for piece in pieces if piece.pose == "disc"} == {0, 1}
    assert any(np.abs(piece.tilt).max() > 0.3 for piece in pieces)


def test_pieces_on_features_stay_unchanged(table: Table) -> None:
    before = [meeple for meeple in table.meeples if meeple.segment is not None]
    after = [m for m in vary_pieces(table, 1.0, np.random.default_rng(3)).meeples if m.segment is not None]
    before_change = [(m.square, m.at, m.piece.colour, m.piece.kind, m.piece.pose, m.piece.at) for m in before]
    assert before_change == [(m.square, m.at, m.piece.colour, m.piece.kind, m.piece.pose, m.piece.at) for m in after]


def test_some_pieces_touch(table: Table) -> None:
    changed = vary_pieces(table, 0.5, np.random.default_rng(4))
    assert len(changed.meeples) > len(table.meeples)
    for before, after in zip(changed.meeples, changed.meeples[1:], strict=False):
        if after.piece.size == before.piece.size and after.segment is None:
            assert after.square == (int(np.floor(after.at[1])), int(np.floor(after.at[0])))


@pytest.mark.parametrize("seed", range(5))
def test_strays_lie_on_no_tile(table: Table, seed: int) -> None:
    squares = {tile.square for tile in table.tiles}
    for stray in vary_pieces(table, 0.5, np.random.default_rng(seed)).strays:
        col, row = stray.at
        near = [(r, c) for r, c in squares if abs(r + 0.5 - row) < 0.5 and abs(c + 0.5 - col) < 0.5]
        assert not near


def test_the_same_seed_is_the_same_table(table: Table) -> None:
    one, two = (vary_pieces(table, 0.5, np.random.default_rng(6)) for _ in range(2))
    assert one.meeples == two.meeples
    assert one.strays == two.strays


def test_players_get_any_colours_and_all_their_pieces_the_same(table: Table) -> None:
    seen = set()
    for seed in range(12):
        renamed = rename_players(table, np.random.default_rng(seed))
        names = {(old.piece.colour, new.piece.colour) for old, new in zip(table.meeples, renamed.meeples, strict=True)}
        assert len(names) == len({old for old, _ in names}) == len({new for _, new in names})
        assert len({new.piece.bgr for new in renamed.meeples}) == len(names)
        seen |= {new for _, new in names}
    assert seen == {*COLOURS, *FURTHER_COLOURS}
