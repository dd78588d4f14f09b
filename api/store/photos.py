"""Photos below one folder, wherever fsspec reaches: JPEGs made from the pixels alone, without any metadata."""

from __future__ import annotations

from contextlib import suppress

import cv2
import fsspec
import numpy as np
from fsspec.implementations.local import LocalFileSystem
from numpy.typing import NDArray

from api.store.away import configured, reached

JPEG_QUALITY = 92
PART = ".part"
"""Ends the name of a file that is being written; object stores take a whole object or none."""


class PhotoStore:
    """The photos below a folder or URL; keys are names that the server makes, never a person's.

    Raises ServerError `storage_away` where they cannot be reached, and ServingError for a URL that cannot be.
    """

    def __init__(self, url: str) -> None:
        # Other processes put and remove photos as well: what was listed once is not believed.
        with configured("photos"):
            self._files, self._root = fsspec.core.url_to_fs(url, use_listings_cache=False)
        with reached("photos"):
            self._files.makedirs(self._root, exist_ok=True)

    def put(self, key: str, pixels: NDArray[np.uint8]) -> None:
        """Keep the pixels (h, w, 3) BGR of a photo, whole or not at all; EXIF, GPS, thumbnails are not among them."""
        with reached("photos"):
            if isinstance(self._files, LocalFileSystem):
                self._files.pipe_file(self._path(key + PART), jpeg_of(pixels))
                self._files.mv(self._path(key + PART), self._path(key))
            else:
                self._files.pipe_file(self._path(key), jpeg_of(pixels))

    def get(self, key: str) -> bytes:
        """The JPEG of a key that was put."""
        with reached("photos"):
            return bytes(self._files.cat_file(self._path(key)))

    def has(self, key: str) -> bool:
        """Whether it is there."""
        with reached("photos"):
            try:
                self._files.info(self._path(key))
            except FileNotFoundError:
                return False
            return True

    def remove(self, key: str) -> None:
        """Delete it, if it is there."""
        with reached("photos"), suppress(FileNotFoundError):
            self._files.rm_file(self._path(key))

    def keys(self) -> list[str]:
        """All that are there, and what is left of those whose writing broke off."""
        with reached("photos"):
            try:
                paths = self._files.ls(self._root, detail=False)
            except FileNotFoundError:  # object stores have no empty folders
                return []
        return [path.rsplit("/", 1)[-1] for path in paths]

    def _path(self, key: str) -> str:
        return f"{self._root}/{key}"


def photo_key(reading: str, number: int) -> str:
    """What a reading's photo is kept under, by its number in the upload."""
    return f"{reading}.{number}.jpg"


def reading_of(key: str) -> str:
    """The reading whose photo is kept under a key: the inverse of `photo_key`, but for the number."""
    return key.split(".", 1)[0]


def jpeg_of(pixels: NDArray[np.uint8]) -> bytes:
    """The pixels (h, w, 3) BGR as a JPEG."""
    _, data = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    return bytes(data.tobytes())
