"""What is done in a process of its own: photos become a report. Its nets are loaded once and kept."""

from __future__ import annotations

from ctypes import Array, c_ubyte
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from pathlib import Path
from typing import Any

import numpy as np
from sqlalchemy.exc import OperationalError

from api.answers import error_document
from api.corrections import corrected
from api.held import held_of
from api.store.away import away
from api.store.database import engine_of
from api.store.enrolments import EnrolmentStore
from api.store.photos import PhotoStore, photo_key
from api.store.readings import StoredPhoto
from api.together import surveyed
from scoring.carcassonne.rulesets import ruleset
from scoring.errors import ScoringError
from vision.errors import ReadingError, WondertallyError
from vision.photo import Photo
from vision.reader import Reader
from vision.references import References

STAGES = ("decode", "lattice", "track", "tiles", "legal", "meeples", "score")
"""In their order; what is told of a job is its number here."""


@dataclass(frozen=True, slots=True)
class Upload:
    """One photo as it came: the file that holds it for now (None: it is in the store), and what a person calls it."""

    file: Path | None
    name: str


@dataclass(frozen=True, slots=True)
class Task:
    """What is to be read; `photos_url` is where photos are kept."""

    reading: str
    uploads: tuple[Upload, ...]
    rules: str
    track: dict[str, int]
    photos_url: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """What was read: the report and what is held as JSON, and the photos in the report's order; or the error."""

    report: str = ""
    held: str = ""
    photos: tuple[StoredPhoto, ...] = ()
    error: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Taught:
    """Where it is kept what was taught: a database, and a folder of this machine."""

    database: str
    folder: Path


class _Desk:
    """Where this process tells how far it has come (a stage once left is not told again), and what was taught."""

    stages: Array[c_ubyte]
    taught: EnrolmentStore
    number = 0

    def tell(self, stage: str) -> None:
        if stage in STAGES:
            self.stages[self.number] = max(self.stages[self.number], STAGES.index(stage))


_desk = _Desk()


def set_up(stages: Array[c_ubyte], taught: Taught) -> None:
    """Called as the process starts, with the bytes of all desks and the places of what was taught."""
    _desk.stages, _desk.taught = stages, EnrolmentStore(engine_of(taught.database), taught.folder)


def taught() -> EnrolmentStore:
    """What was taught, for a process that was set up."""
    return _desk.taught


def check() -> bool:
    """Load the nets and ask them: a grey picture shows no board. Raises what keeps them from it."""
    grey = Photo(np.full((480, 640, 3), 128, np.uint8), "grey", "", 0.0)
    try:
        _reader().look(grey)
    except ReadingError as error:
        return error.code == "board_not_found"
    return True


def begin(desk: int) -> Reader:
    """The reader, with all that was taught until now, at work at a desk."""
    _desk.number = desk
    reader = _reader()
    reader.taught = _references(_desk.taught.state())
    return reader


def read(desk: int, task: Task) -> Outcome:
    """Read the photos of a task; what is wrong with them is told, not raised."""
    try:
        return _read(begin(desk), task)
    except (WondertallyError, ScoringError) as error:
        return Outcome(error=error_document(error)["error"])
    except OperationalError as error:
        return Outcome(error=error_document(away("database", error))["error"])


def _read(reader: Reader, task: Task) -> Outcome:
    store, kept = PhotoStore(task.photos_url), dict[str, str]()
    openers = [
        (upload.name, partial(opened, store, task.reading, number, upload, kept))
        for number, upload in enumerate(task.uploads)
    ]
    surveys, aside = surveyed(lambda: reader, openers)
    joined = reader.join(surveys)
    _desk.tell("score")
    held = held_of(joined, ruleset(task.rules), task.track, aside)
    photos = [
        StoredPhoto(number, kept[view.photo.sha256], view.photo.width, view.photo.height)
        for number, view in enumerate(joined.views)
    ]
    return Outcome(corrected(held).to_json(), held.to_json(), tuple(photos))


def opened(store: PhotoStore, reading: str, number: int, upload: Upload, kept: dict[str, str]) -> Photo:
    """A photo, which from now on is in the store, without what its file told of place and time."""
    key = photo_key(reading, number)
    if upload.file is None:
        photo = Photo.from_bytes(store.get(key), upload.name)
    else:
        photo = Photo.from_path(upload.file, upload.name)
        store.put(key, photo.pixels)
    kept.setdefault(photo.sha256, key)
    return photo


@cache
def _reader() -> Reader:
    return Reader(tell=_desk.tell)


@lru_cache(maxsize=1)
def _references(state: tuple[tuple[str, str | int], ...]) -> References:
    """What was taught, as long as its state is the same."""
    return References(_desk.taught.all(), _reader().classifier.metadata["classes"])
