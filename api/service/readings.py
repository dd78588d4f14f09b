"""The life of readings on the server: submitted, queued, read, stored, deleted."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from structlog.contextvars import bind_contextvars, get_contextvars, unbind_contextvars

from api.errors import build_error_document
from api.server.errors import ServerError
from api.server.settings import Settings
from api.server.tokens import generate_id, generate_token, hash_secret
from api.service import worker
from api.service.job_queue import Jobs, Progress, ReturnedError
from api.service.metrics import Gauges
from api.service.threads import KEEPING_SECONDS, Threads
from api.service.worker import Outcome, Task, Upload
from api.store.clock import Clock
from api.store.database import clear_log
from api.store.photos import PhotoPlace, PhotoStore, build_photo_key
from api.store.readings import ReadingStore, StoredReading
from api.store.spool import RETURNED_SUFFIX, Spools
from api.store.sqlite_file import Spare

MAX_ATTEMPTS = 5
"""Maximum number of times a photo may be in progress when the server's process ends. A guess.

A photo that merely was in progress a few times is not to blame.
"""
DAY_SECONDS = 24 * 3600
KILLING_SECONDS = 0.5
"""Seconds a killed process may still write. A guess."""
TAKING_UP_SECONDS = 10.0
"""Seconds that a start waits until unfinished readings are queued; if the storage is away it continues without. A
guess.
"""
SETTLING_SECONDS = 10.0
"""Seconds allowed for storing results when the server stops. A guess."""

T = TypeVar("T")

log = logging.getLogger("wondertally")


@dataclass(frozen=True, slots=True)
class ReadingOptions:
    """The options of a reading: the rule set's name, and typed points on the score track.

    `corrections` (as JSON) are facts known beside the photos, applied before all later corrections. Without a `game` it
    is recognised. `wonders` are entries of wonder files that override the server's enrolments.
    """

    rules: str
    track: dict[str, int]
    corrections: Sequence[Any] = ()
    game: str = ""
    wonders: Sequence[dict[str, Any]] = ()

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> ReadingOptions:
        """Read the options from their stored document."""
        more = document.get("said", ()), document.get("game", ""), document.get("wonders", ())
        return cls(document["rules"], document["track"], *more)


@dataclass(frozen=True, slots=True)
class Submission:
    """An accepted reading: the owner's token, and a task that ends when the reading does."""

    id: str
    token: str
    completion: asyncio.Task[None]


