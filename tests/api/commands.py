"""The command, run in this process as a shell would run it."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from api.cli import main as cli

EXAMPLE = Path(__file__).parents[2] / "datasets" / "examples" / "table.jpg"


def list_contents(folder: Path) -> dict[str, bytes]:
    """Return the bytes of every file below a folder, by its path."""
    files = (file for file in sorted(folder.rglob("*")) if file.is_file() and file.suffix != ".lock")
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in files}


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """Return the exit status, standard output and standard error of the console script's own function."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["wondertally", *arguments])
        with pytest.raises(SystemExit) as caught:
            cli.main()
    captured = capsys.readouterr()
    return int(caught.value.code or 0), captured.out, captured.err


def run_parsed(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, Any]:
    """Return the exit status, standard output and the error, None without one."""
    status, out, err = run(capsys, *arguments)
    return status, out, json.loads(err)["error"] if err else None


def error_of(text: str) -> dict[str, Any]:
    """Return the error on standard error: one line, in the common form."""
    assert text.count("\n") == 1
    document = json.loads(text)
    assert set(document) == {"error"}
    assert set(document["error"]) == {"code", "text", "details"}
    assert document["error"]["text"]
    return dict(document["error"])
