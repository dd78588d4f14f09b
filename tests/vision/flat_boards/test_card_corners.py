"""A piece of card alone on a plain ground is found by its corners; anything else has none."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from datasets.art.score_designs import draw_score_token
from datasets.art.style import STYLES
from datasets.render.score_board_enrolment import show_score_token
from datasets.scene.clutter import paste
from tests.datasets.tables import list_styles
from vision.arrays import Floats, Image
from vision.flat_boards.card_corners import find_card_corners
from vision.photo.pyramid import Halves

SIZE = (640, 480)
SQUARE = np.array([(180.0, 90.0), (470.0, 90.0), (470.0, 380.0), (180.0, 380.0)])
offs = st.lists(st.floats(-40, 40), min_size=8, max_size=8).map(lambda offsets: np.array(offsets).reshape(4, 2))
colours = st.tuples(*[st.integers(0, 255)] * 3)


def on_ground(picture: Image, corners: Floats, bgr: tuple[int, int, int]) -> Image:
    image = np.full((SIZE[1], SIZE[0], 3), bgr, np.uint8)
    paste(image, picture, corners)
    return image


@settings(max_examples=40)
@given(offs, colours)
def test_a_card_on_any_plain_ground_unlike_it_is_found_by_its_corners(off: Floats, bgr: tuple[int, int, int]) -> None:
    white = np.full((40, 40, 3), 255, np.uint8)
    if max(bgr) > 200:
        bgr = (bgr[0] // 2, bgr[1] // 2, bgr[2] // 2)
    corners = SQUARE + off
    estimate = find_card_corners(Halves(on_ground(white, corners, bgr)))
    assert estimate is not None
    nearest = np.linalg.norm(estimate[:, None] - corners, axis=2).min(axis=1)
    assert nearest.max() < 6
    around = np.roll(estimate, -1, axis=0) - estimate
    assert (around[:, 0] * np.roll(around, -1, axis=0)[:, 1] > around[:, 1] * np.roll(around, -1, axis=0)[:, 0]).all()
    assert estimate.sum(axis=1).argmin() == 0


@pytest.mark.parametrize("name", list_styles("snow", "terra"))
def test_each_side_of_a_token_is_found_in_every_style(name: str) -> None:
    for points in (50, 100):
        rng = np.random.default_rng(points)
        image = show_score_token(draw_score_token(points, STYLES[name], rng), rng)
        corners = find_card_corners(Halves(image))
        assert corners is not None
        assert cv2.contourArea(corners.astype(np.float32)) > 0.25 * image.shape[0] * image.shape[1]


def test_an_empty_picture_and_a_disc_have_no_card_corners() -> None:
    assert find_card_corners(Halves(np.full((480, 640, 3), 90, np.uint8))) is None
    disc = cv2.circle(np.full((480, 640, 3), 90, np.uint8), (320, 240), 180, (255, 255, 255), -1)
    assert find_card_corners(Halves(np.asarray(disc, np.uint8))) is None
    cut = on_ground(np.full((40, 40, 3), 255, np.uint8), SQUARE + np.array([250, 0]), (30, 60, 30))
    assert find_card_corners(Halves(cut)) is None
    tiles = np.full((480, 640, 3), 90, np.uint8)
    for x, y in ((150, 150), (260, 150), (260, 260), (370, 260)):
        cv2.rectangle(tiles, (x, y), (x + 108, y + 108), (255, 255, 255), -1)
    assert find_card_corners(Halves(tiles)) is None
