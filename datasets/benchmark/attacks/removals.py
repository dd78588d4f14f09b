"""Storage removed under a running server and restored, and databases that no server may start on."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import time
from contextlib import closing
from pathlib import Path

from datasets.benchmark.attacks import Tally
from datasets.benchmark.attacks.cluster import MissingError, mount_disk
from datasets.benchmark.attacks.places import check_refused
from datasets.benchmark.references import Alone
from datasets.benchmark.serving import run_server
from datasets.benchmark.uploads import SETTINGS, Uploads, find_half_kept, follow_uploads, load_boards, send_photos

PRESENT_SECONDS, AWAY_SECONDS = 5.0, 5.0
"""Seconds with and without the storage: enough to read one photo, and to refuse several. A guess."""
DISK_MIB = 96
PLACES = (("server.db-shm", "server.db-wal", "server.db"), ("photos",), ("",))
"""Files removed together, below the data folder, in the order in which they are restored."""
CHANGES = {
    "database_newer": "UPDATE alembic_version SET version_num = '9999'",
    "database_unversioned": "DELETE FROM alembic_version",
}


def remove_storage(scratch: Path, times: int, alone: Alone) -> Tally:
    """Remove the database, the photos or the whole data folder in turn, the given number of times in total."""
    tally, uploads, data = Tally("storage removed", times), Uploads(), scratch / "data"
    with run_server(data, **SETTINGS) as server:
        with send_photos(server.url, load_boards(), uploads):
            for number in range(times):
                time.sleep(PRESENT_SECONDS)
                _take_away(data, scratch / "aside", PLACES[number % len(PLACES)])
            time.sleep(PRESENT_SECONDS)
        tally.add(uploads, follow_uploads(server, uploads, alone))
    tally.wrong += find_half_kept(data)
    return tally


def start_on_unfit_databases(scratch: Path, alone: Alone) -> Tally:
    """Start on a database of a newer version, on one without a version, and on a read-only disk."""
    tally, data = Tally("unfit databases", len(CHANGES) + 1), scratch / "data"
    with run_server(data, **SETTINGS):
        pass
    for code, change in CHANGES.items():
        copy = scratch / code
        shutil.copytree(data, copy)
        with closing(sqlite3.connect(copy / "server.db", isolation_level=None)) as connection:
            connection.execute(change)
        before = (copy / "server.db").read_bytes()
        tally.wrong += check_refused(copy, code)
        if (copy / "server.db").read_bytes() != before:
            tally.wrong.append(f"{code}: the database was changed")
    try:
        with mount_disk(scratch / "disk", DISK_MIB) as disk:
            shutil.copytree(data, disk / "data")
            subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
            tally.wrong += check_refused(disk / "data", "storage_read_only")
    except MissingError as error:
        tally.left_out = str(error)
    return tally


def _take_away(data: Path, aside: Path, names: tuple[str, ...]) -> None:
    """Remove files below a folder for a while, in reverse order."""
    aside.mkdir()
    for name in reversed(names):
        (data / name).rename(aside / (name or data.name))
    time.sleep(AWAY_SECONDS)
    for name in names:
        (aside / (name or data.name)).rename(data / name)
    aside.rmdir()
