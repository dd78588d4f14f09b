"""Photos in an S3 store, over HTTP: kept, swept, deleted, found after a restart; and away for a while."""

from __future__ import annotations

import json
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest
from sqlalchemy import create_engine, update

from api.server.tokens import generate_id
from api.store.photos import MARK
from api.store.tables import ReadingRow
from tests.api.serving import LEVEL, Running, error_in, photo_form, refused, running, send, until

BUCKET = "tables"
PATIENCE = {"connect_timeout": 1, "read_timeout": 1, "retries": {"max_attempts": 0}}
SECONDS = 120


@dataclass(frozen=True)
class Objects:
    """An S3 server in a process of its own."""

    url: str
    process: subprocess.Popen[bytes]

    def keys(self) -> set[str]:
        """Return all objects of the bucket."""
        listing = httpx.get(f"{self.url}/{BUCKET}?list-type=2").raise_for_status().text
        return set(re.findall("<Key>(.*?)</Key>", listing)) - {f"photos/{MARK}"}

    def put(self, key: str, content: bytes = b"left over") -> None:
        """Put an object there like another program."""
        httpx.put(f"{self.url}/{BUCKET}/{key}", content=content).raise_for_status()

    def until(self, wanted: Callable[[set[str]], bool]) -> None:
        """Wait until its objects are as wanted."""
        end = time.monotonic() + SECONDS
        while not wanted(self.keys()):
            assert time.monotonic() < end, self.keys()
            time.sleep(0.1)


@pytest.fixture
def objects(monkeypatch: pytest.MonkeyPatch) -> Iterator[Objects]:
    """Start the server, and set the environment that leads to it (docs/settings.md)."""
    with closing(socket.create_server(("127.0.0.1", 0))) as free:
        port = free.getsockname()[1]
    url = f"http://127.0.0.1:{port}"
    environment = {"AWS_ENDPOINT_URL": url, "AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret"}
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("FSSPEC_S3", json.dumps({"config_kwargs": PATIENCE}))
    command = [sys.executable, "-m", "moto.server", "-p", str(port)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            _listening(port)
            yield Objects(url, process)
        finally:
            process.kill()


def _listening(port: int) -> None:
    end = time.monotonic() + SECONDS
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            assert time.monotonic() < end
            time.sleep(0.1)
        else:
            return


def sent(server: Running) -> dict[str, Any]:
    return dict(server.client.post("/v1/readings", **photo_form(LEVEL.read_bytes())).raise_for_status().json())


def owner(made: dict[str, Any]) -> dict[str, str]:
    return {"Authorization": f"Bearer {made['token']}"}


def photo(server: Running, made: dict[str, Any]) -> httpx.Response:
    return server.client.get(f"/v1/readings/{made['id']}/photo")


@pytest.mark.soak
def test_photos_lie_in_an_s3_store(objects: Objects, tmp_path: Path) -> None:
    photos = f"s3://{BUCKET}/photos"
    with running(tmp_path, photos=photos, readers=1, wait_seconds=100) as server:
        made, expiring, unwanted = (sent(server) for _ in range(3))
        assert objects.keys() == {f"photos/{one['id']}.0.jpg" for one in (made, expiring, unwanted)}
        jpeg = photo(server, made).raise_for_status().content
        assert jpeg.startswith(b"\xff\xd8")
        server.client.delete(f"/v1/readings/{unwanted['id']}", headers=owner(unwanted)).raise_for_status()
        assert not any(unwanted["id"] in key for key in objects.keys())  # noqa: SIM118 - no dictionary
    assert not (tmp_path / "photos").exists()
    objects.put(f"photos/{generate_id()}.0.jpg")
    objects.put("photos/holiday.jpg")
    _expire(tmp_path, expiring["id"])
    swept: dict[str, Any] = {"readers": 1, "wait_seconds": 100, "sweep_minutes": 0.02, "stray_minutes": 0}
    with running(tmp_path, photos=photos, **swept) as server:
        objects.until(lambda keys: keys == {f"photos/{made['id']}.0.jpg", "photos/holiday.jpg"})
        assert photo(server, made).raise_for_status().content == jpeg
        reading_id = _away_for_a_while(objects, server, made)
        assert photo(server, made).raise_for_status().content == jpeg
        assert server.followed(reading_id)["status"] == "done"
        assert objects.keys() == {f"photos/{made['id']}.0.jpg", f"photos/{reading_id}.0.jpg", "photos/holiday.jpg"}
        sent(server)


def test_a_foreign_place_in_an_s3_store_is_refused(objects: Objects, tmp_path: Path) -> None:
    httpx.put(f"{objects.url}/{BUCKET}").raise_for_status()
    objects.put("album/holiday.jpg", b"mine")
    error = refused(tmp_path / "data", photos=f"s3://{BUCKET}/album")
    assert (error["code"], error["details"]["files"]) == ("photos_not_empty", ["holiday.jpg"])
    objects.put(f"photos/{MARK}", b'{"database": "another"}')
    objects.put(f"photos/{generate_id()}.0.jpg")
    before = objects.keys()
    assert refused(tmp_path / "data", photos=f"s3://{BUCKET}/photos")["code"] == "photos_of_another"
    assert objects.keys() == before


def _away_for_a_while(objects: Objects, server: Running, made: dict[str, Any]) -> str:
    """Check that requests for photos are refused with `Retry-After`; accepted uploads get their id and wait."""
    objects.process.send_signal(signal.SIGSTOP)
    try:
        answer = photo(server, made)
        error = error_in(answer, 503)
        assert (error["code"], error["details"]) == ("storage_away", {"storage": "photos"})
        assert int(answer.headers["retry-after"]) > 0
        reading = send(server)
        until(lambda: "job_postponed" in {line["event"] for line in server.lines()})
        assert server.client.get(f"/v1/readings/{made['id']}").json()["status"] == "done"
        return str(reading["id"])
    finally:
        objects.process.send_signal(signal.SIGCONT)


def _expire(data: Path, reading: str) -> None:
    engine = create_engine(f"sqlite:///{data / 'server.db'}")
    with engine.begin() as connection:
        connection.execute(update(ReadingRow).where(ReadingRow.id == reading).values(expires=1))
    engine.dispose()
