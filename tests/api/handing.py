"""An event at a server without nets: uploads wait until a test has them read. All other parts are the server's own."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from sqlalchemy import Engine, text

from api.documents.corrections import CORRECTIONS
from api.server.errors import ServerError
from api.server.settings import Settings
from api.server.tokens import hash_secret
from api.service import worker
from api.service.event_submissions import EventSubmissions
from api.service.job_queue import Jobs
from api.service.metrics import Gauges
from api.service.readings import Readings
from api.service.worker import EnrolmentPlaces, Outcome, Task, Upload
from api.store.event_additions import SubmissionStore
from api.store.events import Event, EventStore, EventTable
from api.store.photos import PhotoStore
from api.store.readings import ReadingStore, StoredPhoto
from api.store.rosters import RosterStore
from api.tournament.listed_tables import ListedTable
from api.tournament.results import extract_table_score, summarise_result
from api.tournament.standings import compute_standings
from tests.api.corrected import build_corrected_report
from tests.api.doubted import held

CUP, TOKEN = "cup", "the event's token"
NAMES = {"red": "Anna", "blue": "Bob", "green": "Cleo", "yellow": "Dan", "black": "Eva", "pink": "Fay", "grey": "Gus"}
NO_BOARD = {"code": "board_not_found", "text": "No.", "details": {}}
PHOTOS_MOST = 2
_READ = {number: held(5, photos=number) for number in (1, 2)}
"""The content of each photo."""


class Told(Jobs):
    """A queue that reads on command, and refuses further jobs once `most` wait."""

    def __init__(self, folder: Path) -> None:
        super().__init__(1, 0, 60, EnrolmentPlaces("", folder))
        self.waiting: list[tuple[asyncio.Future[Any], Task]] = []
        self.most = 100

    @property
    def is_full(self) -> bool:
        """Return whether a further one would be refused."""
        return len(self.waiting) + self._promised.total() >= self.most

    def add(self, job: str, work: Callable[..., Any], *arguments: Any, always: bool = False) -> asyncio.Future[Any]:
        """Add a waiting task."""
        if self._stopping:
            return super().add(job, work, *arguments, always=always)
        self.waiting.append((asyncio.get_running_loop().create_future(), arguments[0]))
        return self.waiting[-1][0]

    def read(self, error: dict[str, Any] | None = None) -> Task:
        """Finish the job that has waited longest, as read or with an error."""
        outcome, task = self.waiting.pop(0)
        outcome.set_result(Outcome(error=error) if error else _outcome(task))
        return task


def _outcome(task: Task) -> Outcome:
    store, keys = PhotoStore(task.photos_url), dict[str, str]()
    for number, upload in enumerate(task.uploads):
        worker.open_and_store_photo(store, task.reading, number, upload, keys)
    read, views, stored = _READ[len(keys)], [], []
    for number, (sha256, key) in enumerate(keys.items()):
        info, name = read.views[number].photo, task.uploads[number].name
        views.append(
            read.views[number].model_copy(update={"photo": info.model_copy(update={"file": name, "sha256": sha256})})
        )
        stored.append(StoredPhoto(number, key, info.width, info.height))
    read = read.model_copy(update={"views": tuple(views)})
    report = build_corrected_report(read, CORRECTIONS.validate_python(task.corrections))
    return Outcome(report.to_json(), read.to_json(), tuple(stored))


@dataclass
class Desk:
    """A server's parts, and its event."""

    engine: Engine
    folder: Path
    jobs: Told
    readings: Readings
    events: EventStore
    handing_in: EventSubmissions

    @property
    def event(self) -> Event:
        return self.events.get(CUP)

    @property
    def table(self) -> EventTable:
        """Return the only table."""
        (table,) = self.events.list_tables(CUP)
        return table

    async def add(self, *lights: int, table: str = "1", game: str = "") -> bool:
        """Hand in grey photos of a table; return whether it is new."""
        uploads = self.photos(lights)
        listed_table = ListedTable(tuple(upload.name for upload in uploads), "", "1", table, NAMES)
        return (await self.handing_in.add_table(self.event, listed_table, uploads, "Vera", game))[1]

    async def more(self, *lights: int, game: str = "") -> bool:
        """Hand in photos for the existing table; return whether anything is read again."""
        return await self.handing_in.add_photos(self.event, self.table, self.photos(lights), "Vera", game)

    async def read(self, error: dict[str, Any] | None = None) -> Task:
        """Have the next job read, and its outcome stored."""
        task = self.jobs.read(error)
        while any(upload.file and upload.file.exists() for upload in task.uploads):
            await asyncio.sleep(0.005)
        return task

    def photos(self, lights: Sequence[int]) -> list[Upload]:
        uploads = [Upload(self.readings.build_upload_path(), f"{light}.png") for light in lights]
        for light, upload in zip(lights, uploads, strict=True):
            assert upload.file is not None
            upload.file.write_bytes(cv2.imencode(".png", np.full((30, 40, 3), light, np.uint8))[1].tobytes())
        return uploads

    @property
    def incoming(self) -> list[Path]:
        """Return uploads that are still as they came."""
        return list((self.folder / "incoming").iterdir())

    def count(self, name: str) -> int:
        """Count the rows of a table of the database."""
        with self.engine.connect() as connection:
            return int(connection.execute(text(f"SELECT count(*) FROM {name}")).scalar_one())

    def standings_hold(self) -> None:
        """Assert that the rows in the database equal `api.tournament.standings` for the present results."""
        scores = [
            score
            for result in self.events.iterate_results(CUP)
            for score in extract_table_score(summarise_result(result))
        ]
        assert self.events.list_standings(CUP) == compute_standings(scores)


async def opened(engine: Engine, url: str, folder: Path, photos: str = "") -> Desk:
    """Open a server's parts as at its start; the event exists from the first time on."""
    folder.mkdir(exist_ok=True)
    settings = Settings(data=folder, database=url, photos=photos)
    jobs, events = Told(folder), EventStore(engine)
    readings = Readings(settings, ReadingStore(engine), PhotoStore(settings.photos_url), jobs, Gauges(jobs))
    try:
        events.get(CUP)
    except ServerError:
        events.add(CUP, hash_secret(TOKEN), "Cup", "C3")
    await readings.open()
    return Desk(
        engine,
        folder,
        jobs,
        readings,
        events,
        EventSubmissions(events, SubmissionStore(engine), RosterStore(engine), readings, PHOTOS_MOST),
    )
