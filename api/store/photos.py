"""Photos below one folder, wherever fsspec reaches: JPEGs made from the pixels alone, without any metadata."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import cv2
import fsspec
import numpy as np
from fsspec.implementations.local import LocalFileSystem
from numpy.typing import NDArray
from PIL import Image

from api.server.errors import ServerError
from api.store.unavailable import build_storage_error, guard_configuration, guard_storage, is_storage_full
from vision.enrolment.durable import sync

JPEG_QUALITY = 92
SHOWN_QUALITY = 80
"""Of photos that are made smaller for a screen."""
_REDUCED = ((8, cv2.IMREAD_REDUCED_COLOR_8), (4, cv2.IMREAD_REDUCED_COLOR_4), (2, cv2.IMREAD_REDUCED_COLOR_2))
PART_SUFFIX = ".part"
"""Ends the name of a file that is being written; object stores take a whole object or none."""
MARK = "wondertally-photos.json"
"""The file that tells which database the photos belong to."""
_ID = "[A-Za-z0-9_-]{22}"
_PHOTO = re.compile(rf"{_ID}\.[0-9]+\.jpg")
_LEFT_OVER = re.compile(rf"{_ID}\.([0-9]+\.jpg|probe)\.part|{_ID}\.probe|{re.escape(MARK + PART_SUFFIX)}")


class PhotoStore:
    """The photos below a folder or URL; keys are names that the server makes, never a person's.

    Raises ServerError `storage_away` where they cannot be reached, and ServingError for a URL that cannot be. A place
    that is gone is never made anew here: photos would be written to where nobody finds them.
    """

    def __init__(self, url: str) -> None:
        # Other processes put and remove photos as well: what was listed once is not believed.
        with guard_configuration("photos"):
            self._files, self._root = fsspec.core.url_to_fs(url, use_listings_cache=False)
        self._database: str | None = None

    @property
    def local_folder(self) -> Path | None:
        """The folder of the photos, where it is one of this machine."""
        return Path(self._root) if isinstance(self._files, LocalFileSystem) else None

    def make(self) -> None:
        """Make the place, where it is not there."""
        with guard_storage("photos"):
            self._files.makedirs(self._root, exist_ok=True)

    def bind(self, database: str) -> None:
        """From now on take the place for away, for `put` and `has`, while it is not marked as that of a database."""
        self._database = database

    def check_place(self) -> None:
        """Raises ServerError `storage_away` where the place of the photos is gone, or is another's."""
        self._check_mark()
        if self._read_mark() is None:
            raise build_storage_error("photos", FileNotFoundError(f"no {MARK} is there"))

    def put(self, key: str, pixels: NDArray[np.uint8]) -> None:
        """Keep the pixels (h, w, 3) BGR of a photo, whole or not at all; EXIF, GPS, thumbnails are not among them."""
        self._check_mark()
        self._write(key, encode_jpeg(pixels))

    def get(self, key: str) -> bytes:
        """Get the JPEG of a key that was put; raises ServerError `not_found` where it is gone from its place."""
        with guard_storage("photos"):
            try:
                return bytes(self._files.cat_file(self._build_path(key)))
            except FileNotFoundError as error:
                self.check_place()
                raise ServerError("not_found", "The photo is no longer there.", {"photo": key}) from error

    def has(self, key: str) -> bool:
        """Whether there is a photo of that key."""
        with guard_storage("photos"):
            try:
                self._files.info(self._build_path(key))
            except FileNotFoundError:
                self._check_mark()
                return False
            return True

    def remove(self, key: str) -> None:
        """Delete the photo of a key, if it is there."""
        with guard_storage("photos"), suppress(FileNotFoundError):
            self._files.rm_file(self._build_path(key))

    def list_keys(self) -> list[str]:
        """List the files with names of the server's form: photos, and what is left of trials and broken writing."""
        return [name for name in self.list_names() if is_photo_key(name) or is_left_over(name)]

    def list_names(self) -> list[str]:
        """List the names of all files that are there, whosever they are."""
        with guard_storage("photos"):
            try:
                paths = self._files.ls(self._root, detail=False)
            except FileNotFoundError:  # object stores have no empty folders
                return []
        return [path.rstrip("/").rsplit("/", 1)[-1] for path in paths if path.rstrip("/") != self._root]

    def measure_age_seconds(self, key: str) -> float:
        """Measure how long ago a file was written; 0 where it is gone, or the place does not tell."""
        with guard_storage("photos"):
            try:
                written = self._files.modified(self._build_path(key))
            except (FileNotFoundError, NotImplementedError):
                return 0.0
        return float((datetime.now(UTC) - written.replace(tzinfo=written.tzinfo or UTC)).total_seconds())

    def is_regular(self, key: str) -> bool:
        """Whether a key names a file itself: neither a link to one, nor a folder."""
        with guard_storage("photos"):
            try:
                info = self._files.info(self._build_path(key))
            except FileNotFoundError:
                return False
        return info["type"] == "file" and not info.get("islink")

    def read_owner(self) -> str | None:
        """Read the id of the database that the place is marked with: empty if unreadable, None without a mark."""
        mark = self._read_mark()
        return None if mark is None else str(mark.get("database", ""))

    def list_found(self) -> set[str]:
        """List the names of the files that were there, unknown to the database, when the place was marked."""
        return set((self._read_mark() or {}).get("found", ()))

    def _read_mark(self) -> dict[str, Any] | None:
        """Read the mark; it is empty where it cannot be read, None without one."""
        with guard_storage("photos"):
            try:
                mark = self._files.cat_file(self._build_path(MARK))
            except FileNotFoundError:
                return None
        try:
            document = json.loads(mark)
        except ValueError:
            return {}
        return document if isinstance(document, dict) else {}

    def mark(self, database: str, unknown: Collection[str] = ()) -> None:
        """Mark the place as that of a database, with the names of what lies there and is unknown to it."""
        document = {"database": database, **({"found": sorted(unknown)} if unknown else {})}
        self._write(MARK, json.dumps(document).encode() + b"\n")

    def _check_mark(self) -> None:
        """Raises ServerError `storage_away` where something else lies where the photos of the database do."""
        if self._database is not None and self.read_owner() != self._database:
            raise build_storage_error("photos", FileNotFoundError(f"no {MARK} of this database is there"))

    def _write(self, key: str, data: bytes) -> None:
        with guard_storage("photos"):
            if isinstance(self._files, LocalFileSystem):
                with self._leave_no_part(key + PART_SUFFIX):
                    self._files.pipe_file(self._build_path(key + PART_SUFFIX), data)
                    sync(self._build_path(key + PART_SUFFIX))
                    self._files.mv(self._build_path(key + PART_SUFFIX), self._build_path(key))
                    sync(self._root)
            else:
                self._files.pipe_file(self._build_path(key), data)

    @contextmanager
    def _leave_no_part(self, part: str) -> Iterator[None]:
        """Leave nothing of a file on a disk that has no room for all of it."""
        try:
            yield
        except OSError as error:
            if is_storage_full(error):
                with suppress(OSError):
                    self._files.rm_file(self._build_path(part))
            raise

    def _build_path(self, key: str) -> str:
        return f"{self._root}/{key}"


