"""The server under load: python -m datasets.benchmark.load [--clients 50] [--seconds 120] [--readers 2] [--url ...].

Locust clients continuously send photos of 12 megapixels and about 3 MB, each with a unique mark; a refused client
retries at the time given by the server. The server is started here on 2 cores, unless `--url` names one. All clients
share one address, so the limits per address are set as for a hall behind one address (`readings_per_minute`,
`requests_per_minute`, `uploads_per_client`); the queue has its default length.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event, Thread
from typing import Any

import httpx2 as httpx
import numpy as np
import psutil

from datasets.benchmark.marked import BOARDS, enlarge_example
from datasets.benchmark.references import Alone, find_mismatch, read_alone
from datasets.benchmark.serving import Served, run_server

CORES = (0, 1)
WIDTH, MEBIBYTES = 4000, 3.0
SETTINGS: dict[str, Any] = {
    "readings_per_minute": 100_000,
    "requests_per_minute": 1_000_000,
    "uploads_per_client": 1000,
}
MEMORY_SECONDS = 0.5
MAX_GROWTH_RATIO = 1.25
"""Maximum ratio of peak memory in the second half to that in the first. A guess."""
FINISHING_SECONDS = 300
REFUSALS = (429, 503)


@dataclass
class Memory:
    """Samples of the bytes held by the server and its readers together, with their times."""

    looks: list[tuple[float, int]] = field(default_factory=list)

    def peaks(self) -> tuple[int, int]:
        """Return the peaks of the first and the second half of the time."""
        middle = (self.looks[0][0] + self.looks[-1][0]) / 2
        halves = ([size for at, size in self.looks if (at > middle) == late] for late in (False, True))
        first, second = (max(half, default=0) for half in halves)
        return first, second


def make_photos(folder: Path) -> dict[str, bytes]:
    """Enlarge the examples to the size of a phone's pictures, and write them to a folder."""
    photos = {board: enlarge_example(board, WIDTH, MEBIBYTES) for board in BOARDS}
    for board, jpeg in photos.items():
        (folder / f"{board}.jpg").write_bytes(jpeg)
    return photos


@contextmanager
def watch_memory(server: Served | None) -> Iterator[Memory]:
    """Sample a server's memory periodically."""
    memory, done = Memory(), Event()

    def look() -> None:
        while server is not None and not done.wait(MEMORY_SECONDS):
            memory.looks.append((time.monotonic(), server.memory()))

    watching = Thread(target=look)
    watching.start()
    try:
        yield memory
    finally:
        done.set()
        watching.join()


def send_all(url: str, folder: Path, clients: int, seconds: int) -> list[dict[str, Any]]:
    """Send photos from this many clients for this many seconds; return the answers on all of them."""
    users = Path(__file__).with_name("clients") / "organisers.py"
    arguments = ["--headless", "--only-summary", "--host", url, "-u", str(clients), "-r", str(clients)]
    command = [sys.executable, "-m", "locust", "-f", str(users), *arguments]
    command += ["-t", f"{seconds}s", "--stop-timeout", str(FINISHING_SECONDS)]
    subprocess.run(command, env={**os.environ, "LOAD_FOLDER": str(folder)}, check=False)
    notes = (file.read_text(encoding="utf-8").splitlines() for file in folder.glob("*.jsonl"))
    return [json.loads(line) for lines in notes for line in lines]


def find_wrong_answers(notes: Sequence[dict[str, Any]], alone: Alone) -> list[str]:
    """Return the invalid answers."""
    wrong = []
    for note in notes:
        if note["status"] in REFUSALS:
            wrong += [] if note["retry_after"] else [f"{note['status']} without Retry-After"]
        elif note["report"] is None:
            wrong.append(f"{note['status']}, reading {note['id']}: {note['error']}")
        elif mismatch := find_mismatch(note["report"], note["sha256"], alone.reports[note["board"]]):
            wrong.append(f"reading {note['id']}: {mismatch}")
    return wrong


def find_lost_readings(url: str, before: int, accepted: int) -> list[str]:
    """Compare the number of readings done by the server's count with that of the clients."""
    done = count_done(url) - before
    return [] if done == accepted else [f"the server has done {done} readings, clients know of {accepted}"]


def count_done(url: str) -> int:
    """Return the number of readings that a server has done."""
    lines = httpx.get(f"{url}/metrics").raise_for_status().text.splitlines()
    counts = [
        line.split()[-1] for line in lines if line.startswith('wondertally_readings_total{code="",outcome="done"}')
    ]
    return int(float(counts[0])) if counts else 0


def find_growth(memory: Memory) -> list[str]:
    """Return a fault if memory grows during the load."""
    if not memory.looks:
        return []
    first, second = memory.peaks()
    print(f"memory: at most {max(first, second) / 2**20:.0f} MiB, second half to first {second / first:.2f}")
    return [f"memory grew to {second / first:.2f} times"] if second > MAX_GROWTH_RATIO * first else []


def print_summary(notes: Sequence[dict[str, Any]], alone: Alone) -> None:
    """Print counts and times."""
    print("answers:", dict(sorted(Counter(str(note["status"]) for note in notes).items())))
    times = [note["seconds"] for note in notes if note["report"] is not None]
    if times:
        middle, most = np.quantile(times, (0.5, 0.95)) / alone.seconds
        print(f"accepted: {len(times)}; a single reading = 1: half within {middle:.1f}, 95% within {most:.1f}")


def run(url: str, server: Served | None, clients: int, seconds: int) -> list[str]:
    """Run a load on a server, print counts, times and memory, and return the faults."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        photos = make_photos(folder)
        read_alone(url, dict([*photos.items()][:1]))  # the first one also sets up
        alone, before = read_alone(url, photos), count_done(url)
        with watch_memory(server) as memory:
            notes = send_all(url, folder, clients, seconds)
    print_summary(notes, alone)
    accepted = sum(note["report"] is not None for note in notes)
    wrong = find_wrong_answers(notes, alone) + find_lost_readings(url, before, accepted) + find_growth(memory)
    return wrong if accepted else [*wrong, "no photo was read"]


@contextmanager
def _started(readers: int) -> Iterator[Served]:
    """Run a server on 2 cores in a temporary folder."""
    with (
        tempfile.TemporaryDirectory() as folder,
        run_server(Path(folder) / "data", **SETTINGS, readers=readers) as server,
    ):
        parent = psutil.Process(server.process.pid)
        for process in (parent, *parent.children(recursive=True)):
            process.cpu_affinity([core for core in CORES if core in os.sched_getaffinity(0)])
        yield server


def main() -> int:
    """Print counts, times and memory; return 1 if anything was lost, mixed up, refused without a time, or grew."""
    parser = argparse.ArgumentParser(prog="python -m datasets.benchmark.load", description=__doc__)
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--seconds", type=int, default=120)
    parser.add_argument("--readers", type=int, default=2, help="of the server that is started")
    parser.add_argument("--url", help="a server that runs, in place of one that is started; its memory is not seen")
    options = parser.parse_args()
    with nullcontext() if options.url else _started(options.readers) as server:
        wrong = run(server.url if server else options.url, server, options.clients, options.seconds)
    for line in wrong[:20]:
        print("wrong:", line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
