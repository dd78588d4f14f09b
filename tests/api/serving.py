"""The server as a person starts it: the command in a process of its own, with its address and its folder."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from subprocess import PIPE
from tempfile import TemporaryDirectory
from typing import IO, Any

import cv2
import httpx2 as httpx
import numpy as np
from fastapi import FastAPI
from fastapi.testclient import TestClient

from api.app import create_app
from api.documents.forms import GameSnapshot
from api.games.registry import build_snapshot_report
from api.server.settings import Settings
from api.server.tokens import hash_secret
from api.store.photos import MARK, build_photo_key
from api.store.readings import StoredPhoto
from datasets.benchmark.serving import Served, build_environment, run_server
from tests.api.processes import Process, run_process

EXAMPLES = Path(__file__).parents[2] / "datasets" / "examples"
LEVEL = EXAMPLES / "test_level.jpg"
"""The smallest board among the examples."""
ENDING = {"done", "failed"}


@dataclass(frozen=True)
class Running(Served):
    """A server, and a client of it."""

    client: httpx.Client

    def followed(self, reading: str) -> dict[str, Any]:
        """Return the reading once it is done or has failed."""
        while True:
            document = self.client.get(f"/v1/readings/{reading}").raise_for_status().json()
            if document["status"] in ENDING:
                return dict(document)
            time.sleep(0.1)

    def photos(self) -> set[str]:
        """Return the files of photos that are kept."""
        return {file.name for file in (self.data / "photos").iterdir()} - {MARK}


def launch_fork(words: Sequence[str], log: IO[str], env: Mapping[str, str]) -> Process:
    """Start the server's command in a process that has its imports already."""
    return Process(["serve", *words], stdout=PIPE, stderr=log, text=True, env=env)


@contextmanager
def running(data: Path, port: int = 0, **settings: object) -> Iterator[Running]:
    """Run a server with settings by their short names; it is ended, and killed if necessary."""
    with (
        run_server(data, port, launch_fork, **settings) as started,
        httpx.Client(base_url=started.url, timeout=120) as client,
    ):
        yield Running(**vars(started), client=client)


@contextmanager
def unopened(settings: Settings) -> Iterator[FastAPI]:
    """Return an app that reads no photos, and is otherwise complete."""
    app = create_app(settings)
    yield app
    app.state.server.engine.dispose()


def build_client(folder: Path, host: str = "localhost", **settings: Any) -> Iterator[TestClient]:
    """Yield a client of an app in this process, by default one on the server's own machine."""
    (folder / "incoming").mkdir(parents=True, exist_ok=True)  # created when an app is opened
    with unopened(Settings(data=folder, **settings)) as app:
        yield TestClient(app, base_url=f"http://{host}", client=("127.0.0.1", 5000))


def until(true: Callable[[], bool], seconds: float = 300.0) -> None:
    """Wait until a condition holds."""
    ended = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < ended, "in vain"
        time.sleep(0.05)


def listed_codes(method: str, path: str) -> set[str] | None:
    """Return the codes that the document of the API lists for an address; None if it has no such method there."""
    for template, methods in document_of_the_api()["paths"].items():
        if re.fullmatch(re.sub(r"\\{[^}]*}", "[^/]+", re.escape(template)), path) and method.lower() in methods:
            answers = methods[method.lower()]["responses"].values()
            return {code for answer in answers for code in answer.get("x-error-codes", ())}
    return None


@cache
def document_of_the_api() -> dict[str, Any]:
    """Return the document as a server publishes it."""
    with TemporaryDirectory() as folder, unopened(Settings(data=Path(folder))) as app:
        return app.openapi()


def error_in(answer: httpx.Response, status: int | None = None, listed: bool = True) -> dict[str, Any]:
    """Return an answer's error: in the common form, with a code `listed` for the address in the API's document."""
    document = answer.json()
    assert set(document) == {"error"}, document
    error = document["error"]
    assert set(error) == {"code", "text", "details"}
    assert error["text"]
    assert isinstance(error["details"], dict)
    assert answer.status_code >= 400
    assert status in (None, answer.status_code), (answer.status_code, error)
    codes = listed_codes(answer.request.method, answer.request.url.path)
    assert not listed or codes is None or error["code"] in codes, (
        answer.request.method,
        answer.request.url.path,
        error,
    )
    return dict(error)


def photo_form(data: bytes, name: str = "table.jpg", kind: str = "image/jpeg") -> dict[str, Any]:
    """Return a client's form with one photo."""
    return {"files": {"photo": (name, data, kind)}}


def keep(app: FastAPI, reading: str, token: str, snapshot: GameSnapshot) -> None:
    """Let an app keep a reading as if it had read it from grey photos."""
    readings, infos = app.state.server.readings, snapshot.photos
    names = [f"{number}.jpg" for number in range(len(infos))]
    readings.store.add(reading, hash_secret(token), {"rules": "C3", "track": {}, "files": names}, 3600)
    photos = []
    for number, info in enumerate(infos):
        key, width, height = build_photo_key(reading, number), info.width, info.height
        readings.photos.put(key, np.full((height, width, 3), 90, np.uint8))
        photos.append(StoredPhoto(number, key, width, height))
    assert readings.store.finish(reading, snapshot.to_json(), build_snapshot_report(snapshot).to_json(), photos)


def grey_jpeg() -> bytes:
    return bytes(cv2.imencode(".jpg", np.full((120, 160, 3), 128, np.uint8))[1].tobytes())


ASYNC = {"Prefer": "respond-async"}


def send(server: Running, name: str = "table.jpg") -> dict[str, Any]:
    answer = server.client.post("/v1/readings", **photo_form(LEVEL.read_bytes(), name), headers=ASYNC)
    assert answer.status_code == 202, answer.text
    return dict(answer.json())


def begun(server: Running, reading: dict[str, Any]) -> None:
    """Wait until a reading's photo is in the store."""
    while not any(reading["id"] in name for name in server.photos()):
        time.sleep(0.02)


def is_stopping(server: Running) -> bool:
    answer = server.client.get("/readyz")
    return answer.status_code == 503 and error_in(answer)["details"]["reason"] == "stopping"


def statuses(server: Running, *readings: str) -> list[Any]:
    return [server.followed(reading)["status"] for reading in readings]


def refused(data: Path, **settings: object) -> dict[str, Any]:
    """Return the error that a server ends with instead of starting."""
    done = run_process(["serve", "--port", "0"], env=build_environment(data, settings), timeout=120)
    assert (done.returncode, done.stdout) == (2, ""), done.stderr
    (line,) = [line for line in done.stderr.splitlines() if line.startswith('{"error"')]
    return dict(json.loads(line)["error"])
