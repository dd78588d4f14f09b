"""A person's enrolments, as named files in a folder of the user's data folder."""

from __future__ import annotations

import errno
import os
import re
import sys
from abc import ABC, abstractmethod
from collections.abc import Container, Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from filelock import FileLock

from vision.enrolment.durable import write_durably
from vision.enrolment.steps import Steps
from vision.errors import EnrolmentError

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
LOCK_SECONDS = 30.0
"""Maximum time a writer waits for others: each writes for a fraction of a second. Bounds time."""


class Named(Protocol):
    """The content of such a file."""

    @property
    def name(self) -> str:
        """The file's name without its extension."""


N = TypeVar("N", bound=Named)


class NamedFiles(ABC, Generic[N]):
    """The files in a folder, which need not exist. Raises EnrolmentError for files that cannot be read or written.

    Each change of an entry can be taken back, also when it was forgotten (`vision.enrolment.steps`).
    """

    ending = "npz"

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._lock = FileLock(folder.with_name(f"{folder.name}.lock"), timeout=LOCK_SECONDS)
        self._steps = Steps(folder, lambda name: folder, self._find_paths)

    @abstractmethod
    def packed(self, entry: N) -> bytes:
        """Return the bytes of a file, without its name."""

    @abstractmethod
    def unpacked(self, name: str, data: bytes) -> N:
        """Read an entry from the bytes of `packed`; damaged data may raise any exception."""

    def names(self) -> list[str]:
        """Return the names of all entries, in alphabetical order, including damaged ones."""
        return sorted(file.stem for file in self.folder.glob(f"*.{self.ending}") if NAME.fullmatch(file.stem))

    def files(self) -> list[Path]:
        """Return the files of all entries."""
        return [path for name in self.names() for path in self._find_paths(name)]

    def all(self) -> Iterator[N]:
        """Load every entry, by name."""
        return (self.load(name) for name in self.names())

    def state(self) -> tuple[tuple[str, int], ...]:
        """Return the files with their times: another value whenever something else is stored."""
        return tuple(_list_times(self.files()))

    def load(self, name: str) -> N:
        """Load an entry; raises `no_such_enrolment`, `bad_enrolment` also for anything but a plain file."""
        file = self.find_file(name)
        try:
            return self.unpacked(name, read_plain_file(file))
        except Exception as error:  # damaged archives may raise any exception
            raise EnrolmentError("bad_enrolment", details={"name": name, "file": str(file)}) from error

    def save(self, entry: N, again: bool = False) -> Path:
        """Write an entry whole or not at all; `again` replaces one of that name.

        Raises `bad_name`, `enrolment_exists`, `enrolment_not_empty`, `cannot_write_enrolment`.
        """
        file = self._file(entry.name)
        with self.write_alone():
            if os.path.lexists(file) and not again:
                raise EnrolmentError("enrolment_exists", details={"name": entry.name})
            with self._steps.keep(entry.name):
                self._write(entry)
        return file

    def _write(self, entry: N) -> None:
        """Write the files of an entry, each whole."""
        file = self._file(entry.name)
        if file.is_dir():
            remove_entry(file)
        self.folder.mkdir(parents=True, exist_ok=True)
        write_durably(file, self.packed(entry))

    def forget(self, name: str) -> None:
        """Delete an entry, even a damaged one; `take_back` restores it.

        Raises `no_such_enrolment`, `enrolment_not_empty`, `cannot_write_enrolment`.
        """
        with self.write_alone():
            self.find_file(name)
            with self._steps.keep(name):
                for path in self._find_paths(name):
                    remove_entry(path)

    def take_back(self, name: str) -> None:
        """Restore an entry as it was before its last change; one without earlier versions is forgotten.

        Raises `bad_name`, `nothing_to_take_back`, `enrolment_not_empty`, `cannot_write_enrolment`.
        """
        with self.write_alone():
            if not self._steps.count(name) and os.path.lexists(self._file(name)):
                self.forget(name)
            else:
                self._steps.take_back(name)

    def can_take_back(self, name: str) -> bool:
        """Return whether an entry has a change that can be taken back."""
        return name in {*self.names(), *self._steps.names()}

    def list_forgotten(self) -> list[str]:
        """List the names of the forgotten entries, in alphabetical order."""
        return sorted({*self._steps.names()} - {*self.names()})

    def get_change_time(self, name: str) -> float:
        """Return the time of the last change that can be taken back, in seconds since 1970; 0 if there is none."""
        return self._steps.get_change_time(name)

    @contextmanager
    def write_alone(self) -> Iterator[None]:
        """Keep all other threads and processes from writing there meanwhile; reentrant.

        Raises EnrolmentError `cannot_write_enrolment` if the system refuses, or if others write for too long.
        """
        try:
            self.folder.parent.mkdir(parents=True, exist_ok=True)
            with self._lock:
                yield
        except OSError as error:
            details = {"folder": str(self.folder), "reason": error.strerror or str(error)}
            raise EnrolmentError("cannot_write_enrolment", details=details) from error

    def find_file(self, name: str) -> Path:
        """Return the path stored under a name, which need not be a plain file, nor lead to one.

        Raises EnrolmentError `no_such_enrolment`, `bad_name`.
        """
        file = self._file(name)
        if not os.path.lexists(file):
            raise EnrolmentError("no_such_enrolment", details={"name": name, "known": self.names()})
        return file

    def _file(self, name: str) -> Path:
        check_name(name)
        return self.folder / f"{name}.{self.ending}"

    def _find_paths(self, name: str) -> list[Path]:
        """Find everything that belongs to an entry."""
        return [*filter(os.path.lexists, [self._file(name)])]


def _list_times(files: Iterable[Path]) -> Iterator[tuple[str, int]]:
    """Yield the names and times of files, of broken links their own, without files deleted meanwhile."""
    for file in files:
        with suppress(FileNotFoundError):
            yield file.name, (file.stat if file.exists() else file.lstat)().st_mtime_ns


def read_plain_file(file: Path) -> bytes:
    """Read a file; raises OSError for anything else, such as a folder, or a pipe that may never be written to."""
    if not file.is_file():
        raise OSError(errno.EINVAL, "no plain file", str(file))
    return file.read_bytes()


def remove_entry(path: Path) -> None:
    """Remove the entry at a path, a folder only if it is empty: raises EnrolmentError `enrolment_not_empty`."""
    if not path.is_dir() or path.is_symlink():
        path.unlink()
    elif any(path.iterdir()):
        raise EnrolmentError("enrolment_not_empty", details={"folder": str(path)})
    else:
        path.rmdir()


def check_name(name: str) -> None:
    """Raise EnrolmentError `bad_name` for an invalid name."""
    if not NAME.fullmatch(name):
        raise EnrolmentError("bad_name", details={"name": name})


def find_free_name(wanted: str, used_names: Container[str]) -> str:
    """Return an unused name as close as possible to the one wanted."""
    plain = re.sub(r"[^A-Za-z0-9_-]+", "-", wanted).strip("-_")[:60] or "set"
    numbered = (plain if n == 1 else f"{plain}-{n}" for n in count(1))
    return next(name for name in numbered if name not in used_names)


def resolve_data_folder() -> Path:
    """Return the folder of a person's enrolments: never in the package, which an update replaces."""
    if folder := os.environ.get("WONDERTALLY_DATA"):
        return Path(folder)
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "wondertally"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "wondertally"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "wondertally"
