"""Servers whose folder of photos belongs to other software, or is shared with another server."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from secrets import token_urlsafe
from typing import Any

from datasets.benchmark.attacks import Bystanders, Tally, find_changed
from datasets.benchmark.attacks.cluster import Cluster, MissingError, run_cluster
from datasets.benchmark.serving import COMMAND, build_environment, find_free_port, run_server
from datasets.benchmark.uploads import (
    SETTINGS,
    Alone,
    Uploads,
    find_half_kept,
    follow_uploads,
    load_boards,
    send_photos,
)

LIFE_SECONDS = 6.0
LIVES = 2
"""Number of kills of each of 2 servers on one folder. A guess."""
SWEEPS: dict[str, Any] = {"sweep_minutes": 0.01, "stray_minutes": 0}
SWEEPING_SECONDS = 4.0
STARTING_SECONDS = 120


def name_foreign_folder(scratch: Path, alone: Alone) -> Tally:
    """Use foreign folders as the place for photos, and put foreign files into the server's folders."""
    folders = {
        "photos_not_empty": Bystanders(scratch / "album", ["holiday.jpg", "IMG_0001.JPG", "notes.txt"]),
        "photos_of_another": Bystanders(scratch / "likewise", [build_photo_name() for _ in range(3)]),
    }
    tally = Tally("foreign folders", len(folders) + 1)
    for code, bystanders in folders.items():
        place = next(iter(bystanders.files)).parent
        tally.wrong += check_refused(scratch / f"data-{place.name}", code, photos=place)
        tally.deleted += bystanders.find_deleted()
    uploads, data = Uploads(), scratch / "data"
    with run_server(data, **SETTINGS, **SWEEPS) as server:
        names = ["holiday.jpg", f"{token_urlsafe(16)}.png"]
        inside = [Bystanders(data / "photos", names), Bystanders(data / "incoming", ["diary.txt"])]
        with send_photos(server.url, load_boards(), uploads):
            time.sleep(SWEEPING_SECONDS)
        tally.add(uploads, follow_uploads(server, uploads, alone))
        time.sleep(SWEEPING_SECONDS)
    tally.wrong += find_half_kept(data, others=[*names, "diary.txt"])
    tally.deleted += [file for bystanders in inside for file in bystanders.find_deleted()]
    return tally


def share_place(scratch: Path, alone: Alone) -> Tally:
    """Run 2 servers with one database on one folder and kill them in turn; then start one with a database of
    its own.
    """
    tally = Tally("two servers on one place", 2 * LIVES + 1)
    try:
        with run_cluster() as cluster:
            _share(scratch, cluster, alone, tally)
    except MissingError as error:
        tally.left_out = str(error)
    return tally


def _share(scratch: Path, cluster: Cluster, alone: Alone, tally: Tally) -> None:
    photos = scratch / "photos"
    settings = {**SETTINGS, **SWEEPS, "database": cluster.url, "photos": photos}
    places = [(scratch / name, find_free_port()) for name in ("first", "second")]
    all_uploads = [Uploads() for _ in places]
    with ExitStack() as sending:
        for (data, port), uploads in zip(places, all_uploads, strict=True):
            sending.enter_context(send_photos(f"http://127.0.0.1:{port}", load_boards(), uploads, data.name))
        for number in range(2 * LIVES):
            with run_server(*places[0], **settings) as first, run_server(*places[1], **settings) as second:
                time.sleep(LIFE_SECONDS)
                (first, second)[number % 2].kill()
    with run_server(*places[0], **settings) as first, run_server(*places[1], **settings) as second:
        for server, uploads in zip((first, second), all_uploads, strict=True):
            tally.add(uploads, follow_uploads(server, uploads, alone))
        time.sleep(SWEEPING_SECONDS)
    contents = {file: file.read_bytes() for file in photos.iterdir()}
    tally.wrong += check_refused(scratch / "third", "photos_of_another", photos=photos)
    tally.deleted += find_changed(contents)
    for data, _ in places:
        tally.wrong += find_half_kept(data, cluster.url, photos)


def build_photo_name() -> str:
    """Return a name like those the server gives to the photo of a reading."""
    return f"{token_urlsafe(16)}.0.jpg"


def check_refused(data: Path, code: str, **settings: object) -> Sequence[str]:
    """Start a server in a place that it must refuse; return the faults of its exit."""
    environment = build_environment(data, {**settings, **SWEEPS})
    done = subprocess.run(
        [*COMMAND, "--port", "0"], env=environment, capture_output=True, text=True, timeout=STARTING_SECONDS
    )
    errors = [line for line in done.stderr.splitlines() if line.startswith('{"error"')]
    if done.returncode == 2 and errors and json.loads(errors[-1])["error"]["code"] == code:
        return []
    return [f"{data} was not refused as {code}: {done.returncode} {done.stderr[-300:]}"]
