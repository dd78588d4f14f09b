"""Work of a batch's worker, which may be on another machine: it hashes photos and reads tables."""

from __future__ import annotations

import faulthandler
import os
import stat
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache, partial
from hashlib import sha256
from threading import Lock
from typing import Any, BinaryIO

import cv2
import numpy as np

from api.batch.worker_identity import Identity, compare_identities, compute_identity
from api.documents.corrections import CORRECTIONS
from api.documents.forms import GameSnapshot
from api.documents.table_options import TableOptions, build_reading_options
from api.errors import CorrectionError, TrackError, build_error_document
from api.games.recognition import OnceOpened
from api.games.registry import build_snapshot_report
from api.reading.tools import ReadingTools
from api.spots.tables import Tables
from api.tournament.errors import PassingError
from api.tournament.names import unescape_name
from scoring.errors import ScoringError
from scoring.spots.components import ComponentsError
from vision.enrolment.prints import Enrolments
from vision.enrolment.wonders import find_damaged_wonders, load_wonder_art, load_wonders_beside
from vision.errors import InputError, PhotoError, ReadingError
from vision.photo.decoding import MAX_BYTES, Photo
from vision.reader import Reader
from vision.squares.print_matching import References

TaskResult = dict[str, Any]
Work = Callable[..., TaskResult]

THUMBNAIL_PX = 320
"""Longer side of a photo's thumbnail in the summary, in pixels. A guess."""
MAX_TASK_SECONDS = 600.0
"""Seconds after which a task counts as hung: its process exits, and another worker tries the task. A guess."""

_one_at_a_time = Lock()
_nowhere = os.open(os.devnull, os.O_WRONLY)


def attempt_work(wanted: Identity, function: Work, *arguments: Any) -> TaskResult:
    """Call a function, one at a time in a process and within the time limit, and return its result.

    The result is `unfit`, with the differing parts or missing files, if this process is not the one wanted; no work was
    done then. A bug in the program gives the error `reading_failed`.
    """
    try:
        if differing := compare_identities(compute_identity(), wanted):
            return {"unfit": differing}
        with _one_at_a_time, _limit_seconds(MAX_TASK_SECONDS):
            return function(*arguments)
    except (InputError, ImportError) as error:
        return {"unfit": str(error)}
    except Exception as error:  # whatever it is, the other photos still have to be read
        return PassingError("reading_failed", details={"reason": f"{type(error).__name__}: {error}"}).as_dict()


@contextmanager
def _limit_seconds(seconds: float) -> Iterator[None]:
    """Exit the process after these seconds; this also works while a library hangs."""
    faulthandler.dump_traceback_later(seconds, exit=True, file=_nowhere)
    try:
        yield
    finally:
        faulthandler.cancel_dump_traceback_later()


def hash_photos(folder: str, names: tuple[str, ...]) -> TaskResult:
    """Hash photos: return their SHA-256 by name as `contents`, and as `errors` why others cannot be opened."""
    result: TaskResult = {"contents": {}, "errors": {}}
    for name in names:
        try:
            result["contents"][name] = sha256(read_photo_bytes(folder, name)).hexdigest()
        except PhotoError as error:
            result["errors"][name] = error.as_dict()["error"]
    return result


def read_table(
    folder: str,
    photos: tuple[tuple[str, str], ...],
    rules: str,
    corrections: str,
    game: str = "",
    wonders: tuple[str, ...] = (),
) -> TaskResult:
    """Read the photos of one table; return `held` and `report`, or `error`, and a `thumbnail` (JPEG, base64) of the
    first.

    `photos` are names, each with the SHA-256 it had when it was listed. `passing` are errors, by name, of photos that
    another run may be able to open: the result covers the other photos, the `contents`. `corrections` is JSON, for
    example of the players' names; if they contradict the reading, the result is that error, and `held` is present
    nonetheless. Without a `game` it is recognised. `wonders` are the texts of wonder files; files configured on the
    worker itself are ignored. Raises InputError if the worker cannot read at all, which says nothing about the photos.
    """
    opened: list[Photo] = []
    result: TaskResult = {"by": "{program} {weights}".format(**compute_identity()), "said": corrections, "passing": {}}
    try:
        openers = [
            (name, partial(_open_photo, folder, name, digest, opened, result["passing"])) for name, digest in photos
        ]
        options = build_reading_options(rules, CORRECTIONS.validate_json(corrections))
        snapshot = _read_snapshot(OnceOpened(openers), options, game, wonders, result["passing"])
        result |= {"held": snapshot.to_json()} | score_snapshot(snapshot, corrections)
    except (PhotoError, ReadingError, ComponentsError) as error:
        result |= build_error_document(error)
    result["contents"] = [digest for name, digest in photos if name not in result["passing"]]
    return result | ({"thumbnail": _encode_thumbnail(opened[0])} if opened else {})


