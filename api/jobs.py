"""Work in other processes: at most so many at once, a bounded queue before them, and a time limit that kills.

A process keeps what it loaded (the nets) for the next job; one that was killed is replaced. How far a job has come it
tells through a byte of shared memory of its desk, which needs no lock that a killed process could hold.
"""

from __future__ import annotations

import asyncio
import multiprocessing
from collections.abc import Callable
from concurrent.futures import Future
from ctypes import c_ubyte
from dataclasses import dataclass
from typing import Any

from pebble import ProcessExpired, ProcessPool

from api import worker
from api.server_errors import ServerError

LOADING_SECONDS = 300.0
"""How long a process may take until its nets are loaded."""
USUAL_SECONDS = 10.0
"""What a reading is thought to take, for Retry-After."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a job has come: `stage` is None while it waits, `ahead` how many are before it."""

    stage: str | None
    ahead: int


@dataclass(eq=False, slots=True)
class _Job:
    id: str
    work: Callable[..., Any]
    arguments: tuple[Any, ...]
    outcome: asyncio.Future[Any]
    desk: int | None = None
    running: Future[Any] | None = None


class Jobs:
    """The queue; its methods are for the event loop's thread, but `progress`, `counts` and `is_ready` for any."""

    def __init__(self, desks: int, waiting_most: int, seconds: float, taught: worker.Taught) -> None:
        context = multiprocessing.get_context("spawn")
        self._stages = context.RawArray(c_ubyte, desks)
        given = (self._stages, taught)
        self._pool = ProcessPool(desks, initializer=worker.set_up, initargs=given, context=context)
        self._desks, self._waiting_most, self._seconds = desks, waiting_most, seconds
        self._arrivals: asyncio.Queue[_Job] = asyncio.Queue()
        self._jobs: dict[str, _Job] = {}
        self._tasks: list[asyncio.Task[None]] = []
        self._loaded = False

    async def open(self) -> None:
        """Start the processes and have each load its nets; whether that went well `is_ready` tells."""
        self._tasks = [asyncio.create_task(self._work_at(desk)) for desk in range(self._desks)]
        loading = [self._pool.schedule(worker.check, timeout=LOADING_SECONDS) for _ in range(self._desks)]
        done = await asyncio.gather(*map(asyncio.wrap_future, loading), return_exceptions=True)
        self._loaded = all(outcome is True for outcome in done)

    async def close(self) -> None:
        """End all, also what is being done."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._pool.stop()
        await asyncio.to_thread(self._pool.join, 10)

    @property
    def is_ready(self) -> bool:
        """Whether the processes live and have their nets."""
        return self._loaded and self._pool.active

    @property
    def counts(self) -> tuple[int, int]:
        """How many wait, and how many are being done."""
        jobs = list(self._jobs.values())
        working = sum(job.desk is not None for job in jobs)
        return len(jobs) - working, working

    def add(self, job: str, work: Callable[..., Any], *arguments: Any, always: bool = False) -> asyncio.Future[Any]:
        """Have `work(desk, *arguments)` done in a process; the future has what it returns.

        The future has ServerError `reading_stopped` or `reading_crashed` where it did not end well. Raises ServerError
        `queue_full`, unless it is `always` taken.
        """
        waiting, working = self.counts
        if not always and working >= self._desks and waiting >= self._waiting_most:
            seconds = str(round(USUAL_SECONDS * (waiting + 1) / self._desks))
            raise ServerError("queue_full", details={"waiting": waiting}, headers={"Retry-After": seconds})
        made = _Job(job, work, arguments, asyncio.get_running_loop().create_future())
        self._jobs[job] = made
        self._arrivals.put_nowait(made)
        return made.outcome

    def progress(self, job: str) -> Progress | None:
        """How far a job has come; None where it is done, or unknown."""
        known = self._jobs.get(job)
        if known is None:
            return None
        if known.desk is not None:
            return Progress(worker.STAGES[self._stages[known.desk]], 0)
        others = list(self._jobs.values())
        return Progress(None, others.index(known) if known in others else 0)

    def forget(self, job: str) -> bool:
        """Let go of a job; whether it was being done, and is killed. Its future is cancelled."""
        known = self._jobs.pop(job, None)
        if known is None:
            return False
        known.outcome.cancel()
        return known.running is not None and known.running.cancel()

    async def _work_at(self, desk: int) -> None:
        while True:
            job = await self._arrivals.get()
            if not job.outcome.cancelled():
                self._stages[desk] = 0
                job.desk = desk
                job.running = self._pool.schedule(job.work, args=(desk, *job.arguments), timeout=self._seconds)
                await asyncio.wait([asyncio.wrap_future(job.running)])
                self._jobs.pop(job.id, None)
                self._loaded |= _went_well(job.running)  # also where loading took too long at the start
                _settle(job.outcome, job.running)


def _went_well(done: Future[Any]) -> bool:
    return not done.cancelled() and done.exception() is None


def _settle(outcome: asyncio.Future[Any], done: Future[Any]) -> None:
    if outcome.cancelled() or done.cancelled():
        outcome.cancel()
    elif (error := done.exception()) is None:
        outcome.set_result(done.result())
    elif isinstance(error, TimeoutError):
        outcome.set_exception(ServerError("reading_stopped"))
    elif isinstance(error, ProcessExpired):
        outcome.set_exception(ServerError("reading_crashed"))
    else:
        outcome.set_exception(error)
