"""Uploads go on while the server is killed: python -m datasets.benchmark.server_faults [--kills 50] [--seed 0].

The server is killed (SIGKILL) at random moments, one in five while it starts, and started again. In the end every photo
that it gave an id for must be read rightly or have failed with a code, none may be half kept, and the photos in its
store must be those of its readings.
"""

from __future__ import annotations

import argparse
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from threading import Event, Thread
from typing import Any

import httpx2 as httpx

from datasets.benchmark.marked import EXAMPLES, Sent, series
from datasets.benchmark.references import Alone, read_alone, what_is_wrong
from datasets.benchmark.serving import Served, free_port, launched, served

BOARDS = ("test_level", "test_turned")
CLIENTS = 3
LIVES = 4.0
"""A server lives up to so many times what a reading takes."""
WHILE_STARTING = 0.2
SETTINGS: dict[str, Any] = {
    "readers": 1,
    "queue": 6,
    "readings_per_minute": 100_000,  # all clients are one address
    "requests_per_minute": 1_000_000,
}
ASYNC = {"Prefer": "respond-async"}


@dataclass
class Uploads:
    """What clients have sent: by the ids that they were given; and the answers that were none of those expected."""

    accepted: dict[str, Sent] = field(default_factory=dict)
    answers: Counter[str] = field(default_factory=Counter)
    unexpected: list[str] = field(default_factory=list)

    def send(self, client: httpx.Client, sent: Sent) -> bool:
        """Send a photo; whether it was taken."""
        try:
            answer = client.post("/v1/readings", files={"photo": ("t.jpg", sent.data, "image/jpeg")}, headers=ASYNC)
        except httpx.HTTPError:
            self.answers["no answer"] += 1
            return False
        self.answers[str(answer.status_code)] += 1
        if answer.status_code == 202:
            self.accepted[answer.json()["id"]] = sent
            return True
        if answer.status_code not in (429, 503):
            self.unexpected.append(f"{answer.status_code}: {answer.text[:200]}")
        return False


@dataclass
class Found:
    """What was there in the end: how many readings came to what, and what is wrong."""

    outcomes: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)


def run(folder: Path, kills: int, seed: int) -> tuple[Uploads, Found]:
    """Kill the server so many times while clients send photos, and look at what is left."""
    data, port, rng = folder / "data", free_port(), Random(seed)
    originals = {board: (EXAMPLES / f"{board}.jpg").read_bytes() for board in BOARDS}
    with served(data, port, **SETTINGS) as server:
        alone = read_alone(server.url, originals)
    uploads = Uploads()
    with _clients(f"http://127.0.0.1:{port}", originals, uploads):
        for _ in range(kills):
            _live_and_die(data, port, rng, alone.seconds)
    with served(data, port, **SETTINGS, sweep_minutes=0.02) as server:
        found = _followed(server, uploads, alone)
        time.sleep(3)  # a sweep or two
    found.wrong += what_is_half(data)
    return uploads, found


def _live_and_die(data: Path, port: int, rng: Random, seconds: float) -> None:
    """One life of a server."""
    if rng.random() < WHILE_STARTING:
        with launched(data, port, **SETTINGS) as process:
            time.sleep(rng.uniform(0, 2 * seconds))
            process.kill()
    else:
        with served(data, port, **SETTINGS) as server:
            time.sleep(rng.uniform(0, LIVES * seconds))
            server.kill()


@contextmanager
def _clients(url: str, originals: dict[str, bytes], uploads: Uploads) -> Iterator[None]:
    """Some clients that send photo after photo."""
    done = Event()

    def send_on(name: str) -> None:
        with httpx.Client(base_url=url, timeout=30) as client:
            for sent in series(originals, name):
                if done.wait(0.1 if uploads.send(client, sent) else 0.5):
                    return

    threads = [Thread(target=send_on, args=(f"client {number}",)) for number in range(CLIENTS)]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        done.set()
        for thread in threads:
            thread.join()


def _followed(server: Served, uploads: Uploads, alone: Alone) -> Found:
    """What came of every upload, once it is known."""
    found = Found()
    with httpx.Client(base_url=server.url, timeout=60) as client:
        for reading, sent in uploads.accepted.items():
            answer = client.get(f"/v1/readings/{reading}")
            while answer.is_success and answer.json()["status"] not in ("done", "failed"):
                time.sleep(0.2)
                answer = client.get(f"/v1/readings/{reading}")
            outcome, wrong = _outcome(answer, sent, alone.reports[sent.board])
            found.outcomes[outcome] += 1
            found.wrong += [f"{reading}: {wrong}"] if wrong else []
    return found


def _outcome(answer: httpx.Response, sent: Sent, reference: dict[str, Any]) -> tuple[str, str | None]:
    """What came of an upload, and what is wrong with that."""
    if not answer.is_success:
        return "lost", f"{answer.status_code}"
    told = answer.json()
    if told["status"] == "failed":
        return f"failed: {told['error']['code']}", None
    return "done", what_is_wrong(told["report"], sent.sha256, reference)


def what_is_half(data: Path) -> list[str]:
    """What is wrong with the database and the folder of photos once the server has stopped."""
    with closing(sqlite3.connect(data / "server.db")) as database:
        half = database.execute(
            "SELECT id, status FROM readings WHERE status NOT IN ('done', 'failed')"
            " OR (status = 'done' AND (report IS NULL OR held IS NULL OR id NOT IN (SELECT reading FROM photos)))"
            " OR (status = 'failed' AND (error IS NULL OR report IS NOT NULL))"
        ).fetchall()
        kept = {row[0] for row in database.execute("SELECT key FROM photos")}
    there = {file.name for file in (data / "photos").iterdir()}
    wrong = [f"half: {row}" for row in half]
    wrong += [f"a reading without its photo: {key}" for key in kept - there]
    wrong += [f"a photo without a reading: {key}" for key in there - kept]
    return wrong + [f"an upload left over: {file.name}" for file in (data / "incoming").iterdir()]


def told(uploads: Uploads, found: Found) -> Sequence[str]:
    """The counts in words."""
    lines = [f"answers: {dict(sorted(uploads.answers.items()))}", f"accepted: {len(uploads.accepted)}"]
    lines += [f"{count:6} {outcome}" for outcome, count in found.outcomes.most_common()]
    wrong = found.wrong + [f"unexpected answer {answer}" for answer in uploads.unexpected]
    return [*lines, f"wrong: {len(wrong)}", *wrong[:20]]


def main() -> int:
    """Print the counts; 1 where something was lost, half kept or mixed up."""
    parser = argparse.ArgumentParser(prog="python -m datasets.benchmark.server_faults", description=__doc__)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        uploads, found = run(Path(folder), asked.kills, asked.seed)
    print("\n".join(told(uploads, found)))
    return 1 if found.wrong or uploads.unexpected or not found.outcomes["done"] else 0


if __name__ == "__main__":
    sys.exit(main())
