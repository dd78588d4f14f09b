"""The databases that tests of the store run on: SQLite, and a real PostgreSQL if its URL is given."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

import pytest
from sqlalchemy import create_engine, make_url, text

DATABASES = ("sqlite", "postgresql")
TOLD = "WONDERTALLY_TEST_POSTGRESQL"
"""The URL of a PostgreSQL with the right to create databases, as `.ci/postgresql` sets it."""

SOAK_POSTGRESQL = pytest.param("postgresql", marks=pytest.mark.soak)
"""The second database for tests of code built on the store: it is left to `make test-all`."""
ON_BOTH_DATABASES = pytest.mark.parametrize("database", DATABASES, indirect=True)
"""For tests of the store itself, and of concurrent access to it."""


@contextmanager
def own_database(kind: str, folder: Path, encoding: str = "UTF8") -> Iterator[str]:
    """Return the URL of an empty database of a test's own, removed afterwards; skips without a PostgreSQL.

    The `encoding` is PostgreSQL's.
    """
    if kind == "sqlite":
        yield f"sqlite:///{folder / 'server.db'}"
        return
    url = make_url(_get_postgresql_url())
    name = f"test_{uuid4().hex}"
    made = f"CREATE DATABASE {name} ENCODING '{encoding}' TEMPLATE template0"
    with _done(url.render_as_string(False), made, f"DROP DATABASE IF EXISTS {name} WITH (FORCE)"):
        yield url.set(database=name).render_as_string(False)


def _get_postgresql_url() -> str:
    url = os.environ.get(TOLD, "")
    if not url:
        pytest.skip(f"{TOLD} names no PostgreSQL (.ci/postgresql starts one)")
    return url


@contextmanager
def _done(url: str, before: str, after: str) -> Iterator[None]:
    engine = create_engine(url, isolation_level="AUTOCOMMIT")
    try:
        with engine.connect() as connection:
            connection.execute(text(before))
        yield
        with engine.connect() as connection:
            connection.execute(text(after))
    finally:
        engine.dispose()
