"""Whether what is kept can be kept now: tried for real, in a way that leaves nothing behind."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from sqlalchemy import Engine, NullPool, create_engine, text

from api.server.tokens import generate_id
from api.store.photos import PhotoStore

_DOT = np.zeros((1, 1, 3), np.uint8)


def probe_database(engine: Engine) -> None:
    """Write to the database, on a connection of its own, and take it back; raises SQLAlchemyError, FileNotFoundError.

    Connections that are open go on with a file of SQLite that was removed: what they write then is lost.
    """
    where = engine.url
    if where.get_backend_name() == "sqlite" and where.database:
        Path(where.database).stat()
    fresh = create_engine(where, poolclass=NullPool)
    with fresh.connect() as connection:
        connection.execute(text("UPDATE readings SET attempts = attempts WHERE id = ''"))
        connection.rollback()


def probe_photo_store(photos: PhotoStore) -> None:
    """Write a photo, read it and remove it; raises OSError, or whatever the place's own errors are."""
    key = f"{generate_id()}.probe"  # one that is left over is removed as a stray
    photos.put(key, _DOT)
    try:
        if not photos.get(key):
            raise OSError("what was written is not there")
    finally:
        photos.remove(key)
