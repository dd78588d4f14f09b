"""Storage that fails while photos are sent and read: a database away, a full disk, removed files, unfit databases."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import time
from contextlib import closing, suppress
from pathlib import Path
from random import Random

import httpx2 as httpx

from datasets.benchmark.attacks import Bystanders, Tally
from datasets.benchmark.attacks.cluster import MissingError, mount_disk, run_cluster
from datasets.benchmark.attacks.places import check_refused
from datasets.benchmark.serving import Served, find_free_port, run_server
from datasets.benchmark.uploads import (
    SETTINGS,
    Alone,
    Uploads,
    find_half_kept,
    follow_uploads,
    load_boards,
    send_photos,
)

OUTAGE_SECONDS = (1.0, 10.0)
"""Minimum and maximum length of an outage of the database. A guess."""
BETWEEN_SECONDS = 3.0
SWEEPING = {**SETTINGS, "sweep_minutes": 0.02, "stray_minutes": 0}
SWEEPS_SECONDS = 3.0
"""Time of 1 or 2 sweeps."""
STRANGE = "holiday.jpg"
DISK_MIB = 96
FULL_SECONDS, FILLING_SECONDS = 5.0, 0.2
WAITING_SECONDS = 120.0
PRESENT_SECONDS, AWAY_SECONDS = 5.0, 5.0
"""Seconds with and without the storage: enough to read one photo, and to refuse several. A guess."""
PLACES = (("server.db-shm", "server.db-wal", "server.db"), ("photos",), ("",))
"""Files removed together, below the data folder, in the order in which they are restored."""
CHANGES = {
    "database_newer": "UPDATE alembic_version SET version_num = '9999'",
    "database_unversioned": "DELETE FROM alembic_version",
}


def cut_database(scratch: Path, times: int, seed: int, alone: Alone) -> Tally:
    """Stop PostgreSQL immediately and suspend it, in turn."""
    tally, uploads, random = Tally("outages of PostgreSQL", times), Uploads(), Random(seed)
    data = scratch / "data"
    try:
        with run_cluster() as cluster:
            with run_server(data, **SWEEPING, database=cluster.url) as server:
                others = Bystanders(data / "photos", [STRANGE])
                with send_photos(server.url, load_boards(), uploads):
                    for number in range(times):
                        time.sleep(BETWEEN_SECONDS)
                        end, begin = (cluster.resume, cluster.pause) if number % 2 else (cluster.start, cluster.stop)
                        begin()
                        time.sleep(random.uniform(*OUTAGE_SECONDS))
                        end()
                tally.add(uploads, follow_uploads(server, uploads, alone))
                time.sleep(SWEEPS_SECONDS)
            tally.wrong += find_half_kept(data, cluster.url, others=[STRANGE])
            tally.deleted += others.find_deleted()
    except MissingError as error:
        tally.left_out = str(error)
    return tally


def fill_disk(scratch: Path, times: int, alone: Alone) -> Tally:
    """Fill the disk of the database, the photos and the uploads; the last time, also kill and restart the server."""
    tally, uploads, port = Tally("full disks", times), Uploads(), find_free_port()
    try:
        with mount_disk(scratch / "disk", DISK_MIB) as disk:
            others = Bystanders(disk / "mine", [STRANGE])
            data, filler = disk / "data", disk / "filler"
            data.mkdir()
            link = scratch / "data"  # the server's log is beside it, and not on the disk
            link.symlink_to(data)
            with send_photos(f"http://127.0.0.1:{port}", load_boards(), uploads):
                for number in range(times):
                    with run_server(link, port, **SWEEPING) as server:
                        _wait_until_read(server, uploads, data / "server.spare")
                        _fill(filler, FULL_SECONDS)
                        if number == times - 1:
                            server.kill()
                        else:
                            tally.wrong += _delete_one(server, uploads)
                    if number < times - 1:
                        filler.unlink()
                with run_server(link, port, **SWEEPING) as server:
                    tally.wrong += _delete_one(server, uploads)
                    filler.unlink()
                    _wait_until_read(server, uploads, data / "server.spare")
            with run_server(link, port, **SWEEPING) as server:
                tally.add(uploads, follow_uploads(server, uploads, alone))
                time.sleep(SWEEPS_SECONDS)
            tally.wrong += find_half_kept(data)
            tally.deleted += others.find_deleted()
    except MissingError as error:
        tally.left_out = str(error)
    return tally


def _fill(filler: Path, seconds: float) -> None:
    """Fill all free space for a while, including space freed meanwhile."""
    ended = time.monotonic() + seconds
    with filler.open("ab", buffering=0) as file:
        while time.monotonic() < ended:
            for size in (2**20, 2**12):
                with suppress(OSError):
                    while True:
                        file.write(os.urandom(size))
            time.sleep(FILLING_SECONDS)


def _wait_until_read(server: Served, uploads: Uploads, spare: Path) -> None:
    """Wait for a finished reading to delete, and for the spare space that deleting needs."""
    ended = time.monotonic() + WAITING_SECONDS
    with httpx.Client(base_url=server.url, timeout=60) as client:
        while time.monotonic() < ended and not (spare.exists() and _find_done(client, uploads)):
            time.sleep(0.2)


def _find_done(client: httpx.Client, uploads: Uploads) -> str:
    for reading in list(uploads.accepted):
        answer = client.get(f"/v1/readings/{reading}")
        if answer.is_success and answer.json()["status"] == "done":
            return reading
    return ""


def _delete_one(server: Served, uploads: Uploads) -> list[str]:
    """Delete a finished reading, which its owner may do on a full disk; return the faults of the answer."""
    with httpx.Client(base_url=server.url, timeout=60) as client:
        if not (reading := _find_done(client, uploads)):
            return ["no reading was done"]
        owner = {"Authorization": f"Bearer {uploads.tokens[reading]}"}
        answer = client.delete(f"/v1/readings/{reading}", headers=owner)
        if answer.status_code != 204:
            return [f"DELETE on a full disk: {answer.status_code} {answer.text[:200]}"]
        del uploads.accepted[reading]
        return []


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
