"""The database: opened, brought up to date, and (SQLite) in WAL so that readers and a writer do not wait."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from sqlalchemy import Engine, create_engine, event, make_url

MIGRATIONS = Path(__file__).parent / "migrations"
BUSY_MS = 10_000


def open_database(url: str) -> Engine:
    """The engine of a database with today's tables; a file that is not there is made."""
    where = make_url(url)
    if where.get_backend_name() == "sqlite" and where.database:
        Path(where.database).parent.mkdir(parents=True, exist_ok=True)
    engine = create_engine(where, pool_pre_ping=True, hide_parameters=True)
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _set_up_sqlite)
    upgrade(engine)
    return engine


def upgrade(engine: Engine) -> None:
    """Run the migrations that the database has not seen yet."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "head")


def _set_up_sqlite(connection: Any, record: object) -> None:
    for pragma in ("journal_mode = WAL", "synchronous = NORMAL", "foreign_keys = ON", f"busy_timeout = {BUSY_MS}"):
        connection.execute(f"PRAGMA {pragma}")
    # Deleting is meant: what a person takes back is overwritten in the file as well.
    connection.execute("PRAGMA secure_delete = ON")
