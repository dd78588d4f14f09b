"""Shapes of a game's tiles while a person draws them, kept until they are finished or discarded.

They lie in the folder `shapes` beside the drafts of the game's boards, with a photo of the tiles if there is one.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from scoring.spots.components import MAX_TILE_SHAPES, MAX_TILE_SIDE
from vision.arrays import Image
from vision.enrolment.store import check_name, resolve_data_folder
from vision.errors import EnrolmentError
from vision.flat_boards.layout import PhotoSize, PixelPoint
from vision.showing.board_drafts import PHOTO, save_draft

FOLDER, DRAFT = "shapes", "shapes.json"
MAX_SHAPES, MAX_SIDE = MAX_TILE_SHAPES, MAX_TILE_SIDE
MAX_TEXT = 200
"""Maximum length of a shape's text. Bounds memory."""

ShapeText = Annotated[str, Field(min_length=1, max_length=MAX_TEXT, pattern=r"^[#.]+(/[#.]+)*$", examples=["##/#."])]
"""Squares by rows, separated by `/`: `#` is a square of the tile, `.` is none."""


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class DrawnShape(_Model):
    """A shape as drawn so far, and the place of such a tile in the photo, in pixels; null if unknown."""

    shape: ShapeText
    at: PixelPoint | None = None


class ShapeDraft(_Model):
    """All shapes as drawn so far; `photo_size` is null without a photo."""

    shapes: Annotated[tuple[DrawnShape, ...], Field(max_length=MAX_SHAPES)] = ()
    photo_size: PhotoSize | None = None


class ShapeDrafts:
    """The drafts in a folder, which need not exist. Raises EnrolmentError for files that cannot be read or written."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or resolve_data_folder() / "board-drafts"

    def exists(self, game: str) -> bool:
        """Return whether a draft exists."""
        return (self._find_folder(game) / DRAFT).is_file()

    def load(self, game: str) -> ShapeDraft | None:
        """Load a draft, None without one; raises `bad_enrolment`."""
        file = self._find_folder(game) / DRAFT
        if not file.is_file():
            return None
        try:
            return ShapeDraft.model_validate_json(file.read_bytes())
        except (OSError, ValidationError) as error:
            raise EnrolmentError("bad_enrolment", details={"name": FOLDER, "file": str(file)}) from error

    def load_photo(self, game: str) -> bytes:
        """Load the JPEG of the photo; raises `no_such_enrolment`."""
        try:
            return (self._find_folder(game) / PHOTO).read_bytes()
        except OSError as error:
            raise EnrolmentError("no_such_enrolment", details={"name": FOLDER}) from error

    def save(self, game: str, draft: ShapeDraft, photo: Image | None = None) -> None:
        """Write a draft, and the photo (h, w, 3) if it changed; raises `cannot_write_enrolment`."""
        save_draft(self._find_folder(game) / DRAFT, draft, {PHOTO: photo})

    def forget(self, game: str) -> None:
        """Discard a draft, if there is one."""
        shutil.rmtree(self._find_folder(game), ignore_errors=True)

    def _find_folder(self, game: str) -> Path:
        check_name(game)
        return self.folder / game / FOLDER
