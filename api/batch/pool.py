"""The workers: Dask's, on this machine's cores or on a cluster, given only a little more than they are working on."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError
from contextlib import suppress
from itertools import islice
from typing import Any, Self

import dask
from distributed import Client, Future, LocalCluster, as_completed
from distributed.client import FutureCancelledError
from distributed.comm.core import CommClosedError
from distributed.scheduler import KilledWorker

from api.batch import work
from api.batch.errors import ClusterError
from vision.errors import InputError

Told = dict[str, Any]
Work = Callable[..., Told]

AHEAD = 3
"""Tasks handed out for each worker, the one that it works on among them: enough that none waits."""
ANSWER_SECONDS = 10
DEATHS = 2
"""Workers that one task may take with it before it is given up."""


class Pool:
    """Workers of this program; raises ClusterError where they cannot be had or relied on."""

    def __init__(self, scheduler: str | None = None) -> None:
        self._cluster = None if scheduler else _local()
        try:
            self._client = Client(self._cluster or scheduler, timeout=ANSWER_SECONDS, set_as_default=False)
        except (OSError, ValueError) as error:
            raise ClusterError("scheduler_unreachable", details={"scheduler": scheduler}) from error

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(OSError, CommClosedError):
            self._client.close(timeout=ANSWER_SECONDS)
        if self._cluster:
            self._cluster.close(timeout=ANSWER_SECONDS)

    def each(self, function: Work, tasks: Iterable[tuple[str, tuple[Any, ...]]]) -> Iterator[tuple[str, Told]]:
        """Have a function called with each named task's arguments; what it tells, with the name, as each is done.

        No more is handed out than `AHEAD` for each worker, and what is told is not kept: memory does not grow with the
        number of tasks. A task that takes its workers with it comes back as the error `reading_crashed`.
        """
        waiting, names = iter(tasks), dict[object, str]()
        try:
            first = self._handed_out(function, islice(waiting, AHEAD * self._workers()), names)
            running = as_completed(first, loop=self._client.loop)
            for future in running:
                yield names.pop(future.key), _outcome(future)
                running.update(self._handed_out(function, islice(waiting, 1), names))
        except (FutureCancelledError, CancelledError, CommClosedError) as error:
            raise ClusterError("scheduler_lost") from error

    def _handed_out(
        self, function: Work, tasks: Iterable[tuple[str, tuple[Any, ...]]], names: dict[object, str]
    ) -> list[Future[Told]]:
        futures = []
        for name, arguments in tasks:
            future = self._client.submit(function, *arguments, pure=False)
            names[future.key] = name
            futures.append(future)
        return futures

    def _workers(self) -> int:
        """How many there are, each of them fit."""
        told = self._client.run(work.identity, on_error="return")
        if not told:
            raise ClusterError("no_workers")
        for address, answer in told.items():
            if isinstance(answer, Exception):
                raise _unfit(answer, address)
            _check(answer, address)
        return len(told)


def _local() -> LocalCluster:
    """One process for each core; a task is given up when it has cost some of them."""
    dask.config.set({"distributed.scheduler.allowed-failures": DEATHS})
    return LocalCluster(processes=True, threads_per_worker=1, dashboard_address=None, silence_logs=logging.CRITICAL)


def _outcome(future: Future[Told]) -> Told:
    error = future.exception()
    if isinstance(error, KilledWorker):
        text = "Reading it ended its process, more than once."
        return {"error": {"code": "reading_crashed", "text": text, "details": {}}}
    if isinstance(error, InputError | ImportError):
        raise _unfit(error, "")
    told: Told = future.result()
    _check(told["by"], "")
    return told


def _check(answer: str, address: str) -> None:
    if answer != work.identity():
        raise ClusterError("versions_differ", details={"worker": address, "has": answer, "wanted": work.identity()})


def _unfit(error: Exception, address: str) -> ClusterError:
    return ClusterError("worker_unfit", details={"worker": address, "reason": str(error)})
