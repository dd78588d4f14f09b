"""The database: opened, brought up to date, and (SQLite) in WAL so that readers and a writer do not wait."""

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
CLEARING_TIMEOUT_MS = 500
"""How long the log waits for those who read or write, and writers for it: less than a writer is patient."""
_DELETED = "deleted"
LOCK_STATEMENTS = {"sqlite": "BEGIN IMMEDIATE", "postgresql": "SELECT pg_advisory_xact_lock(20261121)"}
"""What keeps others from migrating as well; sqlite3 by itself begins no transaction before it changes a table."""

_SNAPSHOT_OPTIONS: Mapping[str, Mapping[str, Any]] = {"postgresql": {"isolation_level": "REPEATABLE READ"}}

log = logging.getLogger("wondertally")


def open_database(url: str, enrolments: Path | None = None) -> Engine:
    """Open a database and bring its tables up to date (`upgrade_database`); on a full disk in the spare file's place.

    Raises ServerError `storage_away`, and ServingError `bad_settings` where it could never be reached so, `disk_full`
    where that room is not enough, `storage_read_only` where it cannot be written to, `database_damaged` where the file
    of SQLite is none or not whole, and what `upgrade_database` does.
    """
    engine = create_database_engine(url)
    try:
        with guard_storage("database", OperationalError):
            _prepare(engine, enrolments)
    except Exception:
        engine.dispose()  # files of SQLite beside the database would be taken for those of one that is brought back
        raise
    return engine


def _prepare(engine: Engine, enrolments: Path | None) -> None:
    """Bring a database's tables up to date, and try whether they can be written to; raises as `open_database` does."""
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
                # No connection can be made with what the address says.
                raise ArgumentError(str(error.orig).strip()) from error
            if isinstance(error, OperationalError) and engine.dialect.driver == "psycopg":
                check_postgresql_address(engine)
        raise


def create_database_engine(url: str) -> Engine:
    """Create the engine of a database as it is; of SQLite it connects to a file that is there, and makes none.

    `postgresql://` and `postgres://` mean psycopg, which is what we install. Raises ServingError `bad_settings`.
    """
    with guard_configuration("database"):
        where = make_url(url)
    if where.drivername in ("postgresql", "postgres"):
        where = where.set(drivername="postgresql+psycopg")
    if where.drivername == "postgresql+psycopg":
        # A database without an encoding of its own (SQL_ASCII) gives bytes to who does not ask for text, and what
        # people type is not to be had in any other.
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
    """Empty SQLite's log, which still holds what was deleted or changed; other databases see to that by themselves."""
    if engine.dialect.name == "sqlite":
        with engine.connect() as connection:
            connection.info[_DELETED] = True


def begin_snapshot(session: Session) -> None:
    """Begin a transaction in which all that is read is of one moment, whatever others write meanwhile."""
    connection = session.connection(execution_options=_SNAPSHOT_OPTIONS.get(session.get_bind().dialect.name, {}))
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("BEGIN")  # sqlite3 by itself begins none to read


def upgrade_database(engine: Engine, revision: str = "head", enrolments: Path | None = None) -> None:
    """Run the migrations that the database has not seen yet: all or none, and one process after the other.

    A file of SQLite that is not there is made. A database that is not new takes what an earlier version kept in the
    folder `enrolments`. Raises what `find_revision` does.
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
    """Write to the database, and leave it as it was; raises SQLAlchemyError."""
    connection.execute(text("UPDATE readings SET attempts = attempts WHERE id = ''"))
    connection.rollback()


def _note_deletion(connection: Connection, cursor: object, statement: str, *given: object) -> None:
    """Note with its connection that something is deleted."""
    if statement.startswith("DELETE"):
        connection.info[_DELETED] = True


def _clear_log(connection: Any, record: Any) -> None:
    """Empty the log after something was deleted, unless others read or write too long: then whoever comes next does."""
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
        "synchronous = FULL",  # what was acknowledged outlives a power cut
        "foreign_keys = ON",
        f"busy_timeout = {BUSY_TIMEOUT_MS}",
    ):
        connection.execute(f"PRAGMA {pragma}")
    # Deleting is meant: what a person takes back is overwritten in the file as well.
    connection.execute("PRAGMA secure_delete = ON")