class Readings:
    """The life of all readings of a server."""

    def __init__(self, settings: Settings, store: ReadingStore, photos: PhotoStore, jobs: Jobs, gauges: Gauges) -> None:
        self.store, self.photos, self.spare = store, photos, Spare(store.engine)
        self._settings, self._jobs, self._gauges = settings, jobs, gauges
        self._place, self._spools = PhotoPlace(photos, store), Spools(settings.data)
        self._clock = Clock(settings.data / "clock.json")
        self._grace_seconds = settings.stray_minutes * 60
        self._active: set[str] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._threads = Threads()
        self._following: dict[asyncio.Task[None], tuple[str, Sequence[Upload]]] = {}
        self._sweeping = asyncio.Lock()
        self.after_reading: Callable[[str], None] = lambda reading: None
        self.sweep_further: Callable[[bool], Awaitable[int]] = _sweep_nothing

    async def open(self) -> None:
        """Resume unfinished readings, and start the periodic sweep."""
        await self._threads.run(self._spools.open, self._place.database, self._list_upload_names)
        await self._threads.run(self.spare.keep)
        await asyncio.wait([self._keep(asyncio.create_task(self._take_up_all()))], timeout=TAKING_UP_SECONDS)
        self._keep(asyncio.create_task(self._sweep_for_ever()))

    async def settle(self) -> None:
        """Wait until finished and returned readings are stored, only briefly if the database is away."""
        if self._following:
            await asyncio.wait(self._following, timeout=SETTLING_SECONDS)

    async def close(self) -> None:
        """Stop; unread and unstored readings stay queued with their photos, without counting as an attempt."""
        for reading, uploads in list(self._following.values()):
            self._note_returned(reading, uploads)
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._threads.settle(SETTLING_SECONDS)
        self._spools.close()

    @property
    def database(self) -> str:
        """Return the id of the database, with which the place of its photos is marked."""
        return self._place.database

    def measure_keep_seconds(self) -> float:
        """Return the seconds for which new data is kept."""
        return self._settings.keep_days * DAY_SECONDS + self._clock.measure_lag_seconds()

    def build_upload_path(self) -> Path:
        """Return the path of a new file for an upload, which is deleted once it was read."""
        return self._spools.intake.folder / generate_id()

    async def begin(self, uploads: Sequence[Upload], options: ReadingOptions) -> Submission:
        """Accept photos for reading; raises ServerError `queue_full`."""
        token = generate_token()
        keep = self.measure_keep_seconds()

        def add(reading: str, words: dict[str, Any]) -> None:
            self.store.add(reading, hash_secret(token), words, keep)

        reading, ended = await self.take(uploads, options, add, self.store.delete)
        return Submission(reading, token, ended)

    async def take(
        self,
        uploads: Sequence[Upload],
        options: ReadingOptions,
        add: Callable[[str, dict[str, Any]], None],
        take_back: Callable[[str], None],
    ) -> tuple[str, asyncio.Task[None]]:
        """Accept photos for a reading stored by `add`, which gets its id and options; return the id and a task until
        its end.

        A stored reading is not withdrawn, since others may know of it. Raises ServerError `queue_full` before anything
        is stored, and any error of `add`.
        """
        with self._jobs.promise():
            reading = generate_id()
            bind_contextvars(reading=reading)
            self._active.add(reading)
            try:
                await self._threads.run(add, reading, self._describe(uploads, options))
            except Exception:
                # It may be stored although the answer was lost, and the database be away: the caller does not wait.
                taking_back = self._keep(asyncio.create_task(self._threads.insist(take_back, reading)))
                await asyncio.wait([taking_back], timeout=KEEPING_SECONDS)
                self._active.discard(reading)
                unbind_contextvars("reading")
                raise
            outcome = self._queue(reading, uploads, options)
        log.info("reading_taken", extra={"photos": len(uploads)})
        return reading, self._begin_following(reading, uploads, outcome)

    def _describe(self, uploads: Sequence[Upload], options: ReadingOptions) -> dict[str, Any]:
        """Describe a reading's options and uploads as a document for the store."""
        return {
            "rules": options.rules,
            "track": options.track,
            "said": list(options.corrections),
            "game": options.game,
            "wonders": list(options.wonders),
            "files": [upload.name for upload in uploads],
            "incoming": [upload.file.name for upload in uploads if upload.file],
            "spool": self._spools.intake.id,
        }

    async def delete(self, reading: StoredReading) -> None:
        """Delete a reading and its photos, and stop reading it."""
        was_read = self._jobs.forget(reading.id)
        await self._threads.run(self._delete, reading)
        if was_read:  # until the process is killed it may still write a photo
            await asyncio.sleep(KILLING_SECONDS)
            await self._threads.run(self._delete, reading)

    def get_progress(self, reading: str) -> Progress | None:
        """Return the progress of an unfinished reading."""
        return self._jobs.get_progress(reading)

    async def sweep(self) -> int:
        """Delete expired readings, and photos and uploads without a reading; return the number of readings.

        With a distrusted clock nothing expires; `sweep_further` gets whether it is trusted. Sweeps run one after
        another: at the end of one, everything that had expired when it was requested is gone.
        """
        async with self._sweeping:
            return await self._sweep()

    async def _sweep(self) -> int:
        is_sure = await self._threads.run(self._clock.check, self.store.find_newest)
        expired = await self._threads.run(self.store.list_expired, is_sure)
        for reading in expired:
            await self.delete(reading)
        further = await self.sweep_further(is_sure)
        strays = await self._threads.run(self._remove_strays) if is_sure else 0
        await self._threads.run(clear_log, self.store.engine)
        await self._threads.run(self.spare.keep)
        level = logging.INFO if expired or further or strays else logging.DEBUG
        log.log(level, "swept", extra={"expired": len(expired) + further, "strays": strays})
        return len(expired) + further

    def _remove_strays(self) -> int:
        """Remove the server's photos and uploads without a reading, and return their number."""
        removed = self._spools.remove_strays(self._list_upload_names(), self._grace_seconds)
        return removed + self._place.remove_strays(self._grace_seconds)

    def _list_upload_names(self) -> set[str | None]:
        """Return the names of unfinished readings' uploads, and the ids of their folders."""
        names: set[str | None] = set()
        for reading in self.store.list_unfinished():
            names |= {*reading.options.get("incoming", ()), reading.options.get("spool")}
            names.add(f"{reading.id}{RETURNED_SUFFIX}")
        return names

    def _delete(self, reading: StoredReading) -> None:
        self.spare.delete(self.store.delete, reading.id)
        self._remove(build_photo_key(reading.id, number) for number in range(len(reading.options["files"])))
        for file in self._list_uploads(reading.options):
            file.unlink(missing_ok=True)

    def _list_uploads(self, options: Mapping[str, Any]) -> list[Path]:
        """Return the uploads of a reading that are on this machine."""
        folder = self._spools.find_folder(options.get("spool"))
        return [] if folder is None else [folder / name for name in options.get("incoming", ())]

    def _remove(self, keys: Iterable[str]) -> None:
        """Remove photos of a reading; if they cannot be reached, the next sweep does it."""
        with contextlib.suppress(ServerError):
            for key in keys:
                self.photos.remove(key)

    def _queue(self, reading: str, uploads: Sequence[Upload], options: ReadingOptions) -> asyncio.Future[Outcome]:
        request = str(get_contextvars().get("request", ""))
        corrections = tuple(options.corrections)
        where = self._settings.photos_url, self._place.database
        task = Task(reading, tuple(uploads), options.rules, options.track, *where, request, corrections)
        task = replace(task, game=options.game, wonders=tuple(options.wonders))
        return self._jobs.add(reading, worker.read_task_photos, task, always=True)

    async def _take_up_all(self) -> None:
        """Resume the readings left in this server's folders; those in another's folders belong to that server.

        Readings with more attempts come later, so that others do not wait for them.
        """
        unfinished = await self._threads.insist(self.store.list_unfinished)
        for reading in sorted(unfinished, key=lambda reading: reading.attempts):
            if reading.id not in self._active and self._spools.holds(reading.options.get("spool")):
                await self._take_up(reading)

    async def _take_up(self, reading: StoredReading) -> None:
        """Resume a reading whose photos are still there; one that ended the server too often has failed.

        A photo in the store was in progress: a reading that only waited, or was returned in order, does not count an
        attempt.
        """
        uploads, stored = await self._threads.insist(self._find_remaining, reading)
        was_begun = stored and not await self._threads.run(self._spools.is_returned, reading.id)
        if len(uploads) < len(reading.options["files"]) or (was_begun and reading.attempts >= MAX_ATTEMPTS):
            log.warning("reading_given_up", extra={"reading": reading.id, "attempts": reading.attempts})
            await self._threads.insist(
                self._fail, reading.id, build_error_document(ServerError("interrupted"))["error"], uploads
            )
            return
        if was_begun:
            await self._threads.insist(self.store.count_attempt, reading.id)
        if stored:
            await self._threads.run(self._unbegin, reading.id, uploads)
        await self._threads.run(self._spools.forget_returned, reading.id)
        log.info("reading_taken_up", extra={"reading": reading.id, "attempts": reading.attempts + was_begun})
        self._active.add(reading.id)
        outcome = self._queue(reading.id, uploads, ReadingOptions.from_document(reading.options))
        self._begin_following(reading.id, uploads, outcome)

    def _find_remaining(self, reading: StoredReading) -> tuple[list[Upload], bool]:
        """Return the remaining photos of a reading, as uploaded or in the store, and whether any is in the store."""
        names = reading.options["files"]
        files: Sequence[Path | None] = self._list_uploads(reading.options) or [None] * len(names)
        stored = [self.photos.has(build_photo_key(reading.id, number)) for number in range(len(names))]
        present = [file if file and file.exists() else None for file in files]
        there = zip(names, present, stored, strict=True)
        return [Upload(file, name) for name, file, has in there if file or has], any(stored)

    def _unbegin(self, reading: str, uploads: Sequence[Upload]) -> None:
        """Remove from the store the photos that are still here as uploaded: until they are stored again the reading
        only waits.
        """
        self._remove(build_photo_key(reading, number) for number, upload in enumerate(uploads) if upload.file)

    def _note_returned(self, reading: str, uploads: Sequence[Upload]) -> None:
        """Note that a reading was returned in order, in a file, since the database may be away."""
        folder = next((upload.file.parent for upload in uploads if upload.file), None)
        self._spools.note_returned(reading, folder)

    def _begin_following(
        self, reading: str, uploads: Sequence[Upload], outcome: asyncio.Future[Outcome]
    ) -> asyncio.Task[None]:
        following = self._keep(asyncio.create_task(self._follow(reading, uploads, outcome)))
        self._following[following] = reading, uploads
        following.add_done_callback(self._following.pop)
        following.add_done_callback(lambda _: self._active.discard(reading))
        return following

    async def _follow(self, reading: str, uploads: Sequence[Upload], outcome: asyncio.Future[Outcome]) -> None:
        """Store the outcome of a reading; until then its photos stay as uploaded."""
        bind_contextvars(reading=reading)
        try:
            with self._gauges.time_reading() as note_outcome:
                done = await await_outcome(outcome, lambda error: Outcome(error=error))
                note_outcome(done)
        except ReturnedError:
            self._note_returned(reading, uploads)
            log.info("reading_returned")
            return
        if done.error is not None:
            await self._threads.insist(self._fail, reading, done.error, uploads)
            log.info("reading_failed", extra={"code": done.error["code"]})
        else:
            await self._threads.insist(self._finish, reading, uploads, done)
            try:
                await self._threads.insist(self.after_reading, reading)
            except Exception:  # no fault of the reading
                log.exception("fault")
            log.info("reading_done", extra={"photos": len(done.photos), "doubtful": done.figures.doubtful})

    def _finish(self, reading: str, uploads: Sequence[Upload], done: Outcome) -> None:
        self.photos.check_place()
        is_stored = self.store.finish(reading, done.snapshot, done.report, done.photos)
        self._gauges.photos.inc(len(done.photos) if is_stored else 0)
        # A result that is not stored was deleted; or it was stored before, and only the confirmation was lost.
        self._let_go(reading, uploads, {photo.key for photo in done.photos} if is_stored else self.store.list_used()[0])

    def _fail(self, reading: str, error: dict[str, Any], uploads: Sequence[Upload]) -> None:
        is_stored = self.store.fail(reading, error)
        # A result that is not stored was deleted, or another server has read it.
        self._let_go(reading, uploads, () if is_stored else self.store.list_used()[0])

    def _let_go(self, reading: str, uploads: Sequence[Upload], used: Collection[str]) -> None:
        """Remove the uploads, and the photos in the store that are not used."""
        self._remove({build_photo_key(reading, number) for number in range(len(uploads))} - set(used))
        for upload in uploads:
            if upload.file:
                upload.file.unlink(missing_ok=True)

    async def _sweep_for_ever(self) -> None:
        while True:
            try:
                await self.sweep()
            except Exception:
                log.exception("sweep_failed")
            await asyncio.sleep(self._settings.sweep_minutes * 60)

    def _keep(self, task: asyncio.Task[None]) -> asyncio.Task[None]:
        """Keep a reference to a task, since asyncio itself drops tasks without one."""
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task


async def _sweep_nothing(is_clock_trusted: bool) -> int:
    return 0


async def await_outcome(outcome: asyncio.Future[T], fail: Callable[[dict[str, Any]], T]) -> T:
    """Await a job's outcome, or build it from the document of the error if the job failed; raises ReturnedError if it
    was not done.
    """
    try:
        return await outcome
    except ReturnedError:
        raise
    except ServerError as error:
        return fail(build_error_document(error)["error"])
    except Exception:
        log.exception("fault")
        return fail(build_error_document(ServerError("internal_error"))["error"])
