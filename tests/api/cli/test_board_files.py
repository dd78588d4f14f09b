"""`wondertally enrol board`: files of boards are written and accepted, and the layout is drawn over the picture."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from datasets.tower_of_babel.art import get_art
from datasets.tower_of_babel.board import draw_board
from datasets.tower_of_babel.plan import format_components
from tests.api.commands import run_parsed
from vision.enrolment.games import GameEnrolments

GAME = ("--game", "tower-of-babel")


def test_a_board_is_written_to_a_file_drawn_and_imported_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(1)
    cv2.imwrite("board.png", draw_board(get_art("marble", rng), rng))
    Path("mine.toml").write_text(format_components(), encoding="utf-8")
    outputs = ("--out", "mine.board.zip", "--annotated", "check.png")
    monkeypatch.setenv("WONDERTALLY_DATA", "own")
    board = ("board.png", "--picture", "board", "--components", "mine.toml")
    status, text, error = run_parsed(capsys, "enrol", "board", *board, *GAME, *outputs)
    assert (status, error) == (0, None)
    assert "check that everything is where it is printed: check.png" in text
    for words in (("board.png",), ("--annotated", "other.png")):
        _, _, wrong = run_parsed(capsys, "enrol", "board", *words, *GAME, "--picture", "bord")
        assert wrong is not None
        assert wrong["code"] == "no_such_picture"
        assert wrong["details"] == {"name": "bord", "meant": "board", "known": ["board"]}
    assert GameEnrolments().load("tower-of-babel").pictures.keys() == {"board"}
    drawn, plain = cv2.imread("check.png"), GameEnrolments().load("tower-of-babel").pictures["board"]
    assert drawn is not None
    assert (drawn != plain).any(axis=2).mean() > 0.02
    monkeypatch.setenv("WONDERTALLY_DATA", "other")
    assert run_parsed(capsys, "enrol", "board", "mine.board.zip", *GAME)[0] == 0
    assert np.array_equal(GameEnrolments().load("tower-of-babel").pictures["board"], plain)
    assert GameEnrolments().components("tower-of-babel") == format_components()
    _, _, wrong = run_parsed(capsys, "enrol", "board", "mine.board.zip", "--game", "world-wonders")
    assert wrong is not None
    assert wrong["code"] == "other_game"
    Path("none.zip").write_bytes(b"no archive")
    _, _, damaged = run_parsed(capsys, "enrol", "board", "none.zip", *GAME)
    assert damaged is not None
    assert damaged["code"] == "board_file_invalid"
    monkeypatch.setenv("WONDERTALLY_DATA", "third")
    assert run_parsed(capsys, "enrol", "board", "mine.board.zip")[0] == 0
    assert np.array_equal(GameEnrolments().load("tower-of-babel").pictures["board"], plain)


@pytest.mark.parametrize(
    ("data", "code", "reason"),
    [(b"no archive", "board_file_invalid", "zip"), (b"", "board_file_invalid", "zip"), (None, "file_not_found", "")],
)
def test_a_damaged_file_of_boards_is_named_with_its_error_without_a_game(
    data: bytes | None,
    code: str,
    reason: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("WONDERTALLY_DATA", "own")
    if data is not None:
        Path("damaged.board.zip").write_bytes(data)
    for game in ((), GAME):
        _, _, error = run_parsed(capsys, "enrol", "board", "damaged.board.zip", *game)
        assert (error["code"], error["details"]["file"]) == (code, "damaged.board.zip")
        assert reason in error["details"].get("reason", "")
