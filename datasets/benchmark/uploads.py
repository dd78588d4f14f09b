"""Photos that clients keep sending to a server whatever happens to it, and the final outcome of each."""

from __future__ import annotations

import hashlib
import time
from collections import Counter
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event, Thread
from typing import Any

import cv2
import httpx2 as httpx
from sqlalchemy import create_engine, text

from datasets.benchmark.serving import Served
from vision.photo.decoding import Photo

EXAMPLES = Path(__file__).parents[1] / "examples"
BOARDS = ("test_level", "test_turned")
CLIENTS = 3
SETTINGS: dict[str, Any] = {
    "readers": 1,
    "queue": 6,
    "readings_per_minute": 100_000,  # all clients share one address
    "requests_per_minute": 1_000_000,
}
ANSWER_SECONDS = 300
ASYNC = {"Prefer": "respond-async"}
REFUSALS = (429, 503)
MARK = "wondertally-photos.json"
"""Name of the file by which a server recognises its folder of photos."""
_COMMENT = b"\xff\xfe"


@dataclass(frozen=True, slots=True)
class Sent:
    """A photo: the name of the example with its board, and its file."""

    board: str
    data: bytes

    @property
    def sha256(self) -> str:
        """Return the hash by which a report identifies it."""
        return hashlib.sha256(self.data).hexdigest()


@dataclass
class Alone:
    """The report of each photo read alone by its name, and the mean seconds per reading."""

    reports: dict[str, dict[str, Any]]
    seconds: float


@dataclass
class Uploads:
    """Photos sent by clients, by id, with their tokens; and the invalid answers."""

    accepted: dict[str, Sent] = field(default_factory=dict)
    tokens: dict[str, str] = field(default_factory=dict)
    answers: Counter[str] = field(default_factory=Counter)
    unexpected: list[str] = field(default_factory=list)

    def send(self, client: httpx.Client, sent: Sent) -> bool:
        """Send a photo; return whether it was accepted."""
        try:
            answer = client.post("/v1/readings", files={"photo": ("t.jpg", sent.data, "image/jpeg")}, headers=ASYNC)
        except httpx.HTTPError:
            self.answers["no answer"] += 1
            return False
        self.answers[str(answer.status_code)] += 1
        if answer.status_code == 202:
            self.tokens[answer.json()["id"]] = answer.json()["token"]
            self.accepted[answer.json()["id"]] = sent
            return True
        if answer.status_code not in REFUSALS or "retry-after" not in answer.headers:
            self.unexpected.append(f"{answer.status_code}: {answer.text[:200]}")
        return False


@dataclass
class Found:
    """Final outcomes: the number of readings by outcome, and the faults."""

    outcomes: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)


def load_boards() -> dict[str, bytes]:
    """Return the photos to send, by name."""
    return {board: (EXAMPLES / f"{board}.jpg").read_bytes() for board in BOARDS}


