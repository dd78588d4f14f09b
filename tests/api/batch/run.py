"""Batches as the tests start them, and the files that they leave."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from tests.api.commands import EXAMPLE
from tests.api.processes import Process, run_process


def draw(file: Path, number: int) -> None:
    """Draw a photo without a board: refused at once."""
    picture = np.full((300, 400, 3), 90 + number, np.uint8)
    cv2.imwrite(str(file), picture)


FOLDER = EXAMPLE.parent


def command(*words: str) -> list[str]:
    return [sys.executable, "-c", "from api.cli.main import main; main()", "batch", *words]


def run(*words: str, cwd: Path | None = None, text: bool = True) -> subprocess.CompletedProcess[Any]:
    return run_process(["batch", *words], cwd=cwd, text=text)


def lines(out: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (out / "results.jsonl").read_text(encoding="utf-8").splitlines()]


def entries(out: Path) -> list[str]:
    """Return the subject of each line of the journal."""
    records = [json.loads(line) for line in (out / "journal.jsonl").read_text(encoding="utf-8").splitlines()]
    return [record.get("reading") or record["photo"] for record in records]


def wait_for_a_reading(running: Process | subprocess.Popen[Any], out: Path) -> None:
    """Wait until a running batch has its first reading."""
    journal, waited = out / "journal.jsonl", time.monotonic() + 240
    while not (journal.exists() and b'"reading"' in journal.read_bytes()):
        assert running.poll() is None
        assert time.monotonic() < waited
        time.sleep(0.02)
