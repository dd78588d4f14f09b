"""A disk without room."""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from pathlib import Path

FILLER, DATABASE_DISK_MIB = "filler", 96


def fill(disk: Path) -> None:
    """Leave no byte of room."""
    with (disk / FILLER).open("ab", buffering=0) as filler:
        for size in (2**20, 2**12):
            with suppress(OSError):
                while True:
                    filler.write(os.urandom(size))
    assert shutil.disk_usage(disk).free == 0
