"""Meaningful health checks: the server's resources are really removed, and restored."""

from __future__ import annotations

import json
import resource
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import psutil
import pytest

from tests.api.serving import LEVEL, Running, error_in, photo_form, running, until


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("health") / "data", readers=1, queue=0) as started:
        yield started


def reason(server: Running, path: str = "/readyz") -> str | None:
    """Return the reason why the server is not ready; None if it is."""
    answer = server.client.get(path)
    return None if answer.status_code == 200 else str(error_in(answer, 503)["details"]["reason"])


def without(server: Running, away: Path) -> Callable[[], Path]:
    """Remove a file or folder; the function returned restores it."""
    aside = away.with_name(f"{away.name}.aside")
    away.rename(aside)
    return lambda: aside.rename(away)


@pytest.mark.soak
def test_the_server_is_not_ready_without_the_folder_of_photos(server: Running) -> None:
    until(lambda: reason(server) is None)
    give_back = without(server, server.data / "photos")
    assert reason(server) == "photos"
    assert reason(server, "/healthz") is None, "a new start would not help"
    give_back()
    until(lambda: reason(server) is None)
    assert server.photos() == set(), "trying leaves nothing behind"
    assert "probe_failed" in {line["event"] for line in server.lines()}


@pytest.mark.soak
def test_the_server_is_not_ready_if_it_cannot_write_photos(server: Running) -> None:
    before = resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (0, before[1]))
    try:
        assert reason(server) == "photos"
    finally:
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, before)
    until(lambda: reason(server) is None)


@contextmanager
def database_away(server: Running) -> Iterator[Path]:
    """Move the database's file, and those that SQLite has beside it, away."""
    files = [server.data / f"server.db{end}" for end in ("", "-wal", "-shm")]
    back = [without(server, file) for file in files if file.exists()]
    yield files[0]
    for give_back in back:
        give_back()


def test_the_server_is_not_ready_without_the_database(server: Running) -> None:
    with database_away(server) as file:
        assert reason(server) == "database"
        assert not file.exists(), "looking for it makes none"
    until(lambda: reason(server) is None)


def test_the_server_is_not_ready_with_an_invalid_database(server: Running) -> None:
    with database_away(server) as file:
        file.write_bytes(b"no database at all " * 100)
        assert reason(server) == "database"
    until(lambda: reason(server) is None)


def test_the_server_is_not_ready_while_another_program_locks_the_database(server: Running) -> None:
    with closing(sqlite3.connect(server.data / "server.db")) as other:
        other.execute("BEGIN IMMEDIATE")
        assert reason(server) == "database"
        other.rollback()
    until(lambda: reason(server) is None)


def test_the_server_is_not_ready_with_a_full_queue(server: Running) -> None:
    reading = server.client.post(
        "/v1/readings", **photo_form(LEVEL.read_bytes()), headers={"Prefer": "respond-async"}
    ).json()
    until(lambda: reason(server) == "queue")
    assert server.followed(reading["id"])["status"] == "done"
    until(lambda: reason(server) is None)


def kill_before_anybody_looks(server: Running, process: psutil.Process, *paths: str) -> list[str | None]:
    """Kill a process of the suspended server, with requests pending at some addresses; return the reasons of each.

    It learns of the end and of the requests at once: none comes too late, however soon the process is replaced.
    """
    own, address = psutil.Process(server.process.pid), urlsplit(server.url)
    own.suspend()
    try:
        process.kill()
        until(lambda: not process.is_running())
        asked = [HTTPConnection(str(address.hostname), address.port, timeout=120) for _ in paths]
        for connection, path in zip(asked, paths, strict=True):
            connection.request("GET", path)
    finally:
        own.resume()
    documents = [json.loads(connection.getresponse().read()) for connection in asked]
    for connection in asked:
        connection.close()
    return [document.get("error", {}).get("details", {}).get("reason") for document in documents]


def test_a_killed_reader_is_replaced_by_a_working_one(server: Running) -> None:
    (reader,) = server.readers()
    assert kill_before_anybody_looks(server, reader, "/healthz", "/readyz") == ["readers", "readers"]
    until(lambda: reason(server) is None)
    (other,) = server.readers()
    assert other.pid != reader.pid
    assert server.client.post("/v1/readings", **photo_form(LEVEL.read_bytes())).status_code == 201


@pytest.mark.soak
def test_the_process_that_forks_readers_is_replaced_with_them(server: Running) -> None:
    (reader,) = server.readers()
    template = reader.parent()
    assert template is not None
    assert template.pid != server.process.pid
    template.kill()
    until(lambda: reason(server, "/healthz") == "readers")
    until(lambda: reason(server) is None)
    (other,) = server.readers()
    assert other.pid != reader.pid
    assert other.ppid() != template.pid
    assert server.client.post("/v1/readings", **photo_form(LEVEL.read_bytes())).status_code == 201


@pytest.mark.soak
def test_a_reader_killed_while_reading_loses_only_that_reading(server: Running) -> None:
    form = photo_form(LEVEL.read_bytes())
    reading = server.client.post("/v1/readings", **form, headers={"Prefer": "respond-async"}).json()
    until(lambda: any(reading["id"] in name for name in server.photos()))
    server.readers()[0].kill()
    assert server.followed(reading["id"])["error"]["code"] == "reading_crashed"
    until(lambda: reason(server) is None)
    assert server.client.post("/v1/readings", **form).status_code == 201
