"""`wondertally enrol board`: files of boards are written and accepted, and the layout is drawn over the picture."""

from __future__ import annotations

import tomllib
from pathlib import Path

import cv2
import numpy as np
import pytest

from datasets.tower_of_babel.art import get_art
from datasets.tower_of_babel.board import draw_board
from datasets.tower_of_babel.plan import format_components
from tests.api.commands import run_parsed
from vision.enrolment.games import GameEnrolment, GameEnrolments

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


def test_a_components_file_adds_to_what_the_page_enrolled_and_is_undone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It replaced map side, terrain, layout and rings by its own few values."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("WONDERTALLY_DATA", "own")
    shown = '[map]\nside = "A"\n\n[layout.map]\nfirst = [1.0, 2.0]\nsquare = 20.0 # measured\n'
    shown += "\n[monuments.giza]\nrings = 3\n"
    GameEnrolments().save(GameEnrolment("world-wonders", shown, {"map": np.zeros((4, 4, 3), np.uint8)}))
    Path("more.toml").write_text("[monuments.giza]\nrings = 4\n\n[monuments.colossus]\nrings = 2\n", encoding="utf-8")
    game = ("--game", "world-wonders")
    assert run_parsed(capsys, "enrol", "board", *game, "--components", "more.toml")[2] is None
    added = tomllib.loads(GameEnrolments().components("world-wonders"))
    assert added == tomllib.loads(shown) | {"monuments": {"giza": {"rings": 4}, "colossus": {"rings": 2}}}
    assert "# measured" in GameEnrolments().components("world-wonders")
    run_parsed(capsys, "enrol", "forget", "world-wonders")
    assert GameEnrolments().games() == []
    for steps in (2, 1):
        status, text, error = run_parsed(capsys, "enrol", "undo", "world-wonders")
        assert (status, error) == (0, None)
        assert "back to the previous enrolment, pictures: map" in text
        assert GameEnrolments().count_steps("world-wonders") == steps
    assert GameEnrolments().components("world-wonders") == shown
    run_parsed(capsys, "enrol", "undo", "world-wonders")
    _, _, error = run_parsed(capsys, "enrol", "undo", "world-wonders")
    assert error is not None
    assert error["code"] == "nothing_to_take_back"
