"""Kill a batch repeatedly: python -m datasets.benchmark.attacks.batch_faults [--kills 50] [--photos 6].

A batch reads drawn photos, one of them twice under 2 names and one truncated. It is killed (SIGKILL, with all its
processes) at random moments and restarted until it ends; then another begins, until the number of kills is reached.
Each finished batch must have every photo in its results once, no repeated reading in its journal, and files equal to
those of an undisturbed batch, apart from times. The command prints the phase of each kill, and returns status 1 if
anything is lost, repeated or different.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

from datasets.benchmark.killing import Killed, Moments, find_repeats, load_lines, read_state, run_until
from datasets.benchmark.photos import copy_first, draw_photos

SET_ASIDE = 1
"""Exit status of a batch with an unreadable photo."""
FILES = ("results.csv", "standings.csv", "index.html")
TIMES = ("timing_ms", "decode_ms")


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


def main() -> int:
    """Print the counts."""
    parser = argparse.ArgumentParser(prog="python -m datasets.benchmark.attacks.batch_faults")
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--photos", type=int, default=6, help="of distinct content")
    parser.add_argument("--folder", type=Path, help="where photos are drawn to, or lie; else one that goes again")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        files = draw_photos(options.folder or scratch / "drawn", options.photos, options.seed)
        photos = copy_with_faults(files, scratch / "photos")
        started = time.perf_counter()
        status = run_until(photos, scratch / "whole", None)
        if status != SET_ASIDE:
            print(f"the undisturbed batch ended with {status}")
            return 1
        moments = Moments(Random(options.seed), time.perf_counter() - started)
        killed, ended, wrong = kill_batches(photos, scratch, moments, options.kills)
    _print(killed, ended, len(files) + 2, wrong)
    return int(bool(wrong))


def kill_batches(photos: Path, scratch: Path, moments: Moments, kills: int) -> tuple[Killed, int, list[str]]:
    """Run batches until the number of kills is reached and the last has ended; return the kills, batches and faults."""
    killed, ended, wrong = Killed(), 0, list[str]()
    while killed.count < kills:
        out = scratch / f"out{ended}"
        wrong += _until_it_ends(photos, out, moments, killed, kills)
        wrong += find_faults(photos, out, scratch / "whole")
        ended += 1
    return killed, ended, wrong


def _until_it_ends(photos: Path, out: Path, moments: Moments, killed: Killed, kills: int) -> list[str]:
    while True:
        before = read_state(out)
        status = run_until(photos, out, moments.draw() if killed.count < kills else None)
        if status is not None:
            return [] if status == SET_ASIDE else [f"a batch ended with {status}"]
        killed.add(before, read_state(out))
        print(f"{killed.count} of {kills} killed", file=sys.stderr, flush=True)


def _print(killed: Killed, ended: int, photos: int, wrong: list[str]) -> None:
    print(f"{killed.count} kills, {killed.torn} of them within a line; {ended} batches of {photos} photos ended")
    for phase, count in sorted(killed.phases.items()):
        print(f"  {phase}: {count}")
    for fault in wrong:
        print(f"WRONG: {fault}")
    print("all photos accounted for, no reading twice, all files as undisturbed" if not wrong else "MISSED")


def _timeless(value: Any) -> Any:
    """Return a value without its durations."""
    if isinstance(value, dict):
        return {key: _timeless(part) for key, part in value.items() if key not in TIMES}
    return [_timeless(part) for part in value] if isinstance(value, list) else value


if __name__ == "__main__":
    sys.exit(main())
