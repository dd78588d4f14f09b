"""A score board is enrolled from one photo and a few words, stored, or refused with a code."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from datasets.art.score_board import draw_score_board
from datasets.art.style import TERRA
from scoring.carcassonne.score_board.spaces import FIRST_EDITION
from tests.vision.enrolling.score_spaces import CORNERS_PX, MIDDLES, TURNING, path, photo, told
from vision.enrolling.score_spaces import build_score_board
from vision.enrolment.score_boards import EnrolledScoreBoard, ScoreBoards
from vision.errors import EnrolmentError
from vision.flat_boards.board import rectify_picture
from vision.photo.decoding import Photo
from vision.photo.pyramid import Halves


@pytest.fixture
def small_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep few pixels of enrolments: the check that a board can be found again is then quick."""
    monkeypatch.setattr("vision.flat_boards.board.PICTURE_PX", 350)


@pytest.fixture(scope="module")
def enrolled() -> EnrolledScoreBoard:
    return build_score_board("mine", photo(), told(path()))


def test_spaces_between_named_ones_are_evenly_spaced(enrolled: EnrolledScoreBoard) -> None:
    assert enrolled.spaces.shape == (50, 2)
    assert enrolled.lap == 50
    assert np.abs(enrolled.spaces[list(TURNING)] - MIDDLES[list(TURNING)]).max() < 0.2
    assert np.linalg.norm(enrolled.spaces - MIDDLES, axis=1).max() < 6
    assert np.allclose(enrolled.spaces[2:4], np.linspace(enrolled.spaces[1], enrolled.spaces[4], 4)[1:3])
    spaces = [enrolled.layout.spaces_near(FIRST_EDITION.middle(space))[0] for space in range(50)]
    assert spaces == list(range(50))


def test_the_stored_picture_shows_the_board_from_above(enrolled: EnrolledScoreBoard) -> None:
    wanted = draw_score_board(TERRA, np.random.default_rng(1), 120)
    height, width = enrolled.picture.shape[:2]
    assert abs(width / height - FIRST_EDITION.size[0] / FIRST_EDITION.size[1]) < 0.01
    small = cv2.resize(wanted, (64, 45), interpolation=cv2.INTER_AREA).astype(float)
    picture = cv2.resize(enrolled.picture, (64, 45), interpolation=cv2.INTER_AREA).astype(float)
    assert np.corrcoef(small.ravel(), picture.ravel())[0, 1] > 0.95


def test_an_enrolled_score_board_reads_back(enrolled: EnrolledScoreBoard, tmp_path: Path) -> None:
    store = ScoreBoards(tmp_path / "score-boards")
    assert store.state() == ()
    store.save(enrolled)
    [back] = store.all()
    assert (back.name, back.source, back.made, back.size_mm, back.lap) == (
        enrolled.name, enrolled.source, enrolled.made, enrolled.size_mm, enrolled.lap,
    )  # fmt: skip
    assert (back.picture == enrolled.picture).all()
    assert (back.spaces == enrolled.spaces).all()
    with pytest.raises(EnrolmentError, match="enrolment_exists"):
        store.save(enrolled)
    before = store.state()
    store.save(enrolled, again=True)
    assert [name for name, _ in store.state()] == [name for name, _ in before] == ["mine.npz"]
    (store.folder / "mine.npz").write_bytes(b"no archive")
    with pytest.raises(EnrolmentError, match="bad_enrolment"):
        store.load("mine")
    store.forget("mine")
    assert store.names() == []


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("size_mm = [", "spaces_invalid"),
        ("size_mm = [256, 180]", "spaces_invalid"),
        (told(path(), more="colour = 3"), "spaces_invalid"),
        (told(path(), size=(256, 5)), "spaces_invalid"),
        (told(path()[:1]), "spaces_invalid"),
        (told(path()[1:]), "spaces_not_in_order"),
        (told([*path()[:3], path()[2]]), "spaces_not_in_order"),
        (told([*path()[:2], *path()[:1:-1]]), "spaces_not_in_order"),
        (told([*path(), (50, 20.0, 20.0)]), "space_off_board"),
        (told([*path(), (50, *path()[-1][1:])]), "spaces_too_near"),
        (told(path(), more="laps = 60"), "laps_do_not_fit"),
        (told(path(), more="laps = 48"), "laps_do_not_fit"),
        (told(path(), corners=CORNERS_PX[::-1]), "bad_corners"),
        (told(path(), corners=CORNERS_PX + 100), "bad_corners"),
    ],
)
def test_invalid_input_is_refused_with_a_code(text: str, code: str) -> None:
    with pytest.raises(EnrolmentError, match=code):
        build_score_board("mine", photo(), text)


@pytest.mark.soak
@pytest.mark.usefixtures("small_picture")
def test_a_board_that_could_not_be_recognised_later_is_refused() -> None:
    grey = Photo(Halves(np.full((600, 800, 3), 130, np.uint8)), "grey.png", "", 0.0)
    with pytest.raises(EnrolmentError, match="print_too_plain"):
        build_score_board("mine", grey, "size_mm = [200, 150]\npath = [[0, 100, 100], [9, 700, 100]]")
    with pytest.raises(EnrolmentError, match="bad_name"):
        build_score_board("../mine", grey, "")


@pytest.mark.usefixtures("small_picture")
@pytest.mark.parametrize("once_round", [40, 41])
def test_a_lap_may_end_at_the_last_space_or_one_beyond(once_round: int) -> None:
    spaces = [named for named in path() if named[0] <= 40]
    assert build_score_board("mine", photo(), told(spaces, more=f"laps = {once_round}")).lap == once_round


@pytest.mark.usefixtures("small_picture")
def test_a_photo_of_the_board_alone_needs_no_corners() -> None:
    alone = rectify_picture(photo().pixels, CORNERS_PX, FIRST_EDITION.size)
    height, width = alone.shape[:2]
    at = MIDDLES[list(TURNING)] * (width / FIRST_EDITION.size[0], height / FIRST_EDITION.size[1])
    listed = [[space, *spot] for space, spot in zip(TURNING, at.tolist(), strict=True)]
    board = build_score_board("mine", Photo(Halves(alone), "", "", 0.0), f"size_mm = [256, 180]\npath = {listed}")
    assert np.abs(board.spaces[list(TURNING)] - MIDDLES[list(TURNING)]).max() < 0.2
