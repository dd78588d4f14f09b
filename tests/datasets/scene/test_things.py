"""Coins, figures and bridges on the tiles: they are drawn, stand where they should and are no player's pieces."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np
import pytest
from shapely import Point, Polygon

from datasets.render.compositor import compose
from datasets.render.random_tables import Props, View, sample_table
from datasets.render.shots import Manner, shoot
from datasets.render.tabletops import KINDS
from datasets.scene.piece_variety import make_clear, match_art
from datasets.scene.pieces import THINGS, Piece, Shape, build_prism
from datasets.scene.table import Table, Thing
from datasets.scene.things import WEIGHTS, scatter_things
from scoring.carcassonne.deal.boards import deal_random_board
from tests.datasets.tables import cheap_art

VIEW = View((500, 400), elevation=(50, 80), whole=(0.05, 0.2))


@pytest.fixture(scope="module")
def table() -> Table:
    props = Props.gather([cheap_art()], [deal_random_board(Random(3))], KINDS, np.random.default_rng(0), 2, 64)
    return replace(sample_table(props, VIEW, np.random.default_rng(1)), clutter_seed=None)


@pytest.mark.parametrize("shape", [shape for shapes in THINGS.values() for shape in shapes])
def test_outlines_are_simple_and_counter_clockwise(shape: Shape) -> None:
    outline = Polygon(shape.outline)
    assert outline.is_valid
    assert outline.exterior.is_ccw


def test_every_kind_of_thing_occurs(table: Table) -> None:
    assert sum(WEIGHTS.values()) == pytest.approx(1.0)
    laid = [thing for seed in range(60) for thing in scatter_things(table, np.random.default_rng(seed)).things]
    assert {thing.piece.kind for thing in laid} == THINGS.keys()


def test_a_coins_picture_is_visible_and_no_thing_is_transparent(table: Table) -> None:
    coin = Thing(Piece("", "coin", "lying", table.tiles[0].at(0.5, 0.5), 0.0, (60, 90, 150)))
    plain = replace(table, meeples=(), strays=(), things=(coin,))
    struck = replace(plain, things=(replace(coin, face=np.full((16, 16, 3), (250, 10, 250), np.uint8)),))
    purple = (compose(struck).astype(int) - compose(plain))[..., 0] > 60
    assert purple.sum() > 20
    glass = replace(plain, finish=replace(plain.finish, clear=0.5))
    np.testing.assert_array_equal(compose(glass), compose(plain))


@pytest.mark.parametrize("seed", range(6))
def test_things_stand_on_tiles_and_change_the_picture_there_alone(table: Table, seed: int) -> None:
    laid = scatter_things(table, np.random.default_rng(seed))
    for thing in laid.things:
        assert any(Polygon(tile.corners).buffer(0.05).contains(Point(thing.piece.at)) for tile in laid.tiles)
    changed = (compose(laid).astype(int) != compose(table)).any(axis=2)
    assert changed.any()
    feet = laid.camera.project(np.array([(*thing.piece.at, 0.0) for thing in laid.things]))
    tile_px = float(np.linalg.norm(np.diff(laid.camera.project([(0, 0, 0), (1, 0, 0)]), axis=0)))
    rows, cols = np.nonzero(changed)
    away = np.linalg.norm(np.stack([cols, rows], 1)[:, None] - feet[None], axis=2).min(1)
    assert away.max() < 4 * tile_px


def test_a_thing_does_not_appear_among_the_labels_pieces() -> None:
    board, art = deal_random_board(Random(5), 12), cheap_art()
    bare, laid = (
        shoot(board, art, KINDS[0], Manner((500, 400), things=things), np.random.default_rng(7))
        for things in (False, True)
    )
    assert laid.label.keys() == bare.label.keys()
    assert all(laid.label[name] == bare.label[name] for name in bare.label if name != "light")
    assert (bare.image != laid.image).any()


def test_a_bridge_spans_its_tile_squarely(table: Table) -> None:
    bridges = [
        thing.piece
        for seed in range(80)
        for thing in scatter_things(table, np.random.default_rng(seed)).things
        if thing.piece.kind == "bridge"
    ]
    assert len(bridges) > 10
    for bridge in bridges:
        span = np.ptp(np.vstack(build_prism(bridge))[:, :2], axis=0)
        assert 0.8 < span.max() < 1.3
        assert span.min() < 0.5


def test_the_ground_shows_through_clear_pieces(table: Table) -> None:
    """Between a view without any piece and a solid one: nearer to the ground the more shows through."""
    solid = replace(table, finish=replace(table.finish, gloss=0.0))
    glass = replace(solid, finish=replace(solid.finish, clear=0.5))
    empty = replace(solid, meeples=(), strays=())
    ground, painted, clear = (compose(t).astype(float) for t in (empty, solid, glass))
    covered = np.abs(painted - ground).sum(2) > 120
    assert covered.sum() > 200
    assert np.abs(clear - ground)[covered].mean() < 0.8 * np.abs(painted - ground)[covered].mean()
    assert make_clear(table, np.random.default_rng(0)).finish.clear > 0.1


@pytest.mark.parametrize(
    ("land", "name"), [((20, 200, 240), "yellow"), ((50, 130, 20), "green"), ((118, 165, 205), "wood")]
)
def test_one_player_has_the_colour_of_the_land(table: Table, land: tuple[int, int, int], name: str) -> None:
    flat = (np.full((64, 64, 3), land, np.uint8),)
    on_land = replace(table, tiles=tuple(replace(tile, picture=flat) for tile in table.tiles))
    matched = match_art(on_land, np.random.default_rng(3))
    before, after = ({p.colour: p.bgr for p in t.loose} for t in (table, matched))
    assert [colour for colour, bgr in after.items() if before.get(colour) != bgr] == [name]
    assert np.linalg.norm(np.subtract(after[name], land)) < 40


def test_a_player_in_the_lands_colour_keeps_a_fixed_name(table: Table) -> None:
    flat = (np.full((64, 64, 3), (118, 165, 205), np.uint8),)
    on_land = replace(table, tiles=tuple(replace(tile, picture=flat) for tile in table.tiles))
    matched = match_art(on_land, np.random.default_rng(3), renamed=False)
    before, after = ([(p.colour, p.bgr) for p in t.loose] for t in (on_land, matched))
    assert [name for name, _ in after] == [name for name, _ in before]
    changed = {name for (name, old), (_, new) in zip(before, after, strict=True) if old != new}
    assert len(changed) == 1
