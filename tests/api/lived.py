"""A whole life without an end before its time: what a process makes once, its forks find made."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from tests.api import killed

with TemporaryDirectory() as folder:
    database = f"sqlite:///{folder}/server.db"
    killed.live(database, Path(folder), 0)
    killed.look(database, Path(folder))
