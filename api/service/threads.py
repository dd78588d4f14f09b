"""Work beside the event loop that is waited for in the end, also where whoever asked for it was cancelled."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class Threads:
    """Threads of one server: a task that is cancelled leaves its thread to run to its end, with what it has open."""

    def __init__(self) -> None:
        self._running: set[asyncio.Task[Any]] = set()

    async def run(self, work: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
        """Have something done beside the event loop and return what it returns; raises what it raises."""
        running = asyncio.create_task(asyncio.to_thread(work, *arguments, **named))
        self._running.add(running)
        running.add_done_callback(self._end)
        return await asyncio.shield(running)

    async def settle(self, seconds: float) -> None:
        """Wait for all that still runs, for so many seconds at most."""
        if self._running:
            await asyncio.wait(self._running, timeout=seconds)

    def _end(self, ended: asyncio.Task[Any]) -> None:
        """Let go of a thread's task; its error was told to who waited, if anybody still did."""
        self._running.discard(ended)
        if not ended.cancelled():
            ended.exception()
