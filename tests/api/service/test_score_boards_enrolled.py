"""Score boards and tokens of points are enrolled on the command line: stored, listed, removed, and read with."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from api.service import worker
from api.service.worker import EnrolmentPlaces
from api.store.database import open_database
from api.store.enrolments import EnrolmentStore
from tests.api.commands import error_of, run
from tests.vision.enrolling.score_spaces import path, photo, told
from tests.vision.score_track.tokens import laid, lattice, shot, shown_side
from vision.enrolling.score_spaces import build_score_board
from vision.enrolment.score_boards import EnrolledToken, ScoreBoards, ScoreTokens
from vision.enrolment.wonders import EnrolledWonders

TILE_PX = 130.0
"""Size of a tile in the photo."""


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WONDERTALLY_DATA", str(tmp_path / "data"))
    cv2.imwrite(str(tmp_path / "board.png"), photo().pixels)
    (tmp_path / "spaces.toml").write_text(told(path()))
    (tmp_path / "wrong.toml").write_text(told(path()[1:]))
    for points in (50, 100):
        cv2.imwrite(str(tmp_path / f"token_{points}.png"), shown_side(points).pixels)
    cv2.imwrite(str(tmp_path / "grey.png"), np.full((300, 400, 3), 90, np.uint8))


def test_a_score_board_is_enrolled_numbered_listed_and_removed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    board, spaces, numbered = (str(tmp_path / name) for name in ("board.png", "spaces.toml", "numbered.png"))
    options = ("--name", "winter", "--spaces", spaces, "--annotated", numbered)
    for _ in range(2):  # enrolled again, it replaces the old one
        status, out, _ = run(capsys, "enrol", "score-board", board, *options)
        assert status == 0
        assert out.startswith("enrolled: score board winter, spaces 0 to 49, 50 points once round\n")
    [enrolled] = ScoreBoards().all()
    drawing = cv2.imread(numbered)
    assert drawing is not None
    assert drawing.shape == enrolled.picture.shape
    assert np.abs(drawing.astype(int) - (enrolled.picture * 0.78)).max() > 100
    status, out, _ = run(capsys, "enrol", "list", "--json", "-")
    assert list(json.loads(out)["score_boards"]) == ["winter"]
    assert run(capsys, "enrol", "list")[1].startswith("winter: score board of board.png, ")
    assert run(capsys, "enrol", "forget", "winter") == (0, "forgotten: winter\n", "")
    nothing = (0, "Nothing is enrolled. `wondertally enrol --help` shows what can be.\n", "")
    assert run(capsys, "enrol", "list") == nothing


def test_each_change_of_a_score_board_or_token_can_be_taken_back(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sides = [EnrolledToken("side", f"{points}.jpg", "2026-11-30", np.zeros((4, 4, 3), np.uint8), points, None)
             for points in (50, 100)]  # fmt: skip
    ScoreTokens().save(sides[0])
    ScoreTokens().save(sides[1], again=True)
    ScoreBoards().save(replace(build_score_board("winter", photo(), told(path())), source="first.jpg"))
    board, spaces = str(tmp_path / "board.png"), str(tmp_path / "spaces.toml")
    _, out, _ = run(capsys, "enrol", "score-board", board, "--name", "winter", "--spaces", spaces)
    assert "replaces the previous winter, which `wondertally enrol undo winter` restores" in out
    assert run(capsys, "enrol", "forget", "winter")[0] == 0
    back, gone = "back to the previous enrolment", "no longer enrolled"
    for words, sources in ((back, ["board.png"]), (back, ["first.jpg"]), (gone, [])):
        assert run(capsys, "enrol", "undo", "winter") == (0, f"winter: {words}\n", "")
        assert [enrolled.source for enrolled in ScoreBoards().all()] == sources
    status, _, error = run(capsys, "enrol", "undo", "winter")
    assert (error_of(error)["code"], status) == ("nothing_to_take_back", 2)
    assert run(capsys, "enrol", "undo", "side")[0] == 0
    assert [token.points for token in ScoreTokens().all()] == [50]


INVALID_ENROLMENTS = [
    (["score-board", "board.png", "--name", "mine", "--spaces", "none.toml"], "file_not_found"),
    (["score-board", "board.png", "--name", "mine", "--spaces", "board.png"], "file_not_found"),
    (["score-board", "board.png", "--name", "mine", "--spaces", "wrong.toml"], "spaces_not_in_order"),
    (["score-board", "board.png", "--name", "a/b", "--spaces", "spaces.toml"], "bad_name"),
    (
        ["score-board", "board.png", "--name", "mine", "--spaces", "spaces.toml", "--annotated", "x.gif"],
        "cannot_write",
    ),
    (["score-token", "token_50.png", "--points", "0"], "bad_score_token"),
    (["score-token", "token_50.png", "--points", "50", "--colour", "teal"], "colour_unknown"),
    (["score-token", "token_50.png", "--points", "50", "--name", "a/b"], "bad_name"),
    (["score-token", "token_50.png", "--points", "50", "--name", "winter"], "enrolment_exists"),
    (["score-token", "none.png", "--points", "50"], "photo_not_found"),
    (["score-token", "grey.png", "--points", "50"], "token_not_seen"),
]


def test_an_invalid_enrolment_gives_an_error_with_a_code(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ScoreBoards().save(build_score_board("winter", photo(), told(path())))
    for arguments, code in INVALID_ENROLMENTS:
        named = [str(tmp_path / argument) if "." in argument else argument for argument in arguments]
        status, _, error = run(capsys, "enrol", *named)
        assert (error_of(error)["code"], status) == (code, 2), arguments
    assert (ScoreBoards().names(), ScoreTokens().names()) == (["winter"], [])


@pytest.fixture
def served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Set this process up as a server's worker on this machine's enrolments."""
    enrolled = EnrolmentPlaces(f"sqlite:///{tmp_path / 'server.db'}", tmp_path / "data" / "enrolments")
    engine = open_database(enrolled.database)
    monkeypatch.setattr(worker._desk, "enrolled", EnrolmentStore(engine, enrolled.folder), raising=False)
    monkeypatch.setattr(worker._desk, "score_boards", ScoreBoards(enrolled.score_boards), raising=False)
    monkeypatch.setattr(worker._desk, "score_tokens", ScoreTokens(enrolled.score_tokens), raising=False)
    monkeypatch.setattr(worker._desk, "wonders", EnrolledWonders(enrolled.wonders), raising=False)
    yield
    engine.dispose()


