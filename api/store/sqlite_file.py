"""A file of SQLite as a connection has it open: one that was removed or replaced since is away, whatever is written."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any
from weakref import WeakSet

from sqlalchemy import Engine, ExceptionContext, event
from sqlalchemy.exc import DisconnectionError

from api.store.unavailable import PRIMARY_SQLITE, find_unwritable

BESIDE = ("-wal", "-shm")
"""Ends of the names of the files that SQLite has beside a database in WAL."""
Files = tuple[tuple[int, int] | None, ...]
_UNEXPLAINED = (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR)
_SELECT_ID = "SELECT id FROM installation"


class FileConnection(sqlite3.Connection):
    """A connection to a file that is there: none is made, and nothing is committed to a file that has gone.

    SQLite itself goes on with a file that was removed: what it is given then is lost once it is closed.
    """

    def __init__(self, database: str, **named: Any) -> None:
        self._path, self.is_closed = Path(database), False
        self._files = self._identify()
        super().__init__(f"{self._path.as_uri()}?mode=rw", **{**named, "uri": True})

    def settle(self) -> None:
        """Note which files are open now; raises sqlite3.OperationalError where another was put in place meanwhile."""
        self.execute("SELECT count(*) FROM sqlite_master").fetchone()  # so that those beside it are there
        database, self._files = self._files[0], self._identify()
        if self._files[0] != database:
            raise sqlite3.OperationalError("the database's file was replaced")

    @property
    def is_replaced(self) -> bool:
        """Whether the database's file is gone, or another one is in its place."""
        return self._files[0] != self._identify()[0]

    @property
    def files(self) -> Files:
        """What tells the files that are open from all others, the database's first."""
        return self._files

    def check(self) -> None:
        """Raise sqlite3.OperationalError where one of the files is gone, or another one is in its place."""
        if self._files != self._identify():
            raise sqlite3.OperationalError("the database's file, or one beside it, was removed or replaced")

    def close(self) -> None:
        """Close the files; of the last connection SQLite takes over into the database what lies beside it."""
        super().close()
        self.is_closed = True

    def commit(self) -> None:
        """Commit; raises sqlite3.OperationalError where that went to a file that is no longer in its place."""
        super().commit()
        self.check()

    def _identify(self) -> Files:
        return _identify_all(self._path)


class FileWatch:
    """The connections of an engine to the file of its database, each set up by `set_up` as it is made.

    Where the file was put back, or a copy of it, new connections have that one; another database is none. Where files
    beside it alone are gone there are no new connections: only once all are closed is everything in the database.
    """

    def __init__(self, set_up: Callable[[sqlite3.Connection], None]) -> None:
        self._set_up = set_up
        self._open: WeakSet[FileConnection] = WeakSet()
        self._id: list[str] = []

    def begin(self, engine: Engine) -> None:
        """Watch the connections of an engine that makes them by `connect`."""
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
        """Have the pool make another connection where this one's file is gone, or another one is in its place."""
        if connection.is_replaced:
            raise DisconnectionError
        self._id = self._id or _read_id(connection)


def _identify_all(database: Path) -> Files:
    return tuple(_identify(Path(f"{database}{end}")) for end in ("", *BESIDE))


def _identify(file: Path) -> tuple[int, int] | None:
    """What tells a file from every other, its device and number; None where it is gone."""
    try:
        status = os.stat(file)
    except OSError:
        return None
    return status.st_dev, status.st_ino


def _read_id(connection: FileConnection) -> list[str]:
    """The id of the installation, which a database has from its first migrations on."""
    try:
        return [row[0] for row in connection.execute(_SELECT_ID)]
    except sqlite3.OperationalError:
        return []


def _explain(context: ExceptionContext) -> None:
    """Note in an error that its file is there and cannot be written to, where SQLite says that it cannot be opened."""
    error, file = context.original_exception, Path(context.engine.url.database or "") if context.engine else None
    is_unexplained = getattr(error, "sqlite_errorcode", 0) & PRIMARY_SQLITE in _UNEXPLAINED
    if is_unexplained and file is not None and file.exists() and find_unwritable(file, file.parent):
        error.sqlite_errorcode = sqlite3.SQLITE_READONLY  # type: ignore[attr-defined]
