"""The folder of a finished batch, written by the batch's own parts: readings of dealt boards, with grey photos."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from api.batch.journal import Journal, Stamp, compute_reading_key
from api.batch.run import run_batch
from api.batch.work import score_snapshot
from api.carcassonne.report.snapshot import Snapshot
from api.server.settings import Settings
from api.service.event_import import ImportSummary, import_batch
from api.tournament.listed_tables import group_photos_by_table
from api.tournament.options_file import BatchOptions
from tests.api.doubted import held
from vision.photo.decoding import Photo

COLOURS = ("red", "blue", "green", "yellow", "black", "pink", "grey")
HEAD = ",".join(("photo,event,round,table", *COLOURS, *(f"{colour}_track" for colour in COLOURS))) + "\n"
TRACK = {colour: 40 + number for number, colour in enumerate(COLOURS)}
NAMES = ",".join(("Anna,Bob,Cleo,Dan,Eva,Fay,Gus", *map(str, TRACK.values())))


def listing(tables: Mapping[str, int]) -> str:
    """Return a CSV of the players at each table, by the photos' names."""
    return HEAD + "".join(f"{name},cup,1,{number},{NAMES}\n" for name, number in tables.items())


def photographed(folder: Path, name: str, seed: int) -> tuple[str, Snapshot]:
    """Write a grey photo into a folder, and return its SHA-256 and the snapshot of a doubted reading of it."""
    read = held(seed)
    (view,) = read.views
    grey = np.full((view.photo.height, view.photo.width, 3), 60 + seed, np.uint8)
    folder.mkdir(exist_ok=True)
    cv2.imwrite(str(folder / name), grey)
    photo = Photo.from_path(folder / name)
    info = view.photo.model_copy(update={"file": name, "sha256": photo.sha256})
    return photo.sha256, read.model_copy(update={"views": (view.model_copy(update={"photo": info}),)})


def read_by_batch(folder: Path, out: Path, name: str, seed: int, csv: str | None = None) -> None:
    """Add a reading of a new photo to a batch's journal, made with the facts of a CSV."""
    digest, read = photographed(folder, name, seed)
    corrections = next(table.said for table in group_photos_by_table([name], csv) if name in table.photos)
    result = {"by": "tests", "said": corrections, "held": json.loads(read.to_json())}
    result["report"] = json.loads(score_snapshot(read, corrections)["report"])
    _noted(folder / name, out, digest, result)


def torn_for_batch(folder: Path, out: Path, name: str) -> None:
    """Add an unreadable photo to it."""
    (folder / name).write_bytes(b"no picture")
    error = {"code": "truncated_image", "text": "The end of the picture is missing.", "details": {"file": name}}
    _noted(folder / name, out, sha256(b"no picture").hexdigest(), {"by": "tests", "said": "[]", "error": error})


@dataclass(frozen=True)
class TakenOver:
    """A batch's folders, copied for a test to change, and the server's results for them."""

    photos: Path
    out: Path
    settings: Settings
    done: ImportSummary


def leave_batch(folder: Path, tables: Mapping[str, int], seeds: Mapping[str, int]) -> None:
    """Write the folder of a batch of some tables, read as their seeds say, beside their photos; unseeded are torn."""
    for name in tables:
        if name in seeds:
            read_by_batch(folder / "photos", folder / "out", name, seeds[name], listing(tables))
        else:
            torn_for_batch(folder / "photos", folder / "out", name)
    batched(folder / "photos", folder / "out", listing(tables))


def take_over(left: Path, database: str, folder: Path, **settings: Any) -> TakenOver:
    """Let a server take over a copy of a batch's folder."""
    shutil.copytree(left, folder / "batch")
    photos, out = folder / "batch" / "photos", folder / "batch" / "out"
    server = Settings(data=folder / "data", database=database, **settings)
    done = import_batch(out, None, str(photos), server, lambda stage, done, of: None)
    return TakenOver(photos, out, server, done)


def _noted(photo: Path, out: Path, digest: str, result: dict[str, Any]) -> None:
    about = photo.stat()
    with Journal(out / "journal.jsonl") as journal:
        journal.add_content(Stamp(photo.name, about.st_size, str(about.st_mtime)), digest)
        journal.add_reading(compute_reading_key("C3", [digest]), result)


def batched(folder: Path, out: Path, csv: str | None) -> None:
    """Run the batch over photos in its journal: it only has to write its files."""
    run_batch(BatchOptions(str(folder), out, "C3", csv), lambda stage, done, of: None)
