"""Random tables hold their board, seen as asked; every kind of table top can be drawn."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from shapely import Point

from datasets.art.tileset import TileSet
from datasets.render.compositor import compose
from datasets.render.random_tables import Props, View, find_squares_in_view, sample_table
from datasets.render.tabletops import (
    HELD_OUT_KINDS,
    KINDS,
    REPEATED_KINDS,
    TRIED_KINDS,
    draw_tabletop,
    sample_fractal,
    sample_noise,
)
from scoring.carcassonne.board.features import place_segment_area
from scoring.carcassonne.deal.boards import deal_random_board
from tests.datasets.tables import cheap_art

WHOLE = View((400, 300), elevation=(35, 90), whole=(0.05, 0.4))
TRAINED = (*KINDS, *REPEATED_KINDS)
ALL = (*TRAINED, *HELD_OUT_KINDS, *TRIED_KINDS)


@pytest.fixture(scope="module")
def props() -> Props:
    boards = [deal_random_board(Random(i), tiles=30 + 14 * i) for i in range(4)]
    return Props.gather([cheap_art()], boards, KINDS, np.random.default_rng(0), grounds=4, ground_px=128)


@pytest.mark.parametrize("seed", range(12))
def test_a_whole_board_is_in_the_picture_at_the_elevation_asked_for(props: Props, seed: int) -> None:
    table = sample_table(props, WHOLE, np.random.default_rng(seed))
    assert find_squares_in_view(table) == {tile.square for tile in table.tiles}
    assert 35 <= table.camera.elevation <= 90
    assert {tile.square for tile in table.tiles} in [set(board.tiles) for board in props.boards]


@pytest.mark.parametrize("seed", range(6))
def test_meeples_stand_on_what_they_were_placed_on(props: Props, seed: int) -> None:
    table = sample_table(props, WHOLE, np.random.default_rng(seed), sloppiness=0.0)
    tiles = {tile.square: tile for tile in table.tiles}
    assert table.meeples
    for meeple in table.meeples:
        tile = tiles[meeple.square]
        placement = next(b.tiles[tile.square] for b in props.boards if set(b.tiles) == set(tiles))
        assert placement is not None
        assert meeple.segment is not None
        area = place_segment_area(placement.layout, placement.turns, meeple.segment, meeple.square)
        assert area.buffer(1e-9).contains(Point(meeple.at))
        assert meeple.piece.at == pytest.approx(meeple.at, abs=1e-6)
        assert (meeple.piece.pose == "lying") == (placement.layout.segments[meeple.segment].kind == "field")


def test_a_crowd_is_extra_and_stands_nowhere(props: Props) -> None:
    table = sample_table(props, WHOLE, np.random.default_rng(1), crowd=0.5)
    assert any(meeple.segment is None for meeple in table.meeples)


def test_tiles_of_other_games_are_labelled_without_a_layout() -> None:
    tile_set = cheap_art()
    art = TileSet("blobs", tile_set.pictures, {"ZZ/F": tile_set.pictures["BA/RCr"]})
    board = deal_random_board(Random(1))
    props = Props.gather([art], [board], KINDS, np.random.default_rng(0), grounds=1, ground_px=64)
    table = sample_table(props, WHOLE, np.random.default_rng(2), others=0.3)
    strange = [tile for tile in table.tiles if tile.layout is None]
    assert len(table.tiles) == 72
    assert 8 < len(strange) < 40


def test_a_close_view_shows_tiles_of_the_size_asked_for(props: Props) -> None:
    view = View((400, 300), tile_px=(60, 61), elevation=(85, 90))
    camera = sample_table(props, view, np.random.default_rng(3)).camera
    x, y, w = np.linalg.inv(camera.plane()) @ (200, 150, 1)
    left, right = camera.project([(x / w - 0.5, y / w, 0), (x / w + 0.5, y / w, 0)])
    assert np.linalg.norm(right - left) == pytest.approx(60.5, abs=1.5)


def test_the_same_seed_is_the_same_table(props: Props) -> None:
    first, second = (compose(sample_table(props, WHOLE, np.random.default_rng(9))) for _ in range(2))
    np.testing.assert_array_equal(first, second)


@pytest.mark.parametrize("kind", ALL)
def test_each_kind_varies_with_the_seed_and_is_reproducible(kind: str) -> None:
    one, again, other = (draw_tabletop(kind, np.random.default_rng(seed), 96) for seed in (1, 1, 2))
    assert (one.shape, one.dtype.name) == ((96, 96, 3), "uint8")
    np.testing.assert_array_equal(one, again)
    assert (one != other).any()


def test_evaluation_tabletops_are_never_trained_on() -> None:
    assert set(TRAINED).isdisjoint((*HELD_OUT_KINDS, *TRIED_KINDS))
    assert len(set(ALL)) == len(ALL)


@pytest.mark.parametrize("kind", ["checks", "stripes", "planks", "marble", *REPEATED_KINDS])
def test_patterns_of_tabletops_are_visible(kind: str) -> None:
    tops = [draw_tabletop(kind, np.random.default_rng(seed), 128) for seed in range(6)]
    assert np.median([top.astype(float).std(axis=(0, 1)).max() for top in tops]) > 8


def test_noise_is_even_about_zero() -> None:
    for layer in (
        sample_noise(np.random.default_rng(3), 128, (6, 9)),
        sample_fractal(np.random.default_rng(3), 128, 5),
    ):
        assert layer.mean() == pytest.approx(0, abs=0.05)
        assert layer.std() == pytest.approx(1, abs=0.05)
