"""A disk that repeatedly fills up while photos are sent and read."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path

import httpx2 as httpx

from datasets.benchmark.attacks import Bystanders, Tally
from datasets.benchmark.attacks.cluster import MissingError, mount_disk
from datasets.benchmark.references import Alone
from datasets.benchmark.serving import Served, find_free_port, run_server
from datasets.benchmark.uploads import SETTINGS, Uploads, find_half_kept, follow_uploads, load_boards, send_photos

DISK_MIB = 96
FULL_SECONDS = 5.0
FILLING_SECONDS = 0.2
STRANGE = "holiday.jpg"
WAITING_SECONDS = 120.0


def fill_disk(scratch: Path, times: int, alone: Alone) -> Tally:
    """Fill the disk of the database, the photos and the uploads; the last time, also kill and restart the server."""
    tally, uploads, port = Tally("full disks", times), Uploads(), find_free_port()
    settings = {**SETTINGS, "sweep_minutes": 0.02, "stray_minutes": 0}
    try:
        with mount_disk(scratch / "disk", DISK_MIB) as disk:
            others = Bystanders(disk / "mine", [STRANGE])
            data = disk / "data"
            data.mkdir()
            link = scratch / "data"  # the server's log is beside it, and not on the disk
            link.symlink_to(data)
            with send_photos(f"http://127.0.0.1:{port}", load_boards(), uploads):
                for number in range(times):
                    with run_server(link, port, **settings) as server:
                        _wait_until_read(server, uploads, data / "server.spare")
                        _fill(disk, FULL_SECONDS)
                        if number == times - 1:
                            server.kill()
                        else:
                            tally.wrong += _delete_one(server, uploads)
                    if number < times - 1:
                        _filler(disk).unlink()
                with run_server(link, port, **settings) as server:
                    tally.wrong += _delete_one(server, uploads)
                    _filler(disk).unlink()
                    _wait_until_read(server, uploads, data / "server.spare")
            with run_server(link, port, **settings) as server:
                tally.add(uploads, follow_uploads(server, uploads, alone))
                time.sleep(3)  # 1 or 2 sweeps
            tally.wrong += find_half_kept(data)
            tally.deleted += others.find_deleted()
    except MissingError as error:
        tally.left_out = str(error)
    return tally


def _filler(disk: Path) -> Path:
    return disk / "filler"


def _fill(disk: Path, seconds: float) -> None:
    """Fill all free space for a while, including space freed meanwhile."""
    ended = time.monotonic() + seconds
    with _filler(disk).open("ab", buffering=0) as filler:
        while time.monotonic() < ended:
            for size in (2**20, 2**12):
                with suppress(OSError):
                    while True:
                        filler.write(os.urandom(size))
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
