"""A token is enrolled from one photo of each side, stored, or refused with a code."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from datasets.art.score_designs import draw_score_token
from datasets.art.style import TERRA
from datasets.render.score_board_enrolment import show_score_token
from tests.vision.score_track.tokens import photo
from vision.arrays import Image
from vision.enrolment.score_boards import ScoreTokens, build_score_token
from vision.errors import EnrolmentError
from vision.photo.decoding import Photo


def draw_blank_card() -> Image:
    """Draw a white card without a print on plain ground."""
    ground = np.full((480, 640, 3), (40, 90, 40), np.uint8)
    return np.asarray(cv2.rectangle(ground, (180, 90), (470, 380), (255, 255, 255), -1), np.uint8)


@cache
def shown(points: int = 50, seed: int = 3) -> Photo:
    rng = np.random.default_rng(seed)
    return photo(show_score_token(draw_score_token(points, TERRA, np.random.default_rng(1)), rng))


def test_an_enrolled_token_is_the_side_seen_from_above_and_reads_back(tmp_path: Path) -> None:
    enrolled = build_score_token("fifty", shown(), 50, "blue")
    height, width = enrolled.picture.shape[:2]
    assert abs(width - height) < 0.06 * width
    wanted = cv2.resize(draw_score_token(50, TERRA, np.random.default_rng(1)), (48, 48)).astype(float)
    picture = cv2.resize(enrolled.picture, (48, 48), interpolation=cv2.INTER_AREA).astype(float)
    assert np.corrcoef(wanted.ravel(), picture.ravel())[0, 1] > 0.9
    store = ScoreTokens(tmp_path / "score-tokens")
    store.save(enrolled)
    [back] = store.all()
    assert (back.name, back.source, back.made, back.points, back.colour) == (
        "fifty", "token.jpg", enrolled.made, 50, "blue",
    )  # fmt: skip
    assert (back.picture == enrolled.picture).all()
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
            lambda: photo(draw_blank_card()),
            "fifty", 50, None, "print_too_plain",
        ),
    ],
)  # fmt: skip
def test_invalid_token_enrolments_are_refused(
    draw: Callable[[], Photo], name: str, points: int, colour: str | None, code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vision.flat_boards.board.PICTURE_PX", 350)  # a failed search in a large picture is slow
    with pytest.raises(EnrolmentError, match=code):
        build_score_token(name, draw(), points, colour)
