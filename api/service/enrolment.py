"""Teaching over HTTP: done where readings are done, since the nets look at the photo."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sqlalchemy.exc import OperationalError

from api.enrolment.tiles import enrol_photo, enrol_report
from api.enrolment.wonders import find_wonder
from api.errors import build_error_document
from api.games.registry import find_game_of
from api.games.reports import parse_report_json
from api.service import worker
from api.store.photos import PhotoStore
from api.store.unavailable import build_storage_error
from scoring.carcassonne.board.notation import parse_notation
from scoring.carcassonne.tiles.geometry import Square
from vision.enrolment.prints import Enrolment
from vision.errors import EnrolmentError, WondertallyError
from vision.photo.decoding import Photo
from vision.reader import Reader
from vision.teaching.tiles import BoardEnrolment


@dataclass(frozen=True, slots=True)
class EnrolmentJob:
    """A photo that was sent (`file`) with its board, or a reading's report with the name of its photo in the store."""

    name: str
    file: Path | None = None
    photo_name: str = ""
    board: str = ""
    report: str = ""
    photo_key: str = ""
    photos_url: str = ""


@dataclass(frozen=True, slots=True)
class EnrolmentOutcome:
    """What was taught, by its name, and the squares read otherwise until now; or the error."""

    name: str = ""
    otherwise: tuple[Square, ...] = ()
    error: dict[str, Any] | None = None


def run_enrolment_job(desk: int, job: EnrolmentJob) -> EnrolmentOutcome:
    """Enrol what a job shows and store it; what is wrong is returned, not raised."""
    try:
        taught = _enrol(worker.prepare_reader(desk), job)
        worker.get_enrolment_store().save(taught.enrolment)
    except WondertallyError as error:
        return EnrolmentOutcome(error=build_error_document(error)["error"])
    except OperationalError as error:
        return EnrolmentOutcome(error=build_error_document(build_storage_error("database", error))["error"])
    return EnrolmentOutcome(taught.enrolment.name, taught.otherwise)


@dataclass(frozen=True, slots=True)
class WonderJob:
    """A wonder's id, and the photo (`file`) in which it is to be found."""

    wonder: str
    file: Path
    photo_name: str


@dataclass(frozen=True, slots=True)
class WonderOutcome:
    """The entry of the layout that was read, where the wonder's squares lie in the photo, and their prints; or the
    error."""

    entry: dict[str, Any] = field(default_factory=dict)
    quads_px: tuple[list[list[float]] | None, ...] = ()
    squares: tuple[Square, ...] = ()
    art: Enrolment | None = None
    error: dict[str, Any] | None = None


def run_wonder_job(desk: int, job: WonderJob) -> WonderOutcome:
    """Find a wonder on a photo; what is wrong is returned, not raised."""
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
