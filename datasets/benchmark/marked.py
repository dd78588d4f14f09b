"""Photos to send to a server: each its own by a mark in its file, so that a reading tells which one it is of."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2

from vision.photo.decoding import Photo

EXAMPLES = Path(__file__).parents[1] / "examples"
BOARDS = ("test_level", "test_oblique", "test_turned", "test_snow", "test_clutter")
"""The examples that differ in what lies on the table, the smallest board first."""
_COMMENT = b"\xff\xfe"


@dataclass(frozen=True, slots=True)
class Sent:
    """A photo: the board on it by the example's name, and its file."""

    board: str
    data: bytes

    @property
    def sha256(self) -> str:
        """What a report calls it."""
        return hashlib.sha256(self.data).hexdigest()


def mark_jpeg(jpeg: bytes, mark: str) -> bytes:
    """Put a comment into a JPEG."""
    comment = mark.encode()
    return jpeg[:2] + _COMMENT + (len(comment) + 2).to_bytes(2, "big") + comment + jpeg[2:]


def enlarge_example(name: str, width: int, mebibytes: float) -> bytes:
    """Return an example as a picture so many pixels wide, in as many MiB as JPEG's quality comes close to."""
    pixels = Photo.from_path(EXAMPLES / f"{name}.jpg").pixels
    height = round(pixels.shape[0] * width / pixels.shape[1])
    large = cv2.resize(pixels, (width, height), interpolation=cv2.INTER_CUBIC)
    packed = (_jpeg(large, quality) for quality in range(70, 101, 3))
    return min(packed, key=lambda data: abs(len(data) - mebibytes * 2**20))


def stream_photos(originals: dict[str, bytes], series_name: str) -> Iterator[Sent]:
    """Yield photos without an end: the originals in turn, each with another mark."""
    number = 0
    while True:
        for board, jpeg in originals.items():
            yield Sent(board, mark_jpeg(jpeg, f"{series_name} {number}"))
            number += 1


def _jpeg(pixels: Any, quality: int) -> bytes:
    return bytes(cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes())
