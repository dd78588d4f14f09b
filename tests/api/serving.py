"""The server as a person starts it: the command in a process of its own, with its address and its folder."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2 as httpx
import numpy as np
from fastapi import FastAPI

from api.app import create_app
from api.corrections import corrected
from api.held import Held
from api.settings import Settings
from api.store.photos import photo_key
from api.store.readings import StoredPhoto
from api.tokens import hash_of

EXAMPLES = Path(__file__).parents[2] / "datasets" / "examples"
LEVEL = EXAMPLES / "test_level.jpg"
"""The smallest board among the examples."""
ENDING = {"done", "failed"}


@dataclass(frozen=True)
class Running:
    """A server: its address, its data folder, its process, and a client of it."""

    url: str
    data: Path
    process: subprocess.Popen[str]
    client: httpx.Client

    def followed(self, reading: str) -> dict[str, Any]:
        """The reading once it is done or has failed."""
        while True:
            told = self.client.get(f"/v1/readings/{reading}").raise_for_status().json()
            if told["status"] in ENDING:
                return dict(told)
            time.sleep(0.1)

    def photos(self) -> set[str]:
        """The files of photos that are kept."""
        return {file.name for file in (self.data / "photos").iterdir()}


@contextmanager
def running(data: Path, **settings: object) -> Iterator[Running]:
    """A server with settings by their short names; it is ended, and killed where that does not help."""
    own = {f"WONDERTALLY_{name.upper()}": str(value) for name, value in settings.items()}
    command = [sys.executable, "-c", "from api.cli import main; main()", "serve", "--port", "0"]
    environment = {**os.environ, **own, "WONDERTALLY_DATA": str(data)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        try:
            assert process.stdout is not None
            url = process.stdout.readline().removeprefix("Wondertally: ").strip()
            with httpx.Client(base_url=url, timeout=120) as client:
                yield Running(url, data, process, client)
        finally:
            if process.poll() is None:
                process.send_signal(signal.SIGTERM)
                try:
                    process.wait(20)
                except subprocess.TimeoutExpired:
                    process.kill()


@contextmanager
def unopened(settings: Settings) -> Iterator[FastAPI]:
    """An app that reads no photos, and does all else."""
    app = create_app(settings)
    yield app
    app.state.server.engine.dispose()


def error_in(answer: httpx.Response, status: int | None = None) -> dict[str, Any]:
    """The error of an answer, which has the one shape."""
    document = answer.json()
    assert set(document) == {"error"}, document
    error = document["error"]
    assert set(error) == {"code", "text", "details"}
    assert error["text"]
    assert isinstance(error["details"], dict)
    assert answer.status_code >= 400
    assert status in (None, answer.status_code), (answer.status_code, error)
    return dict(error)


def photo_form(data: bytes, name: str = "table.jpg", kind: str = "image/jpeg") -> dict[str, Any]:
    """What a client sends one photo with."""
    return {"files": {"photo": (name, data, kind)}}


def keep(app: FastAPI, reading: str, token: str, held: Held) -> None:
    """Have an app keep a reading as if it had read it from grey photos."""
    readings, names = app.state.server.readings, [f"{number}.jpg" for number in range(len(held.views))]
    readings.store.add(reading, hash_of(token), {"rules": "C3", "track": {}, "files": names}, 3600)
    photos = []
    for number, view in enumerate(held.views):
        key, width, height = photo_key(reading, number), view.photo.width, view.photo.height
        readings.photos.put(key, np.full((height, width, 3), 90, np.uint8))
        photos.append(StoredPhoto(number, key, width, height))
    assert readings.store.finish(reading, held.to_json(), corrected(held).to_json(), photos)
