"""A board that a photo's border cuts: one question with an answer for each side, and a second photo of the rest."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from api.carcassonne.corrections.apply import build_review
from api.carcassonne.questions.builder import build_questions
from api.carcassonne.questions.oracle import interview_oracle
from api.carcassonne.report.snapshot import Snapshot, build_snapshot
from api.documents.corrections import CORRECTIONS, Correction
from api.documents.question import Question
from api.documents.tile_corrections import SetBorder, SetTilesInPlay
from datasets.evaluation.labelling import build_label
from tests.api.commands import EXAMPLE, run
from tests.api.corrected import build_corrected_report
from tests.api.doubted import joined
from tests.api.serving import photo_form, running
from tests.api.tables_read import grey_photo
from tests.readers import reader
from tests.vision.evaluation.dealt import Frame, dealt, perfect
from vision.evaluation.tables import evaluate_photos
from vision.multiview.reading import JoinedReading
from vision.photo.decoding import Photo
from vision.photo.pyramid import Halves
from vision.reading.values import Reading, Warp


@pytest.fixture(scope="module")
def cut() -> Snapshot:
    """Return a certain reading of a board that a side of the picture cuts."""
    return build_snapshot(shown(cut_close(perfect(dealt(4), Frame()), right=False)))


def ask(snapshot: Snapshot, *corrections: Correction) -> list[Question]:
    return build_questions(build_review(snapshot, corrections))


def test_stating_that_the_board_ends_there_leaves_no_doubt(cut: Snapshot) -> None:
    unseen = build_review(cut).board.unseen
    questions = ask(cut)
    assert {question.about for question in questions} == {"border"}
    told = CORRECTIONS.validate_python([question.choices[0].correction.model_dump() for question in questions])
    assert sorted(s for one in told if isinstance(one, SetBorder) for s in one.squares) == sorted(unseen)
    report = build_review(cut, told).report
    assert (report.doubtful, report.scores.confidence, ask(cut, *told)) == (False, 1.0, [])
    assert "beyond_the_picture" not in {problem.code for problem in report.board.problems}


def test_stating_that_the_board_continues_ends_the_question_but_not_the_doubt(cut: Snapshot) -> None:
    goes_on = [question.choices[1].correction for question in ask(cut)]
    report = build_review(cut, goes_on).report
    assert (report.doubtful, report.scores.confidence, ask(cut, *goes_on)) == (True, None, [])


def test_one_question_covers_several_sides_of_the_picture() -> None:
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


def test_sides_are_named_as_in_the_displayed_photo() -> None:
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


def test_a_single_side_of_the_picture_is_not_named(cut: Snapshot) -> None:
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
def test_an_oracle_answers_whether_the_board_continues(whole: bool) -> None:
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


@pytest.fixture(scope="module")
def half(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the left half of the example photo, alone in its folder."""
    file = tmp_path_factory.mktemp("half") / "half.jpg"
    picture = cv2.imread(str(EXAMPLE))
    assert picture is not None
    cv2.imwrite(str(file), picture[:, : picture.shape[1] // 2], [cv2.IMWRITE_JPEG_QUALITY, 92])
    return file


def photo_columns(first: float, last: float) -> Photo:
    """Return the columns of the example photo between two shares of its width."""
    picture = cv2.imread(str(EXAMPLE))
    assert picture is not None
    columns = picture[:, round(first * picture.shape[1]) : round(last * picture.shape[1])]
    data = cv2.imencode(".jpg", columns, [cv2.IMWRITE_JPEG_QUALITY, 92])[1].tobytes()
    return Photo.from_bytes(data, f"{first}-{last}.jpg")


def test_the_command_reports_half_a_photo_as_doubtful_without_a_percentage(
    half: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    status, out, _ = run(capsys, "score", str(half), "--json", str(tmp_path / "report.json"))
    assert status == 0
    assert "%" not in out
    assert "lie at the border of the picture" in out
    report = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    assert report["doubtful"] is True
    assert report["scores"]["confidence"] is None
    status, out, _ = run(capsys, "board", "score", report["board"]["notation"], "--json", "-")
    assert json.loads(out)["doubtful"] is True


@pytest.mark.soak
def test_a_batch_reports_half_a_photo_as_doubtful(
    half: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    status, _, _ = run(capsys, "batch", str(half.parent), "--out", str(tmp_path))
    assert status == 0
    with (tmp_path / "results.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert {row["status"] for row in rows} == {"doubtful"}


@pytest.mark.soak
def test_the_server_reports_half_a_photo_as_doubtful(half: Path, tmp_path: Path) -> None:
    with running(tmp_path / "data", readers=1) as server:
        answer = server.client.post("/v1/readings", **photo_form(half.read_bytes())).raise_for_status()
        report = server.followed(answer.json()["id"])["report"]
    assert report["doubtful"] is True
    assert report["scores"]["confidence"] is None


@pytest.mark.soak
def test_the_evaluation_treats_half_a_photo_as_uncertain(half: Path, tmp_path: Path) -> None:
    reading = reader().read(Photo.from_path(half))
    label = {"photo": half.name, **build_label(reading)}
    (tmp_path / "half.json").write_text(json.dumps(label), encoding="utf-8")
    (verdict,) = evaluate_photos([tmp_path / "half.json"], half.parent, tmp_path / "out").verdicts
    assert verdict.board_exact
    assert verdict.final_exact
    assert not verdict.final_sure
    assert verdict.final_confidence is None


def test_a_person_states_that_no_more_tiles_were_laid(half: Path) -> None:
    own = reader()
    snapshot = build_snapshot(own.join([own.survey(Photo.from_path(half))]))
    looked = build_corrected_report(snapshot, [SetTilesInPlay(count=len(snapshot.tiles))])
    assert build_corrected_report(snapshot).scores.confidence is None
    assert looked.scores.confidence is not None
    assert "beyond_the_picture" not in {problem.code for problem in looked.board.problems}


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param(((0.0, 0.6), (0.0, 0.65)), id="west"),
        pytest.param(((0.4, 1.0), (0.35, 1.0)), id="east", marks=pytest.mark.soak),
    ],
)
def test_a_cut_side_stays_open_until_another_photo_shows_it(
    parts: tuple[tuple[float, float], ...],
) -> None:
    own = reader()
    surveys = [own.survey(photo_columns(*part)) for part in parts]
    rest = own.survey(photo_columns(*((0.4, 1.0) if parts[0][0] == 0 else (0.0, 0.6))))
    cut, whole = own.join(surveys), own.join([*surveys, rest])
    assert (len(cut.views), len(whole.views)) == (2, 3)
    assert all(view.reading.unseen for view in cut.views)
    assert not any(view.reading.unseen for view in whole.views)
    report = build_corrected_report(build_snapshot(cut))
    assert report.doubtful
    assert report.scores.confidence is None
    assert "beyond_the_picture" in {problem.code for problem in report.board.problems}
    report = build_corrected_report(build_snapshot(whole))
    assert report.scores.confidence is not None
    assert "beyond_the_picture" not in {problem.code for problem in report.board.problems}
