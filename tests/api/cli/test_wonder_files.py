"""`--wonder FILE`: an unreadable file ends a command before anything else is done."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
import tomlkit

from tests.api.carcassonne.report.copied import copy_of
from tests.api.commands import run_parsed
from vision.enrolment.wonders import NAMED_FILES

COMMANDS = {
    "score": ("score", "none.jpg"),
    "moves": ("moves", "none.jpg", "neither.jpg", "--players", "red,blue"),
    "batch": ("batch", "photos", "--out", "out"),
    "serve": ("serve", "--port", "0"),
    "explain": ("explain", "none.jpg"),
    "enrol tiles": ("enrol", "tiles", "none.jpg"),
    "board score": ("board", "score", "-4W9"),
}
FAULTS = {
    "no file": (None, "file_not_found", 2),
    "no text": (b"\xff\xfe", "bad_toml", 1),
    "no TOML": (b"id =", "bad_toml", 1),
    "no layout": (b'id = "WH/alhambra"', "missing_key", 1),
    "no wonder": (b'id = "WH/colossus"\nsquares = []\nwonder = ""\nmarker = []', "unknown_wonder", 1),
}


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with no photo, and with one that cannot be read."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / "one.jpg").write_bytes(b"no photo")
    return tmp_path


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("fault", FAULTS)
def test_an_invalid_wonder_file_ends_a_command_at_the_start(
    command: str, fault: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    content, code, status = FAULTS[fault]
    if content is not None:
        (here / "mine.toml").write_bytes(content)
    before = sorted(here.rglob("*"))
    returned, out, error = run_parsed(capsys, *COMMANDS[command], "--wonder", "mine.toml")
    assert (returned, out, error["code"]) == (status, "", code)
    assert sorted(here.rglob("*")) == before
    assert os.environ[NAMED_FILES] == ""


@pytest.mark.parametrize("command", ["score", "moves", "explain", "enrol tiles", "board score"])
def test_a_valid_wonder_file_is_named_and_the_command_continues(
    command: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "mine.toml").write_text(tomlkit.dumps(dict(copy_of().entry)), encoding="utf-8")
    _, _, error = run_parsed(capsys, *COMMANDS[command], "--wonder", "mine.toml")
    assert error["code"] == ("bad_turn" if command == "board score" else "photo_not_found")
