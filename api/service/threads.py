"""Work in threads beside the event loop that is awaited in the end, even if its caller was cancelled."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

from api.store.unavailable import find_passing_error

KEEPING_SECONDS = 2.0
"""Seconds before a failed write to the database or the photos is repeated. A guess."""

log = logging.getLogger("wondertally")

P = ParamSpec("P")
T = TypeVar("T")


class Threads:
    """Threads of one server; a cancelled task leaves its thread to finish with its open resources."""

    def __init__(self) -> None:
        self._running: set[asyncio.Task[Any]] = set()

    async def run(self, work: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
        """Run a function in a thread and return its result; raises its errors."""
        running = asyncio.create_task(asyncio.to_thread(work, *arguments, **named))
        self._running.add(running)
        running.add_done_callback(self._end)
        return await asyncio.shield(running)

    async def insist(self, work: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
        """Run work in a thread, repeatedly until the storage can be reached."""
        while True:
            try:
                return await self.run(work, *arguments, **named)
            except Exception as error:
                if find_passing_error(error) is None:
                    raise
                log.warning("not_kept", exc_info=True)
                await asyncio.sleep(KEEPING_SECONDS)

    async def settle(self, seconds: float) -> None:
        """Wait for all running threads, for at most these seconds."""
        if self._running:
            await asyncio.wait(self._running, timeout=seconds)

    def _end(self, ended: asyncio.Task[Any]) -> None:
        """Drop a thread's task; its error was raised to the caller, unless that was cancelled."""
        self._running.discard(ended)
        if not ended.cancelled():
            ended.exception()
