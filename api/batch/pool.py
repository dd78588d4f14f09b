"""Pool of a Dask cluster's workers, each with only a few tasks queued."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import CancelledError
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from queue import Empty, SimpleQueue
from typing import Any, Self

from distributed import Client, Future, Security
from distributed.client import FutureCancelledError
from distributed.comm.addressing import get_address_host_port, parse_address
from distributed.comm.core import CommClosedError, connect
from distributed.scheduler import KilledWorker

from api.batch.work import TaskResult, Work, attempt_work
from api.batch.worker_identity import compare_identities, compute_identity
from api.tournament.errors import BatchError, ClusterError, PassingError

TASKS_PER_WORKER = 3
"""Tasks handed out for each worker, including the one it is working on: enough that no worker idles. A guess."""
ANSWER_SECONDS = 10
"""Seconds a scheduler may take to answer. A guess."""
LOOK_SECONDS = 5.0
"""Seconds without a finished task after which the workers are checked. A guess."""
PATIENCE_SECONDS = 60.0
"""Seconds a scheduler may have no worker in the middle of a batch: a worker that died is being restarted. A guess."""
MAX_BOUNCES = 3
"""Maximum number of times a task may come back from workers that cannot run it while others could. A guess."""

_SCHEMES = frozenset({"tcp", "tls", "ws", "wss"})
"""Protocols that reach a scheduler on another machine or in another process."""
MAX_PORT = 65_535
"""Highest port number of TCP."""

_LOST = (FutureCancelledError, CancelledError, CommClosedError, OSError)


@dataclass(slots=True)
class _Task:
    """A task handed out to the workers `to`, or to any worker if that is None."""

    name: str
    arguments: tuple[Any, ...]
    to: frozenset[str] | None = None
    bounced: int = 0


@dataclass(slots=True)
class _Running:
    """Tasks handed out, and the futures that are done."""

    tasks: dict[object, tuple[_Task, Future[TaskResult]]] = field(default_factory=dict)
    done: SimpleQueue[Future[TaskResult]] = field(default_factory=SimpleQueue)


class _Client(Client):
    """A Dask client that skips closing if it could not start, which would otherwise log errors."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        try:
            super().__init__(*arguments, **named)  # type: ignore[no-untyped-call]
        except BaseException:
            self.status = "closed"
            raise


def check_scheduler(address: str) -> None:
    """Raise BatchError `bad_scheduler` if an address cannot be a scheduler's; the scheduler need not be reachable."""
    details = {"scheduler": address}
    try:
        scheme, _ = parse_address(address)
        host, port = get_address_host_port(address)
    except ValueError as error:
        raise BatchError("bad_scheduler", details={**details, "reason": str(error)}) from error
    if scheme not in _SCHEMES or not host.strip() or not 0 < int(port) <= MAX_PORT:
        raise BatchError("bad_scheduler", details=details)


def greet_scheduler(address: str, patience: float = ANSWER_SECONDS) -> None:
    """Exchange a handshake with a scheduler, waiting `patience` seconds for each message.

    Raises ClusterError `scheduler_unreachable` if nothing answers, `not_a_scheduler` if something else does. Another
    kind of server sends bytes that Dask misreads as sizes and numbers, or nothing: Dask's client would hang forever or
    fail with an arbitrary error.
    """
    try:
        asyncio.run(_connect_once(address, patience))
    except (CommClosedError, OSError, ValueError, TypeError) as error:
        if isinstance(error, TimeoutError) and not str(error):  # connected, then silence
            raise ClusterError("not_a_scheduler", details={"scheduler": address}) from error
        raise ClusterError("scheduler_unreachable", details=_describe_failure(address, error)) from error
    except Exception as error:
        raise ClusterError("not_a_scheduler", details=_describe_failure(address, error)) from error


async def _connect_once(address: str, patience: float) -> None:
    security = Security()
    arguments = security.get_connection_args("client")
    connection = await asyncio.wait_for(connect(address, timeout=patience, **arguments), 2 * patience)
    connection.abort()


def _describe_failure(address: str, error: Exception) -> dict[str, str]:
    return {"scheduler": address, "reason": str(error) or type(error).__name__}


