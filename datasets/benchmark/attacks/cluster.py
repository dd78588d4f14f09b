"""A PostgreSQL of one's own that can be stopped, stand still, and go on."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil

USERS = ("postgres", "nobody")
"""Who runs it where we are root, as whom it refuses to run."""


class MissingError(Exception):
    """What an attack needs is not on this machine."""


class Cluster:
    """Its data and its socket lie in a folder; what it acknowledged is on the disk, as by its usual settings."""

    def __init__(self, folder: Path, programs: str) -> None:
        self._folder, self._programs = folder, programs
        self.url = f"postgresql+psycopg://wondertally@/postgres?host={folder}"

    def create(self) -> None:
        """Make its data."""
        words = ["--username", "wondertally", "--auth", "trust", "--encoding", "UTF8", "--locale", "C"]
        self._run("initdb", "--pgdata", f"{self._folder}/data", *words)

    def start(self) -> None:
        """Start it, and wait until it answers."""
        options = f"-c listen_addresses='' -c unix_socket_directories='{self._folder}'"
        self._control("start", "--log", f"{self._folder}/log", "--wait", "--options", options)

    def stop(self) -> None:
        """End it at once, as a crash does."""
        self._control("stop", "--mode", "immediate", "--wait")

    def pause(self) -> None:
        """Have it stand still: who asks gets no answer."""
        for process in self._list_processes():
            with suppress(psutil.NoSuchProcess):
                process.suspend()

    def resume(self) -> None:
        """Have it go on."""
        for process in self._list_processes():
            with suppress(psutil.NoSuchProcess):
                process.resume()

    def _list_processes(self) -> list[psutil.Process]:
        master = psutil.Process(int((self._folder / "data" / "postmaster.pid").read_text().split()[0]))
        return [master, *master.children(recursive=True)]

    def _control(self, *words: str) -> None:
        self._run("pg_ctl", *words, "--pgdata", f"{self._folder}/data", "--silent")

    def _run(self, program: str, *words: str) -> None:
        command = [f"{self._programs}/{program}", *words]
        if os.geteuid() == 0:
            command = ["runuser", "-u", _find_user(), "--", *command]
        subprocess.run(command, cwd=self._folder, check=True, stdout=subprocess.DEVNULL)


@contextmanager
def run_cluster() -> Iterator[Cluster]:
    """Run a PostgreSQL that is gone afterwards; raises MissingError where none is installed."""
    folder = Path(tempfile.mkdtemp(prefix="attacked-", dir="/tmp"))  # names of sockets are short
    try:
        if os.geteuid() == 0:
            shutil.chown(folder, _find_user())
        cluster = Cluster(folder, _find_programs())
        cluster.create()
        cluster.start()
        try:
            yield cluster
        finally:
            cluster.resume()
            cluster.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _find_programs() -> str:
    versions = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda file: int(file.parts[-3]))
    found = str(versions[-1]) if versions else shutil.which("initdb")
    if not found:
        raise MissingError("no PostgreSQL is installed")
    return str(Path(found).parent)


def _find_user() -> str:
    for name in USERS:
        with suppress(KeyError):
            return pwd.getpwnam(name).pw_name
    raise MissingError("there is no user to run PostgreSQL as")