@pytest.mark.soak
@pytest.mark.usefixtures("served")
def test_a_server_reads_with_the_score_boards_enrolled_on_its_machine() -> None:
    halves = photo().halves
    assert worker.prepare_reader(0).surveyor.score_boards.find(halves, TILE_PX) is None
    ScoreBoards().save(build_score_board("winter", photo(), told(path())))
    sheet = worker.prepare_reader(0).surveyor.score_boards.find(halves, TILE_PX)
    assert sheet is not None
    assert sheet.enrolled == "winter"
    ScoreBoards().forget("winter")
    assert worker.prepare_reader(0).surveyor.score_boards.find(halves, TILE_PX) is None


@pytest.mark.soak
@pytest.mark.usefixtures("served")
def test_a_server_reads_with_the_tokens_enrolled_on_its_machine(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    quads = np.array(list(lattice().corners.values()))
    assert worker.prepare_reader(0).track_reader.tokens.find(shot(), 100.0, quads) == ()
    for points in (50, 100):
        run(capsys, "enrol", "score-token", str(tmp_path / f"token_{points}.png"), "--points", str(points))
    tokens = worker.prepare_reader(0).track_reader.tokens.find(shot(), 100.0, quads)
    assert sorted(token.enrolled.points for token in tokens) == sorted(token.points for token in laid())


@pytest.mark.soak
def test_sides_of_tokens_are_enrolled_listed_and_removed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fifty, hundred = (str(tmp_path / f"token_{points}.png") for points in (50, 100))
    status, out, _ = run(capsys, "enrol", "score-token", fifty, "--points", "50", "--name", "fifty", "--colour", "blue")
    assert (status, out) == (0, "enrolled: fifty, token of 50 points of blue\n")
    for _ in range(2):  # enrolled again, it replaces the old one
        status, out, _ = run(capsys, "enrol", "score-token", hundred, "--points", "100", "--json", "-")
        assert (status, json.loads(out)) == (0, {"score_token": "token_100", "points": 100})
    assert [(token.name, token.points, token.colour) for token in ScoreTokens().all()] == [
        ("fifty", 50, "blue"),
        ("token_100", 100, None),
    ]
    out = run(capsys, "enrol", "list")[1]
    assert out.startswith("fifty: token of 50 points of blue, of token_50.png, ")
    assert list(json.loads(run(capsys, "enrol", "list", "--json", "-")[1])["score_tokens"]) == ["fifty", "token_100"]
    assert run(capsys, "enrol", "forget", "fifty") == (0, "forgotten: fifty\n", "")
    assert run(capsys, "enrol", "forget", "token_100")[0] == 0
    nothing = (0, "Nothing is enrolled. `wondertally enrol --help` shows what can be.\n", "")
    assert run(capsys, "enrol", "list") == nothing
