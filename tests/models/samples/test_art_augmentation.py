"""Coats of arms painted on tile art, and samples for the net of coats."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from random import Random

import cv2
import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from datasets.art.procedural import draw_tile_set
from datasets.art.style import STYLES
from datasets.render.random_tables import Props, View, sample_table
from datasets.render.tabletops import KINDS
from datasets.scene.table import LaidTile, Table
from models.samples.art_augmentation import (
    HALF_HEIGHT_TILES,
    PATCH_PX,
    Blazon,
    find_bare_twins,
    paint_blazon,
    paint_coats,
    sample_blazon,
    strip_coats,
)
from models.samples.coats import stream_coat_samples, stream_new_coat_samples
from models.samples.tiles import Sources
from scoring.carcassonne.deal.boards import deal_random_board
from scoring.carcassonne.tiles.catalogue import load_base_catalogue
from scoring.carcassonne.tiles.layout import TileLayout
from tests.datasets.tables import cheap_art
from vision.photo.crops import CROP_PX
from vision.runtime.onnx import MODELS, Net
from vision.squares.catalogue import build_reading_catalogue
from vision.squares.coat_classifier import CHANNELS

SMALL = View((160, 120))
LEAST, SHOWN = 60, 4


@pytest.fixture(scope="module")
def props() -> Props:
    return Props.gather(
        [cheap_art()], [deal_random_board(Random(2))], KINDS[:1], np.random.default_rng(0), grounds=1, ground_px=64
    )


def test_twins_differ_only_in_their_coats() -> None:
    catalogue = build_reading_catalogue()
    assert {catalogue[coat].letter for coat in find_bare_twins() if coat in load_base_catalogue()} == set("FMOQS")
    for coat, bare in find_bare_twins().items():
        assert catalogue[coat].coat_spots
        assert not catalogue[bare].coat_spots
        assert [catalogue[coat].edge(side) for side in "NESW"] == [catalogue[bare].edge(side) for side in "NESW"]


def test_coats_without_a_bare_twin_are_not_laid(props: Props) -> None:
    coat, bare = next(iter(find_bare_twins().items()))
    without = {tile: pictures for tile, pictures in props.art[0].items() if tile != bare}
    (art,) = strip_coats(replace(props, art=(without,))).art
    assert coat not in art
    assert all(art[one] is without[other] for one, other in find_bare_twins().items() if other in without)
    assert all(art[tile] is pictures for tile, pictures in without.items() if tile not in find_bare_twins())


def differs(tile: LaidTile, before: LaidTile) -> NDArray[np.bool_]:
    """Return the pixels in which a tile differs from before, in its largest picture."""
    return np.asarray((tile.picture[0] != before.picture[0]).any(axis=2))


@pytest.mark.parametrize("seed", range(4))
def test_a_shield_is_painted_only_in_its_city(props: Props, seed: int) -> None:
    rng = np.random.default_rng(seed)
    bare = sample_table(strip_coats(props), SMALL, rng)
    table = paint_coats(bare, rng)
    painted = 0
    for tile, before in zip(table.tiles, bare.tiles, strict=True):
        if tile.layout not in find_bare_twins():
            assert tile is before
            continue
        layout, changed = build_reading_catalogue()[tile.layout], differs(tile, before)
        painted += 1
        least = 2 * min(HALF_HEIGHT_TILES) ** 2 * changed.size * len(layout.coat_spots)
        assert least / 4 < changed.sum() < 8 * max(HALF_HEIGHT_TILES) ** 2 * changed.size * len(layout.coat_spots)
        city = near_city(layout, changed.shape[0])
        assert (changed & city).sum() > 0.9 * changed.sum()
        assert [level.shape for level in tile.picture] == [level.shape for level in before.picture]
    assert painted == sum(load_base_catalogue()[letter].count for letter in "FMOQS")


def near_city(layout: TileLayout, size: int) -> NDArray[np.bool_]:
    """Return the pixels of a layout's cities with coats of arms, and those next to them."""
    y, x = (np.mgrid[:size, :size] + 0.5) / size
    cities = shapely.union_all([part.geometry for part in layout.segments if part.shields])
    return np.asarray(shapely.contains_xy(cities.buffer(2 / size), x, y))


def test_each_table_has_its_own_design(props: Props) -> None:
    bare = sample_table(strip_coats(props), SMALL, np.random.default_rng(1))

    def colours(table: Table) -> NDArray[np.float64]:
        pairs = [(tile, before) for tile, before in zip(table.tiles, bare.tiles, strict=True) if tile is not before]
        return np.array([tile.picture[0][differs(tile, before)].mean(axis=0) for tile, before in pairs])

    one, other = (colours(paint_coats(bare, np.random.default_rng(seed))) for seed in (5, 6))
    assert np.linalg.norm(one - one.mean(axis=0), axis=1).max() < np.linalg.norm(one.mean(axis=0) - other.mean(axis=0))


