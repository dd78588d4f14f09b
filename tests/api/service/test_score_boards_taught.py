"""A score board is enrolled on the command line: stored, numbered for its owner to check, listed and removed."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from api.service import worker
from api.service.worker import EnrolmentPlaces
from api.store.database import open_database
from api.store.enrolments import EnrolmentStore
from tests.api.commands import error_of, run
from tests.vision.teaching.score_spaces import path, photo, told
from vision.enrolment.score_boards import ScoreBoards
from vision.enrolment.score_tokens import ScoreTokens
from vision.teaching.score_spaces import build_score_board

TILE_PX = 130.0
"""Size of a tile in the photo."""


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WONDERTALLY_DATA", str(tmp_path / "data"))
    cv2.imwrite(str(tmp_path / "board.png"), photo().pixels)
    (tmp_path / "spaces.toml").write_text(told(path()))
    (tmp_path / "wrong.toml").write_text(told(path()[1:]))


def test_a_score_board_is_taught_numbered_listed_and_forgotten(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    board, spaces, numbered = (str(tmp_path / name) for name in ("board.png", "spaces.toml", "numbered.png"))
    for _ in range(2):  # enrolled again, it replaces the old one
        status, out, _ = run(
            capsys, "enrol", board, "--score-board", "winter", "--spaces", spaces, "--annotated", numbered
        )
        assert status == 0
        assert out.startswith("enrolled: score board winter, spaces 0 to 49, 50 points once round\n")
    [taught] = ScoreBoards().all()
    drawing = cv2.imread(numbered)
    assert drawing is not None
    assert drawing.shape == taught.picture.shape
    assert np.abs(drawing.astype(int) - (taught.picture * 0.78)).max() > 100
    status, out, _ = run(capsys, "enrol", "--list", "--json", "-")
    assert list(json.loads(out)["score_boards"]) == ["winter"]
    assert run(capsys, "enrol", "--list")[1].startswith("winter: score board of board.png, ")
    assert run(capsys, "enrol", "--forget", "winter") == (0, "forgotten: winter\n", "")
    assert run(capsys, "enrol", "--list") == (0, "", "")


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["board.png", "--score-board", "mine"], "bad_usage"),
        (["board.png", "--spaces", "spaces.toml"], "bad_usage"),
        (["board.png", "--annotated", "numbered.png"], "bad_usage"),
        (["--score-board", "mine", "--spaces", "spaces.toml"], "bad_usage"),
        (["--list", "--score-board", "mine", "--spaces", "spaces.toml"], "bad_usage"),
        (["board.png", "--score-board", "mine", "--spaces", "spaces.toml", "--name", "other"], "bad_usage"),
        (["board.png", "--score-board", "mine", "--spaces", "none.toml"], "file_not_found"),
        (["board.png", "--score-board", "mine", "--spaces", "board.png"], "file_not_found"),
        (["board.png", "--score-board", "mine", "--spaces", "wrong.toml"], "spaces_not_in_order"),
        (["board.png", "--score-board", "a/b", "--spaces", "spaces.toml"], "bad_name"),
        (["board.png", "--score-board", "mine", "--spaces", "spaces.toml", "--annotated", "x.gif"], "cannot_write"),
    ],
)
def test_what_cannot_be_taught_is_an_error_with_a_code(
    arguments: list[str], code: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    named = [str(tmp_path / argument) if "." in argument else argument for argument in arguments]
    status, _, error = run(capsys, "enrol", *named)
    assert (error_of(error)["code"], status) == (code, 2)
    assert ScoreBoards().names() == []


@pytest.mark.soak
def test_a_server_reads_with_what_was_taught_on_its_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    taught = EnrolmentPlaces(f"sqlite:///{tmp_path / 'server.db'}", tmp_path / "data" / "enrolments")
    engine = open_database(taught.database, taught.folder)
    monkeypatch.setattr(worker._desk, "taught", EnrolmentStore(engine, taught.folder), raising=False)
    monkeypatch.setattr(worker._desk, "score_boards", ScoreBoards(taught.score_boards), raising=False)
    monkeypatch.setattr(worker._desk, "score_tokens", ScoreTokens(taught.score_tokens), raising=False)
    halves = photo().halves
    assert worker.prepare_reader(0).surveyor.score_boards.find(halves, TILE_PX) is None
    ScoreBoards().save(build_score_board("winter", photo(), told(path())))
    sheet = worker.prepare_reader(0).surveyor.score_boards.find(halves, TILE_PX)
    assert sheet is not None
    assert sheet.taught == "winter"
    ScoreBoards().forget("winter")
    assert worker.prepare_reader(0).surveyor.score_boards.find(halves, TILE_PX) is None
    engine.dispose()
