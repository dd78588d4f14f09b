"""The subcommands of `wondertally enrol`: what they take and refuse, and their help."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import cv2
import pytest

from tests.api.commands import list_contents, run_parsed
from tests.api.enrolment.marked import report_of
from tests.api.pebbles.reader import drawn
from tests.api.pebbles.tables import COMPONENTS, register

SUBCOMMANDS = ("tiles", "wonder", "score-board", "score-token", "board", "monuments", "list", "forget")
BOARD = ("--game", "pebbles", "--picture", "board", "--components", "mine.toml")
SPACES = ("--spaces", "spaces.toml")


@pytest.fixture(scope="module")
def photos(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a report and a board that can be enrolled."""
    folder = tmp_path_factory.mktemp("photos")
    (folder / "report.json").write_text(report_of(folder)[1].to_json())
    cv2.imwrite(str(folder / "pebbles.png"), drawn({}))
    (folder / "mine.toml").write_text(COMPONENTS)
    return folder


@pytest.fixture(autouse=True)
def here(photos: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return each test's own working folder, with the same files."""
    folder = shutil.copytree(photos, tmp_path / "here")
    register(monkeypatch)
    monkeypatch.setenv("WONDERTALLY_DATA", str(tmp_path / "data"))
    monkeypatch.chdir(folder)
    return folder


def test_enrolments_are_listed_and_removed(capsys: pytest.CaptureFixture[str]) -> None:
    run_parsed(capsys, "enrol", "tiles", "report.json", "--name", "mine")
    run_parsed(capsys, "enrol", "board", "pebbles.png", *BOARD)
    assert run_parsed(capsys, "enrol", "list")[1].startswith("mine: 14 tiles of table.png, ")
    for name in ("mine", "pebbles"):
        assert run_parsed(capsys, "enrol", "forget", name) == (0, f"forgotten: {name}\n", None)
    nothing = "Nothing is enrolled. `wondertally enrol --help` shows what can be.\n"
    assert run_parsed(capsys, "enrol", "list") == (0, nothing, None)
    for name in ("mine", "pebbles"):
        assert run_parsed(capsys, "enrol", "undo", name)[0] == 0
    assert {"mine", "pebbles"} <= {
        line.partition(":")[0] for line in run_parsed(capsys, "enrol", "list")[1].splitlines()
    }


@pytest.mark.parametrize(
    ("words", "code", "names"),
    [
        ((), "bad_usage", "Missing command."),
        (("report.json",), "bad_usage", "No such command 'report.json'."),
        (("--list",), "bad_usage", "No such option: --list"),
        (("tiles",), "bad_usage", "PHOTO|REPORT"),
        (("tiles", "report.json", "--points", "50"), "bad_usage", "--points"),
        (("tiles", "report.json", "--list"), "bad_usage", "--list"),
        (("score-board", "board.png", *SPACES), "bad_usage", "--name"),
        (("score-board", "board.png", "--name", "winter"), "bad_usage", "--spaces"),
        (("score-board", "board.png", "--name", "winter", *SPACES, "--game", "pebbles"), "bad_usage", "--game"),
        (("score-token", "token.png"), "bad_usage", "--points"),
        (("score-token", "token.png", "--points", "many"), "bad_usage", "--points"),
        (("score-token", "token.png", "--points", "50", "--board", "D0"), "bad_usage", "--board"),
        (("board", "pebbles.png", "--picture", "board"), "game_wanted", "which game"),
        (("board", "--game", "pebbles"), "bad_usage", "--components"),
        (("board", "--game", "pebbles", "--picture", "board", "--components", "mine.toml"), "bad_usage", "PHOTO"),
        (("board", "pebbles.png", "--game", "carcassonne", "--picture", "board"), "unsupported_game", "scored"),
        (("monuments", "report.json", "--game", "pebbles"), "bad_usage", "--game"),
        (("monuments", "report.json"), "other_game", "wondertally score --json FILE"),
        (("monuments", "none.json"), "file_not_found", "file"),
        (("list", "mine"), "bad_usage", "mine"),
        (("list", "--name", "mine"), "bad_usage", "--name"),
        (("forget",), "bad_usage", "NAME"),
        (("forget", "mine", "--photo", "board.png"), "bad_usage", "--photo"),
        (("forget", "mine", "--game", "chess"), "unsupported_game", "scored"),
    ],
    ids=lambda value: " ".join(value)[:50] if isinstance(value, tuple) else None,
)
def test_contradictory_arguments_are_refused(
    words: tuple[str, ...], code: str, names: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, error = run_parsed(capsys, "enrol", *words)
    assert (status, out, error["code"]) == (2, "", code)
    assert names in error["text"]
    assert not list_contents(tmp_path / "data")


def test_a_report_of_a_game_of_spots_is_not_accepted_as_one_of_tiles(capsys: pytest.CaptureFixture[str]) -> None:
    line = "pebbles red,blue square.0.0=red"
    run_parsed(capsys, "enrol", "board", "pebbles.png", *BOARD)
    run_parsed(capsys, "board", "score", line, "--json", "pebbles.json")
    status, _, error = run_parsed(capsys, "enrol", "tiles", "pebbles.json")
    assert (status, error["code"], error["details"]) == (2, "other_game", {"game": "pebbles"})
    assert "wondertally enrol monuments" in error["text"]
    status, _, error = run_parsed(capsys, "enrol", "monuments", "pebbles.json")
    assert (status, error["code"]) == (2, "pieces_not_taught")


def test_the_help_lists_the_subcommands(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run_parsed(capsys, "enrol", "--help")
    first = [line.strip("│ ").split(" ")[0] for line in out.splitlines()]
    assert status == 0
    assert [word for word in first if word in SUBCOMMANDS] == list(SUBCOMMANDS)
    for name in SUBCOMMANDS:
        status, out, _ = run_parsed(capsys, "enrol", name, "--help")
        assert status == 0
        assert "--json" in out


def test_the_shell_completes_the_subcommands() -> None:
    env = os.environ | {
        "_WONDERTALLY_COMPLETE": "complete_bash",
        "COMP_WORDS": "wondertally enrol sc",
        "COMP_CWORD": "2",
    }
    code = "import sys; sys.argv[0] = 'wondertally'; from api.cli.main import app; app(prog_name='wondertally')"
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["score-board", "score-token"]
