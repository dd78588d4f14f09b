"""A server that is ended midway, and starts again on its data."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest
from sqlalchemy import create_engine, select, update
from sqlalchemy.orm import Session

from api.server.tokens import generate_id
from api.service.readings import MAX_ATTEMPTS
from api.store.tables import ReadingRow
from tests.api.http.growing import KeptGame
from tests.api.serving import Running, begun, error_in, running, send, until


def wait_until_taken_up(server: Running, times: int) -> None:
    """Wait until servers of this folder have resumed readings a given number of times, this one's the last."""
    until(lambda: [line["event"] for line in server.lines()].count("reading_taken_up") >= times)


@contextmanager
def sessions(url: str) -> Iterator[Session]:
    """Open a session beside the server's."""
    engine = create_engine(url)
    with Session(engine) as session, session.begin():
        yield session
    engine.dispose()


def test_a_killed_server_resumes_its_queue_and_sweeps_expired_readings(tmp_path: Path, database: str) -> None:
    data = tmp_path / "data"
    with running(data, database=database, readers=1) as first:
        reading, waiting, lost = (send(first) for _ in range(3))
        begun(first, reading)
        (reader,) = first.readers()
        first.kill()
    psutil.wait_procs([reader], timeout=10)
    assert not reader.is_running(), "it has nobody to read for"
    newest = max((data / "incoming").iterdir(), key=lambda file: file.stat().st_ctime)
    newest.unlink()
    stray, strange = data / "incoming" / generate_id(), data / "incoming" / "notes.txt"
    stray.write_bytes(b"an upload that was broken off")
    strange.write_bytes(b"somebody's own")
    with running(data, database=database, readers=1, sweep_minutes=0.02, stray_minutes=0) as again:
        until(lambda: not stray.exists())
        lost_reading = again.followed(lost["id"])
        assert (lost_reading["status"], lost_reading["error"]["code"]) == ("failed", "interrupted")
        assert again.followed(reading["id"])["status"] == again.followed(waiting["id"])["status"] == "done"
        assert again.photos() == {f"{one['id']}.0.jpg" for one in (reading, waiting)}
        until(lambda: list((data / "incoming").iterdir()) == [strange])
        (data / "photos" / f"{lost['id']}.0.jpg").write_bytes(b"what a reader wrote too late")
        with sessions(database) as session:
            session.execute(update(ReadingRow).where(ReadingRow.id == reading["id"]).values(expires=1))
        assert error_in(again.client.get(reading["poll"]), 404)["code"] == "not_found"
        while again.photos() != {f"{waiting['id']}.0.jpg"}:
            time.sleep(0.1)
        with sessions(database) as session:
            assert set(session.scalars(select(ReadingRow.id))) == {waiting["id"], lost["id"]}


@pytest.mark.soak
def test_a_photo_interrupted_by_kills_is_read_by_the_last_server(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with running(data, readers=1) as server:
        reading = send(server)
        begun(server, reading)
        server.kill()
    for number in range(1, MAX_ATTEMPTS - 1):
        with running(data, readers=1) as server:
            wait_until_taken_up(server, number)
            begun(server, reading)
            server.kill()
    with running(data, readers=1) as again:
        assert again.followed(reading["id"])["status"] == "done"


@pytest.mark.soak
def test_a_photo_that_repeatedly_ended_the_server_is_not_read_again(tmp_path: Path, database: str) -> None:
    data = tmp_path / "data"
    with running(data, database=database, readers=1) as first:
        reading, waiting = send(first), send(first)
        begun(first, reading)
        with sessions(database) as session:
            session.execute(update(ReadingRow).values(attempts=MAX_ATTEMPTS))
        first.kill()
    with running(data, database=database, readers=1) as again:
        assert again.followed(reading["id"])["error"]["code"] == "interrupted"
        assert again.followed(waiting["id"])["status"] == "done", "it was not begun, and is not to blame"


@pytest.mark.soak
def test_a_game_goes_on_after_kills_between_and_during_its_photos(tmp_path: Path, database: str) -> None:
    """Its log is the same as that of a game that nothing interrupted."""
    data = tmp_path / "data"
    with running(data, database=database, readers=1) as server:
        whole, game = KeptGame(server), KeptGame(server)
        for number in range(3):
            whole.send(number)
        wanted = whole.follow()["log"]
        game.send(0)
        game.follow()
        game.send(1)
        until(lambda: game.get()["photos"][1]["status"] == "reading")
        server.kill()
    with running(data, database=database, readers=1) as server:
        game.client = server.client
        assert game.send(1).status_code == 200
        assert [photo["status"] for photo in game.follow()["photos"]] == ["read", "read"]
        (reader,) = server.readers()
        game.send(2)
        until(lambda: game.get()["photos"][2]["status"] == "reading")
        reader.kill()
        until(lambda: not reader.is_running())
        server.kill()
    (state,) = (data / "game-states").rglob(f"{game.id}.state")
    state.write_bytes(state.read_bytes()[:-1])
    with running(data, database=database, readers=1) as server:
        game.client = server.client
        kept = game.follow()
        assert [photo["status"] for photo in kept["photos"]] == ["read"] * 3
        for part in ("boards", "stretches", "scores", "photos", "log"):
            assert kept["log"][part] == wanted[part]


def test_a_photo_is_read_again_if_its_reader_was_killed(server: Running) -> None:
    game = KeptGame(server)
    game.send(0)
    until(lambda: game.get()["photos"][0]["status"] == "reading")
    (reader,) = server.readers()
    reader.kill()
    (photo,) = game.follow()["photos"]
    assert photo["status"] == "read", (photo, [line for line in server.lines() if line["level"] != "info"])
    assert server.client.delete(game.url, headers=game.owner).status_code == 204
