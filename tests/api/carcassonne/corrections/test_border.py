"""One question asks whether the board continues beyond the picture, with an answer for each side that cuts it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from api.carcassonne.corrections.review import build_review
from api.carcassonne.questions.builder import build_questions
from api.carcassonne.questions.oracle import interview_oracle
from api.carcassonne.report.snapshot import Snapshot, build_snapshot
from api.documents.corrections import CORRECTIONS, Correction
from api.documents.question import Question
from api.documents.tile_corrections import SetBorder
from tests.api.doubted import joined
from tests.api.tables_read import grey_photo
from tests.vision.evaluation.dealt import Frame, dealt, perfect
from vision.multiview.reading import JoinedReading
from vision.photo.pyramid import Halves
from vision.reading.values import Reading, Warp


@pytest.fixture(scope="module")
def cut() -> Snapshot:
    """Return a certain reading of a board that a side of the picture cuts."""
    return build_snapshot(shown(cut_close(perfect(dealt(4), Frame()), right=False)))


def ask(snapshot: Snapshot, *corrections: Correction) -> list[Question]:
    return build_questions(build_review(snapshot, corrections))


def test_who_says_that_it_ends_there_leaves_no_doubt(cut: Snapshot) -> None:
    unseen = build_review(cut).board.unseen
    questions = ask(cut)
    assert {question.about for question in questions} == {"border"}
    told = CORRECTIONS.validate_python([question.choices[0].correction.model_dump() for question in questions])
    assert sorted(s for one in told if isinstance(one, SetBorder) for s in one.squares) == sorted(unseen)
    report = build_review(cut, told).report
    assert (report.doubtful, report.scores.confidence, ask(cut, *told)) == (False, 1.0, [])
    assert "beyond_the_picture" not in {problem.code for problem in report.board.problems}


def test_who_says_that_it_goes_on_is_not_asked_again_and_nothing_is_sure(cut: Snapshot) -> None:
    goes_on = [question.choices[1].correction for question in ask(cut)]
    report = build_review(cut, goes_on).report
    assert (report.doubtful, report.scores.confidence, ask(cut, *goes_on)) == (True, None, [])


def test_several_sides_of_the_picture_are_one_question() -> None:
    snapshot = build_snapshot(shown(cut_close(perfect(dealt(4), Frame()), right=True)))
    (question,) = ask(snapshot)
    whole, *sides = (choice.correction for choice in question.choices)
    assert [choice.label.split(":")[0] for choice in question.choices] == [
        "No, the photo shows all of it",
        "Yes, on the right",
        "Yes, at the bottom",
    ]
    assert isinstance(whole, SetBorder)
    assert sorted(s for side in sides if isinstance(side, SetBorder) for s in side.squares) == sorted(whole.squares)
    assert ask(snapshot, whole) == []
    (left,) = ask(snapshot, sides[0])
    assert [choice.correction for choice in left.choices[1:]] == sides[1:]
    assert ask(snapshot, *sides) == []


def test_sides_are_named_as_the_photo_shows_them_that_is_shown() -> None:
    reading = cut_close(perfect(dealt(4), Frame()), right=True)
    (view,) = shown(reading).views
    turned = turn_photo(reading)
    (other,) = shown(turned).views
    best = frozenset(tile.square for tile in reading.tiles)
    views = (replace(view, best=frozenset()), replace(other, best=best))
    (question,) = ask(build_snapshot(JoinedReading(views)))
    assert question.photo == 1
    assert [choice.label.split(":")[0] for choice in question.choices[1:]] == ["Yes, on the left", "Yes, at the top"]


def turn_photo(reading: Reading) -> Reading:
    """Return the same table in a photo that is upside down."""
    size = np.array([reading.width, reading.height], float)
    tiles = tuple(replace(tile, corners_px=size - tile.corners_px) for tile in reading.tiles)
    matrix = np.array([[-1, 0, size[0]], [0, -1, size[1]], [0, 0, 1]]) @ reading.warp.homography
    nodes = {node: (size[0] - x, size[1] - y) for node, (x, y) in reading.warp.nodes.items()}
    meeples = tuple(
        replace(meeple, foot_px=(size[0] - meeple.foot_px[0], size[1] - meeple.foot_px[1]))
        for meeple in reading.meeples
    )
    return replace(reading, tiles=tiles, meeples=meeples, warp=Warp(matrix, nodes))


def test_one_side_of_the_picture_is_not_named(cut: Snapshot) -> None:
    (question,) = ask(cut)
    assert [question.text, *(choice.label for choice in question.choices)] == [
        "Does the board go on beyond this side?",
        "No, it ends here",
        "Yes: then its points cannot be known. Add a photo of that side.",
    ]


def cut_close(reading: Reading, right: bool) -> Reading:
    """Return the reading of a photo that ends with the board, below and perhaps on the right."""
    x, y = np.max([tile.corners_px.max(axis=0) for tile in reading.tiles], axis=0)
    return replace(reading, width=round(x) if right else reading.width, height=round(y))


def shown(reading: Reading) -> JoinedReading:
    """Return a grey photo of the reading's own size, without further facts about its border."""
    photo = replace(grey_photo(), halves=Halves(np.full((reading.height, reading.width, 3), 120, np.uint8)))
    (view,) = joined(reading).views
    return JoinedReading((replace(view, photo=photo),))


@pytest.mark.parametrize("whole", [True, False], ids=["all of it is seen", "some lies beyond"])
def test_an_oracle_knows_whether_it_goes_on(whole: bool) -> None:
    truth = dealt(4)
    reading = perfect(truth, Frame(1, (2, -1)))
    right = max(float(tile.corners_px[:, 0].max()) for tile in reading.tiles)
    width = right if whole else right - 60
    tiles = tuple(tile for tile in reading.tiles if float(tile.corners_px[:, 0].max()) <= width)
    squares = {tile.square for tile in tiles}
    meeples = tuple(meeple for meeple in reading.meeples if (meeple.row, meeple.col) in squares)
    assert (len(tiles) == len(reading.tiles)) == whole
    part = replace(reading, tiles=tiles, meeples=meeples, width=round(width))
    interview = interview_oracle(shown(part), truth)
    assert interview.settled == whole
    assert len(interview.finals) > 1
