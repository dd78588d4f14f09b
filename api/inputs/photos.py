"""Photos named by an argument of a command, and those that a report was made from."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path

from api.documents.report import PhotoInfo, Report
from api.errors import QuestionError
from api.inputs.text import find_report_photos
from vision.errors import EnrolmentError, InputError, PhotoError
from vision.photo.decoding import SUFFIXES, Photo

_HEAD = 512
"""Bytes of a file inspected for binary content. A guess."""


def open_photo(path: Path) -> Photo:
    """Open the photo of that name; raises PhotoError, and InputError `report_for_photo` if the file is a report."""
    try:
        return Photo.from_path(path)
    except PhotoError as error:
        if error.code != "not_an_image" or (photos := find_report_photos(path)) is None:
            raise
        raise InputError("report_for_photo", details={"file": str(path), "photos": photos}) from error


def is_picture(path: Path) -> bool:
    """Return whether a file is a photo, by its suffix or its first bytes."""
    return path.suffix.lower() in SUFFIXES or _is_binary(path)


def _is_binary(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD)
    except (OSError, ValueError):
        return False
    return b"\0" in head or head.startswith(b"\xff\xd8")


def find_report_photo(report: Report, path: Path, given: Path | None) -> Photo | None:
    """Find the photo that a report was made from: the given one, or one of its name beside the report."""
    if given is not None:
        photo = open_photo(given)
        if report.photo is None or photo.sha256 != report.photo.sha256:
            raise QuestionError("wrong_photo", details={"file": str(given)})
        return photo
    return (
        next((Photo.from_path(file) for file in find_photo_files(report.photo, path)), None) if report.photo else None
    )


def find_all_photos(photos: Sequence[PhotoInfo | None], path: Path, given: Sequence[Path]) -> list[Photo]:
    """Find all photos that a report was made from: the given ones, and others by their names beside the report.

    Raises QuestionError `wrong_photo` for a given photo that is not among them, EnrolmentError `photo_wanted`,
    PhotoError.
    """
    infos = [photo for photo in photos if photo is not None]
    if not infos:
        text = "The report was made from no photo, or does not name it: score the photo itself."
        raise EnrolmentError("photo_wanted", text, {"file": ""})
    opened: dict[str, Photo] = {}
    for file in given:
        photo = open_photo(file)
        if photo.sha256 not in [info.sha256 for info in infos]:
            raise QuestionError("wrong_photo", details={"file": str(file)})
        opened[photo.sha256] = photo
    for info in infos:
        if info.sha256 not in opened and (beside := next(find_photo_files(info, path), None)) is not None:
            opened[info.sha256] = Photo.from_path(beside)
    if missing := [info.file for info in infos if info.sha256 not in opened]:
        raise EnrolmentError("photo_wanted", details={"file": ", ".join(missing)})
    return [opened[info.sha256] for info in infos]


def find_photo_files(photo: PhotoInfo, path: Path) -> Iterator[Path]:
    """Yield the files with a photo's name and content, beside its report or in the working directory."""
    if not photo.file:
        return
    for folder in (path.parent, Path()):
        file = folder / Path(photo.file).name
        if file.is_file() and hashlib.sha256(file.read_bytes()).hexdigest() == photo.sha256:
            yield file