class ClusterPool:
    """Workers of this program on a cluster; raises ClusterError if they cannot be reached or relied on.

    `unfit` maps the addresses of workers that get no work to the reason.
    """

    def __init__(self, scheduler: str) -> None:
        self.unfit: dict[str, ClusterError] = {}
        self._fit: frozenset[str] = frozenset()
        greet_scheduler(scheduler)
        try:
            self._client: Client = _Client(scheduler, timeout=ANSWER_SECONDS, set_as_default=False)
        except (OSError, ValueError, TypeError) as error:
            raise ClusterError("scheduler_unreachable", details=_describe_failure(scheduler, error)) from error

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(OSError, CommClosedError):
            self._client.close(timeout=ANSWER_SECONDS)

    def run_tasks(
        self, function: Work, tasks: Iterable[tuple[str, tuple[Any, ...]]]
    ) -> Iterator[tuple[str, TaskResult]]:
        """Call a function with each named task's arguments; yield each name and result as it is done.

        At most `TASKS_PER_WORKER` tasks are handed out for each worker and results are not kept, so memory does not
        grow with the number of tasks. A task that kills its workers yields the error `reading_crashed`.
        """
        waiting, running = (_Task(name, arguments) for name, arguments in tasks), _Running()
        try:
            self._check_workers()
            for task in islice(waiting, TASKS_PER_WORKER * len(self._fit)):
                self._hand_out(function, task, running)
            while running.tasks:
                task, result = self._next_done(function, running)
                if "unfit" in result:
                    self._bounce(function, task, result, running)
                    continue
                yield task.name, result
                for more in islice(waiting, 1):
                    self._hand_out(function, more, running)
        except _LOST as error:
            raise ClusterError("scheduler_lost", details={"reason": str(error)}) from error

    def _hand_out(self, function: Work, task: _Task, running: _Running) -> None:
        task.to = self._fit if self.unfit else None
        chosen = None if task.to is None else sorted(task.to)
        future = self._client.submit(
            attempt_work, compute_identity(), function, *task.arguments, pure=False, workers=chosen
        )
        running.tasks[future.key] = (task, future)
        future.add_done_callback(running.done.put)

    def _next_done(self, function: Work, running: _Running) -> tuple[_Task, TaskResult]:
        """Wait for a task to finish; meanwhile rescue tasks that no worker is working on."""
        alone_since: float | None = None
        while True:
            try:
                future = running.done.get(timeout=LOOK_SECONDS)
            except Empty:
                present = self._list_addresses()
                alone_since = None if present else alone_since or time.monotonic()
                if alone_since and time.monotonic() - alone_since > PATIENCE_SECONDS:
                    raise ClusterError("no_workers") from None
                if present:
                    self._rescue(function, running, present)
                continue
            if future.key in running.tasks:
                return running.tasks.pop(future.key)[0], _get_result(future)

    def _rescue(self, function: Work, running: _Running, present: frozenset[str]) -> None:
        """Hand out again the tasks whose workers are all gone."""
        stranded = [key for key, (task, _) in running.tasks.items() if task.to is not None and not task.to & present]
        if stranded:
            self._check_workers()
        for key in stranded:
            task, future = running.tasks.pop(key)
            future.cancel()
            self._hand_out(function, task, running)

    def _bounce(self, function: Work, task: _Task, result: TaskResult, running: _Running) -> None:
        """Give a task to another worker than the one that could not run it."""
        self._check_workers()
        task.bounced += 1
        if task.bounced > MAX_BOUNCES:
            raise ClusterError("worker_unfit", details={"reason": str(result["unfit"])})
        self._hand_out(function, task, running)

    def _list_addresses(self) -> frozenset[str]:
        return frozenset(self._client.scheduler_info()["workers"])

    def _check_workers(self) -> None:
        """Ask the workers for their identities; raises ClusterError if none is fit."""
        answers = self._client.run(compute_identity, on_error="return")
        if not answers:
            raise ClusterError("no_workers")
        errors = {address: _find_fault(address, answer) for address, answer in answers.items()}
        self.unfit |= {address: error for address, error in errors.items() if error}
        self._fit = frozenset(address for address, error in errors.items() if not error)
        if not self._fit:
            raise next(error for error in errors.values() if error)


def _get_result(future: Future[TaskResult]) -> TaskResult:
    """Return a task's result, or `unfit` if its worker could not even start it."""
    if future.cancelled():
        raise FutureCancelledError(future.key, "cancelled")
    error = future.exception()
    if isinstance(error, KilledWorker):
        return PassingError("reading_crashed").as_dict()
    if error is not None:
        return {"unfit": f"{type(error).__name__}: {error}"}
    return future.result()


def _find_fault(address: str, answer: Any) -> ClusterError | None:
    """Return the error of a worker that gives this answer when asked for its identity, or None if it is fit."""
    if isinstance(answer, Exception):
        return ClusterError("worker_unfit", details={"worker": address, "reason": str(answer)})
    if differing := compare_identities(answer, compute_identity()):
        return ClusterError("versions_differ", details={"worker": address, "differs": differing})
    return None