def _read_snapshot(
    table: OnceOpened, options: TableOptions, game: str, wonders: tuple[str, ...], passing: Mapping[str, Any]
) -> GameSnapshot:
    """Read the snapshot of a table; photos that another run may be able to open are not listed as set aside."""
    tools = ReadingTools(_get_tables(), partial(_prepare_reader, wonders))
    chosen = table.choose_game(game or None, tools.tables)
    snapshot = chosen.read(table.openers, tools, options)
    set_aside = tuple(photo for photo in snapshot.set_aside if photo.file not in passing)
    return snapshot.model_copy(update={"set_aside": set_aside})


def score_snapshot(snapshot: GameSnapshot, corrections: str) -> TaskResult:
    """Score a snapshot with corrections (JSON): return `report`, or the `error` if they contradict each other."""
    try:
        return {"report": build_snapshot_report(snapshot, CORRECTIONS.validate_json(corrections)).to_json()}
    except (CorrectionError, TrackError, ScoringError) as error:
        return build_error_document(error)


def _open_photo(folder: str, name: str, digest: str, opened: list[Photo], passing: dict[str, Any]) -> Photo:
    try:
        data = read_photo_bytes(folder, name)
        if sha256(data).hexdigest() != digest:
            raise PassingError("photo_changed", details={"file": name})
    except PhotoError as error:
        passing[name] = error.as_dict()["error"]
        raise
    photo = Photo.from_bytes(data, name)
    if not opened:
        opened.append(photo)
    return photo


def read_photo_bytes(folder: str, name: str) -> bytes:
    """Read a photo's bytes, at most one more than the size limit; raises PhotoError."""
    from fsspec.core import url_to_fs
    from fsspec.implementations.local import LocalFileSystem

    try:
        files, root = url_to_fs(folder)
        path = f"{root.rstrip('/')}/{unescape_name(name)}"
        with _open_regular(path) if isinstance(files, LocalFileSystem) else files.open(path, "rb") as file:
            data: bytes = file.read(MAX_BYTES + 1)
    except FileNotFoundError as error:
        raise PhotoError("photo_not_found", details={"file": name}) from error
    except ImportError:
        raise
    except Exception as error:  # every kind of file system has its own errors
        details = {"file": name, "reason": str(error) or type(error).__name__}
        raise PhotoError("photo_unreadable", details=details) from error
    return data


@contextmanager
def _open_regular(path: str) -> Iterator[BinaryIO]:
    """Open a regular file, following links; raises OSError for a pipe, socket or device, which might block forever."""
    with open(path, "rb", opener=lambda name, flags: os.open(name, flags | getattr(os, "O_NONBLOCK", 0))) as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError("it is no regular file")
        yield file


def _encode_thumbnail(photo: Photo) -> str:
    small, _ = photo.halves.shrunk(THUMBNAIL_PX / max(photo.width, photo.height))
    _, data = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, 80])
    return b64encode(np.asarray(data).tobytes()).decode()


@cache
def _get_tables() -> Tables:
    """Return the games whose boards are enrolled on this machine."""
    return Tables()


def _prepare_reader(wonders: tuple[str, ...]) -> Reader:
    """Prepare the process's reader for a batch with these texts of wonder files."""
    reader = _get_reader()
    reader.board_tiles.wonders = _load_wonders(wonders)
    reader.damaged_wonders = find_damaged_wonders(reader.board_tiles.wonders)
    reader.square_reader.prints = _load_references(wonders)
    return reader


_load_wonders = cache(load_wonders_beside)


@cache
def _load_references(texts: tuple[str, ...]) -> References:
    art = load_wonder_art(_load_wonders(texts))
    return References([*Enrolments().all(), *art], _get_reader().classifier.metadata["classes"])


@cache
def _get_reader() -> Reader:
    """Return the process's reader, limited to one core: there is one process for each core."""
    cv2.setNumThreads(1)
    return Reader.load_enrolled(threads=1)
