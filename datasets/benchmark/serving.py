"""The server's command in its own process, as started by tests and benchmarks."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Protocol

import psutil

COMMAND = (sys.executable, "-c", "from api.cli.main import main; main()", "serve")
ENDING_SECONDS = 30


class ServerProcess(Protocol):
    """The interface of a server's process, with the names of subprocess.Popen."""

    @property
    def pid(self) -> int: ...
    @property
    def stdout(self) -> IO[str] | None: ...
    def poll(self) -> int | None: ...
    def wait(self, timeout: float | None = None) -> int: ...
    def send_signal(self, number: int, /) -> None: ...
    def kill(self) -> None: ...


class Launch(Protocol):
    """A function that starts the server's command with further arguments: a context manager of a process with pipe and
    log.
    """

    def __call__(
        self, words: Sequence[str], log: IO[str], env: Mapping[str, str], /
    ) -> AbstractContextManager[ServerProcess]: ...


@dataclass(frozen=True)
class Served:
    """A server: its address, its data folder, its process."""

    url: str
    data: Path
    process: ServerProcess

    @property
    def log(self) -> Path:
        """Return the path of its log."""
        return get_log_file(self.data)

    def lines(self) -> list[dict[str, Any]]:
        """Return its log entries so far, without the output of Python's own helper processes."""
        lines = self.log.read_text(encoding="utf-8").splitlines()
        return [json.loads(line) for line in lines if line.startswith("{")]

    def readers(self) -> list[psutil.Process]:
        """Return its living reader processes."""
        loaded = [line["reader"] for line in self.lines() if line["event"] == "reader_loaded"]
        return [psutil.Process(reader) for reader in loaded if _is_alive(reader)]

    def memory(self) -> int:
        """Return the bytes held by the server and its processes, counting shared pages once (Linux)."""
        total, server = 0, psutil.Process(self.process.pid)
        for process in (server, *server.children(recursive=True)):
            try:
                total += process.memory_full_info().pss
            except psutil.NoSuchProcess:
                continue
        return total

    def kill(self) -> None:
        """Kill it, like a power cut."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()


def get_log_file(data: Path) -> Path:
    """Return the log file of a server with this folder."""
    return data.with_suffix(".log")


def build_environment(data: Path, settings: dict[str, object]) -> dict[str, str]:
    """Return the environment of a server with these settings, given by their short names."""
    variables = {f"WONDERTALLY_{name.upper()}": str(value) for name, value in settings.items()}
    return {**os.environ, **variables, "WONDERTALLY_DATA": str(data)}


def launch_command(words: Sequence[str], log: IO[str], env: Mapping[str, str]) -> subprocess.Popen[str]:
    """Start the server's command as a shell does."""
    return subprocess.Popen([*COMMAND, *words], stdout=subprocess.PIPE, stderr=log, text=True, env=env)


@contextmanager
def launch_server(
    data: Path, port: int = 0, launch: Launch = launch_command, **settings: object
) -> Iterator[ServerProcess]:
    """Start a server without waiting for it; at the end, stop it, and kill it if it does not stop.

    Settings are given by their short names. Its log is written to a file beside its folder (`get_log_file`).
    """
    get_log_file(data).parent.mkdir(parents=True, exist_ok=True)
    with (
        get_log_file(data).open("a", encoding="utf-8") as log,
        launch(["--port", str(port)], log, build_environment(data, settings)) as process,
    ):
        try:
            yield process
        finally:
            if process.poll() is None:
                process.send_signal(signal.SIGTERM)
                try:
                    process.wait(ENDING_SECONDS)
                except subprocess.TimeoutExpired:
                    process.kill()


@contextmanager
def run_server(data: Path, port: int = 0, launch: Launch = launch_command, **settings: object) -> Iterator[Served]:
    """Start a server and wait until it is ready; raise RuntimeError if it does not start."""
    with launch_server(data, port, launch, **settings) as process:
        assert process.stdout is not None
        url = process.stdout.readline().removeprefix("Wondertally: ").strip()
        if not url:
            raise RuntimeError(f"the server did not start: {get_log_file(data).read_text(encoding='utf-8')[-2000:]}")
        yield Served(url, data, process)


def find_free_port() -> int:
    """Return a free port of this machine."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        return int(listening.getsockname()[1])


def _is_alive(process: int) -> bool:
    try:
        return psutil.Process(process).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False
