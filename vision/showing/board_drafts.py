"""Boards during enrolment: the places a person has pointed at, kept until the board is finished or discarded.

Each picture of a game has a folder in `board-drafts` in the user's data folder, with the photo, upright and no larger
than needed, and the places. The
shapes of a game's tiles while a person draws them lie in the folder `shapes` beside them.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import cv2
import numpy as np
from pydantic import BaseModel, Field, ValidationError

from scoring.spots.components import MAX_TILE_SHAPES, MAX_TILE_SIDE
from vision.arrays import Image
from vision.enrolment.durable import write_durably
from vision.enrolment.store import check_name, resolve_data_folder
from vision.errors import EnrolmentError
from vision.flat_boards.layout import Part, PhotoSize, PixelPoint
from vision.photo.crops import scale_image
from vision.showing.draft import BoardDraft

PHOTO, STRAIGHT, DRAFT = "photo.jpg", "straight.jpg", "draft.json"
MAX_PHOTO_PX = 4000
"""Longer side of a photo that is kept: the picture of a board has 1400 pixels. Bounds memory."""


class BoardDrafts:
    """The drafts in a folder, which need not exist. Raises EnrolmentError for files that cannot be read or written."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or resolve_data_folder() / "board-drafts"

    def names(self, game: str) -> list[str]:
        """Return the names of the pictures of a game that are being enrolled."""
        return sorted(file.parent.name for file in (self.folder / game).glob(f"*/{DRAFT}"))

    def load(self, game: str, picture: str) -> BoardDraft:
        """Load a draft; raises `no_such_enrolment`, `bad_enrolment`."""
        file = self._find_folder(game, picture) / DRAFT
        if not file.is_file():
            raise EnrolmentError("no_such_enrolment", details={"name": picture, "known": self.names(game)})
        try:
            return BoardDraft.model_validate_json(file.read_bytes())
        except (OSError, ValidationError) as error:
            raise EnrolmentError("bad_enrolment", details={"name": picture, "file": str(file)}) from error

    def load_picture(self, game: str, picture: str, straight: bool = False) -> bytes:
        """Load the JPEG of a draft's photo, or of its straightened board; raises `no_such_enrolment`."""
        file = self._find_folder(game, picture) / (STRAIGHT if straight else PHOTO)
        try:
            return file.read_bytes()
        except OSError as error:
            raise EnrolmentError("no_such_enrolment", details={"name": picture, "known": self.names(game)}) from error

    def load_pixels(self, game: str, picture: str, straight: bool = False) -> Image:
        """Load the (h, w, 3) photo or straightened board; raises `no_such_enrolment`, `bad_enrolment`."""
        pixels = cv2.imdecode(np.frombuffer(self.load_picture(game, picture, straight), np.uint8), cv2.IMREAD_COLOR)
        if pixels is None:
            file = self._find_folder(game, picture) / (STRAIGHT if straight else PHOTO)
            raise EnrolmentError("bad_enrolment", details={"name": picture, "file": str(file)})
        return np.asarray(pixels, np.uint8)

    def save(
        self, game: str, picture: str, draft: BoardDraft, photo: Image | None = None, straight: Image | None = None
    ) -> None:
        """Write a draft, and its photo or its straightened board if they changed; raises `cannot_write_enrolment`."""
        save_draft(self._find_folder(game, picture) / DRAFT, draft, {PHOTO: photo, STRAIGHT: straight})

    def forget(self, game: str, picture: str) -> None:
        """Discard a draft, if there is one."""
        folder = self._find_folder(game, picture)
        shutil.rmtree(folder, ignore_errors=True)
        with suppress(OSError):
            folder.parent.rmdir()

    def _find_folder(self, game: str, picture: str) -> Path:
        check_name(game)
        check_name(picture)
        return self.folder / game / picture


def shrink_photo(pixels: Image) -> Image:
    """Return a photo as it is kept: no larger than needed."""
    scale = MAX_PHOTO_PX / max(pixels.shape[:2])
    if scale >= 1:
        return pixels
    return scale_image(pixels, scale)


def encode_photo(pixels: Image) -> bytes:
    """Return a photo (h, w, 3) as JPEG."""
    return np.asarray(cv2.imencode(".jpg", pixels)[1]).tobytes()


def save_draft(file: Path, draft: BaseModel, pictures: Mapping[str, Image | None]) -> None:
    """Write a draft, and those pictures (h, w, 3) that changed, by their files' names.

    Raises EnrolmentError `cannot_write_enrolment`.
    """
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        for name, pixels in pictures.items():
            if pixels is not None:
                write_durably(file.parent / name, encode_photo(pixels))
        write_durably(file, draft.model_dump_json().encode())
    except OSError as error:
        details = {"folder": str(file.parent), "reason": error.strerror}
        raise EnrolmentError("cannot_write_enrolment", details=details) from error


SHAPES, SHAPES_FILE = "shapes", "shapes.json"
MAX_SHAPES, MAX_SIDE = MAX_TILE_SHAPES, MAX_TILE_SIDE
MAX_TEXT = 200
"""Maximum length of a shape's text. Bounds memory."""

ShapeText = Annotated[str, Field(min_length=1, max_length=MAX_TEXT, pattern=r"^[#.]+(/[#.]+)*$", examples=["##/#."])]
"""Squares by rows, separated by `/`: `#` is a square of the tile, `.` is none."""


class DrawnShape(Part):
    """A shape as drawn so far, and the place of such a tile in the photo, in pixels; null if unknown."""

    shape: ShapeText
    at: PixelPoint | None = None


class ShapeDraft(Part):
    """All shapes as drawn so far; `photo_size` is null without a photo."""

    shapes: Annotated[tuple[DrawnShape, ...], Field(max_length=MAX_SHAPES)] = ()
    photo_size: PhotoSize | None = None


class ShapeDrafts:
    """The drafts in a folder, which need not exist. Raises EnrolmentError for files that cannot be read or written."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or resolve_data_folder() / "board-drafts"

    def exists(self, game: str) -> bool:
        """Return whether a draft exists."""
        return (self._find_folder(game) / SHAPES_FILE).is_file()

    def load(self, game: str) -> ShapeDraft | None:
        """Load a draft, None without one; raises `bad_enrolment`."""
        file = self._find_folder(game) / SHAPES_FILE
        if not file.is_file():
            return None
        try:
            return ShapeDraft.model_validate_json(file.read_bytes())
        except (OSError, ValidationError) as error:
            raise EnrolmentError("bad_enrolment", details={"name": SHAPES, "file": str(file)}) from error

    def load_photo(self, game: str) -> bytes:
        """Load the JPEG of the photo; raises `no_such_enrolment`."""
        try:
            return (self._find_folder(game) / PHOTO).read_bytes()
        except OSError as error:
            raise EnrolmentError("no_such_enrolment", details={"name": SHAPES}) from error

    def save(self, game: str, draft: ShapeDraft, photo: Image | None = None) -> None:
        """Write a draft, and the photo (h, w, 3) if it changed; raises `cannot_write_enrolment`."""
        save_draft(self._find_folder(game) / SHAPES_FILE, draft, {PHOTO: photo})

    def forget(self, game: str) -> None:
        """Discard a draft, if there is one."""
        shutil.rmtree(self._find_folder(game), ignore_errors=True)

    def _find_folder(self, game: str) -> Path:
        check_name(game)
        return self.folder / game / SHAPES