def test_all_copies_of_a_tile_have_their_shield_at_the_same_place(props: Props) -> None:
    for seed in range(4):
        bare = sample_table(strip_coats(props), SMALL, np.random.default_rng(seed))
        middles: dict[str, list[NDArray[np.float64]]] = {}
        for tile, before in zip(paint_coats(bare, np.random.default_rng(seed)).tiles, bare.tiles, strict=True):
            if tile is not before and tile.layout:
                changed = np.argwhere(differs(tile, before))
                middles.setdefault(tile.layout, []).append(changed.mean(axis=0) / tile.picture[0].shape[0])
        assert max(len(places) for places in middles.values()) > 1
        assert all(np.ptp(places, axis=0).max() < 0.02 for places in middles.values())


@given(st.integers(0, 2**32))
def test_any_design_covers_a_good_part_of_its_patch_and_nothing_beyond(seed: int) -> None:
    blazon = sample_blazon(np.random.default_rng(seed))
    assert blazon.picture.shape == (PATCH_PX, PATCH_PX, 3)
    assert blazon.cover.shape == (PATCH_PX, PATCH_PX)
    assert blazon.cover.min() >= 0
    assert blazon.cover.max() <= 1
    assert 0.2 < (blazon.cover > 0).mean() < 0.9
    assert not blazon.cover[[0, -1]].any()
    assert not blazon.cover[:, [0, -1]].any()
    assert HALF_HEIGHT_TILES[0] <= blazon.half <= HALF_HEIGHT_TILES[1]


@pytest.mark.parametrize("size", [48, 160, 640])
def test_a_shield_is_painted_at_the_given_place_and_size(size: int) -> None:
    white = np.full((PATCH_PX, PATCH_PX, 3), 255, np.uint8)
    disc = np.zeros((PATCH_PX, PATCH_PX))
    cv2.circle(disc, (PATCH_PX // 2, PATCH_PX // 2), PATCH_PX // 2 - 2, 1.0, -1)
    picture = np.zeros((size, size, 3), np.uint8)
    paint_blazon(picture, Blazon(white, disc, 0.1, 0.0), (0.3, 0.6), np.random.default_rng(0))
    weight = picture[..., 0].astype(float) / 255
    y, x = (np.mgrid[:size, :size] + 0.5) / size
    assert (weight * x).sum() / weight.sum() == pytest.approx(0.3, abs=0.01)
    assert (weight * y).sum() / weight.sum() == pytest.approx(0.6, abs=0.01)
    assert weight.mean() == pytest.approx(np.pi * 0.1**2, rel=0.15)


@pytest.fixture(scope="module")
def sources() -> Sources:
    boards = [deal_random_board(Random(i)) for i in range(2)]
    art = [draw_tile_set(STYLES[name], 3, 120, variants=1) for name in ("meadow", "terra")]
    return Sources(Props.gather(art, boards, KINDS, np.random.default_rng(0), grounds=3, ground_px=128), ())


@pytest.mark.soak
def test_samples_show_squares_with_and_without_coats_some_beside_copies(sources: Sources) -> None:
    samples = list(islice(stream_new_coat_samples(sources, np.random.default_rng(6)), LEAST))
    for picture, coat in samples:
        assert picture.shape == (CROP_PX, CROP_PX, CHANNELS)
        assert (picture.dtype.name, coat.dtype.name) == ("uint8", "float32")
    assert 0.2 < np.mean([coat for _, coat in samples]) < 0.8
    for first in (3, 6):
        beside = np.mean([picture[..., first : first + 3].any() for picture, _ in samples])
        assert 0.05 < beside < 0.98


@pytest.mark.soak
def test_the_trained_net_classifies_most_samples_correctly(sources: Sources) -> None:
    samples = list(islice(stream_new_coat_samples(sources, np.random.default_rng(7)), 2 * LEAST))
    (logits,) = Net(MODELS / "coats.onnx")(np.stack([picture for picture, _ in samples]).astype(np.uint8))
    assert ((logits[:, 0] > 0) == np.array([float(coat) > 0 for _, coat in samples])).mean() > 0.65  # many are hidden


def test_a_seed_reproduces_the_stream(sources: Sources) -> None:
    one, two = (list(islice(stream_coat_samples(sources, np.random.default_rng(2)), SHOWN)) for _ in range(2))
    for first, second in zip(one, two, strict=True):
        for part, again in zip(first, second, strict=True):
            np.testing.assert_array_equal(part, again)