def build_photo_key(reading: str, number: int) -> str:
    """Build the key of a reading's photo, by its number in the upload."""
    return f"{reading}.{number}.jpg"


def parse_reading_id(key: str) -> str:
    """Get the reading whose photo has a key: the inverse of `build_photo_key`, but for the number."""
    return key.split(".", 1)[0]


def is_photo_key(name: str) -> bool:
    """Whether a name has the form of a photo's key."""
    return _PHOTO.fullmatch(name) is not None


def is_left_over(name: str) -> bool:
    """Whether a name has the form of what a trial, or writing that broke off, leaves behind."""
    return _LEFT_OVER.fullmatch(name) is not None


def shrink_jpeg(data: bytes, width: int) -> bytes:
    """Make a JPEG that is so many pixels wide from a wider one; another is as it was."""
    size = Image.open(io.BytesIO(data)).size
    if size[0] <= width:
        return data
    reduced = next((flag for factor, flag in _REDUCED if size[0] >= factor * width), cv2.IMREAD_COLOR)
    pixels = cv2.imdecode(np.frombuffer(data, np.uint8), reduced)
    assert pixels is not None  # the store has what `encode_jpeg` made
    height = max(1, round(size[1] * width / size[0]))
    smaller = cv2.resize(pixels, (width, height), interpolation=cv2.INTER_AREA)
    _, shrunk = cv2.imencode(".jpg", smaller, [cv2.IMWRITE_JPEG_QUALITY, SHOWN_QUALITY])
    return bytes(shrunk.tobytes())


def encode_jpeg(pixels: NDArray[np.uint8]) -> bytes:
    """Encode pixels (h, w, 3) BGR as a JPEG."""
    _, data = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    return bytes(data.tobytes())
