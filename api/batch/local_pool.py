"""This machine's own workers: a process for each core, and nothing about them but reading.

Pebble's processes share one pipe, and one that is killed while it takes from it ends the pool; Dask's take a second
to start, and a tenth of the cores that read. Here each has a pipe of its own: who dies is known by it, with its task.
"""

from __future__ import annotations

import multiprocessing
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
from api.reading.process_start import begin_start, choose_start
from api.tournament.errors import ClusterError, PassingError

MAX_DEATHS = 2
"""Workers that one task may take with it before it is given up."""
ENDING_SECONDS = 10
WORKER_MODULE = "api.batch.work"
"""What workers import beside what every reading needs."""
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
    """Workers of this machine, as many as it lends us cores; raises ClusterError where they cannot be relied on."""

    unfit: Mapping[str, ClusterError] = {}
    """None ever is: they are this very program."""

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
        """Call a function with each named task's arguments; yields the name and the result as each is done.

        Each worker has one task, and gets the next before a result is yielded: none waits, and memory does not grow
        with the number of tasks. A task that takes its workers with it comes back as the error `reading_crashed`.
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
        with suppress(OSError):  # it died while it had nothing to do, which receiving will find
            worker.connection.send((worker.task.function, worker.task.arguments))

    def _receive(self, worker: _Worker, task: _Task, again: deque[_Task]) -> TaskResult | None:
        """Receive a worker's result; where it died instead another takes its place, and the task is tried again."""
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
    """Do what comes through a pipe until it is closed; Ctrl-C is the matter of who started this process alone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_the_batch, daemon=True).start()
    while True:
        try:
            function, arguments = connection.recv()
            connection.send(attempt_work(identity, function, *arguments))
        except (EOFError, OSError):
            return


def _end_with_the_batch() -> None:
    """End this process where the batch was killed: nobody waits for what it reads."""
    if (batch := multiprocessing.parent_process()) is not None:
        wait([batch.sentinel])
        os._exit(1)


def count_cores() -> int:
    """Count the cores that this process may use: those it is bound to, and no more than its container's share."""
    bound = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    try:
        quota, period = _CORES_OF_CONTAINER.read_text(encoding="ascii").split()
        return max(1, min(bound, int(quota) // int(period)))
    except (OSError, ValueError):  # there is no container, or no limit
        return bound
