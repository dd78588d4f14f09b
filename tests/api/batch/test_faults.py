"""Failures of workers and their scheduler: each ends in a right result or a clear error."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from api.batch import pool as pools
from api.batch import worker_identity
from api.batch.local_pool import LocalPool
from api.batch.pool import ClusterPool
from api.batch.work import TaskResult, attempt_work
from api.batch.worker_identity import compare_identities, compute_identity
from api.tournament.errors import ClusterError
from scoring.calibration import CALIBRATION_FILE
from tests.api.batch.clusters import ROOT, Cluster, altered_program, copy_of_program
from tests.api.batch.tiny import echo, end, fail, hoard
from vision.errors import InputError

WAIT_SECONDS = 240


def done(pool: ClusterPool, function: Callable[..., TaskResult], numbers: Iterable[int]) -> dict[str, TaskResult]:
    """Return the outcome of a task for each number; each comes back once."""
    results = list(pool.run_tasks(function, ((str(number), (number,)) for number in numbers)))
    assert len(results) == len(dict(results))
    return dict(results)


def code(result: TaskResult) -> str:
    error_code: str = result["error"]["code"]
    return error_code


@pytest.fixture(scope="module")
def altered(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return altered_program(tmp_path_factory.mktemp("altered"))


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    dask_cluster = Cluster(tmp_path, DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES="0")
    yield dask_cluster
    dask_cluster.close()


@pytest.mark.soak
def test_work_skips_workers_without_the_weights_or_of_another_version(
    cluster: Cluster, altered: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    fit = cluster.add_worker()
    cluster.add_worker(copy_of_program(tmp_path_factory.mktemp("bare"), weights=False), "--no-nanny")
    cluster.add_worker(altered, "--no-nanny")
    cluster.wait_for(3)
    with ClusterPool(cluster.address) as pool:
        assert done(pool, echo, range(20)) == {str(number): {"number": number} for number in range(20)}
        reasons = {error.code: error.details for error in pool.unfit.values()}
    assert reasons.keys() == {"worker_unfit", "versions_differ"}
    assert "models_missing" in reasons["worker_unfit"]["reason"]
    assert reasons["versions_differ"]["differs"].keys() == {"program", "weights"}
    fit.terminate()
    fit.wait()
    with pytest.raises(ClusterError) as caught, ClusterPool(cluster.address) as pool:
        done(pool, echo, range(3))
    assert caught.value.code in ("worker_unfit", "versions_differ")
    assert caught.value.details["worker"].startswith("tcp://")


@pytest.mark.soak
def test_a_late_worker_without_the_weights_loses_its_tasks(
    cluster: Cluster, tmp_path_factory: pytest.TempPathFactory
) -> None:
    cluster.add_worker()
    cluster.wait_for(1)
    bare = copy_of_program(tmp_path_factory.mktemp("bare"), weights=False)

    def tasks() -> Iterator[tuple[str, tuple[Any, ...]]]:
        for number in range(30):
            if number == 5:
                cluster.add_worker(bare, "--no-nanny")
                cluster.wait_for(2)
            yield str(number), (number,)

    with ClusterPool(cluster.address) as pool:
        results = dict(pool.run_tasks(echo, tasks()))
        assert results == {str(number): {"number": number} for number in range(30)}
        assert [error.code for error in pool.unfit.values()] == ["worker_unfit"]


@pytest.mark.soak
def test_a_task_that_runs_out_of_memory_is_reported_and_the_next_one_runs(cluster: Cluster) -> None:
    cluster.add_worker(ROOT, "--memory-limit", "900MB")
    cluster.wait_for(1)
    with ClusterPool(cluster.address) as pool:
        assert [code(result) for result in done(pool, hoard, [1]).values()] == ["reading_crashed"]
        cluster.wait_for(1)
        assert done(pool, echo, [1]) == {"1": {"number": 1}}


@pytest.mark.soak
def test_a_task_that_kills_its_process_does_not_affect_other_tasks() -> None:
    with LocalPool() as pool:
        results = dict(pool.run_tasks(_one_bad, ((str(number), (number,)) for number in range(8))))
    assert code(results.pop("3")) == "reading_crashed"
    assert results == {str(number): {"number": number} for number in range(8) if number != 3}


def _one_bad(number: int) -> TaskResult:
    return end(1) if number == 3 else echo(number)


@pytest.mark.soak
def test_a_restarted_scheduler_is_an_error(cluster: Cluster) -> None:
    cluster.add_worker()
    cluster.wait_for(1)

    def tasks() -> Iterator[tuple[str, tuple[Any, ...]]]:
        for number in range(20):
            if number == 5:
                cluster.restart_scheduler()
            yield str(number), (number,)

    with pytest.raises(ClusterError) as caught, ClusterPool(cluster.address) as pool:
        list(pool.run_tasks(echo, tasks()))
    assert caught.value.code == "scheduler_lost"
    cluster.add_worker()
    cluster.wait_for(1)
    with ClusterPool(cluster.address) as pool:
        assert done(pool, echo, range(3)).keys() == {"0", "1", "2"}


@pytest.mark.soak
def test_a_cluster_without_workers_is_an_error(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pools, "LOOK_SECONDS", 0.2)
    monkeypatch.setattr(pools, "PATIENCE_SECONDS", 1.0)
    worker = cluster.add_worker(ROOT, "--no-nanny")
    cluster.wait_for(1)

    def tasks() -> Iterator[tuple[str, tuple[Any, ...]]]:
        yield "0", (0,)
        worker.kill()
        worker.wait()
        time.sleep(1)
        yield "1", (1,)

    with pytest.raises(ClusterError) as caught, ClusterPool(cluster.address) as pool:
        list(pool.run_tasks(echo, tasks()))
    assert caught.value.code == "no_workers"


def test_an_internal_error_is_reported_with_its_reason() -> None:
    result = attempt_work(compute_identity(), fail, 7)
    assert code(result) == "reading_failed"
    assert "number 7" in result["error"]["details"]["reason"]


def test_a_worker_with_another_identity_is_reported_before_it_works() -> None:
    wanted = compute_identity() | {"weights": "other", "more": "1"}
    result = attempt_work(wanted, fail, 7)
    assert result == {"unfit": compare_identities(compute_identity(), wanted)}
    assert result["unfit"].keys() == {"weights", "more"}


def test_a_missing_calibration_file_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(worker_identity, "CALIBRATION_FILE", tmp_path / "calibration.toml")
    with pytest.raises(InputError) as caught:
        compute_identity.__wrapped__()
    assert (caught.value.code, caught.value.details) == ("models_missing", {"file": "calibration.toml"})


HANGING = """
import re
from api.batch import work
from api.batch.worker_identity import compute_identity
work.MAX_TASK_SECONDS = 1.0
compute_identity()
print("hangs", flush=True)
work.attempt_work(compute_identity(), re.fullmatch, "(a+)+", "a" * 60 + "b")  # holds the interpreter
"""


def test_a_hanging_task_is_killed() -> None:
    ended = subprocess.run([sys.executable, "-c", HANGING], capture_output=True, timeout=WAIT_SECONDS, check=False)
    assert ended.returncode == 1
    assert (ended.stdout, ended.stderr) == (b"hangs\n", b"")


def test_the_identity_of_a_worker_includes_its_calibration_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = dict(compute_identity())
    other = tmp_path / "other.toml"
    other.write_text(CALIBRATION_FILE.read_text(encoding="utf-8") + "# other\n", encoding="utf-8")
    monkeypatch.setattr(worker_identity, "CALIBRATION_FILE", other)
    compute_identity.cache_clear()
    changed = dict(compute_identity())
    compute_identity.cache_clear()
    assert compare_identities(usual, changed).keys() == {"weights"}
