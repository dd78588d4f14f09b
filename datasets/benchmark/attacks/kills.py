"""Kills of a server while it reads, and of a batch at chosen moments, each with all its processes (SIGKILL)."""

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

from datasets.benchmark.attacks import Tally
from datasets.benchmark.processes import build_batch_command, copy_first, draw_photos
from datasets.benchmark.serving import find_free_port, launch_server, run_server
from datasets.benchmark.uploads import (
    SETTINGS,
    Alone,
    Uploads,
    find_half_kept,
    follow_uploads,
    load_boards,
    send_photos,
)

MAX_LIFE_READINGS = 4.0
"""Maximum life of a server, as a multiple of the time of a reading. A guess."""
STARTING_SHARE = 0.2
"""Share of the kills of a server that happen during its start. A guess."""
PHOTOS = 6
"""Number of distinct photos in a batch; one is added twice, and one truncated. A guess."""
SET_ASIDE = 1
"""Exit status of a batch with unreadable photos."""
POLL_SECONDS = 0.002
DRAFT = ".results.csv.draft"
"""Name of the file that exists while results are being written (`api.tournament.results`)."""
FILES = ("results.csv", "standings.csv", "index.html")
TIMES = ("timing_ms", "decode_ms")


def kill_server(scratch: Path, times: int, seed: int, alone: Alone) -> Tally:
    """Kill the server at random moments, 1 in 5 during its start, while clients send photos, and restart it."""
    tally, uploads = Tally("kills of the server", times), Uploads()
    data, port, rng = scratch / "data", find_free_port(), Random(seed)
    with send_photos(f"http://127.0.0.1:{port}", load_boards(), uploads):
        for _ in range(times):
            _live_and_die(data, port, rng, alone.seconds)
    with run_server(data, port, **SETTINGS, sweep_minutes=0.02, stray_minutes=0) as server:
        tally.add(uploads, follow_uploads(server, uploads, alone))
        time.sleep(3)  # 1 or 2 sweeps
    tally.wrong += find_half_kept(data)
    return tally


def _live_and_die(data: Path, port: int, rng: Random, seconds: float) -> None:
    """Run a server for a random time and kill it."""
    if rng.random() < STARTING_SHARE:
        with launch_server(data, port, **SETTINGS) as process:
            time.sleep(rng.uniform(0, 2 * seconds))
            process.kill()
    else:
        with run_server(data, port, **SETTINGS) as server:
            time.sleep(rng.uniform(0, MAX_LIFE_READINGS * seconds))
            server.kill()


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
    journal = out / "journal.jsonl"
    lines = (journal.read_bytes() if journal.exists() else b"").split(b"\n")
    looked = sum(line.startswith(b'{"photo"') for line in lines[:-1])
    read = sum(line.startswith(b'{"reading"') for line in lines[:-1])
    return State(looked, read, bool(lines[-1]), _age(out / DRAFT), _age(out / "results.csv"))


def _age(file: Path) -> float:
    try:
        return file.stat().st_mtime
    except FileNotFoundError:
        return 0.0


def has_looked(before: State, now: State) -> bool:
    """Return whether a run has reached a photo, or beyond."""
    return now.looked > before.looked or now.read > before.read


def has_read(before: State, now: State) -> bool:
    """Return whether a run has reached a reading, or beyond."""
    return now.read > before.read or now.drafted > before.drafted


def is_writing(before: State, now: State) -> bool:
    """Return whether a run has reached its results."""
    return now.drafted > before.drafted or now.written > before.written


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


def draw_moment(random: Random, whole: float) -> Moment:
    """Draw a moment: half of them lie anywhere in `whole` seconds, the others within short phases."""
    most = {None: whole, has_looked: 0.5, has_read: whole / 4, is_writing: 0.02}
    (after,) = random.choices([*most], (3, 1, 1, 1))
    return Moment(after, random.uniform(0, most[after]))


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


