"""Photos named by an argument of a command."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from api.inputs.text import find_report_photos
from vision.errors import InputError, PhotoError

if TYPE_CHECKING:
    from vision.photo.decoding import Photo


def open_photo(path: Path) -> Photo:
    """Open the photo of that name; raises PhotoError, and InputError `report_for_photo` if the file is a report."""
    from vision.photo.decoding import Photo

    try:
        return Photo.from_path(path)
    except PhotoError as error:
        if error.code != "not_an_image" or (photos := find_report_photos(path)) is None:
            raise
        raise InputError("report_for_photo", details={"file": str(path), "photos": photos}) from error
