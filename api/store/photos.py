"""Photos below one folder, wherever fsspec reaches: JPEGs made from the pixels alone, without any metadata."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import fsspec
import numpy as np
from numpy.typing import NDArray

JPEG_QUALITY = 92


class PhotoStore:
    """The photos below a folder or URL; keys are names that the server makes, never a person's."""

    def __init__(self, url: str) -> None:
        self._files, self._root = fsspec.core.url_to_fs(url)
        self._files.makedirs(self._root, exist_ok=True)

    def put(self, key: str, pixels: NDArray[np.uint8]) -> None:
        """Keep the pixels (h, w, 3) BGR of a photo: EXIF, GPS and thumbnails are not among them."""
        self._files.pipe_file(self._path(key), jpeg_of(pixels))

    def get(self, key: str) -> bytes:
        """The JPEG; raises FileNotFoundError."""
        return bytes(self._files.cat_file(self._path(key)))

    def has(self, key: str) -> bool:
        """Whether it is there."""
        return bool(self._files.exists(self._path(key)))

    def remove(self, key: str) -> None:
        """Delete it, if it is there."""
        if self.has(key):
            self._files.rm_file(self._path(key))

    def keys(self) -> Iterator[str]:
        """All that are there."""
        self._files.invalidate_cache()
        return (path.rsplit("/", 1)[-1] for path in self._files.ls(self._root, detail=False))

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