def kill_batch(scratch: Path, times: int, seed: int) -> Tally:
    """Kill a batch at random moments and restart it until it ends; then begin another, until the kills are made.

    One of its photos is there twice under 2 names, and one truncated. Each finished batch must have every photo in its
    results once, no repeated reading in its journal, and files equal to those of an undisturbed one, apart from times.
    """
    tally, kills = Tally("kills of a batch", times), Kills()
    photos = copy_with_faults(draw_photos(scratch / "drawn", PHOTOS, seed), scratch / "photos")
    started = time.perf_counter()
    if (status := run_until(photos, scratch / "whole", None)) != SET_ASIDE:
        tally.wrong.append(f"the undisturbed batch ended with {status}")
        return tally
    random, seconds = Random(seed), time.perf_counter() - started
    number = 0
    while kills.phases.total() < times:
        out = scratch / f"out{number}"
        number += 1
        tally.wrong += _run_to_end(photos, out, kills, lambda: draw_moment(random, seconds), times)
        tally.wrong += find_faults(photos, out, scratch / "whole")
        names = {file.name for file in photos.iterdir()}
        listed = {name for line in load_lines(out / "results.jsonl") for name in line["batch"]["photos"]}
        tally.accepted += len(names)
        tally.done += len(names & listed)
        tally.lost += sorted(names - listed)
    tally.notes += [f"{phase}: {count} kills" for phase, count in sorted(kills.phases.items())]
    tally.notes.append(f"within a line of the journal: {kills.torn}")
    return tally


@dataclass(slots=True)
class Kills:
    """Number of runs killed in each phase, and of those that left a torn line."""

    phases: Counter[str] = field(default_factory=Counter)
    torn: int = 0


def _run_to_end(photos: Path, out: Path, kills: Kills, draw: Callable[[], Moment], times: int) -> list[str]:
    while True:
        before = read_state(out)
        status = run_until(photos, out, draw() if kills.phases.total() < times else None)
        if status is not None:
            return [] if status == SET_ASIDE else [f"a batch ended with {status}"]
        after = read_state(out)
        kills.phases[name_phase(before, after)] += 1
        kills.torn += after.torn


def copy_with_faults(files: list[Path], folder: Path) -> Path:
    """Fill a folder with the photos, one of them again under another name, and the first half of one."""
    copy_first(files, len(files), folder)
    data = files[0].read_bytes()
    (folder / "again.jpg").write_bytes(data)
    (folder / "torn.jpg").write_bytes(data[: len(data) // 2])
    return folder


def find_faults(photos: Path, out: Path, whole: Path) -> list[str]:
    """Return the faults of a finished batch, compared with an undisturbed one."""
    names = [line["batch"]["photos"] for line in load_lines(out / "results.jsonl")]
    counts = Counter(name for photos_of_line in names for name in photos_of_line)
    wrong = [f"{file.name} is in {counts[file.name]} results" for file in photos.iterdir() if counts[file.name] != 1]
    wrong += find_repeats(out)
    wrong += [f"{name} differs" for name in FILES if (out / name).read_bytes() != (whole / name).read_bytes()]
    if _timeless(load_lines(out / "results.jsonl")) != _timeless(load_lines(whole / "results.jsonl")):
        wrong.append("results.jsonl differs")
    if read_state(out).read != read_state(whole).read:
        wrong.append(f"{read_state(out).read} readings, not {read_state(whole).read}")
    return wrong


def find_repeats(out: Path) -> list[str]:
    """Return the entries that occur more than once in a batch's journal: surveyed or read again."""
    entries = Counter(line.get("reading") or line["photo"] for line in load_lines(out / "journal.jsonl"))
    return [f"{entry} is {count} times in the journal" for entry, count in entries.items() if count > 1]


def load_lines(file: Path) -> list[dict[str, Any]]:
    """Load a file of JSON documents, one per line."""
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def _timeless(value: Any) -> Any:
    """Return a value without its durations."""
    if isinstance(value, dict):
        return {key: _timeless(part) for key, part in value.items() if key not in TIMES}
    return [_timeless(part) for part in value] if isinstance(value, list) else value
