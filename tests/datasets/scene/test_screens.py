"""A table as a website draws it: exact squares, and pieces as bright pictures in the middle of their places."""

from __future__ import annotations

from random import Random

import cv2
import numpy as np
import pytest

from datasets.render.compositor import project_top_corners
from datasets.render.random_tables import Props, View, sample_table
from datasets.render.tabletops import KINDS
from datasets.scene.screens import find_middle, show_on_screen
from datasets.scene.table import Table
from scoring.carcassonne.deal.boards import deal_random_board
from tests.datasets.tables import cheap_art

TILE_PX = 50.0


@pytest.fixture(scope="module")
def tables() -> tuple[Table, Table]:
    """Return a table, and the same one as a website draws it."""
    props = Props.gather([cheap_art()], [deal_random_board(Random(3))], KINDS, np.random.default_rng(0), 2, 64)
    table = sample_table(props, View((400, 300)), np.random.default_rng(1), crowd=1.0, sloppiness=0.0)
    return table, show_on_screen(table, TILE_PX, np.random.default_rng(2))


def test_tiles_are_equal_squares_along_the_picture(tables: tuple[Table, Table]) -> None:
    _, shown = tables
    for tile in shown.tiles:
        nw, ne, se, sw = project_top_corners(shown, tile)
        assert ne - nw == pytest.approx([TILE_PX, 0], abs=0.1)
        assert sw - nw == pytest.approx([0, TILE_PX], abs=0.1)
        assert se - nw == pytest.approx([TILE_PX, TILE_PX], abs=0.1)


def test_pictures_of_pieces_lie_about_their_places_and_lean_alike(tables: tuple[Table, Table]) -> None:
    table, shown = tables
    for before, after in zip(table.loose, shown.loose, strict=True):
        assert find_middle(after) == pytest.approx(before.at, abs=1e-6)
        assert (after.colour, after.pose) == (before.colour, before.pose)
    assert len({(piece.tilt, piece.yaw) for piece in shown.loose if piece.pose == "standing"}) == 1


def test_each_player_has_one_bright_colour(tables: tuple[Table, Table]) -> None:
    _, shown = tables
    paints = {
        piece.colour: {other.bgr for other in shown.loose if other.colour == piece.colour} for piece in shown.loose
    }
    assert {len(shades) for shades in paints.values()} == {1}
    for colour in {"red", "blue", "green", "yellow"} & paints.keys():
        (bgr,) = paints[colour]
        _, saturation, value = cv2.cvtColor(np.array([[bgr]], np.float32) / 255, cv2.COLOR_BGR2HSV)[0, 0]
        assert saturation >= 0.7
        assert value >= 0.65
