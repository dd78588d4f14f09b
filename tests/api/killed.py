"""A server's life without the nets, which ends itself before its Nth write, and a new start that inspects the data.

Both are for processes of their own. Everything except the reading itself is the server's own code.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
from collections import Counter
from collections.abc import Callable
from itertools import cycle
from pathlib import Path
from typing import Any

import cv2
import fsspec
import numpy as np
from fsspec.implementations.local import LocalFileSystem
from sqlalchemy import Engine, event, select

from api.documents.corrections import CORRECTIONS
from api.documents.report import Report
from api.schemas.readings import ReadingUpdate
from api.server.settings import Settings
from api.service import worker
from api.service.event_submissions import EventSubmissions
from api.service.job_queue import Jobs
from api.service.metrics import Gauges
from api.service.readings import ReadingOptions, Readings
from api.service.reviews import Reviews, apply_change
from api.service.worker import EnrolmentPlaces, Outcome, Task, Upload
from api.store.database import create_database_engine, open_database
from api.store.event_additions import SubmissionStore
from api.store.events import EventStore
from api.store.photos import PhotoStore
from api.store.readings import ReadingStore, StoredPhoto, StoredReading
from api.store.rosters import RosterStore
from api.store.tables import Base, InstallationRow
from api.tournament.listed_tables import ListedTable
from api.tournament.results import extract_table_score, summarise_result
from api.tournament.standings import compute_standings
from tests.api.corrected import build_corrected_report
from tests.api.doubted import held

SIZES = ((40, 30), (60, 20))
"""Pixels (w, h) of the photos that are read."""
UNREADABLE, CUP = "no board.png", "cup"

_READ = held(5, photos=2)
HELD = _READ.model_copy(
    update={
        "views": tuple(
            view.model_copy(update={"photo": view.photo.model_copy(update={"width": width, "height": height})})
            for view, (width, height) in zip(_READ.views, SIZES, strict=True)
        )
    }
)


class Here(Jobs):
    """A reader in this process, with the same reading for every readable photo."""

    def add(self, job: str, work: Callable[..., Any], *arguments: Any, always: bool = False) -> asyncio.Future[Any]:
        """Return the outcome at once, with the photos in the store as a reading leaves them."""
        outcome: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        outcome.set_result(_read(arguments[0]))
        return outcome


def _read(task: Task) -> Outcome:
    store, keys = PhotoStore(task.photos_url), dict[str, str]()
    photos = {
        photo.sha256: photo
        for number, upload in enumerate(task.uploads)
        for photo in [worker.open_and_store_photo(store, task.reading, number, upload, keys)]
    }
    if task.uploads[0].name == UNREADABLE:
        return Outcome(error={"code": "board_not_found", "text": "No.", "details": {}})
    stored = tuple(
        StoredPhoto(number, keys[sha256], photo.pixels.shape[1], photo.pixels.shape[0])
        for number, (sha256, photo) in enumerate(photos.items())
    )
    report = build_corrected_report(HELD, CORRECTIONS.validate_python(task.corrections))
    return Outcome(report.to_json(), HELD.to_json(), stored)


class Writes:
    """A counter of this process's writes, which ends it before the one of a number."""

    def __init__(self, last: int) -> None:
        self.last, self.done = last, 0
        event.listen(Engine, "before_cursor_execute", self._executed)
        event.listen(Engine, "commit", lambda connection: self.next())
        fsspec.register_implementation("file", type("Counted", (_Counted,), {"next": self.next}), clobber=True)

    def next(self, *arguments: object) -> None:
        """Count a write, or end the process before it."""
        self.done += 1
        if self.done == self.last:
            os.kill(os.getpid(), signal.SIGKILL)

    def _executed(self, connection: Any, cursor: Any, statement: str, *given: object) -> None:
        if not statement.lstrip().upper().startswith(("SELECT", "PRAGMA")):
            self.next()


