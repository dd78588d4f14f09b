"""Addresses of databases: what of one can never be is told from a database that is only away."""

from __future__ import annotations

import socket
from pathlib import Path
from typing import Any
from uuid import uuid4

from sqlalchemy import URL, Engine

from api.store.unavailable import check_writable

INTEGER_OPTIONS = ("keepalives", "keepalives_count", "keepalives_idle", "keepalives_interval", "tcp_user_timeout")
"""Options that libpq reads only once a connection stands."""


def check_sqlite_address(url: URL) -> None:
    """Raise ValueError for an address of SQLite that names no file, or an option: none would be heeded."""
    if url.database in (None, "", ":memory:"):
        raise ValueError("a file is wanted, as in sqlite:////var/lib/wondertally/server.db")
    if url.query:
        raise ValueError(f"an address of SQLite has no options, but this one has {', '.join(sorted(url.query))}")


def make_sqlite_file(url: URL) -> None:
    """Make the file of an address of SQLite, and its folder, where they are not there.

    Raises ValueError where none can be there, ServingError `storage_read_only`, and OSError.
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
    """Raise ValueError for an address that no PostgreSQL could be reached at, whether it is there or not.

    libpq checks most options before it looks for the server, the rest as it tries each. It is given a socket that is
    nowhere in place of each host: where it names that socket as often, nothing was wrong but that nobody listened.
    """
    from psycopg import ProgrammingError, pq
    from psycopg.conninfo import make_conninfo

    options = {key: str(value) for key, value in engine.dialect.create_connect_args(engine.url)[1].items()}
    for key in INTEGER_OPTIONS:
        if key in options and not _is_integer(options[key]):
            raise ValueError(f'invalid integer value "{options[key]}" for connection option "{key}"')
    for address in options.pop("hostaddr", "").split(","):
        if address and not _is_address(address):
            raise ValueError(f'invalid network address "{address}"')
    nowhere = f"/{uuid4().hex}"
    hosts = options.get("host", "").split(",")
    options["host"] = ",".join(nowhere for _ in hosts)
    if options.get("gssencmode") == "require":  # which no socket can have
        del options["gssencmode"]
    try:
        connection = pq.PGconn.connect_start(make_conninfo(**_leave_out_client_options(options)).encode())
    except ProgrammingError as error:
        raise ValueError(str(error).strip()) from error
    faults = [line for line in connection.get_error_message().splitlines() if line and not line.startswith("\t")]
    wrong = [line for line in faults if nowhere not in line]
    if wrong and len(faults) - len(wrong) < len(hosts):
        raise ValueError(wrong[0])


def _leave_out_client_options(options: dict[str, str]) -> dict[str, Any]:
    """The options that are libpq's; some are psycopg's own."""
    return {key: value for key, value in options.items() if key not in ("autocommit", "prepare_threshold", "context")}


def _is_integer(text: str) -> bool:
    try:
        int(text)
    except ValueError:
        return False
    return True


def _is_address(text: str) -> bool:
    try:
        socket.getaddrinfo(text, None, flags=socket.AI_NUMERICHOST)
    except OSError:
        return False
    return True
