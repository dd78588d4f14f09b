"""Pools of worker processes: each loads its nets in advance, and one that ends is replaced.

They ignore the signals that end the others of their process group, and so does the process from which they are forked.
"""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
from collections.abc import Callable
from concurrent.futures import Future
from threading import Thread
from typing import Any

from pebble import CONSTS, ProcessPool

from api.reading.process_start import choose_start
from api.service import worker

LOADING_SECONDS = 300.0
"""Seconds a process may take to load its nets. A guess."""
LOOKING_SECONDS = 0.5
"""Seconds between checks of the processes. A guess."""
TRYING_SECONDS = 5.0
"""Seconds to wait after a process could not load its nets. A guess."""

CONSTS.term_timeout = 0.0
"""Seconds Pebble waits between SIGTERM, which readers ignore (`worker.set_up_worker`), and SIGKILL."""

log = logging.getLogger("wondertally")


class Processes:
    """A number of processes, forked on demand, each set up by a function, and replaced when they end."""

    def __init__(self, count: int, initializer: Callable[..., None], arguments: tuple[Any, ...]) -> None:
        self._count, self._initializer, self._arguments = count, initializer, arguments
        self._pool = self._create_pool()

    async def close(self) -> None:
        """End the processes, whatever they do."""
        await asyncio.to_thread(_end, self._pool)

    def schedule(self, work: Callable[..., Any], arguments: tuple[Any, ...], seconds: float) -> Future[Any]:
        """Run work in a process, which is killed if it takes longer than these seconds."""
        try:
            return self._schedule(work, arguments, seconds)
        except RuntimeError:  # a process that ended while idle has broken the pool
            Thread(target=_end, args=(self._pool,), daemon=True).start()
            self._pool = self._create_pool()
            return self._schedule(work, arguments, seconds)

    def _schedule(self, work: Callable[..., Any], arguments: tuple[Any, ...], seconds: float) -> Future[Any]:
        scheduled: Future[Any] = self._pool.schedule(work, args=arguments, timeout=seconds)
        return scheduled

    def _create_pool(self) -> ProcessPool:
        context = choose_start("api.service.reader_template")
        return ProcessPool(self._count, initializer=self._initializer, initargs=self._arguments, context=context)


class Readers:
    """Reader processes, each set up by `worker.set_up_worker(*initializer_arguments)`."""

    def __init__(self, count: int, initializer_arguments: tuple[Any, ...]) -> None:
        self._count = count
        self._processes = Processes(count, worker.set_up_worker, initializer_arguments)
        self._loaded: set[int] = set()
        self._watching: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Start the processes and load their nets; `alive` shows which of them succeeded."""
        await asyncio.gather(*(self._load() for _ in range(self._count)))
        self._watching = asyncio.create_task(self._watch())

    async def close(self) -> None:
        """End the processes, whatever they do."""
        if self._watching is not None:
            self._watching.cancel()
            await asyncio.gather(self._watching, return_exceptions=True)
        await self._processes.close()

    @property
    def alive(self) -> frozenset[int]:
        """Ids of the live processes with loaded nets; may be read from any thread."""
        return frozenset(self._loaded & {child.pid or 0 for child in multiprocessing.active_children()})

    def schedule(self, work: Callable[..., Any], arguments: tuple[Any, ...], seconds: float) -> Future[Any]:
        """Run work in a process, which is killed if it takes longer than these seconds."""
        return self._processes.schedule(work, arguments, seconds)

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(LOOKING_SECONDS)
            if len(self.alive) < self._count and not await self._load():
                await asyncio.sleep(TRYING_SECONDS)

    async def _load(self) -> bool:
        """Load the nets of an idle process, unless they are loaded; return whether that succeeded."""
        try:
            loaded = await asyncio.wrap_future(self.schedule(worker.check_nets, (), LOADING_SECONDS))
        except Exception as error:
            log.warning("reader_not_loaded", extra={"code": getattr(error, "code", None)}, exc_info=True)
            return False
        if loaded not in self._loaded:
            self._loaded.add(loaded)
            log.info("reader_loaded", extra={"readers": len(self.alive), "reader": loaded})
        return True


def _end(pool: ProcessPool) -> None:
    pool.stop()
    pool.join(10)
