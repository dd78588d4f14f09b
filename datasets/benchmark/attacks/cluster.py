"""A PostgreSQL of one's own that can be stopped, stand still, and go on."""

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
"""Who runs it where we are root, as whom it refuses to run."""


class MissingError(Exception):
    """What an attack needs is not on this machine."""


class Cluster:
    """Its socket lies in a folder, its data on a disk, the same or another; what it acknowledged is there for good."""

    def __init__(self, folder: Path, programs: str, disk: Path) -> None:
        self._folder, self._programs, self.disk = folder, programs, disk
        self._data = disk / "data"
        self.url = f"postgresql+psycopg://wondertally@/postgres?host={folder}"

    def create(self) -> None:
        """Make its data."""
        words = ["--username", "wondertally", "--auth", "trust", "--encoding", "UTF8", "--locale", "C"]
        words += ["--wal-segsize", "1"]  # MiB: small disks have room for it
        self._run("initdb", "--pgdata", str(self._data), *words)

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
    """Run a PostgreSQL that is gone afterwards, its data on a small disk of their own where a size is told.

    Raises MissingError where none is installed, or no disk may be mounted.
    """
    folder = Path(tempfile.mkdtemp(prefix="attacked-", dir="/tmp"))  # names of sockets are short
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
    """Mount a small file system; raises MissingError where that is not permitted."""
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
