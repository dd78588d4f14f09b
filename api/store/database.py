"""The database: opening and migration, with SQLite in WAL mode so that readers and a writer do not block each other."""

from __future__ import annotations

import logging
import socket
import sqlite3
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from sqlalchemy import URL, Connection, Engine, create_engine, event, inspect, make_url, text
from sqlalchemy.exc import ArgumentError, DatabaseError, OperationalError, ProgrammingError
from sqlalchemy.orm import Session

from api.server.errors import ServingError
from api.store.sqlite_file import FileWatch, Spare
from api.store.tables import Base
from api.store.unavailable import (
    check_writable,
    guard_configuration,
    guard_storage,
    is_database_damaged,
    is_storage_full,
    is_storage_read_only,
)

if TYPE_CHECKING:
    from alembic.script import ScriptDirectory

MIGRATIONS = Path(__file__).parent / "migrations"
BUSY_TIMEOUT_MS = 10_000
"""Milliseconds that a writer waits for SQLite's lock. A guess."""
CLEARING_TIMEOUT_MS = 500
"""Milliseconds that truncating the log waits for readers and writers, less than they wait for it. A guess."""
_DELETED = "deleted"
LOCK_STATEMENTS = {"sqlite": "BEGIN IMMEDIATE", "postgresql": "SELECT pg_advisory_xact_lock(20261121)"}
"""Statements that keep other processes from migrating; sqlite3 itself begins no transaction before a schema change."""

_SNAPSHOT_OPTIONS: Mapping[str, Mapping[str, Any]] = {"postgresql": {"isolation_level": "REPEATABLE READ"}}

INTEGER_OPTIONS = ("keepalives", "keepalives_count", "keepalives_idle", "keepalives_interval", "tcp_user_timeout")
"""Options that libpq reads only after connecting."""

log = logging.getLogger("wondertally")


def open_database(url: str) -> Engine:
    """Open a database and migrate it (`upgrade_database`); on a full disk the spare file is given up for it.

    Raises ServerError `storage_away`, and ServingError `bad_settings` for an address that can never work, `disk_full`
    if the spare file's room is not enough, `storage_read_only` if it cannot be written to, `database_damaged` if
    SQLite's file is invalid or incomplete, and as `upgrade_database` does.
    """
    engine = create_database_engine(url)
    try:
        with guard_storage("database", OperationalError):
            _prepare(engine)
    except Exception:
        engine.dispose()  # SQLite's files beside the database would be taken for those of a restored database
        raise
    return engine


def _prepare(engine: Engine) -> None:
    """Migrate a database, and try to write to it; raises as `open_database` does."""
    try:
        Spare(engine).delete(upgrade_database, engine)
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
    is_sqlite = where.get_backend_name() == "sqlite"
    if where.drivername in ("postgresql", "postgres"):
        where = where.set(drivername="postgresql+psycopg")
    if where.drivername == "postgresql+psycopg":
        # A database without an encoding (SQL_ASCII) returns bytes unless text is requested, and typed text needs UTF-8.
        where = where.update_query_dict({"client_encoding": "utf8"})
    with guard_configuration("database"):
        if is_sqlite:
            check_sqlite_address(where)
        watch = FileWatch(_set_up_sqlite)
        factory = {"factory": watch.connect} if is_sqlite else {}
        engine = create_engine(where, pool_pre_ping=True, hide_parameters=True, connect_args=factory)
    if is_sqlite:
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


def upgrade_database(engine: Engine, revision: str = "head") -> None:
    """Run all pending migrations in one transaction, one process at a time; a missing SQLite file is created.

    Raises ServingError `database_newer` or `database_older` for a revision after or before those with a script, and
    `database_unversioned` for existing tables with no revision, or for several revisions.
    """
    from alembic import command  # a process that reads needs none of it
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    if engine.dialect.name == "sqlite":
        with guard_configuration("database"):
            make_sqlite_file(engine.url)

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    with engine.begin() as connection:
        if lock := LOCK_STATEMENTS.get(engine.dialect.name):
            connection.exec_driver_sql(lock)
        _check_revision(connection, ScriptDirectory.from_config(config))
        config.attributes["connection"] = connection
        command.upgrade(config, revision)


