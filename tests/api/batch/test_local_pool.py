"""This machine's own workers: dead and idle ones are replaced, and none outlives the batch."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from api.batch import local_pool
from api.batch.local_pool import LocalPool, count_cores
from api.batch.work import TaskResult
from api.tournament.errors import ClusterError
from tests.api.batch.tiny import echo, report_process
from tests.api.serving import until

ALONE = """
import time
from api.batch.local_pool import LocalPool
from tests.api.batch.tiny import report_process

if __name__ == "__main__":
    pool = LocalPool(2)
    for _, result in pool.run_tasks(report_process, ((str(number), (0.3,)) for number in range(2))):
        print(result["process"], flush=True)
    list(pool.run_tasks(report_process, (("sleeps", (60.0,)),)))
"""


def answer_nothing() -> TaskResult:
    raise ImportError("no nets")


@pytest.mark.soak
def test_an_idle_worker_that_died_is_replaced() -> None:
    with LocalPool(2) as pool:
        before = {result["process"] for _, result in pool.run_tasks(report_process, (("a", (0.3,)), ("b", (0.3,))))}
        for process in before:
            os.kill(process, signal.SIGKILL)
        results = dict(pool.run_tasks(echo, ((str(number), (number,)) for number in range(6))))
        assert results == {str(number): {"number": number} for number in range(6)}
        after = {result["process"] for _, result in pool.run_tasks(report_process, (("a", (0.3,)), ("b", (0.3,))))}
    assert len(before) == len(after) == 2
    assert not before & after


def test_no_more_tasks_are_taken_than_workers_exist() -> None:
    taken: list[int] = []

    def list_tasks() -> Iterator[tuple[str, tuple[int]]]:
        for number in range(9):
            taken.append(number)
            yield str(number), (number,)

    with LocalPool(2) as pool:
        for done, _ in enumerate(pool.run_tasks(echo, list_tasks()), 1):
            assert len(taken) <= done + 2
    assert taken == [*range(9)]


def test_a_worker_that_cannot_start_ends_the_batch_with_its_reason() -> None:
    with LocalPool(1) as pool, pytest.raises(ClusterError) as caught:
        list(pool.run_tasks(answer_nothing, (("a", ()),)))
    assert (caught.value.code, caught.value.details) == ("worker_unfit", {"reason": "no nets"})


def test_no_worker_survives_a_killed_batch(tmp_path: Path) -> None:
    program = tmp_path / "alone.py"
    program.write_text(ALONE, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen([sys.executable, str(program)], stdout=subprocess.PIPE, text=True, env=environment) as batch:
        assert batch.stdout is not None
        workers = [int(batch.stdout.readline()) for _ in range(2)]
        time.sleep(0.5)
        batch.kill()
    assert len({*workers}) == 2
    until(lambda: not any(psutil.pid_exists(worker) for worker in workers))


def test_the_number_of_cores_respects_affinity_and_container_limits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    share = tmp_path / "cpu.max"
    monkeypatch.setattr(local_pool, "_CORES_OF_CONTAINER", share)
    bound = len(os.sched_getaffinity(0))
    assert count_cores() == bound
    for text, count in (("max 100000\n", bound), ("100000 100000\n", 1), ("50000 100000\n", 1)):
        share.write_text(text, encoding="ascii")
        assert count_cores() == count
