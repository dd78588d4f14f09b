"""Disk space reserved for deleting: SQLite writes before it deletes, which a full disk would prevent."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import ParamSpec, TypeVar

from sqlalchemy import Engine
from sqlalchemy.exc import OperationalError

from api.store.unavailable import is_storage_full

SPARE_BYTES = 8 * 2**20
"""Size of the spare file. A guess."""

P = ParamSpec("P")
T = TypeVar("T")


class Spare:
    """A file beside a SQLite database that is given up when the disk is full; other databases need none."""

    def __init__(self, engine: Engine) -> None:
        database = engine.url.database or "" if engine.dialect.name == "sqlite" else ""
        self._file = Path(database).with_suffix(".spare") if database.strip(":") not in ("", "memory") else None

    def keep(self) -> None:
        """Create the file unless it exists, if the disk has room for twice its size."""
        if self._file is None or self._file.exists():
            return
        part = self._file.with_suffix(".spare.part")
        try:
            if shutil.disk_usage(self._file.parent).free > 2 * SPARE_BYTES:
                part.write_bytes(os.urandom(SPARE_BYTES))  # zeros would take no room on some file systems
                os.replace(part, self._file)
        except OSError:
            part.unlink(missing_ok=True)

    def delete(self, work: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
        """Run work that deletes or opens; if the disk is full, give up the file and run it again."""
        try:
            return work(*arguments, **named)
        except OperationalError as error:
            if self._file is None or not is_storage_full(error):
                raise
            self._file.unlink(missing_ok=True)
        return work(*arguments, **named)
