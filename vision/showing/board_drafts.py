"""Boards during enrolment: the places a person has pointed at, kept until the board is finished or discarded.

Each picture of a game has a folder in `board-drafts` in the user's data folder, with the photo, upright and no larger
than needed, and the places.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import cv2
import numpy as np
from pydantic import BaseModel, ValidationError

from vision.arrays import Image
from vision.enrolment.durable import write_durably
from vision.enrolment.store import check_name, resolve_data_folder
from vision.errors import EnrolmentError
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
