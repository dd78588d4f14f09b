"""Schedulers and workers as processes of their own, including those of an incomplete program."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path

from distributed import Client

from tests.api.processes import Process

ROOT = Path(__file__).parents[3]
WAIT_SECONDS = 240

Started = Process | subprocess.Popen[bytes]


class Cluster:
    """A scheduler and its workers; `settings` are Dask's for the scheduler, as environment variables."""

    def __init__(self, folder: Path, **settings: str) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = str(free.getsockname()[1])
        self.address = f"tcp://127.0.0.1:{self.port}"
        self._folder, self._settings = folder, settings
        self.workers: list[Started] = []
        self.scheduler = self._scheduler()

    def add_worker(self, program: Path = ROOT, *more: str) -> Started:
        """Start one with the program in some folder."""
        words = (self.address, "--nthreads", "1", "--no-dashboard", "--local-directory", str(self._folder), *more)
        path = {"PYTHONPATH": f"{program}{os.pathsep}{ROOT}"}
        self.workers.append(_start_dask("worker", *words, cwd=self._folder, env=path, fork=program == ROOT))
        return self.workers[-1]

    def wait_for(self, workers: int) -> None:
        """Wait until the scheduler has such a number of workers."""
        with Client(self.address, timeout=WAIT_SECONDS, set_as_default=False) as client:
            client.wait_for_workers(workers, timeout=WAIT_SECONDS)

    def restart_scheduler(self) -> None:
        """Kill the scheduler and start another at its address."""
        self.scheduler.kill()
        self.scheduler.wait()
        self.scheduler = self._scheduler()

    def close(self) -> None:
        """Kill them all; workers are first asked to leave, so that their children leave with them."""
        for worker in self.workers:
            worker.terminate()
        for process in (*self.workers, self.scheduler):
            try:
                process.wait(10 if process is not self.scheduler else 0)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def _scheduler(self) -> Started:
        return _start_dask(
            "scheduler",
            "--port",
            self.port,
            "--no-dashboard",
            cwd=self._folder,
            env=self._settings | {"PYTHONPATH": str(ROOT)},
            fork=not self._settings,
        )


def copy_of_program(folder: Path, weights: bool) -> Path:
    """Copy the project's program into another folder, with its weights or without."""
    for package in ("api", "scoring", "vision"):
        shutil.copytree(ROOT / package, folder / package, ignore=shutil.ignore_patterns("__pycache__", "static"))
    (folder / "models").mkdir()
    for file in (*(ROOT / "models").glob("*.onnx"), ROOT / "models" / "calibration.toml") if weights else ():
        shutil.copy(file, folder / "models")
    return folder


def altered_program(folder: Path) -> Path:
    """Copy the project's program into another folder, with an additional line and other weights."""
    program = copy_of_program(folder, weights=True)
    with (program / "models" / "kinds.onnx").open("ab") as weights:
        weights.write(b"\n")
    with (program / "vision" / "reader.py").open("a", encoding="utf-8") as module:
        module.write("# of another version\n")
    return program


def _start_dask(which: str, *words: str, cwd: Path, env: dict[str, str], fork: bool) -> Started:
    """Start Dask's own command, not forked, so that it gets the settings and paths of the environment."""
    module, env = f"distributed.cli.dask_{which}", os.environ | env
    if fork:
        return Process(words, module=module, cwd=cwd, env=env, stderr=subprocess.DEVNULL)
    return subprocess.Popen([sys.executable, "-m", module, *words], stderr=subprocess.DEVNULL, env=env, cwd=cwd)
