"""Several photos of one table: one board in every label, a part of it in a photo of a part, a hand in its place."""

from __future__ import annotations

from random import Random

import numpy as np

from datasets.render.several_photos import HAND_BGR, Part, shoot_several
from datasets.render.shots import Manner, Shot
from scoring.carcassonne.board.label import read_label
from scoring.carcassonne.deal.boards import deal_random_board
from tests.datasets.tables import cheap_art

BOARD = deal_random_board(Random(2), tiles=30)
CLEAN = Manner((640, 480), strength=None)


def shots(*parts: Part, seed: int = 1) -> list[Shot]:
    return list(shoot_several(BOARD, cheap_art(), "plain", CLEAN, parts, np.random.default_rng(seed)))


def shown(shot: Shot) -> set[tuple[int, int]]:
    """Return the squares that lie in the picture."""
    height, width = shot.image.shape[:2]
    quads = {tuple(one["cell"]): np.array(one["corners"]) for one in shot.label["corners_px"]}
    return {square for square, quad in quads.items() if ((quad >= 0) & (quad <= (width, height))).all()}


def test_every_photo_is_of_the_same_board_from_elsewhere() -> None:
    one, other = shots(Part(), Part())
    assert read_label(one.label) == read_label(other.label) == BOARD
    assert one.label["corners_px"] != other.label["corners_px"]
    assert shown(one) == shown(other) == set(BOARD.tiles)


def test_a_part_lacks_what_lies_beyond_it() -> None:
    west, east = shots(Part(width=(0.0, 0.4)), Part(width=(0.6, 1.0)))
    assert shown(west) != shown(east)
    columns = [col for _, col in BOARD.tiles]
    assert {square for square in BOARD.tiles if square[1] == min(columns)} <= shown(west)
    assert {square for square in BOARD.tiles if square[1] == max(columns)} <= shown(east)


def test_a_hand_covers_its_tiles_and_no_others() -> None:
    (shot,) = shots(Part(hand=(0.0, 0.4)))
    low, high = min(c for _, c in BOARD.tiles), max(c for _, c in BOARD.tiles) + 1
    for one in shot.label["corners_px"]:
        x, y = np.mean(one["corners"], axis=0).astype(int)
        across = (one["cell"][1] + 0.5 - low) / (high - low)
        if abs(across - 0.4) > 0.1:
            assert (shot.image[y, x] == HAND_BGR).all() == (across < 0.4)


def test_the_same_seed_gives_the_same_photos() -> None:
    again = shots(Part(), seed=3)
    assert (shots(Part(), seed=3)[0].image == again[0].image).all()
