"""Errors of storage that is unreachable or has an invalid address, classified whatever raised them."""

from __future__ import annotations

import errno
import logging
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from sqlalchemy.exc import ArgumentError, DBAPIError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from api.server.errors import ServerError, ServingError
from api.server.settings import PREFIX

Storage = Literal["database", "photos", "uploads", "data"]
PASSING = frozenset({"storage_away", "storage_full", "storage_read_only"})
"""Codes of errors that pass by themselves or once room was made."""
_FULL = frozenset({errno.ENOSPC, errno.EDQUOT})
_READ_ONLY = frozenset({errno.EROFS, errno.EACCES, errno.EPERM})
_FULL_SQLITE = frozenset({sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_SHMSIZE})
"""SQLite's codes for a full disk; the second one is for the memory its processes share."""
_DAMAGED_SQLITE = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
_READ_ONLY_SQLITE = frozenset({sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM})
PRIMARY_SQLITE = 0xFF
"""Mask of the primary code in SQLite's extended error codes."""
_FULL_SQLSTATE = "53100"
"""PostgreSQL's SQLSTATE for a full disk."""
_READ_ONLY_SQLSTATES = frozenset({"25006", "42501"})
"""PostgreSQL's SQLSTATEs for a read-only transaction, as on a standby server, and for a missing privilege."""

log = logging.getLogger("wondertally")


class PassingError(Exception):
    """Storage was unreachable, so the work has to be repeated.

    It is not a WondertallyError, so that it is never mistaken for a fault of a photo.
    """


@contextmanager
def guard_storage(storage: Storage, kinds: type[Exception] = Exception) -> Iterator[None]:
    """Raise ServerError `storage_away` for errors of these kinds: every file system has its own."""
    try:
        yield
    except ServerError:
        raise
    except kinds as error:
        raise build_storage_error(storage, error) from error


@contextmanager
def guard_configuration(storage: Storage) -> Iterator[None]:
    """Raise ServingError `bad_settings` for an invalid address, or one whose library is not installed."""
    try:
        yield
    except (ArgumentError, ImportError, ValueError) as error:
        raise ServingError("bad_settings", details={"settings": [f"{PREFIX}{storage.upper()}: {error}"]}) from error


def build_storage_error(storage: Storage, error: Exception) -> ServerError:
    """Build the error for the client; the cause is only logged, since it may name hosts and keys."""
    log.warning("%s cannot be reached: %s: %s", storage, type(error).__name__, error)
    code = "storage_read_only" if is_storage_read_only(error) else "storage_away"
    code = "storage_full" if is_storage_full(error) else code
    return ServerError(code, details={"storage": storage})


def check_writable(storage: Storage, *places: Path) -> None:
    """Raise ServingError `storage_read_only` for an existing file or folder that cannot be written to."""
    for place in find_unwritable(*places):
        raise ServingError("storage_read_only", details={"storage": storage, "file": str(place)})


def find_unwritable(*places: Path) -> list[Path]:
    """Return the existing files and folders that cannot be written to."""
    return [place for place in places if place.exists() and not os.access(place, os.W_OK)]


def is_storage_read_only(error: BaseException) -> bool:
    """Return whether an error means that a disk, file or database cannot be written to."""
    cause = getattr(error, "orig", None) or error
    code = getattr(cause, "sqlite_errorcode", None)
    return (
        getattr(cause, "errno", None) in _READ_ONLY
        or (isinstance(code, int) and code & PRIMARY_SQLITE in _READ_ONLY_SQLITE)
        or getattr(cause, "sqlstate", None) in _READ_ONLY_SQLSTATES
    )


def is_storage_full(error: BaseException) -> bool:
    """Return whether an error means that a disk is full or a quota is exhausted."""
    cause = getattr(error, "orig", None) or error
    return (
        getattr(cause, "errno", None) in _FULL
        or getattr(cause, "sqlite_errorcode", None) in _FULL_SQLITE
        or getattr(cause, "sqlstate", None) == _FULL_SQLSTATE
    )


def is_database_away(error: BaseException) -> bool:
    """Return whether an error means that the database cannot be reached or cannot serve now."""
    lost = isinstance(error, DBAPIError) and error.connection_invalidated
    return lost or isinstance(error, OperationalError | PoolTimeoutError)


def is_database_damaged(error: BaseException) -> bool:
    """Return whether an error means that the database's file is invalid or incomplete."""
    cause = getattr(error, "orig", None) or error
    code = getattr(cause, "sqlite_errorcode", None)
    return isinstance(code, int) and code & PRIMARY_SQLITE in _DAMAGED_SQLITE


def find_passing_error(error: Exception) -> ServerError | None:
    """Return the ServerError for an error that will pass, or None if it will not."""
    if isinstance(error, ServerError):
        return error if error.code in PASSING else None
    if is_database_away(error) or (isinstance(error, DBAPIError) and is_storage_read_only(error)):
        return build_storage_error("database", error)
    if isinstance(error, OSError) and (is_storage_full(error) or is_storage_read_only(error)):
        return build_storage_error("uploads", error)
    return None
