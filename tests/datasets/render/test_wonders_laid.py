"""Wonders in the project's own art: their edges are visible; laid squares are one piece with an exact label."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

from datasets.art.style import STYLES, to_lab
from datasets.art.tileset import TileSet
from datasets.art.wonders import draw_wonder
from datasets.render.compositor import build_pyramid, compose, project_top_corners
from datasets.render.shots import Manner, shoot
from datasets.scene.table import LaidTile, align_as_one, lay_by_hand
from models.samples.tiles import OTHER, find_class, find_tile_classes
from scoring.carcassonne.board.board import PlacedWonder
from scoring.carcassonne.board.notation import format_notation, parse_notation
from scoring.carcassonne.deal.boards import deal_random_board
from scoring.carcassonne.tiles.geometry import SIDES
from scoring.carcassonne.wonders.catalogue import load_wonder_catalogue
from scoring.carcassonne.wonders.tiles import WONDERS
from tests.datasets.tables import camera, cheap_art, plain, table
from vision.evaluation.labels import read_truth

PX = 48
MEADOW = STYLES["meadow"]


TOLD = (("road", "field"), ("road",))
"""The edges that a variant shows for certain: from any side but the south a wall may hide a strip of grass."""


def looks_like(colours: NDArray[np.uint8]) -> str:
    """Return road, field or city by the style's colour nearest to the median of some pixels (n, 3), RGB."""
    kinds = {"road": MEADOW.road, "field": MEADOW.grass, "city": MEADOW.city_ground}
    median = np.median([to_lab(tuple(colour.tolist())) for colour in colours], axis=0)
    return min(kinds, key=lambda kind: float(np.linalg.norm(median - to_lab(kinds[kind]))))


@pytest.mark.parametrize("variant", [0, 1])
@pytest.mark.parametrize("name", sorted(WONDERS))
def test_a_drawn_wonder_shows_its_edges_at_its_outline(name: str, variant: int) -> None:
    wonder = load_wonder_catalogue()[name]
    picture = draw_wonder(wonder, MEADOW, 3, PX, variant)
    assert picture.shape == (wonder.extent * PX, wonder.extent * PX, 3)
    for (row, col), cell in zip(wonder.squares, wonder.cells, strict=True):
        for side in (side for side in SIDES if cell.edge(side) in TOLD[variant]):
            square = picture[row * PX :, col * PX :][:PX, :PX, ::-1]
            strip = np.rot90(square, SIDES.index(side))[1:3]
            reach = PX // 48 if cell.edge(side) == "road" else PX // 4
            assert looks_like(strip[:, PX // 2 - reach : PX // 2 + reach].reshape(-1, 3)) == cell.edge(side)


def test_the_squares_of_a_wonder_are_laid_as_one() -> None:
    rng = np.random.default_rng(1)
    wonder = PlacedWonder(load_wonder_catalogue()["WH/tikal"], (3, 4), 1)
    placed = lay_by_hand([(row, col) for row in range(8) for col in range(8)], rng)
    one = align_as_one(wonder.squares, placed)
    corners = np.array([one[square] for square in wonder.squares])
    assert np.allclose(np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2), 1)
    shared = {tuple(np.round(corner, 9)) for corner in corners.reshape(-1, 2)}
    assert len(shared) == len({node for row, col in wonder.squares for node in _nodes(row, col)})
    middle = np.mean([placed[square] for square in wonder.squares], axis=(0, 1))
    assert np.allclose(corners.mean(axis=(0, 1)), middle)


def _nodes(row: int, col: int) -> list[tuple[int, int]]:
    return [(row, col), (row, col + 1), (row + 1, col + 1), (row + 1, col)]


@pytest.mark.parametrize("elevation", [35.0, 60.0, 90.0])
def test_a_wonder_shows_no_seams_inside(elevation: float) -> None:
    """One grey picture on dark cardboard: within the outline the photo has that grey throughout."""
    wonder = PlacedWonder(load_wonder_catalogue()["WH/stonehenge"], (-1, -1))
    picture = build_pyramid(plain((200, 200, 200), 64 * wonder.layout.extent))
    corners = {(row, col): np.array(_nodes(row, col), float)[:, ::-1] for row, col in wonder.squares}
    tiles = {
        square: LaidTile(
            square, wonder.layout.id, wonder.turns, corners[square], picture, cell=cell, wonder=wonder.layout
        )
        for cell, square in enumerate(wonder.squares)
    }
    scene = replace(table(tiles, camera(elevation)), cardboard=(10, 10, 10), rim=(0.6, 0.02))
    image = compose(scene)
    tops = [project_top_corners(scene, tile) for tile in scene.tiles]
    inside = {
        tuple(np.round(a, 6)) for i, top in enumerate(tops) for a in _middles(top) for j, o in enumerate(tops)
        if i != j and np.abs(_middles(o) - a).max(axis=1).min() < 1e-6
    }  # fmt: skip
    assert len(inside) == 5
    for x, y in inside:
        assert (image[round(y) - 2 : round(y) + 3, round(x) - 2 : round(x) + 3] == 200).all()


def _middles(top: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray((top + np.roll(top, 1, axis=0)) / 2)


def test_a_shot_of_a_table_with_wonders_has_their_squares_in_its_label() -> None:
    wonders = [load_wonder_catalogue()[name] for name in ("WH/alhambra", "WH/tikal")]
    board = deal_random_board(Random(5), 20, wonders=wonders)
    pictures = {wonder.id: (plain((90, 200, 120), 24 * wonder.extent),) for wonder in wonders}
    art: TileSet = replace(cheap_art(), wonders=pictures)
    shot = shoot(board, art, "plain", Manner((900, 700), strength=None), np.random.default_rng(2))
    truth = read_truth({"photo": "a.jpg", **shot.label}, "a")
    assert truth.board == board
    assert {tile.square for tile in truth.tiles} == set(board.tiles)
    assert truth.expect_final is not None


def test_squares_of_wonders_are_labelled_as_other_tiles_with_outer_edges() -> None:
    wonder = PlacedWonder(load_wonder_catalogue()["WH/alhambra"], (0, 0), 3)
    kinds = ("field", "road", "city", "river")
    for cell, (square, placement) in enumerate(wonder.placements.items()):
        tile = LaidTile(square, "WH/alhambra", 3, np.zeros((4, 2)), (), cell=cell, wonder=wonder.layout)
        label, edges = find_tile_classes(tile)
        assert label == OTHER
        assert [kinds[e] if e >= 0 else "inside" for e in edges] == [placement.edge(side) for side in SIDES]


@pytest.mark.parametrize("turns", range(4))
def test_tiles_of_other_expansions_are_labelled_with_their_turned_edges(turns: int) -> None:
    edge_kinds = ("city", "road", "road", "city")
    label, edges = find_tile_classes(LaidTile((0, 0), None, turns, np.zeros((4, 2)), (), foreign="AM/CCRR"))
    assert label == find_class("AM/CCRR", turns)
    assert [("field", "road", "city", "river")[edges[(i + turns) % 4]] for i in range(4)] == list(edge_kinds)


def test_an_unknown_tile_has_no_known_edges() -> None:
    assert find_tile_classes(LaidTile((0, 0), None, 0, np.zeros((4, 2)), ())) == (OTHER, [-1] * 4)


def test_boards_with_wonders_survive_every_text_form() -> None:
    board = deal_random_board(Random(8), 25, wonders=[load_wonder_catalogue()["WH/angkor-wat"]])
    assert board.wonders
    assert parse_notation(format_notation(board)) == board
