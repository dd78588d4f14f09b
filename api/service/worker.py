"""Worker process that turns photos into a report; its nets are loaded once and kept."""

from __future__ import annotations

import hashlib
import logging
import os
import signal
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from ctypes import Array, c_ubyte
from dataclasses import asdict, dataclass, field
from functools import cache, lru_cache, partial
from pathlib import Path
from threading import Thread
from typing import Any

import numpy as np
from structlog.contextvars import bound_contextvars

from api.documents.corrections import CORRECTIONS
from api.documents.forms import AnyReport
from api.documents.table_options import build_reading_options
from api.errors import build_error_document
from api.games.recognition import OnceOpened
from api.games.registry import build_snapshot_report, find_game, find_game_of
from api.reading.process_start import end_with_parent
from api.reading.tools import STAGES, WHICH_GAME, ReadingTools
from api.server import logs
from api.spots.tables import Tables
from api.store.database import create_database_engine
from api.store.enrolments import EnrolmentStore
from api.store.photos import PhotoStore, build_photo_key
from api.store.readings import StoredPhoto
from api.store.unavailable import PassingError, build_storage_error, find_passing_error
from scoring.carcassonne.wonders.files import read_wonder
from scoring.carcassonne.wonders.tiles import WonderLayout
from vision.enrolment.score_boards import ScoreBoards, ScoreTokens
from vision.enrolment.wonders import EnrolledWonders, find_damaged_wonders, load_wonder_art, load_wonders_in_force
from vision.errors import PhotoError, ReadingError, WondertallyError
from vision.photo.decoding import Photo
from vision.photo.pyramid import Halves
from vision.reader import Reader
from vision.score_board.detector import ScoreBoardFinder
from vision.score_track.token_detector import TokenFinder
from vision.squares.print_matching import References

DESK_BYTES = 2
"""Bytes of a desk: the stage, and whether it waits for the storage."""
_IGNORED_SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")

log = logging.getLogger("wondertally")


@dataclass(frozen=True, slots=True)
class Upload:
    """An uploaded photo: its temporary file (None: it is in the store), and its file name."""

    file: Path | None
    name: str

    def compute_sha256(self) -> str:
        """Return the SHA-256 of the temporary file."""
        assert self.file is not None
        with self.file.open("rb") as opened:
            return hashlib.file_digest(opened, "sha256").hexdigest()


def delete_uploads(uploads: Sequence[Upload]) -> None:
    """Delete the files of photos that will not be read."""
    for upload in uploads:
        if upload.file:
            upload.file.unlink(missing_ok=True)


@dataclass(frozen=True, slots=True)
class Task:
    """A reading to be done; `photos_url` is the place of the photos of the database with the id `database`.

    `request` is the id of the request for it. `corrections`, as JSON, are applied to its report. Without a `game` it is
    recognised. `wonders` are entries of wonder files that override enrolments.
    """

    reading: str
    uploads: tuple[Upload, ...]
    rules: str
    track: dict[str, int]
    photos_url: str
    database: str
    request: str = ""
    corrections: tuple[Any, ...] = ()
    game: str = ""
    wonders: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class Figures:
    """Figures of a reading for the metrics: seconds by stage, and the number of doubts of each kind."""

    stages: Mapping[str, float] = field(default_factory=dict)
    doubtful: bool = False
    doubts: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def from_report(cls, report: AnyReport) -> Figures:
        """Take the figures from a new report."""
        stages = {stage: round(spent / 1000, 4) for stage, spent in report.timing_ms.items() if stage != "total"}
        return cls(stages, report.doubtful, dict(Counter(find_game_of(report).list_doubt_kinds(report))))


@dataclass(frozen=True, slots=True)
class Outcome:
    """Outcome of a reading: the report and the snapshot as JSON, and the photos in the report's order; or the error."""

    report: str = ""
    snapshot: str = ""
    photos: tuple[StoredPhoto, ...] = ()
    error: dict[str, Any] | None = None
    figures: Figures = field(default_factory=Figures)


@dataclass(frozen=True, slots=True)
class EnrolmentPlaces:
    """Places of enrolments: a database, and a folder of this machine."""

    database: str
    folder: Path

    @property
    def games(self) -> Path:
        """This machine's folder of games with printed boards."""
        return self.folder.parent / "games"

    @property
    def score_boards(self) -> Path:
        """This machine's folder of score boards."""
        return self.folder.parent / "score-boards"

    @property
    def score_tokens(self) -> Path:
        """This machine's folder of tokens of points."""
        return self.folder.parent / "score-tokens"

    @property
    def wonders(self) -> Path:
        """This machine's folder of layouts of wonders."""
        return self.folder.parent / "wonders"


