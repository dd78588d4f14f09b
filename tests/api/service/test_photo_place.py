"""The place of photos: the server removes only its own old files, and refuses another's place."""

from __future__ import annotations

import asyncio
import json
import os
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from api.server.errors import ServingError
from api.server.settings import Settings
from api.server.tokens import generate_id
from api.service.job_queue import Jobs
from api.service.metrics import Gauges
from api.service.readings import ReadingOptions, Readings
from api.service.worker import EnrolmentPlaces, Upload
from api.store.database import open_database
from api.store.photos import MARK, PhotoPlace, PhotoStore, build_photo_key
from api.store.readings import ReadingStore, StoredPhoto
from api.store.spool import Spools
from tests.api.databases import own_database
from tests.api.serving import LEVEL, photo_form, refused, running, until

DOT = np.zeros((2, 2, 3), np.uint8)
HOUR_SECONDS = 3600
PICTURES = ("holiday.jpg", "cat.png", "notes.txt", "a.0.jpg")


@contextmanager
def opened_store(url: str) -> Iterator[ReadingStore]:
    engine = open_database(url)
    yield ReadingStore(engine)
    engine.dispose()


def keep_photo(store: ReadingStore, photos: PhotoStore) -> str:
    """Return a finished reading, and the key of its photo."""
    reading = generate_id()
    photos.put(build_photo_key(reading, 0), DOT)
    store.add(reading, "hash", {"files": ["a.jpg"]}, HOUR_SECONDS)
    assert store.finish(reading, "held", "report", [StoredPhoto(0, build_photo_key(reading, 0), 2, 2)])
    return build_photo_key(reading, 0)


def grow_old(file: Path, seconds: float = 2 * HOUR_SECONDS) -> None:
    then = time.time() - seconds
    os.utime(file, (then, then))


def test_a_folder_with_other_files_is_refused_unchanged(tmp_path: Path) -> None:
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    for name in PICTURES:
        (pictures / name).write_bytes(b"mine")
        grow_old(pictures / name)
    error = refused(tmp_path / "data", photos=pictures, sweep_minutes=0.01)
    assert error["code"] == "photos_not_empty"
    assert error["details"] == {"setting": "WONDERTALLY_PHOTOS", "mark": MARK, "files": sorted(PICTURES)[:3]}
    assert {file.name for file in pictures.iterdir()} == set(PICTURES)


def test_a_second_server_with_a_database_of_its_own_is_refused(tmp_path: Path) -> None:
    with opened_store(f"sqlite:///{tmp_path / 'first.db'}") as store:
        photos = PhotoStore(str(tmp_path / "photos"))
        PhotoPlace(photos, store)
        key = keep_photo(store, photos)
    grow_old(tmp_path / "photos" / key)
    assert refused(tmp_path / "data", photos=tmp_path / "photos")["code"] == "photos_of_another"
    assert {file.name for file in (tmp_path / "photos").iterdir()} == {key, MARK}


@pytest.mark.soak
def test_a_database_missing_for_one_start_loses_no_photo(tmp_path: Path) -> None:
    data, database = tmp_path / "data", tmp_path / "data" / "server.db"
    with opened_store(f"sqlite:///{database}") as store:
        photos = PhotoStore(str(data / "photos"))
        PhotoPlace(photos, store)
        key = keep_photo(store, photos)
    grow_old(data / "photos" / key)
    database.rename(tmp_path / "aside.db")
    assert refused(data)["code"] == "photos_of_another"
    assert sorted(file.name for file in data.glob("server.db*")) == ["server.db"], "nothing of the empty one's log"
    (tmp_path / "aside.db").rename(database)
    with opened_store(f"sqlite:///{database}") as store:
        assert PhotoPlace(photos, store).remove_strays(0) == 0
        assert photos.has(key)


def test_photos_of_an_earlier_version_are_adopted_and_foreign_files_kept(tmp_path: Path) -> None:
    with opened_store(f"sqlite:///{tmp_path / 'server.db'}") as store:
        photos = PhotoStore(str(tmp_path / "photos"))
        photos.make()
        key, stray = keep_photo(store, photos), build_photo_key(generate_id(), 0)
        photos.put(stray, DOT)
        for _ in range(2):
            place = PhotoPlace(photos, store)
            assert place.remove_strays(0) == 0
            assert set(photos.list_keys()) == {key, stray}
        later = build_photo_key(generate_id(), 0)
        photos.put(later, DOT)
        assert place.remove_strays(0) == 1, "what the server wrote later is its own"
        assert set(photos.list_keys()) == {key, stray}


def test_photos_unknown_to_the_database_are_not_adopted(tmp_path: Path) -> None:
    photos = PhotoStore(str(tmp_path / "photos"))
    photos.make()
    with opened_store(f"sqlite:///{tmp_path / 'server.db'}") as store:
        photos.put(build_photo_key(generate_id(), 0), DOT)
        with pytest.raises(ServingError, match="photos_of_another"):
            PhotoPlace(photos, store)
        assert len(photos.list_keys()) == 1
        assert photos.read_owner() is None


