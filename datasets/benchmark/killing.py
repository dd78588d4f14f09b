"""Batches killed at chosen moments, and their state at that time."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from datasets.benchmark.processes import build_batch_command

POLL_SECONDS = 0.002
DRAFT = ".results.csv.draft"
"""Name of the file that exists while results are being written (`api.tournament.results`)."""


@dataclass(frozen=True, slots=True)
class State:
    """State of a batch's folder: lines of its journal, whether the last line is torn, and times of its results."""

    looked: int = 0
    read: int = 0
    torn: bool = False
    drafted: float = 0.0
    written: float = 0.0


def read_state(out: Path) -> State:
    """Return the current state of a batch's folder."""
    try:
        data = (out / "journal.jsonl").read_bytes()
    except FileNotFoundError:
        data = b""
    lines = data.split(b"\n")
    looked = sum(line.startswith(b'{"photo"') for line in lines[:-1])
    read = sum(line.startswith(b'{"reading"') for line in lines[:-1])
    return State(looked, read, bool(lines[-1]), _age(out / DRAFT), _age(out / "results.csv"))


def name_phase(before: State, after: State) -> str:
    """Return the phase that a run reached, given the states before and after it."""
    if after.drafted > before.drafted:
        return "writing results"
    if after.written > before.written:
        return "after results"
    if after.read > before.read:
        return "reading"
    return "looking" if after.looked > before.looked else "before its first entry"


@dataclass(frozen=True, slots=True)
class Moment:
    """The moment of a kill: seconds after an event (the start of the run if None)."""

    after: Callable[[State, State], bool] | None
    seconds: float


@dataclass(frozen=True, slots=True)
class Moments:
    """Random moments: half of them anywhere in `whole` seconds, the others within short phases."""

    random: Random
    whole: float

    def draw(self) -> Moment:
        """Return the next moment."""
        events = (None, _has_looked, has_read, _is_writing)
        after = self.random.choices(events, (3, 1, 1, 1))[0]
        most = {None: self.whole, _has_looked: 0.5, has_read: self.whole / 4, _is_writing: 0.02}[after]
        return Moment(after, self.random.uniform(0, most))


@dataclass(slots=True)
class Killed:
    """Number of runs killed in each phase, and of those that left a torn line."""

    phases: dict[str, int] = field(default_factory=dict)
    torn: int = 0

    @property
    def count(self) -> int:
        """Return the total."""
        return sum(self.phases.values())

    def add(self, before: State, after: State) -> None:
        """Count another run."""
        reached = name_phase(before, after)
        self.phases[reached] = self.phases.get(reached, 0) + 1
        self.torn += after.torn


def run_until(photos: Path, out: Path, moment: Moment | None, *more: str) -> int | None:
    """Run a batch and return its exit status, or None if it was killed at the moment with all its processes."""
    before = read_state(out)
    process = subprocess.Popen(
        build_batch_command(photos, out, *more),
        start_new_session=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        if moment is None:
            return process.wait()
        while moment.after and process.poll() is None and not moment.after(before, read_state(out)):
            time.sleep(POLL_SECONDS)
        return process.wait(moment.seconds)
    except subprocess.TimeoutExpired:
        return None
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def find_repeats(out: Path) -> list[str]:
    """Return the entries that occur more than once in a batch's journal: surveyed or read again."""
    entries = Counter(line.get("reading") or line["photo"] for line in load_lines(out / "journal.jsonl"))
    return [f"{entry} is {count} times in the journal" for entry, count in entries.items() if count > 1]


def load_lines(file: Path) -> list[dict[str, Any]]:
    """Load a file of JSON documents, one per line."""
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def _has_looked(before: State, now: State) -> bool:
    return now.looked > before.looked or now.read > before.read


def has_read(before: State, now: State) -> bool:
    """Return whether a run has reached a reading, or beyond."""
    return now.read > before.read or now.drafted > before.drafted


def _is_writing(before: State, now: State) -> bool:
    return now.drafted > before.drafted or now.written > before.written


def _age(file: Path) -> float:
    try:
        return file.stat().st_mtime
    except FileNotFoundError:
        return 0.0
