"""Pool of worker processes on this machine, one for each core.

Pebble's processes share one pipe, so a process killed while reading from it takes the pool down; Dask's workers take a
second to start and a tenth of the CPU time. Each process here has its own pipe, which identifies a dead worker and its
task.
"""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from threading import Thread
from typing import Any, Self

from api.batch.work import TaskResult, Work, attempt_work
from api.batch.worker_identity import Identity, compute_identity
from api.reading.process_start import begin_start, choose_start, end_with_parent
from api.tournament.errors import ClusterError, PassingError

MAX_DEATHS = 2
"""Number of workers that a task may kill before it is given up. A guess."""
ENDING_SECONDS = 10
"""Seconds to wait for a killed process to end. A guess."""
WORKER_MODULE = "api.batch.work"
"""Module that workers import beside the modules that every reading needs."""
_CORES_OF_CONTAINER = Path("/sys/fs/cgroup/cpu.max")


@dataclass(slots=True)
class _Task:
    name: str
    function: Work
    arguments: tuple[Any, ...]
    deaths: int = 0


@dataclass(slots=True)
class _Worker:
    process: BaseProcess
    connection: Connection[Any, Any]
    task: _Task | None = None


class LocalPool:
    """Worker processes of this machine, one for each available core; raises ClusterError if one cannot be relied on."""

    unfit: Mapping[str, ClusterError] = {}
    """Always empty: the workers run this very program."""

    def __init__(self, count: int | None = None) -> None:
        begin_start(WORKER_MODULE)
        self._identity = compute_identity()
        self._context = choose_start(WORKER_MODULE)
        self._workers = [self._start() for _ in range(count or count_cores())]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self._workers:
            worker.connection.close()
            worker.process.kill()
        for worker in self._workers:
            worker.process.join(ENDING_SECONDS)

    def run_tasks(
        self, function: Work, tasks: Iterable[tuple[str, tuple[Any, ...]]]
    ) -> Iterator[tuple[str, TaskResult]]:
        """Call a function with each named task's arguments; yield each name and result as it is done.

        Each worker has one task and gets the next one before a result is yielded, so no worker idles and memory does
        not grow with the number of tasks. A task that kills its workers yields the error `reading_crashed`.
        """
        waiting, again = (_Task(name, function, arguments) for name, arguments in tasks), deque[_Task]()
        for worker in self._workers:
            self._hand_out(worker, again, waiting)
        while busy := [worker for worker in self._workers if worker.task]:
            ready = wait([worker.connection for worker in busy])
            for worker in busy:
                if worker.connection not in ready or (task := worker.task) is None:
                    continue
                result = self._receive(worker, task, again)
                self._hand_out(worker, again, waiting)
                if result is not None:
                    yield task.name, result

    def _hand_out(self, worker: _Worker, again: deque[_Task], waiting: Iterator[_Task]) -> None:
        worker.task = again.popleft() if again else next(waiting, None)
        if worker.task is None:
            return
        with suppress(OSError):  # it died while idle; receiving will notice
            worker.connection.send((worker.task.function, worker.task.arguments))

    def _receive(self, worker: _Worker, task: _Task, again: deque[_Task]) -> TaskResult | None:
        """Receive a worker's result. If the worker died, replace it and queue the task again."""
        try:
            result: TaskResult = worker.connection.recv()
        except (EOFError, OSError):
            self._replace(worker)
            task.deaths += 1
            if task.deaths > MAX_DEATHS:
                return PassingError("reading_crashed").as_dict()
            again.append(task)
            return None
        if "unfit" in result:
            raise ClusterError("worker_unfit", details={"reason": str(result["unfit"])})
        return result

    def _replace(self, worker: _Worker) -> None:
        worker.connection.close()
        worker.process.kill()
        worker.process.join(ENDING_SECONDS)
        started = self._start()
        worker.process, worker.connection = started.process, started.connection

    def _start(self) -> _Worker:
        ours, theirs = self._context.Pipe()
        process = self._context.Process(target=_serve, args=(theirs, self._identity), daemon=True)  # type: ignore[attr-defined]
        process.start()
        theirs.close()
        return _Worker(process, ours)


def _serve(connection: Connection[Any, Any], identity: Identity) -> None:
    """Run the tasks that arrive through a pipe until it is closed; Ctrl-C is left to the parent process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=end_with_parent, daemon=True).start()
    while True:
        try:
            function, arguments = connection.recv()
            connection.send(attempt_work(identity, function, *arguments))
        except (EOFError, OSError):
            return


def count_cores() -> int:
    """Count the cores that this process may use, limited by its CPU affinity and its container's quota."""
    bound = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    try:
        quota, period = _CORES_OF_CONTAINER.read_text(encoding="ascii").split()
        return max(1, min(bound, int(quota) // int(period)))
    except (OSError, ValueError):  # no container, or no limit
        return bound