def test_only_old_files_of_the_servers_own_form_are_swept(tmp_path: Path) -> None:
    folder = tmp_path / "photos"
    with opened_store(f"sqlite:///{tmp_path / 'server.db'}") as store:
        photos = PhotoStore(str(folder))
        place = PhotoPlace(photos, store)
        key = keep_photo(store, photos)
        old = [f"{generate_id()}{end}" for end in (".0.jpg", ".11.jpg.part", ".probe", ".probe.part")]
        strange = ["holiday.jpg", "x.0.jpg", f"{generate_id()}.png", f"{generate_id()}.0.jpg.txt"]
        for name in (*old, *strange, key):
            (folder / name).write_bytes(b"x")
            grow_old(folder / name)
        young = build_photo_key(generate_id(), 0)
        photos.put(young, DOT)
        assert place.remove_strays(HOUR_SECONDS) == len(old)
        assert {file.name for file in folder.iterdir()} == {MARK, key, young, *strange}
        grow_old(folder / young)
        (folder / MARK).write_text(json.dumps({"database": generate_id()}))
        assert place.remove_strays(0) == 0, "another has taken the place over"


def lay_strange(folder: Path, end: str = "") -> dict[str, Path]:
    """Put entries with names of the server's own files that are none."""
    strange = {what: folder / f"{generate_id()}{end}" for what in ("folder", "link", "dangling")}
    strange["folder"].mkdir(parents=True)
    (folder.parent / "kept").write_bytes(b"x")
    strange["link"].symlink_to(folder.parent / "kept")
    strange["dangling"].symlink_to(folder.parent / "nowhere")
    return strange


def test_folders_and_links_among_photos_are_skipped(tmp_path: Path) -> None:
    with opened_store(f"sqlite:///{tmp_path / 'server.db'}") as store:
        photos = PhotoStore(str(tmp_path / "photos"))
        place = PhotoPlace(photos, store)
        strange = lay_strange(tmp_path / "photos", ".0.jpg")
        photos.put(build_photo_key(generate_id(), 0), DOT)
        assert place.remove_strays(0) == 1
        assert {file.name for file in (tmp_path / "photos").iterdir()} == {
            MARK,
            *(path.name for path in strange.values()),
        }


def test_folders_and_links_among_uploads_are_skipped(tmp_path: Path) -> None:
    (tmp_path / "incoming.json").write_text(json.dumps({"database": "own", "found": []}))
    strange = lay_strange(tmp_path / "incoming")
    (tmp_path / "incoming" / generate_id()).write_bytes(b"x")
    spools = hold_spool(tmp_path, "own")
    assert spools.remove_strays(set(), 0) == 1
    assert set((tmp_path / "incoming").iterdir()) == set(strange.values())
    spools.close()


def test_an_unreadable_mark_prevents_deletion(tmp_path: Path) -> None:
    photos = PhotoStore(str(tmp_path / "photos"))
    photos.make()
    with opened_store(f"sqlite:///{tmp_path / 'server.db'}") as store:
        (tmp_path / "photos" / MARK).write_bytes(b'{"data')
        with pytest.raises(ServingError, match="photos_of_another"):
            PhotoPlace(photos, store)


def test_only_old_uploads_that_earlier_servers_left_are_swept(tmp_path: Path) -> None:
    incoming = tmp_path / "incoming"
    incoming.mkdir()
    names = {kind: generate_id() for kind in ("old", "young", "wanted")} | {"strange": "diary.txt"}
    for name in names.values():
        (incoming / name).write_bytes(b"x")
        grow_old(incoming / name)
    os.utime(incoming / names["young"])
    (tmp_path / "incoming.json").write_text(json.dumps({"database": "own", "found": []}))
    spools = Spools(tmp_path)
    spools.open("own", set)
    upload = incoming / generate_id()
    upload.write_bytes(b"has just come")
    grow_old(upload)
    assert spools.remove_strays({names["wanted"]}, HOUR_SECONDS) == 1
    assert {file.name for file in incoming.iterdir()} == {*names.values(), upload.name} - {names["old"]}
    spools.close()


def hold_spool(data: Path, database: str, *upload_names: str | None) -> Spools:
    spools = Spools(data)
    spools.open(database, lambda: upload_names)
    return spools


def test_uploads_of_another_database_on_the_same_data_folder_are_left_alone(tmp_path: Path) -> None:
    """A server does not hold uploads of another database, even if no other server does."""

    async def story() -> None:
        with ExitStack() as ending:
            first, second = (
                server(ending, f"sqlite:///{tmp_path / name}.db", tmp_path / name, tmp_path) for name in ("one", "two")
            )
            await first.open()
            upload = first.build_upload_path()
            upload.write_bytes(b"waits")
            waiting = (await first.begin([Upload(upload, "a.jpg")], ReadingOptions("C3", {}))).id
            grow_old(upload)
            await first.close()
            await second.open()
            await second.sweep()
            assert upload.read_bytes() == b"waits"
            assert second.build_upload_path().parent != upload.parent
            third = server(ending, f"sqlite:///{tmp_path / 'one'}.db", tmp_path / "one", tmp_path)
            await third.open()
            assert third.get_progress(waiting) is not None
            for instance in (second, third):
                await instance.close()

    asyncio.run(story())


