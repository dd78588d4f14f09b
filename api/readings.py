"""A reading's life on the server: sent, queued, read, kept, deleted."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import shutil
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from api import worker
from api.answers import error_document
from api.gauges import Gauges
from api.jobs import Jobs, Progress
from api.server_errors import ServerError
from api.settings import Settings
from api.store.photos import PhotoStore, photo_key, reading_of
from api.store.readings import ReadingStore, Stored
from api.tokens import hash_of, new_id, new_token
from api.worker import Outcome, Task, Upload

ATTEMPTS_MOST = 2
"""A photo that ended the server's process twice is not read a third time."""
DAY_SECONDS = 24 * 3600
KILLING_SECONDS = 0.5

log = logging.getLogger("wondertally")


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked for with some photos: the rule set's name, and what was typed of the score track."""

    rules: str
    track: dict[str, int]


@dataclass(frozen=True, slots=True)
class Begun:
    """A reading that was taken: the owner's token, and a task that ends when the reading does."""

    id: str
    token: str
    ended: asyncio.Task[None]


class Readings:
    """All readings of a server."""

    def __init__(self, settings: Settings, store: ReadingStore, photos: PhotoStore, jobs: Jobs, gauges: Gauges) -> None:
        self.store, self.photos = store, photos
        self._settings, self._jobs, self._gauges = settings, jobs, gauges
        self._spool = settings.data / "incoming"
        self._tasks: set[asyncio.Task[None]] = set()

    async def open(self) -> None:
        """Take up what was not finished, and look after what is past its time from now on."""
        self._empty_spool()
        self._spool.mkdir(mode=0o700)
        for reading in await asyncio.to_thread(self.store.unfinished):
            await self._take_up(reading)
        self._keep(asyncio.create_task(self._sweep_for_ever()))

    async def close(self) -> None:
        """Stop; what is not read stays queued in the store."""
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._empty_spool()

    def new_file(self) -> Path:
        """A file for an upload as it came, that goes once it was read; at the latest as the server starts again."""
        return self._spool / new_id()

    async def begin(self, uploads: Sequence[Upload], asked: Asked) -> Begun:
        """Take photos for reading; raises ServerError `queue_full`."""
        reading, token = new_id(), new_token()
        words = {"rules": asked.rules, "track": asked.track, "files": [upload.name for upload in uploads]}
        keep = self._settings.keep_days * DAY_SECONDS
        await asyncio.to_thread(self.store.add, reading, hash_of(token), words, keep)
        try:
            outcome = self._queue(reading, uploads, asked)
        except ServerError:
            await asyncio.to_thread(self.store.delete, reading)
            raise
        ended = self._keep(asyncio.create_task(self._follow(reading, uploads, outcome)))
        return Begun(reading, token, ended)

    async def delete(self, reading: Stored) -> None:
        """Delete a reading and its photos, and stop reading it."""
        was_read = self._jobs.forget(reading.id)
        await asyncio.to_thread(self._delete, reading)
        if was_read:  # until the process is killed it may still write a photo
            await asyncio.sleep(KILLING_SECONDS)
            await asyncio.to_thread(self._delete, reading)

    def progress(self, reading: str) -> Progress | None:
        """How far an unfinished reading has come."""
        return self._jobs.progress(reading)

    async def sweep(self) -> int:
        """Delete what is past its time, and photos that no reading has; how many readings that were."""
        expired = await asyncio.to_thread(self.store.expired)
        for reading in expired:
            await self.delete(reading)
        await asyncio.to_thread(self._remove_strays)
        return len(expired)

    def _remove_strays(self) -> None:
        """A reading is stored before its photos are, and goes before them: what none has is left over."""
        there = self.photos.keys()
        used, waiting = self.store.used()
        for key in there:
            if key not in used and reading_of(key) not in waiting:
                self.photos.remove(key)

    def _empty_spool(self) -> None:
        shutil.rmtree(self._spool, ignore_errors=True)

    def _delete(self, reading: Stored) -> None:
        self.store.delete(reading.id)
        self._remove(photo_key(reading.id, number) for number in range(len(reading.asked["files"])))

    def _remove(self, keys: Iterable[str]) -> None:
        """Remove photos of a reading; where they cannot be reached the next sweep does."""
        with contextlib.suppress(ServerError):
            for key in keys:
                self.photos.remove(key)

    def _queue(
        self, reading: str, uploads: Sequence[Upload], asked: Asked, always: bool = False
    ) -> asyncio.Future[Outcome]:
        task = Task(reading, tuple(uploads), asked.rules, asked.track, self._settings.photos_url)
        return self._jobs.add(reading, worker.read, task, always=always)

    async def _take_up(self, reading: Stored) -> None:
        """Read again what a restart broke off, where its photos were kept; else it has failed."""
        names = reading.asked["files"]
        there = [self.photos.has(photo_key(reading.id, number)) for number in range(len(names))]
        if not all(there) or reading.attempts >= ATTEMPTS_MOST:
            await self._fail(reading.id, error_document(ServerError("interrupted"))["error"], len(names))
            return
        await asyncio.to_thread(self.store.try_again, reading.id)
        uploads = [Upload(None, name) for name in names]
        asked = Asked(reading.asked["rules"], reading.asked["track"])
        outcome = self._queue(reading.id, uploads, asked, always=True)
        self._keep(asyncio.create_task(self._follow(reading.id, uploads, outcome)))

    async def _follow(self, reading: str, uploads: Sequence[Upload], outcome: asyncio.Future[Outcome]) -> None:
        """Keep what comes of a reading."""
        try:
            with self._gauges.reading() as told:
                done = await _outcome_of(outcome)
                told(done.error["code"] if done.error else "done")
        finally:
            for upload in uploads:
                if upload.file:
                    upload.file.unlink(missing_ok=True)
        if done.error is not None:
            await self._fail(reading, done.error, len(uploads))
        else:
            await asyncio.to_thread(self._finish, reading, len(uploads), done)

    def _finish(self, reading: str, uploads: int, done: Outcome) -> None:
        kept = self.store.finish(reading, done.held, done.report, done.photos)
        used = {photo.key for photo in done.photos} if kept else set()
        self._remove({photo_key(reading, number) for number in range(uploads)} - used)

    async def _fail(self, reading: str, error: dict[str, Any], uploads: int) -> None:
        await asyncio.to_thread(self.store.fail, reading, error)
        await asyncio.to_thread(self._remove, [photo_key(reading, number) for number in range(uploads)])

    async def _sweep_for_ever(self) -> None:
        while True:
            with contextlib.suppress(Exception):
                await self.sweep()
            await asyncio.sleep(self._settings.sweep_minutes * 60)

    def _keep(self, task: asyncio.Task[None]) -> asyncio.Task[None]:
        """Asyncio itself forgets tasks that nobody holds."""
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task


async def _outcome_of(outcome: asyncio.Future[Outcome]) -> Outcome:
    """What came of a job; of one that did not end well, its error."""
    try:
        return await outcome
    except ServerError as error:
        return Outcome(error=error_document(error)["error"])
    except Exception:
        log.exception("a reading failed")
        return Outcome(error=error_document(ServerError("internal_error"))["error"])
