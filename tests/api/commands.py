"""The command, run in this process as a shell would run it."""

from __future__ import annotations

import json
import sys
from typing import Any

import pytest

from api.cli import main as cli


def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *words: str) -> tuple[int, str, Any]:
    """Run it and return its exit status, its output, and its error (None without one)."""
    monkeypatch.setattr(sys, "argv", ["wondertally", *words])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    out, err = capsys.readouterr()
    return int(str(ended.value.code)), out, json.loads(err)["error"] if err else None
