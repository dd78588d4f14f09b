"""SQLite's file: connections that fail once it is removed or replaced, and disk space reserved for deleting."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any, ParamSpec, TypeVar
from weakref import WeakSet

from sqlalchemy import Engine, ExceptionContext, event
from sqlalchemy.exc import DisconnectionError, OperationalError

from api.store.unavailable import PRIMARY_SQLITE, find_unwritable, is_storage_full

BESIDE = ("-wal", "-shm")
"""Suffixes of SQLite's files beside a database in WAL mode."""
Files = tuple[tuple[int, int] | None, ...]
_UNEXPLAINED = (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR)
_SELECT_ID = "SELECT id FROM installation"
SPARE_BYTES = 8 * 2**20
"""Size of the spare file. A guess."""

P = ParamSpec("P")
T = TypeVar("T")


class FileConnection(sqlite3.Connection):
    """A connection to an existing file: none is created, and no commit to a removed file succeeds.

    SQLite itself keeps using a removed file: data written then is lost when it is closed.
    """

    def __init__(self, database: str, **named: Any) -> None:
        self._path, self.is_closed = Path(database), False
        self._files = self._identify()
        super().__init__(f"{self._path.as_uri()}?mode=rw", **{**named, "uri": True})

    def settle(self) -> None:
        """Record which files are open; raises sqlite3.OperationalError if the database was replaced meanwhile."""
        self.execute("SELECT count(*) FROM sqlite_master").fetchone()  # creates the files beside the database
        database, self._files = self._files[0], self._identify()
        if self._files[0] != database:
            raise sqlite3.OperationalError("the database's file was replaced")

    @property
    def is_replaced(self) -> bool:
        """Whether the database's file is gone or replaced."""
        return self._files[0] != self._identify()[0]

    @property
    def files(self) -> Files:
        """Identities of the open files, the database's first."""
        return self._files

    def check(self) -> None:
        """Raise sqlite3.OperationalError if one of the files is gone or replaced."""
        if self._files != self._identify():
            raise sqlite3.OperationalError("the database's file, or one beside it, was removed or replaced")

    def close(self) -> None:
        """Close the files; after the last connection SQLite merges its log into the database."""
        super().close()
        self.is_closed = True

    def commit(self) -> None:
        """Commit; raises sqlite3.OperationalError if that went to a removed or replaced file."""
        super().commit()
        self.check()

    def _identify(self) -> Files:
        return _identify_all(self._path)


class FileWatch:
    """Connections of an engine to its database's file, each configured by `set_up`.

    If the file or a copy of it was put back, new connections use that; another database is refused. If only files
    beside the database are gone, new connections are refused: all data reaches the database only once all connections
    are closed.
    """

    def __init__(self, set_up: Callable[[sqlite3.Connection], None]) -> None:
        self._set_up = set_up
        self._open: WeakSet[FileConnection] = WeakSet()
        self._id: list[str] = []

    def begin(self, engine: Engine) -> None:
        """Watch the connections of an engine that creates them by `connect`."""
        event.listen(engine, "connect", self._settle)
        event.listen(engine, "checkout", self._check_out)
        event.listen(engine, "handle_error", _explain)

    def connect(self, database: str, **named: Any) -> FileConnection:
        """Connect as sqlite3.connect does; raises sqlite3.OperationalError."""
        files = _identify_all(Path(database))
        still_open = [other for other in self._open if not other.is_closed]
        if any(other.files[0] == files[0] and other.files != files for other in still_open):
            raise sqlite3.OperationalError("a file beside the database was removed or replaced")
        return FileConnection(database, **named)

    def _settle(self, connection: FileConnection, record: object) -> None:
        self._set_up(connection)
        connection.settle()
        if self._id and _read_id(connection) != self._id:
            raise sqlite3.OperationalError("another database is in the place of this one")
        self._open.add(connection)

    def _check_out(self, connection: FileConnection, *given: object) -> None:
        """Make the pool reconnect if a connection's file is gone or replaced."""
        if connection.is_replaced:
            raise DisconnectionError
        self._id = self._id or _read_id(connection)


def _identify_all(database: Path) -> Files:
    return tuple(_identify(Path(f"{database}{end}")) for end in ("", *BESIDE))


def _identify(file: Path) -> tuple[int, int] | None:
    """Return a file's identity, its device and inode, or None if it is gone."""
    try:
        status = os.stat(file)
    except OSError:
        return None
    return status.st_dev, status.st_ino


def _read_id(connection: FileConnection) -> list[str]:
    """Return the id of the installation, which a migrated database has."""
    try:
        return [row[0] for row in connection.execute(_SELECT_ID)]
    except sqlite3.OperationalError:
        return []


def _explain(context: ExceptionContext) -> None:
    """Mark an error as read-only if the file exists but is not writable, which SQLite reports as unable to open."""
    error, file = context.original_exception, Path(context.engine.url.database or "") if context.engine else None
    is_unexplained = getattr(error, "sqlite_errorcode", 0) & PRIMARY_SQLITE in _UNEXPLAINED
    if is_unexplained and file is not None and file.exists() and find_unwritable(file, file.parent):
        error.sqlite_errorcode = sqlite3.SQLITE_READONLY  # type: ignore[attr-defined]


class Spare:
    """A file beside a SQLite database that is given up when the disk is full; other databases need none."""

    def __init__(self, engine: Engine) -> None:
        database = engine.url.database or "" if engine.dialect.name == "sqlite" else ""
        self._file = Path(database).with_suffix(".spare") if database.strip(":") not in ("", "memory") else None

    def keep(self) -> None:
        """Create the file unless it exists, if the disk has room for twice its size."""
        if self._file is None or self._file.exists():
            return
        part = self._file.with_suffix(".spare.part")
        try:
            if shutil.disk_usage(self._file.parent).free > 2 * SPARE_BYTES:
                part.write_bytes(os.urandom(SPARE_BYTES))  # zeros would take no room on some file systems
                os.replace(part, self._file)
        except OSError:
            part.unlink(missing_ok=True)

    def delete(self, work: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
        """Run work that deletes or opens; if the disk is full, give up the file and run it again."""
        try:
            return work(*arguments, **named)
        except OperationalError as error:
            if self._file is None or not is_storage_full(error):
                raise
            self._file.unlink(missing_ok=True)
        return work(*arguments, **named)
