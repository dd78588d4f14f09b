"""Opening of uploaded photos in processes that may be killed: no decoder in the server itself sees foreign bytes.

A photo that crashes a decoder, or takes too long, costs its sender an answer, and other clients no more than a turn.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, ParamSpec, TypeVar, cast

import cv2
from pebble import ProcessExpired

from api.errors import build_error_document
from api.server.clients import asking_client
from api.server.errors import restore_error
from api.service import worker
from api.service.job_queue import ReturnedError
from api.service.worker_pool import LOOKING_SECONDS, Processes, Turns
from api.store.photos import encode_jpeg
from vision.arrays import Image
from vision.errors import PhotoError, WondertallyError
from vision.photo.decoding import DECODE_SECONDS, Photo
from vision.photo.pyramid import Halves

OPENERS = 2
"""Photos opened at once: one of a client at a time, so that there is always room for another's. A guess."""
OPENING_SECONDS = 3 * DECODE_SECONDS
"""Seconds of wall-clock time to open a photo, on a machine busy with other work. A guess."""
_TOO_SLOW_STATUS = 75
"""Exit status of a process whose decoder would not stop."""

P = ParamSpec("P")
T = TypeVar("T")


class Openers:
    """The processes that open photos; they start with the first photo."""

    def __init__(self) -> None:
        self._processes = Processes(OPENERS, _set_up_opener, ())
        self._turns = Turns[asyncio.Future[None]](OPENERS - 1)
        self._free = OPENERS
        self._running = set[Future[Any]]()
        self._stopping = False

    async def check(self, file: Path, name: str) -> None:
        """Raise PhotoError for an unreadable photo, and ReturnedError if the server stops."""
        await self.run(_check_photo, file, name)

    async def load(self, file: Path, name: str) -> Photo:
        """Load a photo; raises as `check` does."""
        pixels, sha256, decode_ms = await self.run(_load_photo, file, name)
        return Photo(Halves(pixels), name, sha256, decode_ms)

    async def encode(self, file: Path, name: str) -> tuple[bytes, tuple[int, int]]:
        """Encode a photo's pixels for the store; return the JPEG and its size (w, h). Raises as `check` does."""
        return await self.run(_encode_photo, file, name)

    async def run(self, work: Callable[P, T], *arguments: P.args, **_: P.kwargs) -> T:
        """Run a module's function on possibly hostile input in the client's turn, and return its result.

        Raises the function's WondertallyError, PhotoError `costly_image` if it takes too long and `broken_image` if it
        ends the process, and ReturnedError if the server stops.
        """
        async with self._take_turn(asking_client.get()):
            while True:
                running = self._processes.schedule(_run, (work, arguments), OPENING_SECONDS)
                self._running.add(running)
                try:
                    error, result = await asyncio.wrap_future(running)
                except BrokenProcessPool:
                    await asyncio.sleep(LOOKING_SECONDS)
                    continue
                except (ProcessExpired, TimeoutError, asyncio.CancelledError) as ended:
                    if self._stopping:
                        raise ReturnedError from ended
                    if isinstance(ended, asyncio.CancelledError):
                        raise
                    raise _build_end_error(ended) from ended
                finally:
                    self._running.discard(running)
                if error is not None:
                    raise restore_error(error)
                return cast(T, result)

    def stop(self) -> None:
        """Open no more photos: waiting and running calls end with ReturnedError."""
        self._stopping = True
        for turn in self._turns.list_order():
            if not turn.done():
                turn.set_exception(ReturnedError())
        for running in list(self._running):
            running.cancel()

    async def close(self) -> None:
        """End the processes, whatever they do."""
        self.stop()
        await self._processes.close()

    @asynccontextmanager
    async def _take_turn(self, client: str) -> AsyncIterator[None]:
        if self._stopping:
            raise ReturnedError
        turn = asyncio.get_running_loop().create_future()
        self._turns.put(client, turn)
        self._give_turns()
        try:
            await turn
            yield
        finally:
            if turn.done() and not turn.cancelled() and turn.exception() is None:
                self._turns.end(client)
                self._free += 1
            self._give_turns()

    def _give_turns(self) -> None:
        while self._free and (item := self._turns.take()) is not None:
            client, turn = item
            if turn.done():  # the caller has gone
                self._turns.end(client)
            else:
                self._free -= 1
                turn.set_result(None)


def _build_end_error(ended: BaseException) -> PhotoError:
    if isinstance(ended, ProcessExpired) and ended.exitcode != _TOO_SLOW_STATUS:
        return PhotoError("broken_image")
    return PhotoError("costly_image", details={"max_seconds": DECODE_SECONDS})


def _set_up_opener() -> None:
    worker.set_up_process()
    cv2.setNumThreads(1)


def _run(work: Callable[..., Any], arguments: tuple[Any, ...]) -> tuple[dict[str, Any] | None, Any]:
    """Run work in this process; return its error as a JSON document, or its result."""
    try:
        return None, work(*arguments)
    except WondertallyError as error:
        if error.code == "costly_image" and "max_seconds" in error.details:
            os._exit(_TOO_SLOW_STATUS)  # the decoder would go on
        return build_error_document(error)["error"], None


def _check_photo(file: Path, name: str) -> None:
    Photo.from_path(file, name)


def _load_photo(file: Path, name: str) -> tuple[Image, str, float]:
    photo = Photo.from_path(file, name)
    return photo.pixels, photo.sha256, photo.decode_ms


def _encode_photo(file: Path, name: str) -> tuple[bytes, tuple[int, int]]:
    photo = Photo.from_path(file, name)
    return encode_jpeg(photo.pixels), (photo.width, photo.height)