class _Desk:
    """This process's desk, where it reports its stage (which never goes back), and its stores of enrolments."""

    stages: Array[c_ubyte] = (c_ubyte * DESK_BYTES)()
    enrolled: EnrolmentStore
    score_boards: ScoreBoards
    score_tokens: ScoreTokens
    wonders: EnrolledWonders
    tables: Tables
    number = 0

    def tell(self, stage: str) -> None:
        if stage in STAGES:
            place = DESK_BYTES * self.number
            self.stages[place] = max(self.stages[place], STAGES.index(stage))

    @contextmanager
    def reach_storage(self) -> Iterator[None]:
        """Mark the storage as in use: a photo is not to blame if that takes too long or is away.

        Raises PassingError.
        """
        place = DESK_BYTES * self.number + 1
        self.stages[place] = 1
        try:
            yield
        except Exception as error:
            if (passing := find_passing_error(error)) is None:
                raise
            raise PassingError(passing.code) from error
        finally:
            self.stages[place] = 0


_desk = _Desk()


def set_up_worker(stages: Array[c_ubyte], enrolled: EnrolmentPlaces, lines: logs.Lines) -> None:
    """Set up this process at its start, with the bytes of all desks and the places of enrolments."""
    set_up_process()
    logs.configure_logging(lines)
    _desk.stages, _desk.enrolled = stages, EnrolmentStore(create_database_engine(enrolled.database), enrolled.folder)
    _desk.score_boards, _desk.score_tokens = ScoreBoards(enrolled.score_boards), ScoreTokens(enrolled.score_tokens)
    _desk.wonders = EnrolledWonders(enrolled.wonders)
    _desk.tables = Tables(enrolled.games)


def set_up_process() -> None:
    """Let only the server decide when this process ends, and end it with the server."""
    ignore_group_signals()
    Thread(target=end_with_parent, daemon=True).start()


def ignore_group_signals() -> None:
    """Ignore signals sent to the whole process group: only the server decides when a reader ends."""
    for name in _IGNORED_SIGNALS:
        if (number := getattr(signal, name, None)) is not None:
            signal.signal(number, signal.SIG_IGN)


def take_desk(desk: int) -> None:
    """Let this process report its progress at a desk."""
    _desk.number = desk


def reach_storage() -> AbstractContextManager[None]:
    """Mark the storage as in use by this process's desk; raises PassingError if it is away."""
    return _desk.reach_storage()


def get_enrolment_store() -> EnrolmentStore:
    """Return the store of enrolments of a process that was set up."""
    return _desk.enrolled


def check_nets() -> int:
    """Load and try the nets on a grey picture, which shows no board; return this process's id, or raise what fails."""
    grey = Photo(Halves(np.full((480, 640, 3), 128, np.uint8)), "grey", "", 0.0)
    try:
        _get_reader().look(grey)
    except ReadingError as error:
        if error.code != "board_not_found":
            raise
    return os.getpid()


def prepare_reader(desk: int) -> Reader:
    """Prepare the reader with all present enrolments, for work at a desk."""
    take_desk(desk)
    reader = _get_reader()
    reader.square_reader.prints = _load_references(_desk.enrolled.state(), _desk.wonders.state())
    reader.surveyor.score_boards = _load_score_boards(_desk.score_boards.state())
    reader.track_reader.tokens = _load_score_tokens(_desk.score_tokens.state())
    reader.board_tiles.wonders = _load_wonders(_desk.wonders.state())
    reader.damaged_wonders = find_damaged_wonders(reader.board_tiles.wonders, _desk.wonders)
    return reader


def read_task_photos(desk: int, task: Task) -> Outcome:
    """Read the photos of a task; an error of the photos is returned, not raised.

    Raises PassingError if they have to be read again later.
    """
    ids = {"reading": task.reading, "request": task.request}
    with bound_contextvars(**{name: value for name, value in ids.items() if value}):
        try:
            outcome = _read(desk, task)
        except PassingError:
            _unbegin(task)
            raise
        except WondertallyError as error:
            log.info("photos_not_read", extra={"photos": len(task.uploads), "code": error.code})
            return Outcome(error=build_error_document(error)["error"])
        except Exception:
            log.exception("fault")
            raise
        log.info("photos_read", extra={"photos": len(task.uploads), **asdict(outcome.figures)})
        return outcome


def open_photo_store(url: str, database: str) -> PhotoStore:
    """Open the store of photos, bound to its database so that no other place is mistaken for it."""
    store = PhotoStore(url)
    store.bind(database)
    return store


