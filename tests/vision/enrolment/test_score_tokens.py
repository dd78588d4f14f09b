"""A token is enrolled from one photo of each side, stored, or refused with a code."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from datasets.art.score_token import draw_score_token
from datasets.art.style import STYLES, TERRA
from datasets.render.score_board_enrolment import show_score_token
from datasets.scene.clutter import paste
from tests.datasets.styles import list_styles
from tests.vision.score_track.photos import photo
from vision.arrays import Floats, Image
from vision.enrolment.score_tokens import ScoreTokens, build_score_token, find_card_corners
from vision.errors import EnrolmentError
from vision.photo.decoding import Photo
from vision.photo.pyramid import Halves

SIZE = (640, 480)
SQUARE = np.array([(180.0, 90.0), (470.0, 90.0), (470.0, 380.0), (180.0, 380.0)])
offs = st.lists(st.floats(-40, 40), min_size=8, max_size=8).map(lambda offsets: np.array(offsets).reshape(4, 2))
colours = st.tuples(*[st.integers(0, 255)] * 3)


def on_ground(picture: Image, corners: Floats, bgr: tuple[int, int, int]) -> Image:
    image = np.full((SIZE[1], SIZE[0], 3), bgr, np.uint8)
    paste(image, picture, corners)
    return image


@cache
def shown(points: int = 50, seed: int = 3) -> Photo:
    rng = np.random.default_rng(seed)
    return photo(show_score_token(draw_score_token(points, TERRA, np.random.default_rng(1)), rng))


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
def test_each_side_in_any_style_is_found_on_a_photo_of_it(name: str) -> None:
    for points in (50, 100):
        rng = np.random.default_rng(points)
        image = show_score_token(draw_score_token(points, STYLES[name], rng), rng)
        corners = find_card_corners(Halves(image))
        assert corners is not None
        assert cv2.contourArea(corners.astype(np.float32)) > 0.25 * image.shape[0] * image.shape[1]


def test_nothing_and_what_is_no_card_has_no_corners() -> None:
    assert find_card_corners(Halves(np.full((480, 640, 3), 90, np.uint8))) is None
    disc = cv2.circle(np.full((480, 640, 3), 90, np.uint8), (320, 240), 180, (255, 255, 255), -1)
    assert find_card_corners(Halves(np.asarray(disc, np.uint8))) is None
    cut = on_ground(np.full((40, 40, 3), 255, np.uint8), SQUARE + np.array([250, 0]), (30, 60, 30))
    assert find_card_corners(Halves(cut)) is None
    tiles = np.full((480, 640, 3), 90, np.uint8)
    for x, y in ((150, 150), (260, 150), (260, 260), (370, 260)):
        cv2.rectangle(tiles, (x, y), (x + 108, y + 108), (255, 255, 255), -1)
    assert find_card_corners(Halves(tiles)) is None


def test_what_was_taught_is_the_side_from_above_and_comes_back(tmp_path: Path) -> None:
    taught = build_score_token("fifty", shown(), 50, "blue")
    height, width = taught.picture.shape[:2]
    assert abs(width - height) < 0.06 * width
    wanted = cv2.resize(draw_score_token(50, TERRA, np.random.default_rng(1)), (48, 48)).astype(float)
    picture = cv2.resize(taught.picture, (48, 48), interpolation=cv2.INTER_AREA).astype(float)
    assert np.corrcoef(wanted.ravel(), picture.ravel())[0, 1] > 0.9
    store = ScoreTokens(tmp_path / "score-tokens")
    store.save(taught)
    [back] = store.all()
    assert (back.name, back.source, back.made, back.points, back.colour) == (
        "fifty", "token.jpg", taught.made, 50, "blue",
    )  # fmt: skip
    assert (back.picture == taught.picture).all()
    (store.folder / "fifty.npz").write_bytes(b"no archive")
    with pytest.raises(EnrolmentError, match="bad_enrolment"):
        store.load("fifty")


@pytest.mark.parametrize(
    ("draw", "name", "points", "colour", "code"),
    [
        (shown, "a/b", 50, None, "bad_name"),
        (shown, "fifty", 0, None, "bad_score_token"),
        (shown, "fifty", 501, None, "bad_score_token"),
        (shown, "fifty", 50, "teal", "colour_unknown"),
        (lambda: photo(np.full((480, 640, 3), 90, np.uint8)), "fifty", 50, None, "token_not_seen"),
        (
            lambda: photo(on_ground(np.full((40, 40, 3), 255, np.uint8), SQUARE, (40, 90, 40))),
            "fifty", 50, None, "print_too_plain",
        ),
    ],
)  # fmt: skip
def test_what_cannot_be_taught_is_refused(
    draw: Callable[[], Photo], name: str, points: int, colour: str | None, code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vision.printed.board.PICTURE_PX", 350)  # a failed search in a large picture is slow
    with pytest.raises(EnrolmentError, match=code):
        build_score_token(name, draw(), points, colour)
