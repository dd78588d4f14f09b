"""The processes that read: each loads its nets before anybody needs them, and one that ends is replaced.

They ignore the signals that end the others of their group, and so does the process from which they are forked.
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
"""How long a process may take until its nets are loaded."""
LOOKING_SECONDS = 0.5
"""How often processes are looked after."""
TRYING_SECONDS = 5.0
"""How long to wait after one could not load its nets."""

CONSTS.term_timeout = 0.0
"""How long Pebble waits between SIGTERM, which readers do not follow (`worker.set_up_worker`), and SIGKILL."""

log = logging.getLogger("wondertally")


class Processes:
    """So many processes that are forked when there is something to do, each set up by a function, and replaced."""

    def __init__(self, count: int, initializer: Callable[..., None], arguments: tuple[Any, ...]) -> None:
        self._count, self._initializer, self._arguments = count, initializer, arguments
        self._pool = self._create_pool()

    async def close(self) -> None:
        """End the processes, whatever they do."""
        await asyncio.to_thread(_end, self._pool)

    def schedule(self, work: Callable[..., Any], arguments: tuple[Any, ...], seconds: float) -> Future[Any]:
        """Have a process do something, and be killed where it takes longer."""
        try:
            return self._schedule(work, arguments, seconds)
        except RuntimeError:  # one that ended while none did anything has broken the pool
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
    """Processes that read, each set up by `worker.set_up_worker(*initializer_arguments)`."""

    def __init__(self, count: int, initializer_arguments: tuple[Any, ...]) -> None:
        self._count = count
        self._processes = Processes(count, worker.set_up_worker, initializer_arguments)
        self._loaded: set[int] = set()
        self._watching: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Start the processes and have each load its nets; whether that went well `alive` tells."""
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
        """The ids of the processes that live and have their nets; may be asked from any thread."""
        return frozenset(self._loaded & {child.pid or 0 for child in multiprocessing.active_children()})

    def schedule(self, work: Callable[..., Any], arguments: tuple[Any, ...], seconds: float) -> Future[Any]:
        """Have a process do something, and be killed where it takes longer."""
        return self._processes.schedule(work, arguments, seconds)

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(LOOKING_SECONDS)
            if len(self.alive) < self._count and not await self._load():
                await asyncio.sleep(TRYING_SECONDS)

    async def _load(self) -> bool:
        """Have one that does nothing load its nets, which it does once; whether that went well."""
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
