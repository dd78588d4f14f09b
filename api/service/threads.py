"""Work in threads beside the event loop that is awaited in the end, even if its caller was cancelled."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

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

    async def settle(self, seconds: float) -> None:
        """Wait for all running threads, for at most these seconds."""
        if self._running:
            await asyncio.wait(self._running, timeout=seconds)

    def _end(self, ended: asyncio.Task[Any]) -> None:
        """Drop a thread's task; its error was raised to the caller, unless that was cancelled."""
        self._running.discard(ended)
        if not ended.cancelled():
            ended.exception()