def enlarge_example(name: str, width: int, mebibytes: float) -> bytes:
    """Return an example at a given width in pixels, with the JPEG quality that comes closest to a size in MiB."""
    pixels = Photo.from_path(EXAMPLES / f"{name}.jpg").pixels
    height = round(pixels.shape[0] * width / pixels.shape[1])
    large = cv2.resize(pixels, (width, height), interpolation=cv2.INTER_CUBIC)
    packed = (
        cv2.imencode(".jpg", large, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes() for quality in range(70, 101, 3)
    )
    return min(packed, key=lambda data: abs(len(data) - mebibytes * 2**20))


def stream_photos(originals: dict[str, bytes], series_name: str) -> Iterator[Sent]:
    """Yield photos endlessly: the originals in turn, each unique by a mark, so that a reading can be matched to it."""
    number = 0
    while True:
        for board, jpeg in originals.items():
            yield Sent(board, mark_jpeg(jpeg, f"{series_name} {number}"))
            number += 1


def mark_jpeg(jpeg: bytes, mark: str) -> bytes:
    """Return a JPEG with a comment added."""
    comment = mark.encode()
    return jpeg[:2] + _COMMENT + (len(comment) + 2).to_bytes(2, "big") + comment + jpeg[2:]


def read_alone(url: str, photos: dict[str, bytes]) -> Alone:
    """Read each photo, one after another."""
    reports, started = {}, time.monotonic()
    with httpx.Client(base_url=url, timeout=ANSWER_SECONDS) as client:
        for name, jpeg in photos.items():
            answer = client.post("/v1/readings", files={"photo": (f"{name}.jpg", jpeg, "image/jpeg")})
            reports[name] = answer.raise_for_status().json()["report"]
    return Alone(reports, (time.monotonic() - started) / len(photos))


@contextmanager
def send_photos(url: str, originals: dict[str, bytes], uploads: Uploads, series_name: str = "client") -> Iterator[None]:
    """Have some clients continuously send photos in the background."""
    done = Event()

    def send_on(name: str) -> None:
        with httpx.Client(base_url=url, timeout=30) as client:
            for sent in stream_photos(originals, name):
                if done.wait(0.1 if uploads.send(client, sent) else 0.5):
                    return

    threads = [Thread(target=send_on, args=(f"{series_name} {number}",)) for number in range(CLIENTS)]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        done.set()
        for thread in threads:
            thread.join()


def follow_uploads(server: Served, uploads: Uploads, alone: Alone) -> Found:
    """Follow every upload to its end."""
    findings = Found()
    with httpx.Client(base_url=server.url, timeout=60) as client:
        for reading, sent in uploads.accepted.items():
            answer = client.get(f"/v1/readings/{reading}")
            while answer.is_success and answer.json()["status"] not in ("done", "failed"):
                time.sleep(0.2)
                answer = client.get(f"/v1/readings/{reading}")
            outcome, wrong = _judge_outcome(answer, sent, alone.reports[sent.board])
            findings.outcomes[outcome] += 1
            findings.wrong += [f"{reading}: {wrong}"] if wrong else []
    return findings


def _judge_outcome(answer: httpx.Response, sent: Sent, reference: dict[str, Any]) -> tuple[str, str | None]:
    """Return the outcome of an upload, and its fault, if any."""
    if not answer.is_success:
        return "lost", f"{answer.status_code}"
    reply = answer.json()
    if reply["status"] == "failed":
        return f"failed: {reply['error']['code']}", None
    return "done", find_mismatch(reply["report"], sent.sha256, reference)


def find_mismatch(report: dict[str, Any], sent_sha256: str, reference: dict[str, Any]) -> str | None:
    """Return the reason why a report does not match the photo sent, given one of the same board; None if it does."""
    if report["photo"]["sha256"] != sent_sha256:
        return "mixed up: the report is of another photo"
    if report["board"]["notation"] != reference["board"]["notation"]:
        return "another board than was read before"
    if report["scores"]["final_scoring"] != reference["scores"]["final_scoring"]:
        return "another final scoring than was read before"
    return None


def find_half_kept(
    data: Path, database: str = "", photos: Path | None = None, others: Collection[str] = ()
) -> list[str]:
    """Return the faults of the database and the folders of photos and uploads after the server has stopped.

    `others` are names of files in these folders that do not belong to the server.
    """
    engine = create_engine(database or f"sqlite:///{data / 'server.db'}")
    with engine.connect() as connection:
        half = connection.execute(
            text(
                "SELECT id, status FROM readings WHERE status NOT IN ('done', 'failed')"
                " OR (status = 'done' AND (report IS NULL OR held IS NULL OR id NOT IN (SELECT reading FROM photos)))"
                " OR (status = 'failed' AND (error IS NULL OR report IS NOT NULL))"
            )
        ).all()
        keys = set(connection.execute(text("SELECT key FROM photos")).scalars())
    engine.dispose()
    there = {file.name for file in (photos or data / "photos").iterdir()} - {MARK, *others}
    wrong = [f"half: {tuple(row)}" for row in half]
    wrong += [f"a reading without its photo: {key}" for key in keys - there]
    wrong += [f"a photo without a reading: {key}" for key in there - keys]
    uploads = [file.name for file in (data / "incoming").iterdir() if file.name not in others]
    return wrong + [f"an upload left over: {name}" for name in uploads]
