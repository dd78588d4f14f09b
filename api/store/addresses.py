"""Addresses of databases: an address that can never work is distinguished from a database that is unreachable."""

from __future__ import annotations

import socket
from pathlib import Path
from typing import Any
from uuid import uuid4

from sqlalchemy import URL, Engine

from api.store.unavailable import check_writable

INTEGER_OPTIONS = ("keepalives", "keepalives_count", "keepalives_idle", "keepalives_interval", "tcp_user_timeout")
"""Options that libpq reads only after connecting."""


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
        if key in options and not _is_integer(options[key]):
            raise ValueError(f'invalid integer value "{options[key]}" for connection option "{key}"')
    for address in options.pop("hostaddr", "").split(","):
        if address and not _is_address(address):
            raise ValueError(f'invalid network address "{address}"')
    nowhere = f"/{uuid4().hex}"
    hosts = options.get("host", "").split(",")
    options["host"] = ",".join(nowhere for _ in hosts)
    if options.get("gssencmode") == "require":  # which no socket supports
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
    """Return the options of libpq, without those of psycopg itself."""
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
