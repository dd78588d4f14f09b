"""Batches on a Dask cluster as a person sees them: with some unsuitable workers, and without the extra `cluster`."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.api.batch.clusters import ROOT, Cluster, altered_program
from tests.api.batch.run import draw, entries, lines, run, wait_for_a_reading
from tests.api.processes import Process

COUNT = 30
EXAMPLES = Path(__file__).parents[3] / "datasets" / "examples"


@pytest.fixture(scope="module")
def altered(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return altered_program(tmp_path_factory.mktemp("altered"))


@pytest.fixture(scope="module")
def photos(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return photos that show no board: read in a moment."""
    folder = tmp_path_factory.mktemp("photos")
    for number in range(COUNT):
        draw(folder / f"{number}.png", number)
    return folder


@pytest.fixture(params=["5 minutes"])
def cluster(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Cluster]:
    """Return a cluster that gives a worker up after such a silence."""
    (tmp_path / "cluster").mkdir()
    dask_cluster = Cluster(tmp_path / "cluster", DASK_DISTRIBUTED__SCHEDULER__WORKER_TTL=request.param)
    yield dask_cluster
    dask_cluster.close()


def all_read(out: Path) -> bool:
    """Return whether every photo was processed and read once, and has its result."""
    codes = [line["error"]["code"] for line in lines(out)]
    return codes == ["board_not_found"] * COUNT and len(entries(out)) == len(set(entries(out))) == 2 * COUNT


@pytest.mark.soak
def test_a_worker_of_another_version_gets_no_work_and_is_named(
    cluster: Cluster, altered: Path, photos: Path, tmp_path: Path
) -> None:
    cluster.add_worker(altered, "--no-nanny")
    cluster.wait_for(1)
    refused = run(str(photos), "--out", str(tmp_path / "out"), "--scheduler", cluster.address)
    error = json.loads(refused.stderr.splitlines()[-1])["error"]
    assert (refused.returncode, error["code"]) == (1, "versions_differ")
    assert error["details"]["differs"].keys() == {"program", "weights"}
    assert {line["error"]["code"] for line in lines(tmp_path / "out")} == {"not_read_yet"}
    cluster.add_worker()
    cluster.wait_for(2)
    done = run(str(photos), "--out", str(tmp_path / "out"), "--scheduler", cluster.address)
    assert done.returncode == 1
    assert f"not used: worker {error['details']['worker']} (versions_differ)" in done.stdout
    assert all_read(tmp_path / "out")


@pytest.mark.soak
@pytest.mark.parametrize("cluster", ["10s"], indirect=True)
def test_a_worker_that_hangs_in_the_middle_is_survived(cluster: Cluster, photos: Path, tmp_path: Path) -> None:
    loaded = ("--no-nanny", "--preload", "api.batch.work")  # otherwise it is silent while it loads
    stopped, _ = cluster.add_worker(ROOT, *loaded), cluster.add_worker(ROOT, *loaded)
    cluster.wait_for(2)
    out = tmp_path / "out"
    running = Process(["batch", str(photos), "--out", str(out), "--scheduler", cluster.address])
    wait_for_a_reading(running, out)
    stopped.send_signal(signal.SIGSTOP)
    try:
        assert running.wait(timeout=240) == 1
    finally:
        stopped.send_signal(signal.SIGCONT)
    assert all_read(out)


@pytest.mark.soak
def test_without_dask_a_batch_runs_here_and_a_cluster_is_refused(tmp_path: Path) -> None:
    """Without the extra `cluster`, batch and library read, and only a scheduler's address is an error."""
    (tmp_path / "sitecustomize.py").write_text("import sys\n\nsys.modules['distributed'] = None\n")
    started = [sys.executable, "-c", "from api.cli.main import main; main()"]
    env = os.environ | {"PYTHONPATH": str(tmp_path)}

    def run_without(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([*started, *words], env=env, capture_output=True, text=True, check=False)

    folder, out = tmp_path / "photos", tmp_path / "out"
    folder.mkdir()
    shutil.copy(EXAMPLES / "test_level.jpg", folder / "table.jpg")
    refused = run_without("batch", str(folder), "--out", str(out), "--scheduler", "tcp://127.0.0.1:8786")
    assert refused.returncode == 2
    assert json.loads(refused.stderr)["error"]["code"] == "cluster_missing"
    read = run_without("batch", str(folder), "--out", str(out))
    assert (read.returncode, "table.jpg" in (out / "results.csv").read_text()) == (0, True)
