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

from datasets.benchmark.marked import EXAMPLES, Sent, stream_photos
from datasets.benchmark.references import Alone, find_mismatch, read_alone
from datasets.benchmark.serving import Served, find_free_port, launch_server, run_server

BOARDS = ("test_level", "test_turned")
CLIENTS = 3
MAX_LIFE_READINGS = 4.0
"""A server lives up to so many times what a reading takes."""
STARTING_SHARE = 0.2
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
    data, port, rng = folder / "data", find_free_port(), Random(seed)
    originals = {board: (EXAMPLES / f"{board}.jpg").read_bytes() for board in BOARDS}
    with run_server(data, port, **SETTINGS) as server:
        alone = read_alone(server.url, originals)
    uploads = Uploads()
    with _clients(f"http://127.0.0.1:{port}", originals, uploads):
        for _ in range(kills):
            _live_and_die(data, port, rng, alone.seconds)
    with run_server(data, port, **SETTINGS, sweep_minutes=0.02) as server:
        findings = _followed(server, uploads, alone)
        time.sleep(3)  # a sweep or two
    findings.wrong += find_half_kept(data)
    return uploads, findings


def _live_and_die(data: Path, port: int, rng: Random, seconds: float) -> None:
    """One life of a server."""
    if rng.random() < STARTING_SHARE:
        with launch_server(data, port, **SETTINGS) as process:
            time.sleep(rng.uniform(0, 2 * seconds))
            process.kill()
    else:
        with run_server(data, port, **SETTINGS) as server:
            time.sleep(rng.uniform(0, MAX_LIFE_READINGS * seconds))
            server.kill()


@contextmanager
def _clients(url: str, originals: dict[str, bytes], uploads: Uploads) -> Iterator[None]:
    """Some clients that send photo after photo."""
    done = Event()

    def send_on(name: str) -> None:
        with httpx.Client(base_url=url, timeout=30) as client:
            for sent in stream_photos(originals, name):
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
    findings = Found()
    with httpx.Client(base_url=server.url, timeout=60) as client:
        for reading, sent in uploads.accepted.items():
            answer = client.get(f"/v1/readings/{reading}")
            while answer.is_success and answer.json()["status"] not in ("done", "failed"):
                time.sleep(0.2)
                answer = client.get(f"/v1/readings/{reading}")
            outcome, wrong = _outcome(answer, sent, alone.reports[sent.board])
            findings.outcomes[outcome] += 1
            findings.wrong += [f"{reading}: {wrong}"] if wrong else []
    return findings


def _outcome(answer: httpx.Response, sent: Sent, reference: dict[str, Any]) -> tuple[str, str | None]:
    """What came of an upload, and what is wrong with that."""
    if not answer.is_success:
        return "lost", f"{answer.status_code}"
    reply = answer.json()
    if reply["status"] == "failed":
        return f"failed: {reply['error']['code']}", None
    return "done", find_mismatch(reply["report"], sent.sha256, reference)


def find_half_kept(data: Path) -> list[str]:
    """Find what is wrong with the database and the folder of photos once the server has stopped."""
    with closing(sqlite3.connect(data / "server.db")) as database:
        half = database.execute(
            "SELECT id, status FROM readings WHERE status NOT IN ('done', 'failed')"
            " OR (status = 'done' AND (report IS NULL OR held IS NULL OR id NOT IN (SELECT reading FROM photos)))"
            " OR (status = 'failed' AND (error IS NULL OR report IS NOT NULL))"
        ).fetchall()
        keys = {row[0] for row in database.execute("SELECT key FROM photos")}
    there = {file.name for file in (data / "photos").iterdir()}
    wrong = [f"half: {row}" for row in half]
    wrong += [f"a reading without its photo: {key}" for key in keys - there]
    wrong += [f"a photo without a reading: {key}" for key in there - keys]
    return wrong + [f"an upload left over: {file.name}" for file in (data / "incoming").iterdir()]


def describe_counts(uploads: Uploads, findings: Found) -> Sequence[str]:
    """Describe the counts, a line each."""
    lines = [f"answers: {dict(sorted(uploads.answers.items()))}", f"accepted: {len(uploads.accepted)}"]
    lines += [f"{count:6} {outcome}" for outcome, count in findings.outcomes.most_common()]
    wrong = findings.wrong + [f"unexpected answer {answer}" for answer in uploads.unexpected]
    return [*lines, f"wrong: {len(wrong)}", *wrong[:20]]


def main() -> int:
    """Print the counts; 1 where something was lost, half kept or mixed up."""
    parser = argparse.ArgumentParser(prog="python -m datasets.benchmark.server_faults", description=__doc__)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        uploads, findings = run(Path(folder), options.kills, options.seed)
    print("\n".join(describe_counts(uploads, findings)))
    return 1 if findings.wrong or uploads.unexpected or not findings.outcomes["done"] else 0


if __name__ == "__main__":
    sys.exit(main())