class _Counted(LocalFileSystem):  # type: ignore[misc]  # fsspec tells no types
    """Files whose writing may end before, in the middle, and between its steps."""

    next: Callable[[], None]

    def pipe_file(self, path: str, value: bytes, **named: Any) -> None:
        self.next()
        super().pipe_file(path, value[: len(value) // 2], **named)
        self.next()
        super().pipe_file(path, value, **named)

    def mv(self, path1: str, path2: str, **named: Any) -> None:
        self.next()
        super().mv(path1, path2, **named)

    def rm_file(self, path: str) -> None:
        self.next()
        super().rm_file(path)


def migrate(url: str, folder: Path, last: int) -> None:
    """Migrate the database."""
    Writes(last)
    open_database(url).dispose()


def live(url: str, folder: Path, last: int) -> None:
    """Read, correct, share and delete readings."""
    Writes(last)
    asyncio.run(_live(url, folder))


def hand_in(url: str, folder: Path, last: int) -> None:
    """Create an event with an unreadable and a readable table, give both other photos, and delete one."""
    Writes(last)
    asyncio.run(_hand_in(url, folder))


def look(url: str, folder: Path) -> None:
    """Start again, check that all is complete, report the data (`told.json`), and delete it."""
    asyncio.run(_look(url, folder))


def _server(url: str, folder: Path) -> Readings:
    settings = Settings(data=folder, database=url, stray_minutes=0)
    store, photos = ReadingStore(open_database(url)), PhotoStore(settings.photos_url)
    jobs = Here(1, 0, 60, EnrolmentPlaces(url, folder))
    return Readings(settings, store, photos, jobs, Gauges(jobs))


async def _live(url: str, folder: Path) -> None:
    readings = _server(url, folder)
    await readings.open()
    await readings.sweep()  # like the server at its start: later it might take a failed reading's photos first, or not
    await _sent(readings, UNREADABLE)
    reading, deleted = await _sent(readings, "table.png"), await _sent(readings, "other.png")
    reviews = Reviews(readings.store)
    named = {"kind": "player", "colour": "red"}
    for update in (
        {"corrections": [{**named, "name": "Anna"}]},
        {"corrections": [{**named, "name": "Bea"}]},
        {"undo": True},
        {"redo": True},
        {"reset": True},
        {"shared_correction": True},
    ):
        change = ReadingUpdate.model_validate(update).to_change()
        apply_change(readings.store, reviews, readings.store.get(reading), change, "Anna")
    await readings.delete(readings.store.get(deleted))
    await readings.close()


async def _hand_in(url: str, folder: Path) -> None:
    readings, engine = _server(url, folder), create_database_engine(url)
    events = EventStore(engine)
    handing_in = EventSubmissions(events, SubmissionStore(engine), RosterStore(engine), readings, 8)
    await readings.open()
    events.add(CUP, "hash", "Cup", "C3")
    for number, name in enumerate((UNREADABLE, "other.png")):
        listed_table = ListedTable((name,), "", "1", str(number), {"red": "Anna"})
        await handing_in.add_table(events.get(CUP), listed_table, _photos(readings, name), "Vera")
        await readings.settle()
    for table in events.list_tables(CUP):
        await handing_in.add_photos(events.get(CUP), table, _photos(readings, "new.png", 70), "Vera")
        await readings.settle()
    events.delete_table(CUP, events.list_tables(CUP)[0].id)
    await readings.sweep()
    await readings.close()
    engine.dispose()


async def _sent(readings: Readings, name: str) -> str:
    """Return a reading of two photos, one of them twice, once it is done."""
    progress = await readings.begin(_photos(readings, name), ReadingOptions("C3", {}))
    await progress.completion
    return progress.id


def _photos(readings: Readings, name: str, darkest: int = 60) -> list[Upload]:
    uploads = []
    for light, (width, height) in enumerate((*SIZES, SIZES[0])):
        uploads.append(Upload(readings.build_upload_path(), name))
        pixels = np.full((height, width, 3), darkest + 40 * (light % 2), np.uint8)
        assert uploads[-1].file is not None
        uploads[-1].file.write_bytes(cv2.imencode(".png", pixels)[1].tobytes())
    return uploads


async def _look(url: str, folder: Path) -> None:
    readings = _server(url, folder)
    await readings.open()
    while readings.store.list_unfinished():
        await asyncio.sleep(0.01)
    await readings.sweep()
    engine = create_database_engine(url)
    with engine.connect() as connection:
        ids = connection.scalars(select(Base.metadata.tables["readings"].c.id)).all()
    stored_readings = [readings.store.get(reading) for reading in ids]
    for reading in stored_readings:
        _check(readings, reading)
    tables = _look_at_events(engine, set(ids))
    assert set(readings.photos.list_keys()) == {photo.key for reading in stored_readings for photo in reading.photos}
    for reading in stored_readings:
        await readings.delete(reading)
    with engine.begin() as connection:
        connection.execute(Base.metadata.tables["events"].delete())
    with engine.connect() as connection:
        emptied = [table for table in Base.metadata.sorted_tables if table is not InstallationRow.__table__]
        assert not any(connection.execute(table.select()).all() for table in emptied)
    engine.dispose()
    assert readings.photos.list_keys() == []
    await readings.close()
    counts = Counter(f"{reading.status} {reading.version}" for reading in stored_readings)
    (folder / "told.json").write_text(json.dumps(counts + tables))


def _look_at_events(engine: Engine, readings: set[str]) -> Counter[str]:
    """Check that every reading of an event has a table, every table is read or has a reason, and standings hold."""
    events = EventStore(engine)
    with engine.connect() as connection:
        ids = connection.scalars(select(Base.metadata.tables["events"].c.id)).all()
    counts = Counter[str]()
    for event_id in ids:
        tables = events.list_tables(event_id)
        assert {table.reading for table in tables} - {None} == readings
        for table in tables:
            assert table.coming is None
            assert (table.reading is None) == (table.error is not None)
            assert table.missing == []
            counts[f"table {table.status} {len(table.listed_table.photos)}"] += 1
        scores = [
            score
            for result in events.iterate_results(event_id)
            for score in extract_table_score(summarise_result(result))
        ]
        assert events.list_standings(event_id) == compute_standings(scores)
    return counts


def _check(readings: Readings, reading: StoredReading) -> None:
    """Check that a reading is complete: done with all its data, or failed and empty."""
    changes, steps = readings.store.list_changes(reading.id), reading.history.steps
    assert len(changes) == reading.version
    assert {done.step for done in changes} - {None} == {step.id for step in steps}
    if reading.status == "failed":
        assert reading.error is not None
        assert reading.error["code"] in ("interrupted", "board_not_found")
        assert reading.photos == ()
        return
    assert reading.status == "done"
    assert reading.report is not None
    assert reading.history.at in {None, *(step.id for step in steps)}
    review = Reviews(readings.store).build(reading, reading.history.corrections)
    report = Report.model_validate_json(reading.report)
    assert report.model_copy(update={"timing_ms": review.report.timing_ms}) == review.report
    assert len(reading.photos) in (len(SIZES), 2 * len(SIZES))
    for photo, size in zip(reading.photos, cycle(SIZES), strict=False):
        pixels = cv2.imdecode(np.frombuffer(readings.photos.get(photo.key), np.uint8), cv2.IMREAD_COLOR)
        assert pixels is not None
        assert (pixels.shape[1], pixels.shape[0]) == (photo.width, photo.height) == size
