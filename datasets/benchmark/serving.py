"""The server's command in a process of its own, as tests and benchmarks start it."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil

COMMAND = (sys.executable, "-c", "from api.cli.main import main; main()", "serve")
ENDING_SECONDS = 30


@dataclass(frozen=True)
class Served:
    """A server: its address, its data folder, its process."""

    url: str
    data: Path
    process: subprocess.Popen[str]

    @property
    def log(self) -> Path:
        """The file with its log."""
        return log_of(self.data)

    def lines(self) -> list[dict[str, Any]]:
        """All that it has written down so far; what Python's own helper processes say is left out."""
        lines = self.log.read_text(encoding="utf-8").splitlines()
        return [json.loads(line) for line in lines if line.startswith("{")]

    def readers(self) -> list[psutil.Process]:
        """Its processes that read."""
        children = psutil.Process(self.process.pid).children()
        return [child for child in children if "spawn_main" in " ".join(child.cmdline())]

    def memory(self) -> int:
        """Bytes that it and its processes hold (resident) now."""
        held = 0
        for process in (psutil.Process(self.process.pid), *self.readers()):
            try:
                held += process.memory_info().rss
            except psutil.NoSuchProcess:
                continue
        return held

    def kill(self) -> None:
        """End it as a power cut would."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()


def log_of(data: Path) -> Path:
    """The file that a server with this folder writes its log to."""
    return data.with_suffix(".log")


def environment(data: Path, settings: dict[str, object]) -> dict[str, str]:
    """What a server finds its settings in, given by their short names."""
    own = {f"WONDERTALLY_{name.upper()}": str(value) for name, value in settings.items()}
    return {**os.environ, **own, "WONDERTALLY_DATA": str(data)}


@contextmanager
def launched(data: Path, port: int = 0, **settings: object) -> Iterator[subprocess.Popen[str]]:
    """A server that has just been started; it is ended, and killed where that does not help.

    Settings are given by their short names. What it writes down goes to a file beside its folder (`log_of`).
    """
    log_of(data).parent.mkdir(parents=True, exist_ok=True)
    command = [*COMMAND, "--port", str(port)]
    surroundings = environment(data, settings)
    with (
        log_of(data).open("a", encoding="utf-8") as log,
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True, env=surroundings) as process,
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
def served(data: Path, port: int = 0, **settings: object) -> Iterator[Served]:
    """A server once it reads photos; raises RuntimeError where it does not start."""
    with launched(data, port, **settings) as process:
        assert process.stdout is not None
        url = process.stdout.readline().removeprefix("Wondertally: ").strip()
        if not url:
            raise RuntimeError(f"the server did not start: {log_of(data).read_text(encoding='utf-8')[-2000:]}")
        yield Served(url, data, process)


def free_port() -> int:
    """A port of this machine that nobody listens at."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        return int(listening.getsockname()[1])
