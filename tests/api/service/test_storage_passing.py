"""A database or a place of photos that is away for a while: accepted uploads wait, and are read once it is back."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from api.reading.surveys import survey_photos
from api.service import worker
from api.service.readings import Readings
from api.store.photos import MARK, PhotoStore, build_photo_key
from api.store.unavailable import PassingError
from tests.api.cut_off import CutOff, cut_off
from tests.api.databases import own_database
from tests.api.http.growing import KeptGame
from tests.api.service.waiting import Waiting, opened_readings, take, uploaded
from tests.api.serving import LEVEL, Running, begun, error_in, photo_form, running, send, until

MANY = 6


@pytest.fixture
def proxy(tmp_path: Path) -> Iterator[CutOff]:
    """Return a database behind a proxy that can be cut off; names of sockets are short."""
    with (
        own_database("postgresql", tmp_path) as url,
        tempfile.TemporaryDirectory(dir="/tmp") as folder,
        cut_off(url, Path(folder)) as proxy,
    ):
        yield proxy


def events_of(server: Running) -> list[str]:
    return [line["event"] for line in server.lines()]


def check_all_done(server: Running, sent_readings: list[dict[str, Any]]) -> None:
    readings = [server.followed(reading["id"]) for reading in sent_readings]
    assert [(reading["status"], reading["error"]) for reading in readings] == [("done", None)] * len(sent_readings)
    assert server.photos() == {build_photo_key(reading["id"], 0) for reading in sent_readings}
    for reading in sent_readings:
        server.client.get(f"/v1/readings/{reading['id']}/photo").raise_for_status()
    until(lambda: not list((server.data / "incoming").iterdir()))


@pytest.mark.soak
def test_a_database_unreachable_for_seconds_loses_no_reading(tmp_path: Path, proxy: CutOff) -> None:
    with running(tmp_path / "data", database=proxy.url, readers=1) as server:
        readings = [send(server) for _ in range(MANY)]
        begun(server, readings[0])
        proxy.cut()
        until(lambda: "job_postponed" in events_of(server))
        refused = server.client.post("/v1/readings", **photo_form(LEVEL.read_bytes()))
        assert error_in(refused, 503)["code"] == "storage_away"
        assert int(refused.headers["retry-after"]) > 0
        proxy.mend()
        check_all_done(server, readings)
        assert "reading_failed" not in events_of(server)


@pytest.mark.soak
def test_a_database_unreachable_for_seconds_loses_no_photo_of_a_game(tmp_path: Path, proxy: CutOff) -> None:
    with running(tmp_path / "data", database=proxy.url, readers=1) as server:
        game = KeptGame(server)
        assert game.send(0).status_code == 201
        until(lambda: game.get()["photos"][0]["status"] == "reading")
        proxy.cut()
        until(lambda: not {"not_kept", "job_postponed"}.isdisjoint(events_of(server)))
        assert error_in(game.send(1), 503)["code"] == "storage_away"
        proxy.mend()
        assert game.send(1).status_code in (200, 201)
        assert game.send(1).status_code == 200
        assert [photo["status"] for photo in game.follow()["photos"]] == ["read", "read"]


@pytest.mark.soak
def test_a_database_stall_longer_than_the_reading_limit_loses_no_reading(tmp_path: Path, proxy: CutOff) -> None:
    with running(tmp_path / "data", database=proxy.url, readers=1, reading_seconds=15) as server:
        readings = [send(server)]
        proxy.stand_still()
        until(lambda: "job_postponed" in events_of(server))
        proxy.mend()
        check_all_done(server, readings)


@pytest.mark.soak
@pytest.mark.parametrize("stop_seconds", [0, 20], ids=["while it is read", "once it is read"])
def test_a_database_unreachable_at_every_stop_loses_no_reading(
    tmp_path: Path, proxy: CutOff, stop_seconds: float
) -> None:
    """Stops are distinguished from crashes without the database."""
    settings: dict[str, Any] = {"database": proxy.url, "readers": 1, "stop_seconds": stop_seconds}
    reading: dict[str, Any] = {}
    for _ in range(2):
        with running(tmp_path / "data", **settings) as server:
            reading = reading or send(server)
            begun(server, reading)
            proxy.cut()
        proxy.mend()
    with running(tmp_path / "data", **settings) as again:
        check_all_done(again, [reading])


@pytest.mark.soak
def test_restarts_while_photos_are_unreachable_lose_no_reading(tmp_path: Path) -> None:
    data = tmp_path / "data"
    photos = tmp_path / "photos"
    with running(data, readers=1, photos=photos) as server:
        (reader,) = server.readers()
        reader.suspend()
        readings = [send(server) for _ in range(2)]
        photos.rename(tmp_path / "aside")
        photos.write_text("no folder")
        reader.resume()
        until(lambda: events_of(server).count("job_postponed") >= 2)
        assert {server.client.get(reading["poll"]).json()["status"] for reading in readings} <= {"queued", "reading"}
    photos.unlink()
    (tmp_path / "aside").rename(photos)
    with running(data, readers=1, photos=photos) as again:
        assert [again.followed(reading["id"])["status"] for reading in readings] == ["done", "done"]


@pytest.mark.parametrize(
    "instead",
    ["nothing", *(pytest.param(name, marks=pytest.mark.soak) for name in ("an empty folder", "the folder of another"))],
)
@pytest.mark.soak
def test_photos_of_a_missing_folder_are_not_written_elsewhere(tmp_path: Path, instead: str) -> None:
    photos, aside = tmp_path / "photos", tmp_path / "aside"
    with running(tmp_path / "data", readers=1, photos=photos) as server:
        (reader,) = server.readers()
        reader.suspend()
        readings = [send(server) for _ in range(2)]
        photos.rename(aside)
        if instead != "nothing":
            photos.mkdir()
        if instead == "the folder of another":
            (photos / MARK).write_text('{"database": "another"}')
        there = set(tmp_path.rglob("photos/*"))
        reader.resume()
        until(lambda: events_of(server).count("job_postponed") >= 2)
        assert photos.exists() == (instead != "nothing")
        assert set(tmp_path.rglob("photos/*")) == there
        assert len(list((server.data / "incoming").iterdir())) == 2
        shutil.rmtree(photos, ignore_errors=True)
        aside.rename(photos)
        outcomes = [server.followed(reading["id"]) for reading in readings]
        assert [outcome["status"] for outcome in outcomes] == ["done", "done"]
        assert {build_photo_key(reading["id"], 0) for reading in readings} | {MARK} == {
            path.name for path in photos.iterdir()
        }


@pytest.mark.soak
def test_a_postponed_reading_can_be_deleted(tmp_path: Path) -> None:
    with running(tmp_path / "data", readers=1, photos=tmp_path / "photos") as server:
        (reader,) = server.readers()
        reader.suspend()
        reading = send(server)
        shutil.rmtree(tmp_path / "photos")
        (tmp_path / "photos").write_text("no folder")
        reader.resume()
        until(lambda: "job_postponed" in events_of(server))
        owner = {"Authorization": f"Bearer {reading['token']}"}
        assert server.client.delete(reading["poll"], headers=owner).status_code == 204
        assert server.client.get("/healthz").json()["waiting"] == 0
        assert not list((server.data / "incoming").iterdir())


def test_photos_that_become_unreachable_midway_are_not_set_aside(tmp_path: Path) -> None:
    store, keys = PhotoStore(str(tmp_path / "photos")), dict[str, str]()
    store.make()
    uploads = [uploaded(tmp_path / "incoming", light) for light in (60, 90)]

    def opener(number: int) -> Callable[[], Any]:
        def opened() -> Any:
            if number == 1:
                (tmp_path / "photos").rename(tmp_path / "aside")
                (tmp_path / "photos").write_text("no folder")
            return worker.open_and_store_photo(store, "x" * 22, number, uploads[number], keys)

        return opened

    class Surveying:
        def survey(self, photo: Any) -> Any:
            return type("Survey", (), {"photo": photo})

    with pytest.raises(PassingError):
        survey_photos(Surveying, [(upload.name, opener(number)) for number, upload in enumerate(uploads)])  # type: ignore[arg-type]


def test_a_start_waits_for_unreachable_photos_and_abandons_no_reading(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("api.service.readings.TAKING_UP_SECONDS", 0.2)
    with opened_readings(tmp_path) as (first, _):
        reading = asyncio.run(take(first))

    async def start(readings: Readings, jobs: Waiting) -> None:
        (tmp_path / "photos").rename(tmp_path / "aside")
        (tmp_path / "photos").symlink_to("photos")  # a place that raises at every request
        await readings.open()
        assert readings.store.get(reading).status == "queued"
        assert not hasattr(jobs, "taken")
        (tmp_path / "photos").unlink()
        (tmp_path / "aside").rename(tmp_path / "photos")
        while not hasattr(jobs, "taken"):
            await asyncio.sleep(0.05)
        assert jobs.taken == [reading]
        await readings.close()

    with opened_readings(tmp_path) as (readings, jobs):
        asyncio.run(start(readings, jobs))


def test_a_waiting_reading_is_not_abandoned_after_many_starts(tmp_path: Path) -> None:
    with opened_readings(tmp_path) as (first, _):
        reading = asyncio.run(take(first))
        first.photos.put(build_photo_key(reading, 0), np.zeros((2, 2, 3), np.uint8))

    async def start(readings: Readings) -> None:
        await readings.open()
        await readings.close()

    for _ in range(4):
        with opened_readings(tmp_path) as (readings, jobs):
            asyncio.run(start(readings))
            assert readings.store.get(reading).status == "queued"
            assert jobs.taken == [reading]
