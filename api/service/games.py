"""The life of games kept by their photos: created, photographed, corrected, finished, deleted.

A photo is kept as soon as it is accepted, and read later: the photos of a game one after another, in the order in which
they came. The state of a game is a file of this machine that only saves time: it is made anew from the photos if it is
lost, and a photo that it holds already is not read again.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable
from concurrent.futures.process import BrokenProcessPool
from typing import Any
from weakref import WeakValueDictionary

from pebble import ProcessExpired
from structlog.contextvars import bind_contextvars, get_contextvars

from api.documents.game_corrections import GameCorrection
from api.errors import build_error_document
from api.server.errors import ServerError, restore_error
from api.server.settings import Settings
from api.server.tokens import generate_id, generate_token, hash_secret
from api.service.game_state import GameStates
from api.service.game_worker import (
    BuiltLog,
    GameOutcome,
    GameTask,
    LogTask,
    build_game_log,
    name_photo,
    read_game_photo,
)
from api.service.job_queue import Jobs, Progress, ReturnedError
from api.service.metrics import Gauges
from api.service.openers import Openers
from api.service.readings import KILLING_SECONDS, SETTLING_SECONDS, Readings, await_outcome
from api.service.threads import KEEPING_SECONDS, Threads
from api.service.worker import Outcome, Upload, set_up_process
from api.service.worker_pool import LOOKING_SECONDS, Processes
from api.store.games import GamePhoto, GameStore, Log, StoredGame, find_sent_photo
from api.store.photos import build_photo_key
from api.store.unavailable import find_passing_error
from vision.errors import WondertallyError

LOG_SECONDS = 60.0
"""Time limit of building a log. A guess."""
LOOK_SECONDS = 0.5
"""Seconds between two looks at the version of a game that a client follows. A guess."""

log = logging.getLogger("wondertally")


class Games:
    """The life of all games of a server."""

    def __init__(self, settings: Settings, store: GameStore, readings: Readings, jobs: Jobs, gauges: Gauges) -> None:
        self.store, self._readings, self._jobs, self._gauges = store, readings, jobs, gauges
        self._settings, self._states = settings, GameStates(settings.data / "game-states" / readings.database)
        self._writers = Processes(1, set_up_process, ())
        self._threads = Threads()
        self._wanted: set[str] = set()
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._writing: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        readings.sweep_further = self._sweep

    async def open(self) -> None:
        """Go on with the games that are not up to date."""
        self._tasks[""] = asyncio.create_task(self._take_up_all())

    async def close(self) -> None:
        """Stop; unread photos stay queued."""
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._writers.close()
        await self._threads.settle(SETTLING_SECONDS)

    async def create(self, settings: dict[str, Any]) -> tuple[str, str]:
        """Create a game without photos; return its id and its owner's token."""
        game, token = generate_id(), generate_token()
        await self._threads.run(self.store.add, game, hash_secret(token), settings)
        return game, token

    async def add_photo(
        self, game: StoredGame, client_id: str, upload: Upload, openers: Openers
    ) -> tuple[GamePhoto, bool]:
        """Accept a photo of a game and return it with True; one whose id the game already has is returned with False.

        Raises ServerError `queue_full`, `conflict`, `bad_field`, and PhotoError.
        """
        sha256 = await self._threads.run(upload.compute_sha256)
        if known := find_sent_photo(game.photos, client_id, sha256):
            return known, False
        with self._jobs.promise():
            assert upload.file is not None
            data, size = await openers.encode(upload.file, upload.name)
            key = build_photo_key(generate_id(), 0)
            await self._threads.run(self._readings.photos.put_encoded, key, data)
            photo, is_new = await self._threads.run(self.store.add_photo, game.id, client_id, sha256, key, size)
        if is_new:
            self._gauges.photos.inc()
            self._begin_advancing(game.id)
        else:
            await self._threads.run(self._remove_photos, [key])
        return photo, is_new

    async def correct(self, game: StoredGame, correction: GameCorrection, who: str) -> None:
        """Add a correction; the log follows from it at once. Raises the error of one that cannot be applied."""
        new = correction.model_dump(mode="json")
        async with self._writing.setdefault(game.id, asyncio.Lock()):
            now, built = await self._build_from(game.id, lambda corrections: [*corrections.values(), new])
            if built is not None and built.refusal is not None:
                raise restore_error(built.refusal)
            await self._threads.run(self.store.add_correction, now, new, who, None if built is None else built.log)
        self._begin_advancing(game.id)
        self._gauges.count_corrections([correction])

    async def remove_correction(self, game: StoredGame, correction: int) -> None:
        """Remove a correction; the log follows at once. Raises ServerError `not_found`."""
        async with self._writing.setdefault(game.id, asyncio.Lock()):
            now, built = await self._build_from(
                game.id, lambda corrections: [made for id, made in corrections.items() if id != correction]
            )
            await self._threads.run(self.store.remove_correction, now, correction, None if built is None else built.log)
        self._begin_advancing(game.id)

    async def finish(self, game: StoredGame, is_finished: bool) -> None:
        """Note that a game is finished, or goes on."""
        await self._threads.run(self.store.finish, game.id, is_finished)

    async def wait_for_change(self, game: str, version: int, seconds: float) -> None:
        """Wait until a game has a later version, at most so long; raises ServerError `not_found`."""
        end = asyncio.get_running_loop().time() + seconds
        while not self._jobs.is_stopping and await self._threads.run(self.store.get_version, game) <= version:
            rest = end - asyncio.get_running_loop().time()
            if rest <= 0:
                return
            await asyncio.sleep(min(rest, LOOK_SECONDS))

    async def delete(self, game: StoredGame) -> None:
        """Delete a game and its photos, and stop reading them."""
        was_read = self._jobs.forget(game.id)
        await self._threads.run(self._delete, game)
        if was_read:  # until the process is killed it may still write its state
            await asyncio.sleep(KILLING_SECONDS)
            await self._threads.run(self._states.remove, game.id)

    def get_progress(self, game: str) -> Progress | None:
        """Return the progress of the photo that is read next, None if there is none."""
        return self._jobs.get_progress(game)

    def _delete(self, game: StoredGame) -> None:
        self._readings.spare.delete(self.store.delete, game.id)
        self._remove_photos([photo.key for photo in game.photos])
        self._states.remove(game.id)

    def _remove_photos(self, keys: list[str]) -> None:
        """Remove photos; if they cannot be reached, the next sweep does it."""
        with contextlib.suppress(ServerError):
            for key in keys:
                self._readings.photos.remove(key)

    async def _sweep(self, is_clock_trusted: bool) -> int:
        """Delete expired games and states without a game, and go on with any that was left; return the number of
        expired ones.
        """
        expired = await self._threads.run(self.store.list_expired) if is_clock_trusted else []
        for game in expired:
            await self.delete(game)
        for stray in await self._threads.run(lambda: self._states.list_games() - self.store.list_ids()):
            await self._threads.run(self._states.remove, stray)
        for unfinished in await self._threads.run(self.store.list_unfinished):
            self._begin_advancing(unfinished)
        return len(expired)

    async def _take_up_all(self) -> None:
        try:
            for game in await self._threads.insist(self.store.list_unfinished):
                self._begin_advancing(game)
        finally:
            del self._tasks[""]

    def _begin_advancing(self, game: str) -> None:
        """Bring a game up to date, now or once the present work at it is done."""
        self._wanted.add(game)
        if game not in self._tasks:
            self._tasks[game] = asyncio.create_task(self._advance(game))

    async def _advance(self, game: str) -> None:
        bind_contextvars(game=game)
        try:
            while game in self._wanted:
                self._wanted.discard(game)
                await self._bring_up_to_date(game)
        except ReturnedError:
            self._states.end(game)  # the photo is not to blame
            log.info("game_returned")
        except ServerError as error:  # the game was deleted
            log.info("game_left", extra={"code": error.code})
        except Exception:
            log.exception("fault")
        finally:
            del self._tasks[game]

    async def _bring_up_to_date(self, game_id: str) -> None:
        """Read the photos of a game and write its log; raises ServerError."""
        try:
            while not (game := await self._threads.run(self.store.get, game_id)).is_up_to_date:
                if game.waiting is not None or not await self._write(game_id):
                    await self._read_next(game)
        except Exception as error:
            if find_passing_error(error) is None:
                raise
            log.warning("not_kept", exc_info=True)
            self._wanted.add(game_id)
            await asyncio.sleep(KEEPING_SECONDS)

    async def _read_next(self, game: StoredGame) -> None:
        """Read the first photo that the state lacks: mostly the one that came last."""
        photos = {name_photo(photo.number): photo for photo in game.photos if photo.status != "failed"}
        request, keys = str(get_contextvars().get("request", "")), {name: one.key for name, one in photos.items()}
        colours = tuple(player["colour"] for player in game.settings["players"])
        where = self._states.folder, self._settings.photos_url, self._readings.database
        task = GameTask(game.id, keys, game.settings["boxes"], colours, *where, request)
        with self._gauges.time_reading() as note:
            outcome = await await_outcome(
                self._jobs.add(game.id, read_game_photo, task, always=True), lambda error: GameOutcome(error=error)
            )
            note(Outcome(error=outcome.error))
        if outcome.error is None:
            for name, photo in [*photos.items()][: outcome.count]:
                reason = outcome.aside.get(name)
                if photo.status != ("aside" if reason else "read"):
                    await self._threads.run(self._end_photo, game.id, photo.number, reason)
        elif outcome.error["code"] != "reading_crashed":  # otherwise it is read again, unless that happens too often
            view = await self._threads.run(self._states.read, game.id)
            failed = [*photos.values()][len(view.keys) if view else 0]
            await self._threads.run(self.store.end_photo, game.id, failed.number, "failed", outcome.error)
            await self._threads.run(self._states.end, game.id)

    def _end_photo(self, game: str, number: int, reason: str | None) -> None:
        """Record that a photo was read, or the code of the reason why it could not be."""
        if reason is None:
            self.store.end_photo(game, number, "read")
        else:
            self.store.end_photo(game, number, "aside", build_error_document(WondertallyError(reason))["error"])

    async def _write(self, game_id: str) -> bool:
        """Build and keep the log of a game; return whether its state is there."""
        async with self._writing.setdefault(game_id, asyncio.Lock()):
            game, built = await self._build_from(game_id, lambda corrections: list(corrections.values()))
            if built is not None:
                await self._threads.run(self.store.keep_log, game, built.log)
            return built is not None

    async def _build_from(
        self, game_id: str, choose: Callable[[dict[int, Any]], list[Any]]
    ) -> tuple[StoredGame, BuiltLog | None]:
        """Return a game, and the log that follows from its photos with chosen corrections; None if its state is
        missing.
        """
        game = await self._threads.run(self.store.get, game_id)
        keys = frozenset(photo.key for photo in game.photos if photo.status in ("read", "aside"))
        corrections = choose({made.id: made.correction for made in game.corrections})
        return game, await self._build(LogTask(game.id, self._states.folder, game.settings, corrections, keys))

    async def _build(self, task: LogTask) -> BuiltLog | None:
        while True:
            scheduled = self._writers.schedule(build_game_log, (task,), LOG_SECONDS)
            try:
                built: BuiltLog | None = await asyncio.wrap_future(scheduled)
            except BrokenProcessPool:
                await asyncio.sleep(LOOKING_SECONDS)
                continue
            except (ProcessExpired, TimeoutError):
                log.exception("fault")
                return BuiltLog(Log(None, build_error_document(ServerError("internal_error"))["error"]))
            return built
