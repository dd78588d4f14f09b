"""Jobs in other processes: a limited number at once, a bounded queue before them, and a time limit that kills.

Clients take turns. A job reports its progress in one byte of shared memory of its desk, which needs no lock that a
killed process could hold.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from ctypes import c_ubyte
from dataclasses import dataclass
from multiprocessing.sharedctypes import RawArray
from typing import Any

from pebble import ProcessExpired

from api.reading.tools import STAGES
from api.server.clients import asking_client
from api.server.errors import ServerError
from api.server.logs import Lines
from api.service import worker
from api.service.worker_pool import LOOKING_SECONDS, Readers, Turns
from api.store.unavailable import PassingError

INITIAL_SECONDS = 10.0
"""Expected seconds of a reading before any was done, for Retry-After. A guess."""
LATEST_WEIGHT = 0.2
"""Weight of the latest reading in the moving average of their durations. A guess."""
RESTART_SECONDS = 10
"""Seconds after which a stopped server is expected to be back. A guess."""
RETRY_SECONDS, MAX_RETRY_SECONDS = 1.0, 30.0
"""Seconds before a job that could not reach the storage is tried again, doubled each time up to a maximum. A guess."""

log = logging.getLogger("wondertally")


class ReturnedError(ServerError):
    """The server stops before a job is done."""

    def __init__(self) -> None:
        super().__init__("not_ready", details={"reason": "stopping"}, headers={"Retry-After": str(RESTART_SECONDS)})


@dataclass(frozen=True, slots=True)
class Progress:
    """Progress of a job: `stage` is None while it waits, `ahead` is the number of jobs before it."""

    stage: str | None
    ahead: int


@dataclass(eq=False, slots=True)
class _Job:
    id: str
    client: str
    work: Callable[..., Any]
    arguments: tuple[Any, ...]
    outcome: asyncio.Future[Any]
    desk: int | None = None
    running: Future[Any] | None = None
    tries: int = 0


class Jobs:
    """The queue; its methods belong to the event loop's thread, except `progress`, `counts`, `alive` and `is_full`."""

    def __init__(
        self, desks: int, max_waiting: int, seconds: float, enrolled: worker.EnrolmentPlaces, lines: Lines | None = None
    ) -> None:
        self._stages = RawArray(c_ubyte, worker.DESK_BYTES * desks)
        self._readers = Readers(desks, (self._stages, enrolled, lines or Lines()))
        self._desks, self._max_waiting, self._seconds = desks, max_waiting, seconds
        self._arrivals, self._arrived = Turns[_Job](), asyncio.Event()
        self._jobs: dict[str, _Job] = {}
        self._promised = Counter[str]()
        self._tasks: list[asyncio.Task[None]] = []
        self._usual_seconds = INITIAL_SECONDS
        self._stopping = False

    async def open(self) -> None:
        """Start the processes and load their nets; `alive` shows which of them succeeded."""
        self._tasks = [asyncio.create_task(self._work_at(desk)) for desk in range(self._desks)]
        await self._readers.open()

    def refuse(self) -> None:
        """Accept no more jobs; may be called by a signal handler."""
        self._stopping = True

    async def stop(self, seconds: float) -> None:
        """Accept no more jobs: waiting ones end at once with ReturnedError, running ones after these seconds.

        May be called again with fewer seconds.
        """
        self.refuse()
        for job in [job for job in self._jobs.values() if job.desk is None]:
            self._return(job)
        if working := [job.outcome for job in self._jobs.values()]:
            await asyncio.wait(working, timeout=seconds)
        for job in list(self._jobs.values()):
            self._return(job)

    async def close(self) -> None:
        """End all jobs, including running ones."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._readers.close()

    @property
    def alive(self) -> frozenset[int]:
        """Ids of the live processes with loaded nets."""
        return self._readers.alive

    @property
    def is_stopping(self) -> bool:
        """Whether no more jobs are accepted."""
        return self._stopping

    @property
    def is_full(self) -> bool:
        """Whether a further job would be refused."""
        return len(self._jobs) + self._promised.total() >= self._desks + self._max_waiting

    def _is_full_for(self, client: str) -> bool:
        """Return whether a client's further job is refused; a newcomer still has room in a queue that others filled."""
        waiting = self.counts[0] + self._promised.total()
        is_newcomer = not self._arrivals.has(client) and not self._promised[client]
        return self.is_full and (not is_newcomer or waiting >= 2 * self._max_waiting)

    @property
    def counts(self) -> tuple[int, int]:
        """Numbers of waiting and of running jobs."""
        jobs = list(self._jobs.values())
        working = sum(job.desk is not None for job in jobs)
        return len(jobs) - working, working

    def add(self, job: str, work: Callable[..., Any], *arguments: Any, always: bool = False) -> asyncio.Future[Any]:
        """Run `work(desk, *arguments)` in a process; return a future of its result.

        Work that could not reach the storage is repeated later. The future raises ServerError `reading_stopped` or
        `reading_crashed` if it did not end well, and ReturnedError if the server stops first. Raises as `promise` does,
        unless a place was promised or the job is `always` accepted.
        """
        client = asking_client.get()
        if not always:
            self._check_room(client)
        made = _Job(job, client, work, arguments, asyncio.get_running_loop().create_future())
        if self._stopping:
            made.outcome.set_exception(ReturnedError())
            return made.outcome
        self._jobs[job] = made
        self._put(made)
        return made.outcome

    @contextmanager
    def promise(self) -> Iterator[None]:
        """Reserve a place for a job that is `always` accepted, so that data stored in the meantime need not be
        withdrawn.

        Raises ServerError `queue_full`, and ReturnedError if the server stops.
        """
        client = asking_client.get()
        self._check_room(client)
        self._promised[client] += 1
        try:
            yield
        finally:
            self._promised[client] -= 1
            if not self._promised[client]:
                del self._promised[client]

    def _check_room(self, client: str) -> None:
        """Raise ReturnedError if the server stops, and ServerError `queue_full` if the client has no room."""
        if self._stopping:
            raise ReturnedError
        if self._is_full_for(client):
            waiting, _ = self.counts
            seconds = max(1, round(self._usual_seconds * (waiting + 1) / self._desks))
            raise ServerError("queue_full", details={"waiting": waiting}, headers={"Retry-After": str(seconds)})

    def get_progress(self, job: str) -> Progress | None:
        """Return the progress of a job, None if it is done or unknown."""
        pending = self._jobs.get(job)
        if pending is None:
            return None
        if pending.desk is not None:
            return Progress(STAGES[self._stages[worker.DESK_BYTES * pending.desk]], 0)
        order = list(self._arrivals.list_order())
        return Progress(None, self.counts[1] + (order.index(pending) if pending in order else len(order)))

    def forget(self, job: str) -> bool:
        """Drop a job and cancel its future; return whether it was running, and is killed."""
        pending = self._jobs.pop(job, None)
        if pending is None:
            return False
        pending.outcome.cancel()
        return pending.running is not None and pending.running.cancel()

    def _return(self, job: _Job) -> None:
        self._jobs.pop(job.id, None)
        if not job.outcome.done():
            job.outcome.set_exception(ReturnedError())
        if job.running is not None:
            job.running.cancel()

    async def _work_at(self, desk: int) -> None:
        while True:
            job = await self._take()
            if not job.outcome.done():
                job.desk, started = desk, time.monotonic()
                done = await self._run(job, desk)
                if job.outcome.done() or not self._must_repeat(done, desk):
                    self._jobs.pop(job.id, None)
                    _settle(job.outcome, done)
                elif self._stopping:
                    self._return(job)
                else:
                    self._postpone(job)
                if not done.cancelled():
                    self._usual_seconds += LATEST_WEIGHT * (time.monotonic() - started - self._usual_seconds)

    def _put(self, job: _Job) -> None:
        self._arrivals.put(job.client, job)
        self._arrived.set()

    async def _take(self) -> _Job:
        """Take the next job, once there is one."""
        while (item := self._arrivals.take()) is None:
            self._arrived.clear()
            await self._arrived.wait()
        client, job = item
        self._arrivals.end(client)
        return job

    def _must_repeat(self, done: asyncio.Future[Any], desk: int) -> bool:
        """Return whether a job is not to blame for its failure: the storage was away, or its process ended with the
        server.
        """
        if done.cancelled() or (error := done.exception()) is None:
            return False
        if isinstance(error, TimeoutError):
            return bool(self._stages[worker.DESK_BYTES * desk + 1])
        if isinstance(error, ProcessExpired):
            return self._stopping
        return isinstance(error, PassingError)

    def _postpone(self, job: _Job) -> None:
        """Queue a job again, behind those that wait now."""
        seconds = min(MAX_RETRY_SECONDS, RETRY_SECONDS * 2**job.tries)
        job.desk, job.running, job.tries = None, None, min(job.tries + 1, 10)
        log.warning("job_postponed", extra={"reading": job.id, "seconds": seconds})
        asyncio.get_running_loop().call_later(seconds, self._put, job)

    async def _run(self, job: _Job, desk: int) -> asyncio.Future[Any]:
        """Run a job to its end; repeat it if the pool broke before a process had taken it."""
        while True:
            for number in range(worker.DESK_BYTES):
                self._stages[worker.DESK_BYTES * desk + number] = 0
            job.running = self._readers.schedule(job.work, (desk, *job.arguments), self._seconds)
            done = asyncio.wrap_future(job.running)
            await asyncio.wait([done])
            if done.cancelled() or not isinstance(done.exception(), BrokenProcessPool):
                return done
            await asyncio.sleep(LOOKING_SECONDS)


def _settle(outcome: asyncio.Future[Any], done: asyncio.Future[Any]) -> None:
    if outcome.done() or done.cancelled():
        outcome.cancel()
    elif (error := done.exception()) is None:
        outcome.set_result(done.result())
    elif isinstance(error, TimeoutError):
        outcome.set_exception(ServerError("reading_stopped"))
    elif isinstance(error, ProcessExpired):
        outcome.set_exception(ServerError("reading_crashed"))
    else:
        outcome.set_exception(error)
