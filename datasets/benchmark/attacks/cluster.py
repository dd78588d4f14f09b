"""A private PostgreSQL cluster that can be stopped, paused and resumed."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path

import psutil

USERS = ("postgres", "nobody")
"""Users that run it if this process is root, as which it refuses to run."""


class MissingError(Exception):
    """Something that an attack needs is missing on this machine."""


class Cluster:
    """A cluster with its socket in a folder and its data on a disk, which may be the same; acknowledged writes are
    durable.
    """

    def __init__(self, folder: Path, programs: str, disk: Path) -> None:
        self._folder, self._programs, self.disk = folder, programs, disk
        self._data = disk / "data"
        self.url = f"postgresql+psycopg://wondertally@/postgres?host={folder}"

    def create(self) -> None:
        """Create its data."""
        words = ["--username", "wondertally", "--auth", "trust", "--encoding", "UTF8", "--locale", "C"]
        words += ["--wal-segsize", "1"]  # MiB: fits on small disks
        self._run("initdb", "--pgdata", str(self._data), *words)

    def start(self) -> None:
        """Start it, and wait until it answers."""
        options = f"-c listen_addresses='' -c unix_socket_directories='{self._folder}'"
        self._control("start", "--log", f"{self._folder}/log", "--wait", "--options", options)

    def stop(self) -> None:
        """Stop it immediately, like a crash."""
        self._control("stop", "--mode", "immediate", "--wait")

    def pause(self) -> None:
        """Suspend it: clients get no answer."""
        for process in self._list_processes():
            with suppress(psutil.NoSuchProcess):
                process.suspend()

    def resume(self) -> None:
        """Resume it."""
        for process in self._list_processes():
            with suppress(psutil.NoSuchProcess):
                process.resume()

    def _list_processes(self) -> list[psutil.Process]:
        master = psutil.Process(int((self._data / "postmaster.pid").read_text().split()[0]))
        return [master, *master.children(recursive=True)]

    def _control(self, *words: str) -> None:
        self._run("pg_ctl", *words, "--pgdata", str(self._data), "--silent")

    def _run(self, program: str, *words: str) -> None:
        command = [f"{self._programs}/{program}", *words]
        if os.geteuid() == 0:
            command = ["runuser", "-u", _find_user(), "--", *command]
        subprocess.run(command, cwd=self._folder, check=True, stdout=subprocess.DEVNULL)


@contextmanager
def run_cluster(disk_mib: int | None = None) -> Iterator[Cluster]:
    """Run a temporary PostgreSQL, with its data on a small disk of its own if a size is given.

    Raises MissingError if none is installed, or no disk can be mounted.
    """
    folder = Path(tempfile.mkdtemp(prefix="attacked-", dir="/tmp"))  # socket paths must be short
    try:
        with mount_disk(folder / "disk", disk_mib) if disk_mib else nullcontext(folder) as disk:
            if os.geteuid() == 0:
                for place in {folder, disk}:
                    shutil.chown(place, _find_user())
            cluster = Cluster(folder, _find_programs(), disk)
            cluster.create()
            cluster.start()
            try:
                yield cluster
            finally:
                cluster.resume()
                cluster.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def mount_disk(folder: Path, mib: int) -> Iterator[Path]:
    """Mount a small file system; raise MissingError if that is not permitted."""
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={mib}m", "tmpfs", str(folder)]
    try:
        subprocess.run(command, check=True, capture_output=True, text=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise MissingError(f"no file system may be mounted here: {getattr(error, 'stderr', '') or error}") from error
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


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