def try_writing(connection: Connection) -> None:
    """Write to the database and roll back; raises SQLAlchemyError."""
    connection.execute(text("UPDATE readings SET attempts = attempts WHERE id = ''"))
    connection.rollback()


def probe_database(engine: Engine) -> None:
    """Write to the database on a separate connection and roll back; raises SQLAlchemyError."""
    fresh = create_database_engine(engine.url.render_as_string(hide_password=False))
    try:
        with fresh.connect() as connection:
            try_writing(connection)
    finally:
        fresh.dispose()


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


def check_sqlite_address(url: URL) -> None:
    """Raise ValueError for a SQLite address that names no file, or has options, which would be ignored."""
    if url.database in (None, "", ":memory:"):
        raise ValueError("a file is wanted, as in sqlite:////var/lib/wondertally/server.db")
    if url.query:
        raise ValueError(f"an address of SQLite has no options, but this one has {', '.join(sorted(url.query))}")


def make_sqlite_file(url: URL) -> None:
    """Create the file of a SQLite address and its folder, unless they exist.

    Raises ValueError if no file can be there, ServingError `storage_read_only`, and OSError.
    """
    file = Path(str(url.database))
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    except (FileExistsError, FileNotFoundError, NotADirectoryError, PermissionError) as error:
        raise ValueError(f"no folder can be made for the file: {error}") from error
    if file.is_dir():
        raise ValueError(f"a file is wanted, but {file} is a folder")
    check_writable("database", file.parent, file)
    if not file.exists():
        file.touch(mode=0o600)


def check_postgresql_address(engine: Engine) -> None:
    """Raise ValueError for an address at which no PostgreSQL server could ever be reached.

    libpq checks most options before it contacts the server, and the others for each host. Every host is replaced by a
    nonexistent socket: if libpq reports that socket once for each host, the address itself is valid.
    """
    from psycopg import ProgrammingError, pq
    from psycopg.conninfo import make_conninfo

    options = {key: str(value) for key, value in engine.dialect.create_connect_args(engine.url)[1].items()}
    for key in INTEGER_OPTIONS:
        try:
            int(options.get(key, 0))
        except ValueError as error:
            raise ValueError(f'invalid integer value "{options[key]}" for connection option "{key}"') from error
    for address in filter(None, options.pop("hostaddr", "").split(",")):
        try:
            socket.getaddrinfo(address, None, flags=socket.AI_NUMERICHOST)
        except OSError as error:
            raise ValueError(f'invalid network address "{address}"') from error
    nowhere = f"/{uuid4().hex}"
    hosts = options.get("host", "").split(",")
    options["host"] = ",".join(nowhere for _ in hosts)
    if options.get("gssencmode") == "require":  # which no socket supports
        del options["gssencmode"]
    psycopg_keys = ("autocommit", "prepare_threshold", "context")
    libpq_options: dict[str, Any] = {key: value for key, value in options.items() if key not in psycopg_keys}
    try:
        connection = pq.PGconn.connect_start(make_conninfo(**libpq_options).encode())
    except ProgrammingError as error:
        raise ValueError(str(error).strip()) from error
    faults = [line for line in connection.get_error_message().splitlines() if line and not line.startswith("\t")]
    wrong = [line for line in faults if nowhere not in line]
    if wrong and len(faults) - len(wrong) < len(hosts):
        raise ValueError(wrong[0])


def _check_revision(connection: Connection, script: ScriptDirectory) -> None:
    from alembic.runtime.migration import MigrationContext

    revisions = MigrationContext.configure(connection).get_current_heads()
    if unknown := sorted({*revisions} - {known.revision for known in script.walk_revisions()}):
        code = "database_older" if unknown[0] < str(script.get_base()) else "database_newer"
        raise ServingError(code, details={"revision": unknown[0], "known": script.get_current_head()})
    tables = sorted({*Base.metadata.tables} & {*inspect(connection).get_table_names()})
    if len(revisions) != 1 and (tables or revisions):
        raise ServingError("database_unversioned", details={"tables": tables})
