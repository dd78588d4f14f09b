"""A reading's life on the server: sent, queued, read, kept, deleted."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from structlog.contextvars import bind_contextvars, get_contextvars, unbind_contextvars

from api.errors import build_error_document
from api.server.errors import ServerError
from api.server.settings import Settings
from api.server.tokens import generate_id, generate_token, hash_secret
from api.service import worker
from api.service.job_queue import Jobs, Progress, ReturnedError
from api.service.metrics import Gauges
from api.service.threads import Threads
from api.service.worker import Outcome, Task, Upload
from api.store.clock import Clock
from api.store.database import clear_log
from api.store.photos import PhotoStore, build_photo_key
from api.store.place import PhotoPlace
from api.store.readings import ReadingStore, StoredReading
from api.store.spare import Spare
from api.store.spool import RETURNED_SUFFIX, Spools
from api.store.unavailable import find_passing_error

MAX_ATTEMPTS = 5
"""A photo that was being read so often as the server's process ended is not read once more.

One that merely was there each time of a few is not to blame.
"""
DAY_SECONDS = 24 * 3600
KILLING_SECONDS = 0.5
KEEPING_SECONDS = 2.0
"""How long to wait before something is kept again that the database or the place of the photos did not take."""
TAKING_UP_SECONDS = 10.0
"""How long a start waits until what the last server left is queued; where that is away it goes on without."""
SETTLING_SECONDS = 10.0
"""What keeping may take when the server stops."""

P = ParamSpec("P")
T = TypeVar("T")

log = logging.getLogger("wondertally")


@dataclass(frozen=True, slots=True)
class ReadingOptions:
    """The options of a reading: the rule set's name, and what was typed of the score track.

    `corrections` (as JSON has them) state what is known beside the photos, and come before all later ones.
    Without a `game` it is recognised. `wonders` are the entries of wonders' files that go before what the server was
    taught.
    """

    rules: str
    track: dict[str, int]
    corrections: Sequence[Any] = ()
    game: str = ""
    wonders: Sequence[dict[str, Any]] = ()

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> ReadingOptions:
        """Read the options as the store has them."""
        return cls(
            document["rules"],
            document["track"],
            document.get("said", ()),
            document.get("game", ""),
            document.get("wonders", ()),
        )


@dataclass(frozen=True, slots=True)
class Submission:
    """A reading that was accepted: the owner's token, and a task that ends when the reading does."""

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

    async def open(self) -> None:
        """Take up what was not finished, and look after what is past its time from now on."""
        await self._threads.run(self._spools.open, self._place.database, self._list_upload_names)
        await self._threads.run(self.spare.keep)
        await asyncio.wait([self._keep(asyncio.create_task(self._take_up_all()))], timeout=TAKING_UP_SECONDS)
        self._keep(asyncio.create_task(self._sweep_for_ever()))

    async def settle(self) -> None:
        """Wait until what was read, or given back, is kept: where the database is away, not for long."""
        if self._following:
            await asyncio.wait(self._following, timeout=SETTLING_SECONDS)

    async def close(self) -> None:
        """Stop; what is not read, or not kept, stays queued in the store, with its photos, and is not to blame."""
        for reading, uploads in list(self._following.values()):
            self._note_returned(reading, uploads)
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._threads.settle(SETTLING_SECONDS)
        self._spools.close()

    def build_upload_path(self) -> Path:
        """Build the path of a new file for an upload, which is deleted once it was read."""
        return self._spools.intake.folder / generate_id()

    async def begin(self, uploads: Sequence[Upload], options: ReadingOptions) -> Submission:
        """Take photos for reading; raises ServerError `queue_full`."""
        token = generate_token()
        keep = self._settings.keep_days * DAY_SECONDS + self._clock.measure_lag_seconds()

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
        """Take photos for a reading that is kept by `add`, which gets its id and what is asked; its id, and its end.

        A reading that was kept is not taken back: others may have been told of it. Raises ServerError `queue_full`
        before anything is kept, and whatever `add` does.
        """
        with self._jobs.promise():
            reading = generate_id()
            bind_contextvars(reading=reading)
            self._active.add(reading)
            try:
                await self._threads.run(add, reading, self._describe(uploads, options))
            except Exception:
                # It may be there though nobody heard so, and the database be away: nobody waits for that.
                taking_back = self._keep(asyncio.create_task(self._insist(take_back, reading)))
                await asyncio.wait([taking_back], timeout=KEEPING_SECONDS)
                self._active.discard(reading)
                unbind_contextvars("reading")
                raise
            outcome = self._queue(reading, uploads, options)
        log.info("reading_taken", extra={"photos": len(uploads)})
        return reading, self._begin_following(reading, uploads, outcome)

    def _describe(self, uploads: Sequence[Upload], options: ReadingOptions) -> dict[str, Any]:
        """Describe what is asked of a reading, as the store has it."""
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
        """Get how far an unfinished reading has come."""
        return self._jobs.get_progress(reading)

    async def sweep(self) -> int:
        """Delete what is past its time, and photos and uploads that no reading has; returns the number of readings.

        By a clock that has leapt nothing is past its time. One sweep waits for the other: when it ends, nothing is left
        that was past its time as it was asked for.
        """
        async with self._sweeping:
            return await self._sweep()

    async def _sweep(self) -> int:
        is_sure = await self._threads.run(self._clock.check, self.store.find_newest)
        expired = await self._threads.run(self.store.list_expired, is_sure)
        for reading in expired:
            await self.delete(reading)
        strays = await self._threads.run(self._remove_strays) if is_sure else 0
        await self._threads.run(clear_log, self.store.engine)
        await self._threads.run(self.spare.keep)
        level = logging.INFO if expired or strays else logging.DEBUG
        log.log(level, "swept", extra={"expired": len(expired), "strays": strays})
        return len(expired)

    def _remove_strays(self) -> int:
        """Remove the server's photos and uploads that no reading has, and count them."""
        removed = self._spools.remove_strays(self._list_upload_names(), self._grace_seconds)
        return removed + self._place.remove_strays(self._grace_seconds)

    def _list_upload_names(self) -> set[str | None]:
        """List what unfinished readings name: their uploads, and the ids of the folders these lie in."""
        names: set[str | None] = set()
        for reading in self.store.list_unfinished():
            names |= {
                *reading.options.get("incoming", ()),
                reading.options.get("spool"),
                f"{reading.id}{RETURNED_SUFFIX}",
            }
        return names

    def _delete(self, reading: StoredReading) -> None:
        self.spare.delete(self.store.delete, reading.id)
        self._remove(build_photo_key(reading.id, number) for number in range(len(reading.options["files"])))
        for file in self._list_uploads(reading.options):
            file.unlink(missing_ok=True)

    def _list_uploads(self, options: Mapping[str, Any]) -> list[Path]:
        """List the uploads of a reading, where they lie on this machine."""
        folder = self._spools.find_folder(options.get("spool"))
        return [] if folder is None else [folder / name for name in options.get("incoming", ())]

    def _remove(self, keys: Iterable[str]) -> None:
        """Remove photos of a reading; where they cannot be reached the next sweep does."""
        with contextlib.suppress(ServerError):
            for key in keys:
                self.photos.remove(key)

    def _queue(self, reading: str, uploads: Sequence[Upload], options: ReadingOptions) -> asyncio.Future[Outcome]:
        request = str(get_contextvars().get("request", ""))
        corrections = tuple(options.corrections)
        where = self._settings.photos_url, self._place.database
        task = Task(
            reading,
            tuple(uploads),
            options.rules,
            options.track,
            *where,
            request,
            corrections,
            options.game,
            tuple(options.wonders),
        )
        return self._jobs.add(reading, worker.read_task_photos, task, always=True)

    async def _take_up_all(self) -> None:
        """Take up what was left in this server's folders; what lies in another's is that one's.

        Those that were being read more often as a server ended come later, so that others do not wait for them.
        """
        unfinished = await self._insist(self.store.list_unfinished)
        for reading in sorted(unfinished, key=lambda reading: reading.attempts):
            if reading.id not in self._active and self._spools.holds(reading.options.get("spool")):
                await self._take_up(reading)

    async def _take_up(self, reading: StoredReading) -> None:
        """Read what the last server did not, where its photos are there; one that ended it again and again has failed.

        A photo that is in the store was begun: what merely waited, or was given back in order, is not to blame.
        """
        uploads, stored = await self._insist(self._find_remaining, reading)
        was_begun = stored and not await self._threads.run(self._spools.is_returned, reading.id)
        if len(uploads) < len(reading.options["files"]) or (was_begun and reading.attempts >= MAX_ATTEMPTS):
            log.warning("reading_given_up", extra={"reading": reading.id, "attempts": reading.attempts})
            await self._fail(reading.id, build_error_document(ServerError("interrupted"))["error"], uploads)
            return
        if was_begun:
            await self._insist(self.store.count_attempt, reading.id)
        if stored:
            await self._threads.run(self._unbegin, reading.id, uploads)
        await self._threads.run(self._spools.forget_returned, reading.id)
        log.info("reading_taken_up", extra={"reading": reading.id, "attempts": reading.attempts + was_begun})
        self._active.add(reading.id)
        outcome = self._queue(reading.id, uploads, ReadingOptions.from_document(reading.options))
        self._begin_following(reading.id, uploads, outcome)

    def _find_remaining(self, reading: StoredReading) -> tuple[list[Upload], bool]:
        """Find what is there of a reading's photos, as they came or in the store; and whether any is in the store."""
        names = reading.options["files"]
        files: Sequence[Path | None] = self._list_uploads(reading.options) or [None] * len(names)
        stored = [self.photos.has(build_photo_key(reading.id, number)) for number in range(len(names))]
        present = [file if file and file.exists() else None for file in files]
        there = zip(names, present, stored, strict=True)
        return [Upload(file, name) for name, file, has in there if file or has], any(stored)

    def _unbegin(self, reading: str, uploads: Sequence[Upload]) -> None:
        """Take out of the store what lies here as it came: until it is put there again the reading merely waits."""
        self._remove(build_photo_key(reading, number) for number, upload in enumerate(uploads) if upload.file)

    def _note_returned(self, reading: str, uploads: Sequence[Upload]) -> None:
        """Note that a reading was given back in order; it is told by a file, since the database may be away."""
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
        """Keep what comes of a reading; until it is kept its photos stay as they came."""
        bind_contextvars(reading=reading)
        try:
            with self._gauges.time_reading() as note_outcome:
                done = await _await_outcome(outcome)
                note_outcome(done)
        except ReturnedError:
            self._note_returned(reading, uploads)
            log.info("reading_returned")
            return
        if done.error is not None:
            await self._fail(reading, done.error, uploads)
            log.info("reading_failed", extra={"code": done.error["code"]})
        else:
            await self._insist(self._finish, reading, uploads, done)
            await self._tell(reading)
            log.info("reading_done", extra={"photos": len(done.photos), "doubtful": done.figures.doubtful})

    async def _tell(self, reading: str) -> None:
        """Tell who waits for a reading that it is done: what goes wrong there is no fault of the reading."""
        try:
            await self._insist(self.after_reading, reading)
        except Exception:
            log.exception("fault")

    def _finish(self, reading: str, uploads: Sequence[Upload], done: Outcome) -> None:
        self.photos.check_place()
        is_stored = self.store.finish(reading, done.snapshot, done.report, done.photos)
        self._gauges.photos.inc(len(done.photos) if is_stored else 0)
        # What is not kept was deleted; or it was kept before, and only that was not heard.
        self._let_go(reading, uploads, {photo.key for photo in done.photos} if is_stored else self.store.list_used()[0])

    async def _fail(self, reading: str, error: dict[str, Any], uploads: Sequence[Upload]) -> None:
        await self._insist(self._end_failed, reading, error, uploads)

    def _end_failed(self, reading: str, error: dict[str, Any], uploads: Sequence[Upload]) -> None:
        is_stored = self.store.fail(reading, error)
        # What is not kept was deleted, or another server has read it.
        self._let_go(reading, uploads, () if is_stored else self.store.list_used()[0])

    def _let_go(self, reading: str, uploads: Sequence[Upload], used: Collection[str]) -> None:
        """Remove the photos as they came, and those in the store that are not used."""
        self._remove({build_photo_key(reading, number) for number in range(len(uploads))} - set(used))
        for upload in uploads:
            if upload.file:
                upload.file.unlink(missing_ok=True)

    async def _insist(self, work: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
        """Have something done beside the event loop, as often as it takes until what is kept can be reached again."""
        while True:
            try:
                return await self._threads.run(work, *arguments, **named)
            except Exception as error:
                if find_passing_error(error) is None:
                    raise
                log.warning("not_kept", exc_info=True)
                await asyncio.sleep(KEEPING_SECONDS)

    async def _sweep_for_ever(self) -> None:
        while True:
            try:
                await self.sweep()
            except Exception:
                log.exception("sweep_failed")
            await asyncio.sleep(self._settings.sweep_minutes * 60)

    def _keep(self, task: asyncio.Task[None]) -> asyncio.Task[None]:
        """Asyncio itself forgets tasks that nobody holds."""
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task


async def _await_outcome(outcome: asyncio.Future[Outcome]) -> Outcome:
    """Await a job's outcome, or its error where it did not end well; raises ReturnedError where it was not done."""
    try:
        return await outcome
    except ReturnedError:
        raise
    except ServerError as error:
        return Outcome(error=build_error_document(error)["error"])
    except Exception:
        log.exception("fault")
        return Outcome(error=build_error_document(ServerError("internal_error"))["error"])
