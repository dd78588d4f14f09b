"""The database: opening and migration, with SQLite in WAL mode so that readers and a writer do not block each other."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, make_url, text
from sqlalchemy.exc import ArgumentError, DatabaseError, OperationalError, ProgrammingError
from sqlalchemy.orm import Session

from api.server.errors import ServingError
from api.store.addresses import check_postgresql_address, check_sqlite_address, make_sqlite_file
from api.store.spare import Spare
from api.store.sqlite_file import FileWatch
from api.store.unavailable import (
    guard_configuration,
    guard_storage,
    is_database_damaged,
    is_storage_full,
    is_storage_read_only,
)

MIGRATIONS = Path(__file__).parent / "migrations"
BUSY_TIMEOUT_MS = 10_000
"""Milliseconds that a writer waits for SQLite's lock. A guess."""
CLEARING_TIMEOUT_MS = 500
"""Milliseconds that truncating the log waits for readers and writers, less than they wait for it. A guess."""
_DELETED = "deleted"
LOCK_STATEMENTS = {"sqlite": "BEGIN IMMEDIATE", "postgresql": "SELECT pg_advisory_xact_lock(20261121)"}
"""Statements that keep other processes from migrating; sqlite3 itself begins no transaction before a schema change."""

_SNAPSHOT_OPTIONS: Mapping[str, Mapping[str, Any]] = {"postgresql": {"isolation_level": "REPEATABLE READ"}}

log = logging.getLogger("wondertally")


def open_database(url: str, enrolments: Path | None = None) -> Engine:
    """Open a database and migrate it (`upgrade_database`); on a full disk the spare file is given up for it.

    Raises ServerError `storage_away`, and ServingError `bad_settings` for an address that can never work, `disk_full`
    if the spare file's room is not enough, `storage_read_only` if it cannot be written to, `database_damaged` if
    SQLite's file is invalid or incomplete, and as `upgrade_database` does.
    """
    engine = create_database_engine(url)
    try:
        with guard_storage("database", OperationalError):
            _prepare(engine, enrolments)
    except Exception:
        engine.dispose()  # SQLite's files beside the database would be taken for those of a restored database
        raise
    return engine


def _prepare(engine: Engine, enrolments: Path | None) -> None:
    """Migrate a database, and try to write to it; raises as `open_database` does."""
    try:
        Spare(engine).delete(upgrade_database, engine, enrolments=enrolments)
        with engine.connect() as connection:
            try_writing(connection)
    except DatabaseError as error:
        if is_storage_full(error):
            raise ServingError("disk_full", details={"storage": "database"}) from error
        if is_storage_read_only(error):
            raise ServingError("storage_read_only", details={"storage": "database"}) from error
        if is_database_damaged(error):
            raise ServingError("database_damaged", details={"file": engine.url.database}) from error
        with guard_configuration("database"):
            if isinstance(error, ProgrammingError) and error.statement is None:
                # The address does not allow any connection.
                raise ArgumentError(str(error.orig).strip()) from error
            if isinstance(error, OperationalError) and engine.dialect.driver == "psycopg":
                check_postgresql_address(engine)
        raise


def create_database_engine(url: str) -> Engine:
    """Create the engine of a database; for SQLite it connects only to an existing file.

    `postgresql://` and `postgres://` select psycopg, the installed driver. Raises ServingError `bad_settings`.
    """
    with guard_configuration("database"):
        where = make_url(url)
    if where.drivername in ("postgresql", "postgres"):
        where = where.set(drivername="postgresql+psycopg")
    if where.drivername == "postgresql+psycopg":
        # A database without an encoding (SQL_ASCII) returns bytes unless text is requested, and typed text needs UTF-8.
        where = where.update_query_dict({"client_encoding": "utf8"})
    with guard_configuration("database"):
        if where.get_backend_name() == "sqlite":
            check_sqlite_address(where)
        watch = FileWatch(_set_up_sqlite)
        factory = {"factory": watch.connect} if where.get_backend_name() == "sqlite" else {}
        engine = create_engine(where, pool_pre_ping=True, hide_parameters=True, connect_args=factory)
    if engine.dialect.name == "sqlite":
        watch.begin(engine)
        event.listen(engine, "before_cursor_execute", _note_deletion)
        event.listen(engine, "checkin", _clear_log)
    return engine


def clear_log(engine: Engine) -> None:
    """Truncate SQLite's log, which still holds deleted and changed data; other databases do that by themselves."""
    if engine.dialect.name == "sqlite":
        with engine.connect() as connection:
            connection.info[_DELETED] = True


def begin_snapshot(session: Session) -> None:
    """Begin a transaction whose reads all see one moment, whatever is written meanwhile."""
    connection = session.connection(execution_options=_SNAPSHOT_OPTIONS.get(session.get_bind().dialect.name, {}))
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("BEGIN")  # sqlite3 itself begins no transaction for reading


def upgrade_database(engine: Engine, revision: str = "head", enrolments: Path | None = None) -> None:
    """Run all pending migrations in one transaction, one process at a time.

    A missing SQLite file is created. An existing database imports the enrolments that an earlier version kept in the
    folder `enrolments`. Raises as `find_revision` does.
    """
    from alembic import command  # a process that reads needs none of it
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    from api.store.revisions import find_revision

    if engine.dialect.name == "sqlite":
        with guard_configuration("database"):
            make_sqlite_file(engine.url)

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    with engine.begin() as connection:
        if lock := LOCK_STATEMENTS.get(engine.dialect.name):
            connection.exec_driver_sql(lock)
        is_new = find_revision(connection, ScriptDirectory.from_config(config)) is None
        config.attributes.update(connection=connection, enrolments=None if is_new else enrolments)
        command.upgrade(config, revision)


def try_writing(connection: Connection) -> None:
    """Write to the database and roll back; raises SQLAlchemyError."""
    connection.execute(text("UPDATE readings SET attempts = attempts WHERE id = ''"))
    connection.rollback()


def _note_deletion(connection: Connection, cursor: object, statement: str, *given: object) -> None:
    """Record on a connection that it deleted something."""
    if statement.startswith("DELETE"):
        connection.info[_DELETED] = True


def _clear_log(connection: Any, record: Any) -> None:
    """Truncate the log after a deletion; if others read or write for too long, the next check-in retries."""
    if connection is None or not record.info.get(_DELETED):
        return
    try:
        connection.execute(f"PRAGMA busy_timeout = {CLEARING_TIMEOUT_MS}")
        is_busy, *_ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        record.info[_DELETED] = bool(is_busy)
        connection.execute(f"PRAGMA busy_timeout = {BUSY_TIMEOUT_MS}")
    except sqlite3.Error as error:
        log.warning("log_not_cleared", exc_info=error)


def _set_up_sqlite(connection: sqlite3.Connection) -> None:
    for pragma in (
        "journal_mode = WAL",
        "synchronous = FULL",  # acknowledged data survives a power cut
        "foreign_keys = ON",
        f"busy_timeout = {BUSY_TIMEOUT_MS}",
    ):
        connection.execute(f"PRAGMA {pragma}")
    # Deleted data is overwritten in the file as well.
    connection.execute("PRAGMA secure_delete = ON")