def _unbegin(task: Task) -> None:
    """Remove from the store the photos that are still here as uploaded, so that the reading counts as waiting."""
    with suppress(PassingError), _desk.reach_storage():
        store = open_photo_store(task.photos_url, task.database)
        for number, upload in enumerate(task.uploads):
            if upload.file is not None:
                store.remove(build_photo_key(task.reading, number))


def _read(desk: int, task: Task) -> Outcome:
    take_desk(desk)
    with _desk.reach_storage():
        store, keys = open_photo_store(task.photos_url, task.database), dict[str, str]()
    openers = [
        (upload.name, partial(open_and_store_photo, store, task.reading, number, upload, keys))
        for number, upload in enumerate(task.uploads)
    ]
    if task.game:
        _desk.tell(find_game(task.game).stages[0])
    elif _desk.tables.any_enrolled:
        _desk.tell(WHICH_GAME)
    photos = OnceOpened(openers)
    game = photos.choose_game(task.game or None, _desk.tables)
    tools = ReadingTools(_desk.tables, cache(partial(reach_reader, desk, task.wonders)), _desk.tell)
    corrections = CORRECTIONS.validate_python(task.corrections)
    snapshot = game.read(photos.openers, tools, build_reading_options(task.rules, corrections, task.track))
    stored = [
        StoredPhoto(number, keys[photo.sha256], photo.width, photo.height)
        for number, photo in enumerate(snapshot.photos)
    ]
    report = build_snapshot_report(snapshot, corrections)
    return Outcome(report.to_json(), snapshot.to_json(), tuple(stored), figures=Figures.from_report(report))


def reach_reader(desk: int, wonders: Sequence[Mapping[str, Any]] = ()) -> Reader:
    """Prepare the reader for work at a desk, with layouts of wonders; raises PassingError if the storage is away."""
    with _desk.reach_storage():
        reader = prepare_reader(desk)
    if wonders:
        sent = {layout.id: layout for layout in map(read_wonder, wonders)}
        reader.board_tiles.wonders = {**reader.board_tiles.wonders, **sent}
        reader.damaged_wonders = tuple(id for id in reader.damaged_wonders if id not in sent)
        reader.square_reader.prints = _build_references(reader.board_tiles.wonders)
    return reader


def open_and_store_photo(store: PhotoStore, reading: str, number: int, upload: Upload, keys: dict[str, str]) -> Photo:
    """Open a photo and store it without its file's metadata."""
    key = build_photo_key(reading, number)
    with _desk.reach_storage():
        data = store.get(key) if upload.file is None else _read_upload(upload.file)
    photo = Photo.from_bytes(data, upload.name)
    if upload.file is not None:
        with _desk.reach_storage():
            store.put(key, photo.pixels)
    keys.setdefault(photo.sha256, key)
    return photo


def _read_upload(file: Path) -> bytes:
    """Read an upload; raises PhotoError if it is gone, ServerError if it cannot be read."""
    try:
        return file.read_bytes()
    except FileNotFoundError as error:
        if not file.parent.exists():  # the disk is gone with all files on it
            raise build_storage_error("uploads", error) from error
        raise PhotoError("photo_not_found") from error
    except OSError as error:
        raise build_storage_error("uploads", error) from error


@cache
def _get_reader() -> Reader:
    return Reader(tell=_desk.tell)


@lru_cache(maxsize=1)
def _load_references(state: tuple[tuple[str, str | int], ...], wonders: tuple[tuple[str, int], ...]) -> References:
    """Load the references of enrolled tiles and wonders, once for each state of their stores."""
    return _build_references(_load_wonders(wonders))


def _build_references(layouts: Mapping[str, WonderLayout]) -> References:
    """Build the references of all enrolments, except prints of wonders whose layout in force has other squares."""
    art = load_wonder_art(layouts, _desk.wonders)
    return References([*_desk.enrolled.all(), *art], _get_reader().classifier.metadata["classes"])


@lru_cache(maxsize=1)
def _load_score_boards(state: tuple[tuple[str, int], ...]) -> ScoreBoardFinder:
    """Load the finder of the enrolled score boards, once for each state of the store."""
    return ScoreBoardFinder(_desk.score_boards.all())


@lru_cache(maxsize=1)
def _load_score_tokens(state: tuple[tuple[str, int], ...]) -> TokenFinder:
    """Load the finder of the enrolled tokens of points, once for each state of the store."""
    return TokenFinder(_desk.score_tokens.all())


@lru_cache(maxsize=1)
def _load_wonders(state: tuple[tuple[str, int], ...]) -> Mapping[str, WonderLayout]:
    """Load the layouts of wonders in force, once for each state of the store."""
    return load_wonders_in_force(_desk.wonders)
