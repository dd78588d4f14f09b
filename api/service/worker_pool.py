"""Pools of worker processes: each loads its nets in advance, one that ends is replaced, and clients take turns.

They ignore the signals that end the others of their process group, and so does the process from which they are forked.
"""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, InvalidStateError
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from threading import Event, Lock, Thread
from typing import Any, Generic, TypeVar

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
MAX_REMEMBERED = 1000
"""Maximum number of idle clients whose last turn is remembered. A guess."""

T = TypeVar("T")


class Processes:
    """A number of processes, forked on demand, each set up by a function, and replaced when they end."""

    def __init__(self, count: int, initializer: Callable[..., None], arguments: tuple[Any, ...]) -> None:
        self._count, self._initializer, self._arguments = count, initializer, arguments
        self._pool = self._create_pool()

    async def close(self) -> None:
        """End the processes, whatever they do."""
        await asyncio.to_thread(self._pool.end)

    def schedule(self, work: Callable[..., Any], arguments: tuple[Any, ...], seconds: float) -> Future[Any]:
        """Run work in a process, which is killed if it takes longer than these seconds.

        A process that ends while idle, or cannot start, breaks the pool: work that no process has taken fails with
        `BrokenProcessPool`. It may be tried again after LOOKING_SECONDS.
        """
        try:
            return self._pool.schedule(work, arguments, seconds)
        except RuntimeError:
            self._pool = self._create_pool()
        try:
            return self._pool.schedule(work, arguments, seconds)
        except BrokenProcessPool as error:
            failed = Future[Any]()
            failed.set_exception(error)
            return failed

    def _create_pool(self) -> _Pool:
        context = choose_start("api.service.reader_template")
        return _Pool(ProcessPool(self._count, initializer=self._initializer, initargs=self._arguments, context=context))


class _Pool:
    """A pool of processes all of whose work ends: a broken pool forgets what it has not yet passed to a process."""

    def __init__(self, pool: ProcessPool) -> None:
        self._pool, self._pending, self._lock, self._ended = pool, set[Future[Any]](), Lock(), Event()
        self._ending = Thread(target=self._await_end, daemon=True)

    def schedule(self, work: Callable[..., Any], arguments: tuple[Any, ...], seconds: float) -> Future[Any]:
        """Schedule work; raise RuntimeError if the pool is broken or was ended."""
        with self._lock:
            scheduled: Future[Any] = self._pool.schedule(work, args=arguments, timeout=seconds)
            self._pending.add(scheduled)
            if self._ending.ident is None:
                self._ending.start()
        scheduled.add_done_callback(self._pending.discard)
        return scheduled

    def end(self) -> None:
        """End the processes, whatever they do."""
        self._pool.stop()
        self._ended.set()
        if self._ending.ident is not None:
            self._ending.join()

    def _await_end(self) -> None:
        while self._pool.active:
            self._ended.wait(LOOKING_SECONDS)
        self._pool.stop()
        self._pool.join()
        with self._lock:
            forgotten = tuple(self._pending)
        for work in forgotten:
            with suppress(InvalidStateError):
                work.set_exception(BrokenProcessPool("the pool ended before a process took the work"))


class Readers(Processes):
    """Reader processes, each set up by `worker.set_up_worker(*initializer_arguments)`."""

    def __init__(self, count: int, initializer_arguments: tuple[Any, ...]) -> None:
        super().__init__(count, worker.set_up_worker, initializer_arguments)
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
        await super().close()

    @property
    def alive(self) -> frozenset[int]:
        """Ids of the live processes with loaded nets; may be read from any thread."""
        return frozenset(self._loaded & {child.pid or 0 for child in multiprocessing.active_children()})

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


class Turns(Generic[T]):
    """Waiting items: the next one is the oldest of the client whose last turn was longest ago.

    At most `most_each` items of a client (0: any number) are taken at once, until `end` is called for each.
    """

    def __init__(self, most_each: int = 0) -> None:
        self._most_each = most_each
        self._waiting: dict[str, deque[T]] = {}
        self._last_turns: OrderedDict[str, int] = OrderedDict()
        self._turn = 0
        self._taken = Counter[str]()

    def put(self, client: str, item: T) -> None:
        """Queue an item of a client."""
        self._waiting.setdefault(client, deque()).append(item)

    def take(self) -> tuple[str, T] | None:
        """Take the next item with its client; None if no item may be taken now."""
        able = [client for client in self._waiting if not 0 < self._most_each <= self._taken[client]]
        if not able:
            return None
        client = min(able, key=self._get_last_turn)
        item = self._waiting[client].popleft()
        if not self._waiting[client]:
            del self._waiting[client]
        self._turn += 1
        self._last_turns[client] = self._turn
        self._last_turns.move_to_end(client)
        if len(self._last_turns) > MAX_REMEMBERED:
            self._last_turns.popitem(last=False)
        self._taken[client] += 1
        return client, item

    def end(self, client: str) -> None:
        """End an item taken of a client."""
        self._taken[client] -= 1
        if not self._taken[client]:
            del self._taken[client]

    def has(self, client: str) -> bool:
        """Return whether a client has waiting items."""
        return client in self._waiting

    def list_order(self) -> Iterator[T]:
        """Yield the waiting items in the order in which they would be taken if no more came."""
        waiting = {client: list(items) for client, items in list(self._waiting.items())}
        order = sorted(waiting, key=self._get_last_turn)
        for round_number in range(max(map(len, waiting.values()), default=0)):
            for client in order:
                yield from waiting[client][round_number : round_number + 1]

    def _get_last_turn(self, client: str) -> int:
        return self._last_turns.get(client, 0)
