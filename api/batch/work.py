"""What is done on a worker, which may be on another machine: a photo's content is told, photos become a report."""

from __future__ import annotations

from base64 import b64encode
from functools import cache, partial
from hashlib import sha256
from importlib.metadata import version
from typing import Any

import cv2
import numpy as np

from api.answers import error_document
from api.corrections import CORRECTIONS, corrected
from api.errors import CorrectionError, TrackError
from api.held import Held, held_of
from api.together import surveyed
from scoring.carcassonne.rulesets import ruleset
from scoring.errors import ScoringError
from vision.enrolments import Enrolments
from vision.errors import InputError, PhotoError, ReadingError
from vision.nets import MODELS
from vision.photo import MAX_BYTES, Photo
from vision.reader import Reader

THUMBNAIL = 320
"""The longer side of a photo's picture in the summary, in pixels."""
PASSING = ("photo_not_found", "photo_unreadable")
"""Errors that a next run may not meet: they are told, and tried again."""


@cache
def identity() -> str:
    """Which program and which weights a worker has, as `0.1.0 1f6c...`; raises InputError `models_missing`."""
    files = sorted(MODELS.glob("*.onnx"))
    if not files:
        raise InputError("models_missing", details={"folder": MODELS.name})
    weights = sha256()
    for file in files:
        weights.update(file.name.encode() + sha256(file.read_bytes()).digest())
    return f"{version('wondertally')} {weights.hexdigest()[:16]}"


def content_of(folder: str, name: str) -> dict[str, Any]:
    """The SHA-256 of a photo as `sha256`, or the `error` that keeps it from being opened; and `by` whom."""
    try:
        return {"by": identity(), "sha256": sha256(bytes_of(folder, name)).hexdigest()}
    except PhotoError as error:
        return {"by": identity(), **error.as_dict()}


def read_table(folder: str, names: tuple[str, ...], rules: str, said: str) -> dict[str, Any]:
    """Photos of one table as `held` and `report`, or `error`, `by` whom; `thumbnail` (JPEG, base64) of the first.

    `said` are corrections (JSON), of the players' names for example: where they do not go with what was read, that is
    the error, and `held` is there all the same. Raises InputError where the worker cannot read at all, which says
    nothing of the photos.
    """
    opened: list[Photo] = []
    told: dict[str, Any] = {"by": identity(), "said": said}
    try:
        surveys, aside = surveyed(_reader, [(name, partial(_opened, folder, name, opened)) for name in names])
        held = held_of(_reader().join(surveys), ruleset(rules), set_aside=aside)
        told |= {"held": held.to_json()} | scored(held, said)
    except (PhotoError, ReadingError) as error:
        told |= error_document(error)
    return told | ({"thumbnail": _thumbnail(opened[0])} if opened else {})


def scored(held: Held, said: str) -> dict[str, Any]:
    """What was read with corrections as `report`, or the `error` that keeps them from going together."""
    try:
        return {"report": corrected(held, CORRECTIONS.validate_json(said)).to_json()}
    except (CorrectionError, TrackError, ScoringError) as error:
        return error_document(error)


def _opened(folder: str, name: str, opened: list[Photo]) -> Photo:
    photo = Photo.from_bytes(bytes_of(folder, name), name)
    if not opened:
        opened.append(photo)
    return photo


def bytes_of(folder: str, name: str) -> bytes:
    """A photo's bytes, one more than are read of too large a one; raises PhotoError."""
    from fsspec.core import url_to_fs

    try:
        files, root = url_to_fs(folder)
        with files.open(f"{root.rstrip('/')}/{name}", "rb") as file:
            data: bytes = file.read(MAX_BYTES + 1)
    except FileNotFoundError as error:
        raise PhotoError("photo_not_found", details={"file": name}) from error
    except OSError as error:
        raise PhotoError("photo_unreadable", details={"file": name}) from error
    return data


def _thumbnail(photo: Photo) -> str:
    scale = THUMBNAIL / max(photo.width, photo.height)
    small = cv2.resize(photo.pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    _, data = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, 80])
    return b64encode(np.asarray(data).tobytes()).decode()


@cache
def _reader() -> Reader:
    """One for the process, on one core: as many processes work side by side as there are cores."""
    cv2.setNumThreads(1)
    return Reader(enrolments=Enrolments().all(), threads=1)
