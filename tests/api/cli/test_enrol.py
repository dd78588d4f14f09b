"""`wondertally enrol`: each subcommand equals its older form, which is parsed as ever."""

from __future__ import annotations

import os
import pty
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import cv2
import pytest

from tests.api.commands import list_contents, run_parsed
from tests.api.enrolment.marked import report_of
from tests.api.pebbles.reader import drawn
from tests.api.pebbles.tables import COMPONENTS, register
from tests.vision.enrolling.score_spaces import path, photo, told
from tests.vision.score_track.tokens import shown_side

COMMAND = (sys.executable, "-c", "from api.cli.main import main; main()")
SUBCOMMANDS = ("tiles", "wonder", "score-board", "score-token", "board", "monuments", "list", "forget")
BOARD = ("--game", "pebbles", "--picture", "board", "--components", "mine.toml")
SPACES = ("--spaces", "spaces.toml")


@pytest.fixture(scope="module")
def photos(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with everything that can be enrolled."""
    folder = tmp_path_factory.mktemp("photos")
    (folder / "report.json").write_text(report_of(folder)[1].to_json())
    cv2.imwrite(str(folder / "board.png"), photo().pixels)
    cv2.imwrite(str(folder / "token.png"), shown_side(50).pixels)
    cv2.imwrite(str(folder / "pebbles.png"), drawn({}))
    (folder / "spaces.toml").write_text(told(path()))
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


@pytest.mark.parametrize(
    ("former", "words", "kept"),
    [
        (("report.json",), ("tiles", "report.json"), True),
        (("report.json", "--name", "mine", "--json", "-"), ("tiles", "report.json", "--name", "mine"), True),
        (
            ("board.png", "--score-board", "winter", *SPACES, "--annotated", "drawn.png"),
            ("score-board", "board.png", "--name", "winter", *SPACES, "--annotated", "drawn.png"),
            True,
        ),
        pytest.param(
            *(("token.png", "--score-token", "50"), ("score-token", "token.png", "--points", "50"), True),
            marks=pytest.mark.soak,
        ),
        (
            ("token.png", "--score-token", "50", "--colour", "blue", "--name", "fifty"),
            ("score-token", "token.png", "--points", "50", "--colour", "blue", "--name", "fifty"),
            True,
        ),
        (("pebbles.png", *BOARD), ("board", "pebbles.png", *BOARD), True),
        (("--game", "pebbles", "--components", "mine.toml"), ("board", *BOARD[:2], *BOARD[4:]), True),
        (("--list",), ("list",), False),
        (("--list", "--json", "done.json"), ("list", "--json", "done.json"), False),
        (("none.png", "--board", "-4D0"), ("tiles", "none.png", "--board", "-4D0"), False),
        (("report.json", "--photo", "board.png"), ("tiles", "report.json", "--photo", "board.png"), False),
        (("pebbles.png", "--game", "pebbles"), ("board", "pebbles.png", "--game", "pebbles"), False),
        (("none.png", "--score-token", "50"), ("score-token", "none.png", "--points", "50"), False),
        (("--forget", "mine"), ("forget", "mine"), False),
        (("--forget", "mine", "--game", "pebbles"), ("forget", "mine", "--game", "pebbles"), False),
        (("--forget", "mine", "--game", "chess"), ("forget", "mine", "--game", "chess"), False),
    ],
    ids=lambda value: " ".join(value)[:50] if isinstance(value, tuple) else "",
)
def test_a_subcommand_equals_its_former_form(
    former: tuple[str, ...],
    words: tuple[str, ...],
    kept: bool,
    here: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if "--json" in former and "--json" not in words:
        words = (*words, "--json", "-")
    done: list[tuple[tuple[int, str, Any], dict[str, bytes], dict[str, bytes]]] = []
    for number, line in enumerate((former, words)):
        data = here.parent / f"data-{number}"
        data.mkdir()
        monkeypatch.setenv("WONDERTALLY_DATA", str(data))
        for file in ("drawn.png", "done.json"):
            (here / file).unlink(missing_ok=True)
        done.append((run_parsed(capsys, "enrol", *line), list_contents(data), list_contents(here)))
    assert done[0] == done[1]
    assert bool(done[1][1]) == kept
    assert (done[1][0][2] is None) == (kept or words[0] == "list")


def test_enrolments_are_listed_and_removed(capsys: pytest.CaptureFixture[str]) -> None:
    run_parsed(capsys, "enrol", "tiles", "report.json", "--name", "mine")
    run_parsed(capsys, "enrol", "board", "pebbles.png", *BOARD)
    listed = run_parsed(capsys, "enrol", "list")
    assert listed == run_parsed(capsys, "enrol", "--list")
    assert listed[1].startswith("mine: 14 tiles of table.png, ")
    for name in ("mine", "pebbles"):
        assert run_parsed(capsys, "enrol", "forget", name) == (0, f"forgotten: {name}\n", None)
    assert run_parsed(capsys, "enrol", "list") == (0, "", None)


@pytest.mark.parametrize(
    ("words", "code", "names"),
    [
        ((), "bad_usage", "Missing command."),
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


@pytest.mark.parametrize("name", [*SUBCOMMANDS, "former"])
def test_a_file_named_like_a_subcommand_is_reached_with_its_folder(
    name: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copy(here / "report.json", here / name)
    assert run_parsed(capsys, "enrol", f"./{name}") == (0, f"enrolled: {name}, 14 tiles\n", None)
    for number, words in enumerate(((name,), ("--", name))):
        done = run_parsed(capsys, "enrol", "--name", f"mine-{number}", *words)
        assert done == (0, f"enrolled: mine-{number}, 14 tiles\n", None)


def test_a_file_named_like_the_hidden_command_is_a_file(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copy(here / "report.json", here / "former")
    assert run_parsed(capsys, "enrol", "former") == (0, "enrolled: former, 14 tiles\n", None)


def test_the_help_lists_subcommands_and_the_former_form_keeps_its_own_help(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run_parsed(capsys, "enrol", "--help")
    first = [line.strip("│ ").split(" ")[0] for line in out.splitlines()]
    assert status == 0
    assert [word for word in first if word in SUBCOMMANDS] == list(SUBCOMMANDS)
    assert "former" not in out
    status, out, _ = run_parsed(capsys, "enrol", "photo.jpg", "--help")
    assert status == 0
    assert "--score-token" in out
    assert "former" not in out
    for name in SUBCOMMANDS:
        status, out, _ = run_parsed(capsys, "enrol", name, "--help")
        assert status == 0
        assert "--score-token" not in out
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


@pytest.mark.soak
def test_a_terminal_shows_the_new_form_of_a_command_after_it_ran(here: Path) -> None:
    script, terminal = pty.openpty()
    for words in (("enrol", "--list"), ("enrol", "list"), ("enrol", "none.png", "--name", "x")):
        subprocess.run([*COMMAND, *words], stderr=terminal, stdout=subprocess.DEVNULL, check=False)
    os.close(terminal)
    first, second, *_ = os.read(script, 4096).decode().splitlines()
    assert first == "The new form of this command: wondertally enrol list"
    assert "There is no such photo." in second
