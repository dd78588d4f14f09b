"""Photos with their report drawn over them, for any game."""

from __future__ import annotations

from pathlib import Path

from api.documents.forms import AnyReport
from api.games.registry import find_game_of
from api.render.drawing import write_picture
from vision.arrays import Image as Pixels


def annotate_photo(pixels: Pixels, report: AnyReport, photo: int = 0) -> Pixels:
    """Draw the report over the photo (h, w, 3) BGR of that number, with a legend that makes the picture taller.

    A report of tiles uses the pixels of its own main photo.
    """
    return find_game_of(report).annotate_photo(pixels, report, photo)


def write_annotated_photo(path: Path, pixels: Pixels, report: AnyReport, photo: int = 0) -> None:
    """Write the annotated photo as JPEG or PNG, by the file's suffix; raises InputError."""
    write_picture(path, annotate_photo(pixels, report, photo))