def test_an_unmarked_spool_is_taken_by_the_database_that_knows_its_uploads(tmp_path: Path) -> None:
    stored_id, unknown = generate_id(), generate_id()
    incoming = tmp_path / "incoming"
    incoming.mkdir()
    for name in (stored_id, unknown):
        (incoming / name).write_bytes(b"x")
        grow_old(incoming / name)
    other, main_spools = hold_spool(tmp_path, "other"), hold_spool(tmp_path, "own", stored_id)
    assert (other.intake.folder.name, main_spools.intake.folder.name) == ("incoming-2", "incoming")
    for _ in range(2):
        assert main_spools.remove_strays({stored_id}, 0) == 0
        main_spools.close()
        main_spools = hold_spool(tmp_path, "own", stored_id)
    assert {file.name for file in incoming.iterdir()} == {stored_id, unknown}, "what lay there unknown is never swept"
    for spools in (main_spools, other):
        spools.close()


def test_a_spool_with_an_unreadable_mark_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "incoming.json").write_text('{"data')
    spools = hold_spool(tmp_path, "own")
    assert spools.intake.folder == tmp_path / "incoming-2"
    spools.close()


@pytest.mark.parametrize("shares_data", [True, False], ids=["one data folder", "two data folders"])
def test_two_servers_with_one_database_and_place_do_not_interfere(tmp_path: Path, shares_data: bool) -> None:
    """The second starts and sweeps while the first has a waiting upload and a photo that is done."""

    async def story(url: str) -> None:
        with ExitStack() as ending:
            first = server(ending, url, tmp_path, tmp_path / "one")
            await first.open()
            upload = first.build_upload_path()
            upload.write_bytes(b"waits")
            waiting = (await first.begin([Upload(upload, "a.jpg")], ReadingOptions("C3", {}))).id
            key = keep_photo(first.store, first.photos)
            second = server(ending, url, tmp_path, tmp_path / ("one" if shares_data else "two"))
            await second.open()
            await second.sweep()
            assert upload.read_bytes() == b"waits"
            assert first.store.get(waiting).status == "queued"
            assert second.get_progress(waiting) is None, "it is the first one's to read"
            assert second.photos.has(key)
            assert second.build_upload_path().parent != upload.parent
            for instance in (first, second):
                await instance.close()

    with own_database("postgresql", tmp_path) as url:
        asyncio.run(story(url))


def server(ending: ExitStack, url: str, shared: Path, data: Path) -> Readings:
    """Return a server's readings, which are never read."""
    settings = Settings(data=data, database=url, photos=str(shared / "photos"), stray_minutes=0)
    data.mkdir(exist_ok=True)
    engine = open_database(url)
    ending.callback(engine.dispose)
    jobs = Jobs(1, 0, 60, EnrolmentPlaces(url, data))
    return Readings(settings, ReadingStore(engine), PhotoStore(settings.photos_url), jobs, Gauges(jobs))


@pytest.mark.soak
def test_two_running_servers_share_a_database_and_photos(tmp_path: Path) -> None:
    settings: dict[str, Any] = {"photos": tmp_path / "photos", "readers": 1, "wait_seconds": 100, "sweep_minutes": 0.02}
    with (
        own_database("postgresql", tmp_path) as url,
        running(tmp_path / "one", database=url, **settings) as one,
        running(tmp_path / "two", database=url, **settings) as two,
    ):
        made = [
            instance.client.post("/v1/readings", **photo_form(LEVEL.read_bytes())).json()["id"]
            for instance in (one, two)
        ]
        time.sleep(3)  # each sweeps more than once
        for instance in (one, two):
            for reading in made:
                instance.client.get(f"/v1/readings/{reading}/photo").raise_for_status()


@pytest.mark.soak
def test_a_servers_own_unmarked_folder_is_adopted(tmp_path: Path) -> None:
    with running(tmp_path / "data", readers=1, wait_seconds=100) as first:
        made = first.client.post("/v1/readings", **photo_form(LEVEL.read_bytes())).raise_for_status().json()
    (tmp_path / "data" / "photos" / MARK).unlink()  # as an earlier version left it
    with running(tmp_path / "data", readers=1, sweep_minutes=0.02, stray_minutes=0) as again:
        until(lambda: "photos_adopted" in {line["event"] for line in again.lines()})
        again.client.get(f"/v1/readings/{made['id']}/photo").raise_for_status()
        assert (tmp_path / "data" / "photos" / MARK).exists()
