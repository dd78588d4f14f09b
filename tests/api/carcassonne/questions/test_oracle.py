"""An oracle answers a reading's questions from the label, in any frame of the reading."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest

from api.carcassonne.questions.oracle import interview_oracle
from tests.vision.evaluation.dealt import Frame, dealt, join_reading, perfect
from vision.evaluation.interview import Interview
from vision.evaluation.judge import compute_final_points
from vision.evaluation.labels import Truth
from vision.photo.decoding import Photo
from vision.reading.values import MeepleAlternative, MeepleReading, Reading, TileAlternative

FRAME = Frame(3, (2, -1))


@pytest.fixture(scope="module")
def photo(tmp_path_factory: pytest.TempPathFactory) -> Photo:
    file = tmp_path_factory.mktemp("photo") / "table.jpg"
    cv2.imwrite(str(file), np.zeros((1200, 1600, 3), np.uint8))
    return Photo.from_path(file)


def find_table() -> Truth:
    """Return a dealt table on which one piece, on a feature of its own, scores."""
    return next(truth for truth in map(dealt, range(50)) if _find_scorer(truth) is not None)


def _find_scorer(truth: Truth) -> int | None:
    points = compute_final_points(truth)
    for number in range(len(truth.meeples)):
        rest = truth.meeples[:number] + truth.meeples[number + 1 :]
        board = replace(truth.board, meeples=tuple(meeple.placed for meeple in rest))
        if compute_final_points(replace(truth, board=board, meeples=rest)) != points:
            return number
    return None


def interview(photo: Photo, truth: Truth, reading: Reading) -> Interview:
    return interview_oracle(join_reading(photo, reading), truth)


def replace_meeple(reading: Reading, number: int, *instead: MeepleReading) -> Reading:
    meeples: Sequence[MeepleReading] = reading.meeples
    return replace(reading, meeples=(*meeples[:number], *instead, *meeples[number + 1 :]))


def test_a_certain_reading_raises_no_questions(photo: Photo) -> None:
    truth = find_table()
    interviewed = interview(photo, truth, perfect(truth, FRAME))
    assert (len(interviewed.finals), interviewed.settled) == (1, True)
    assert interviewed.finals == (compute_final_points(truth),)


def test_a_certain_mistake_stays_whatever_the_answers(photo: Photo) -> None:
    truth = find_table()
    number = _find_scorer(truth) or 0
    interviewed = interview(photo, truth, replace_meeple(perfect(truth, FRAME), number))
    assert (len(interviewed.finals), interviewed.settled) == (1, True)
    assert interviewed.finals[-1] != compute_final_points(truth)


@pytest.mark.parametrize("offered", [True, False], ids=["the truth is offered", "something else is offered"])
def test_a_doubtful_colour_is_right_after_one_answer(photo: Photo, offered: bool) -> None:
    truth = find_table()
    number = _find_scorer(truth) or 0
    good = perfect(truth, FRAME)
    meeple = good.meeples[number]
    other = MeepleAlternative(meeple.segment, 0.4, colour=meeple.colour if offered else "orange")
    wrong = replace(meeple, colour="pink", confidence=0.6, doubtful=True, alternatives=(other,))
    interviewed = interview(photo, truth, replace_meeple(good, number, wrong))
    assert interviewed.finals[0] != compute_final_points(truth)
    assert interviewed.finals[1] == compute_final_points(truth)
    assert interviewed.settled


def test_a_further_piece_is_accepted_only_if_the_label_has_it(photo: Photo) -> None:
    truth = find_table()
    number = _find_scorer(truth) or 0
    good = perfect(truth, FRAME)
    possible = replace(good.meeples[number], confidence=0.45, doubtful=True)
    missed = replace(replace_meeple(good, number), possible_meeples=(possible,))
    interviewed = interview(photo, truth, missed)
    assert interviewed.finals[0] != compute_final_points(truth)
    assert interviewed.finals[1] == compute_final_points(truth)
    rest = truth.meeples[:number] + truth.meeples[number + 1 :]
    board = replace(truth.board, meeples=tuple(meeple.placed for meeple in rest))
    without = replace(truth, board=board, meeples=rest)
    interviewed = interview(photo, without, missed)
    assert len(interviewed.finals) > 1
    assert set(map(str, interviewed.finals)) == {str(compute_final_points(without))}


def test_a_doubtful_tile_becomes_the_true_one(photo: Photo) -> None:
    truth = find_table()
    good = perfect(truth, FRAME)
    pairs = list(zip(good.tiles, truth.tiles, strict=True))
    stood_on = {meeple.placed.square for meeple in truth.meeples}
    for tile, true in pairs:
        if true.square in stood_on or tile.tile is None:
            continue
        wrong = replace(
            tile,
            tile="BA/RRRR",
            turns=0,
            confidence=0.6,
            doubtful=True,
            alternatives=(TileAlternative(tile.tile, tile.turns, 0.4),),
        )
        tiles = tuple(wrong if each is tile else each for each in good.tiles)
        interviewed = interview(photo, truth, replace(good, tiles=tiles))
        if interviewed.finals[0] != compute_final_points(truth):
            assert interviewed.finals[1] == compute_final_points(truth)
            return
    pytest.fail("no tile of the table matters")


def test_an_invented_piece_is_removed(photo: Photo) -> None:
    truth = find_table()
    number = _find_scorer(truth) or 0
    good = perfect(truth, FRAME)
    rest = truth.meeples[:number] + truth.meeples[number + 1 :]
    board = replace(truth.board, meeples=tuple(meeple.placed for meeple in rest))
    without = replace(truth, board=board, meeples=rest)
    gone = MeepleAlternative(None, 0.4)
    doubted = replace(good.meeples[number], confidence=0.6, doubtful=True, alternatives=(gone,))
    interviewed = interview(photo, without, replace_meeple(good, number, doubted))
    assert interviewed.finals[0] != compute_final_points(without)
    assert interviewed.finals[1] == compute_final_points(without)
