"""Photos to send to a server, each unique by a mark in its file, so that a reading can be matched to its photo."""

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
"""Examples with different tables, the smallest board first."""
_COMMENT = b"\xff\xfe"


@dataclass(frozen=True, slots=True)
class Sent:
    """A photo: the name of the example with its board, and its file."""

    board: str
    data: bytes

    @property
    def sha256(self) -> str:
        """Return the hash by which a report identifies it."""
        return hashlib.sha256(self.data).hexdigest()


def mark_jpeg(jpeg: bytes, mark: str) -> bytes:
    """Return a JPEG with a comment added."""
    comment = mark.encode()
    return jpeg[:2] + _COMMENT + (len(comment) + 2).to_bytes(2, "big") + comment + jpeg[2:]


def enlarge_example(name: str, width: int, mebibytes: float) -> bytes:
    """Return an example at a given width in pixels, with the JPEG quality that comes closest to a size in MiB."""
    pixels = Photo.from_path(EXAMPLES / f"{name}.jpg").pixels
    height = round(pixels.shape[0] * width / pixels.shape[1])
    large = cv2.resize(pixels, (width, height), interpolation=cv2.INTER_CUBIC)
    packed = (_jpeg(large, quality) for quality in range(70, 101, 3))
    return min(packed, key=lambda data: abs(len(data) - mebibytes * 2**20))


def stream_photos(originals: dict[str, bytes], series_name: str) -> Iterator[Sent]:
    """Yield photos endlessly: the originals in turn, each with a new mark."""
    number = 0
    while True:
        for board, jpeg in originals.items():
            yield Sent(board, mark_jpeg(jpeg, f"{series_name} {number}"))
            number += 1


def _jpeg(pixels: Any, quality: int) -> bytes:
    return bytes(cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes())
