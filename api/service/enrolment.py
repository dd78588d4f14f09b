"""Enrolment over HTTP, done in the reader processes, since it needs the nets.

A client names a photo of a wonder by the id in the answer about it, so that pixels come only from the photo as
uploaded.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import Any

from sqlalchemy.exc import OperationalError

from api.documents.forms import parse_report_json
from api.enrolment.tiles import enrol_photo, enrol_report
from api.enrolment.wonders import find_wonder
from api.errors import build_error_document
from api.games.registry import find_game_of
from api.server.tokens import generate_id
from api.service import worker
from api.store.photos import PhotoStore
from api.store.unavailable import build_storage_error
from scoring.carcassonne.board.notation import parse_notation
from scoring.carcassonne.tiles.geometry import Square
from vision.enrolling.tiles import BoardEnrolment
from vision.enrolment.prints import Enrolment
from vision.errors import EnrolmentError, WondertallyError
from vision.photo.decoding import Photo
from vision.reader import Reader

MAX_PRINTS = 64
"""Maximum number of prints kept, of about 60 KiB each. Bounds memory."""
KEPT_SECONDS = 2 * 3600.0
"""Seconds that a print is kept while a person edits the layout. A guess."""

Squares = tuple[Square, ...]


@dataclass(frozen=True, slots=True)
class EnrolmentJob:
    """An uploaded photo (`file`) with its board, or a reading's report with the key of its stored photo."""

    name: str
    file: Path | None = None
    photo_name: str = ""
    board: str = ""
    report: str = ""
    photo_key: str = ""
    photos_url: str = ""


@dataclass(frozen=True, slots=True)
class EnrolmentOutcome:
    """The name of a new enrolment with the squares that were read differently until then, or the error."""

    name: str = ""
    otherwise: tuple[Square, ...] = ()
    error: dict[str, Any] | None = None


def run_enrolment_job(desk: int, job: EnrolmentJob) -> EnrolmentOutcome:
    """Enrol the tiles of a job and store them; an error is returned, not raised."""
    try:
        enrolled = _enrol(worker.prepare_reader(desk), job)
        worker.get_enrolment_store().save(enrolled.enrolment)
    except WondertallyError as error:
        return EnrolmentOutcome(error=build_error_document(error)["error"])
    except OperationalError as error:
        return EnrolmentOutcome(error=build_error_document(build_storage_error("database", error))["error"])
    return EnrolmentOutcome(enrolled.enrolment.name, enrolled.otherwise)


@dataclass(frozen=True, slots=True)
class WonderJob:
    """A wonder's id, and the photo (`file`) in which to find it."""

    wonder: str
    file: Path
    photo_name: str


@dataclass(frozen=True, slots=True)
class WonderOutcome:
    """The entry of the layout as read, the wonder's squares in the photo, and their prints; or the error."""

    entry: dict[str, Any] = field(default_factory=dict)
    quads_px: tuple[list[list[float]] | None, ...] = ()
    squares: tuple[Square, ...] = ()
    art: Enrolment | None = None
    error: dict[str, Any] | None = None


def run_wonder_job(desk: int, job: WonderJob) -> WonderOutcome:
    """Find a wonder in a photo; an error is returned, not raised."""
    try:
        found = find_wonder(job.wonder, Photo.from_path(job.file, job.photo_name), worker.prepare_reader(desk))
    except WondertallyError as error:
        return WonderOutcome(error=build_error_document(error)["error"])
    quads = tuple(None if quad is None else quad.tolist() for quad in found.quads_px)
    return WonderOutcome(dict(found.layout.entry), quads, found.layout.squares, found.art)


def _enrol(reader: Reader, job: EnrolmentJob) -> BoardEnrolment:
    if job.file is None:
        photo = Photo.from_bytes(PhotoStore(job.photos_url).get(job.photo_key), job.photo_name)
        report = parse_report_json(job.report)
        return enrol_report(job.name, find_game_of(report).require_tiles(report), photo, None)
    board = parse_notation(job.board)
    if not board.tiles:
        raise EnrolmentError("nothing_to_enrol")
    return enrol_photo(reader, job.name, Photo.from_path(job.file, job.photo_name), board)


class WonderPrints:
    """Prints held by this process, newest last, under unguessable names."""

    def __init__(self) -> None:
        self._prints = OrderedDict[str, tuple[float, str, Squares, Enrolment]]()
        self._lock = Lock()

    def add(self, wonder: str, squares: Squares, art: Enrolment) -> str:
        """Add the prints of a wonder's squares in the order of `squares`; return their name."""
        name = generate_id()
        with self._lock:
            self._prints[name] = (time.monotonic(), wonder, squares, art)
            while len(self._prints) > MAX_PRINTS:
                self._prints.popitem(last=False)
        return name

    def get(self, name: str, wonder: str, squares: Squares) -> Enrolment:
        """Return the prints of a name.

        Raises EnrolmentError `print_gone` for a name that is unknown or has expired, and `wonder_not_seen` for prints
        of another wonder or of other squares.
        """
        with self._lock:
            added, *about, art = self._prints.get(name, (float("-inf"), "", (), None))
        if art is None or time.monotonic() - added > KEPT_SECONDS:
            raise EnrolmentError("print_gone")
        if about != [wonder, squares]:
            raise EnrolmentError("wonder_not_seen", details={"wonder": wonder})
        return art
