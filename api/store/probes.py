"""Probes of the storage: a real write that leaves nothing behind."""

from __future__ import annotations

import numpy as np
from sqlalchemy import Engine

from api.server.tokens import generate_id
from api.store.database import create_database_engine, try_writing
from api.store.photos import PhotoStore

_DOT = np.zeros((1, 1, 3), np.uint8)


def probe_database(engine: Engine) -> None:
    """Write to the database on a separate connection and roll back; raises SQLAlchemyError."""
    fresh = create_database_engine(engine.url.render_as_string(hide_password=False))
    try:
        with fresh.connect() as connection:
            try_writing(connection)
    finally:
        fresh.dispose()


def probe_photo_store(photos: PhotoStore) -> None:
    """Write a photo, read it and remove it; raises OSError, or the place's own kinds of errors."""
    key = f"{generate_id()}.probe"  # a leftover one is removed as a stray
    photos.put(key, _DOT)
    try:
        if not photos.get(key):
            raise OSError("what was written is not there")
    finally:
        photos.remove(key)
