"""Folders for uploads as received: each is held by one server, which alone reads and cleans it."""

from __future__ import annotations

import json
import logging
import stat
import time
from collections.abc import Callable, Collection
from itertools import count
from pathlib import Path

from filelock import FileLock, Timeout

from api.server.tokens import generate_id, is_id
from vision.enrolment.durable import sync, write_durably

RETURNED_SUFFIX = ".returned"
"""Suffix of the note that a stopping server has returned a reading to the queue."""
NameLister = Callable[[], Collection[str | None]]
"""Function that asks a database for its unfinished readings: their ids, and the ids of their uploads' folders."""

log = logging.getLogger("wondertally")


class Spool:
    """One folder; its `id`, in a file beside it, identifies it among all machines, and its mark names its database.

    `left` are the uploads already there when it was taken, left by earlier servers.
    """

    def __init__(self, folder: Path, is_first: bool = False) -> None:
        self.folder, self._is_first = folder, is_first
        self.id = ""
        self.left: list[Path] = []
        self._lock = FileLock(folder.with_name(f"{folder.name}.lock"), timeout=0, thread_local=False)

    @property
    def is_held(self) -> bool:
        """Whether this server holds the folder."""
        return self._lock.is_locked

    def hold(self, database: str, list_names: NameLister) -> None:
        """Hold the folder for a database, unless another server holds it or it belongs to another database.

        An unmarked folder is taken if it is empty, or if the database knows files in it; files unknown to the database
        are never removed.
        """
        self.id = self._read_id()
        if not self._is_for(database, list_names):
            return
        try:
            self._lock.acquire()
        except Timeout:
            self.id = self._read_id()
            return
        if self._is_for(database, list_names):  # marked by this server alone from here on
            self._claim(database, list_names)
        else:
            self.release()

    def release(self) -> None:
        """Release the folder to the next server."""
        self._lock.release()

    def _claim(self, database: str, list_names: NameLister) -> None:
        self.folder.mkdir(mode=0o700, exist_ok=True)
        self.id = self._read_id() or self._create_id()
        if self._read_mark() is None:
            unknown = {file.name for file in self._list_uploads()} - set(list_names())
            self._write(self._mark_file, json.dumps({"database": database, "found": sorted(unknown)}))
        _, foreign = self._read_mark() or ("", [])
        self.left = [file for file in self._list_uploads() if file.name not in foreign]

    def _is_for(self, database: str, list_names: NameLister) -> bool:
        """Return whether the folder may belong to a database."""
        if (mark := self._read_mark()) is not None:
            return mark[0] == database
        names: set[str | None] = {file.name for file in self._list_uploads()}
        ids = {self.id, None} if self._is_first else {self.id}
        return not names or not (names | ids).isdisjoint(list_names())

    def _list_uploads(self) -> list[Path]:
        """Return the regular files in the folder named like an upload or a note."""
        if not self.folder.exists():
            return []
        return [
            file
            for file in self.folder.iterdir()
            if is_id(file.name.removesuffix(RETURNED_SUFFIX)) and _is_regular(file)
        ]

    @property
    def _id_file(self) -> Path:
        return self.folder.with_name(f"{self.folder.name}.id")

    @property
    def _mark_file(self) -> Path:
        return self.folder.with_name(f"{self.folder.name}.json")

    def _read_id(self) -> str:
        try:
            spool_id = self._id_file.read_text(encoding="ascii").strip()
        except (OSError, ValueError):
            return ""
        return spool_id if is_id(spool_id) else ""

    def _read_mark(self) -> tuple[str, Collection[str]] | None:
        """Return the marked database's id (empty if unreadable) and the names of unknown files; None without a mark."""
        try:
            mark = json.loads(self._mark_file.read_bytes())
            return str(mark["database"]), frozenset(mark["found"])
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, TypeError):
            return "", frozenset()

    def _create_id(self) -> str:
        spool_id = generate_id()
        self._write(self._id_file, spool_id)
        return spool_id

    def _write(self, file: Path, text: str) -> None:
        """Write a file beside the folder atomically and durably; that also syncs the folder's own name to disk."""
        write_durably(file, f"{text}\n".encode("ascii"), file.with_name(f"{file.name}.part"))


class Spools:
    """All upload folders of a data folder: those held here, and those of other servers that share it."""

    def __init__(self, data: Path) -> None:
        self._data = data
        self._all = [Spool(data / "incoming", is_first=True)]

    def open(self, database: str, list_names: NameLister) -> None:
        """Hold every folder of a database that no other server holds, at least one."""
        self._all = []
        for number in count(1):
            spool = Spool(self._data / ("incoming" if number == 1 else f"incoming-{number}"), is_first=number == 1)
            if self._held_spools and not spool.folder.exists():
                return
            spool.hold(database, list_names)
            self._all.append(spool)

    def close(self) -> None:
        """Release all folders to the next server."""
        for spool in self._held_spools:
            spool.release()

    @property
    def _held_spools(self) -> list[Spool]:
        return [spool for spool in self._all if spool.is_held]

    @property
    def intake(self) -> Spool:
        """The folder for new uploads."""
        return next(iter(self._held_spools), self._all[0])

    def holds(self, spool: str | None) -> bool:
        """Return whether a folder is held here, by its id; None is the only folder of earlier versions."""
        return any(candidate.is_held and self._has_id(candidate, spool) for candidate in self._all)

    def find_folder(self, spool: str | None) -> Path | None:
        """Return the folder of an id, if it is in this data folder."""
        return next((candidate.folder for candidate in self._all if self._has_id(candidate, spool)), None)

    def note_returned(self, reading: str, folder: Path | None) -> None:
        """Note in the folder of its uploads that a reading was returned in order; this needs no database."""
        try:
            build_note(folder or self.intake.folder, reading).touch()
        except OSError as error:
            log.warning("not_noted", extra={"reading": reading, "reason": str(error)})

    def is_returned(self, reading: str) -> bool:
        """Return whether a reading was noted as returned in order."""
        return any(build_note(spool.folder, reading).exists() for spool in self._held_spools)

    def forget_returned(self, reading: str) -> None:
        """Remove the note that a reading was returned."""
        for spool in self._held_spools:
            build_note(spool.folder, reading).unlink(missing_ok=True)

    def remove_strays(self, wanted: Collection[str | None], grace_seconds: float) -> int:
        """Remove old, unneeded uploads of earlier servers, and return their number."""
        latest, removed = time.time() - grace_seconds, 0
        for spool in self._held_spools:
            strays = [file for file in spool.left if file.name not in wanted and _get_written_seconds(file) <= latest]
            for file in strays:
                file.unlink(missing_ok=True)
            removed += len(strays)
        return removed

    def _has_id(self, spool: Spool, spool_id: str | None) -> bool:
        return spool is self._all[0] if spool_id is None else spool.id == spool_id


def write_upload(file: Path, data: bytes) -> None:
    """Write an upload as received and sync it, so that an accepted upload survives a power cut."""
    file.write_bytes(data)
    sync(file)
    sync(file.parent)


def build_note(folder: Path, reading: str) -> Path:
    """Return the path of the note that a stopping server has returned a reading."""
    return folder / f"{reading}{RETURNED_SUFFIX}"


def _get_written_seconds(file: Path) -> float:
    try:
        return file.stat().st_mtime
    except FileNotFoundError:
        return float("inf")


def _is_regular(file: Path) -> bool:
    """Return whether a path is a regular file: neither a link nor a folder."""
    try:
        return stat.S_ISREG(file.lstat().st_mode)
    except FileNotFoundError:
        return False
