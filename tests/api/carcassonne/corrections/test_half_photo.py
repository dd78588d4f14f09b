"""Half of a photo is never certain, in any interface: command, batch, server, evaluation or explanation."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import cv2
import pytest

from api.carcassonne.report.snapshot import build_snapshot
from api.documents.tile_corrections import SetTilesInPlay
from datasets.evaluation.labelling import build_label
from tests.api.commands import EXAMPLE, run
from tests.api.corrected import build_corrected_report
from tests.api.serving import photo_form, running
from tests.readers import reader
from vision.evaluation.tables import evaluate_photos
from vision.photo.decoding import Photo


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


def test_by_command_it_is_doubtful_and_no_percentage_is_stated(
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


def test_by_batch_it_is_doubtful(half: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    status, _, _ = run(capsys, "batch", str(half.parent), "--out", str(tmp_path))
    assert status == 0
    with (tmp_path / "results.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert {row["status"] for row in rows} == {"doubtful"}


@pytest.mark.soak
def test_by_server_it_is_doubtful(half: Path, tmp_path: Path) -> None:
    with running(tmp_path / "data", readers=1) as server:
        answer = server.client.post("/v1/readings", **photo_form(half.read_bytes())).raise_for_status()
        report = server.followed(answer.json()["id"])["report"]
    assert report["doubtful"] is True
    assert report["scores"]["confidence"] is None


def test_by_evaluation_it_is_not_sure(half: Path, tmp_path: Path) -> None:
    reading = reader().read(Photo.from_path(half))
    label = {"photo": half.name, **build_label(reading)}
    (tmp_path / "half.json").write_text(json.dumps(label), encoding="utf-8")
    (verdict,) = evaluate_photos([tmp_path / "half.json"], half.parent, tmp_path / "out").verdicts
    assert verdict.board_exact
    assert verdict.final_exact
    assert not verdict.final_sure
    assert verdict.final_confidence is None


def test_who_has_looked_says_that_no_more_tiles_were_laid(half: Path) -> None:
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
def test_photos_that_all_end_at_one_side_are_cut_until_another_shows_that_side(
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
