"""JPEG files: their visible content, checked before a decoder sees it, and complete pixels.

libjpeg-turbo decodes (`simplejpeg`, with the same pixels as OpenCV in 2/3 of the time), because it reports missing
data, which libjpeg only warns about and fills in.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import simplejpeg

from vision.arrays import Image
from vision.errors import PhotoError
from vision.photo.containers import build_cost_error, build_truncation_error

MAX_SEGMENTS = 1024
"""Maximum number of segments: those of the largest file that is read (`vision.photo.decoding.MAX_BYTES`) if each is
full, with 64 KiB. Bounds time.
"""
MAX_SCANS = 64
"""Maximum number of scans: one for each coefficient of a block. Bounds time. libjpeg writes 10 scans into a progressive
picture, and optimisers a few dozen at most.
"""
MAX_SCANNED_PIXELS = 20 * 64_000_000
"""Maximum product of pixels and scans, for the largest picture that is read: libjpeg's longest script has 18 scans, for
4 inks. Bounds time.
"""

_MARKER = re.compile(rb"\xff[\x01-\xcf\xd8-\xfe]")
"""The next marker that ends a scan: neither a stuffed byte, a restart, nor fill."""
_START, _END, _SCAN, _STANDALONE = 0xD8, 0xD9, 0xDA, (0x01, 0xD8)
_FRAMES = {*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC}
_PROGRESSIVE = {0xC2, 0xC6, 0xCA, 0xCE}
_COMMENT, _APPLICATIONS = 0xFE, range(0xE0, 0xF0)
_ONCE = ((0xE0, b"JFIF\0"), (0xE1, b"Exif\0\0"), (0xEE, b"Adobe"))
_PROFILE = (0xE2, b"ICC_PROFILE\0")
_MAX_PROFILE_SEGMENTS = 255
"""Maximum number of segments of a profile: their number is one byte."""
_COEFFICIENTS = 64
_UNSEEN = 99

_MISSING = ("Premature end", "premature end")
_HARMLESS = "extraneous bytes before marker 0xd9"
"""Padding between the last pixel and the end of the file, as some cameras write it."""
_DAMAGED = ("Corrupt JPEG data", "Inconsistent progression")


@dataclass(slots=True)
class _Frame:
    """A picture's frame and its scans so far: the last bit of each coefficient of each component."""

    is_progressive: bool
    width: int
    height: int
    last_bits: dict[int, list[int]]
    scans: int = 0

    def add_scan(self, header: bytes) -> None:
        """Count a scan; raise PhotoError `costly_image` if there are too many for a picture of this size."""
        self.scans += 1
        most = min(MAX_SCANS, max(1, MAX_SCANNED_PIXELS // max(1, self.width * self.height)))
        if self.scans > most:
            raise build_cost_error("JPEG", max_scans=most)
        count = header[0] if header else 0
        first, last, bits = header[1 + 2 * count : 4 + 2 * count] or b"\0\0\0"
        for component in header[1 : 1 + 2 * count : 2]:
            if component in self.last_bits:
                for coefficient in range(first, min(last, _COEFFICIENTS - 1) + 1):
                    self.last_bits[component][coefficient] = bits & 15

    @property
    def is_complete(self) -> bool:
        """Return whether every component is present, and in a progressive picture all its bits."""
        if self.is_progressive:
            return all(bits == [0] * _COEFFICIENTS for bits in self.last_bits.values())
        return all(bits[0] != _UNSEEN for bits in self.last_bits.values())


def strip_jpeg(data: bytes) -> bytes:
    """Strip a JPEG of all invisible content: comments, further pictures, bytes between segments or after the end.

    Raises PhotoError `truncated_image` if the picture is incomplete, and `costly_image` if it has more segments or
    scans than any picture of a camera.
    """
    segments, once, frame = [b"\xff\xd8"], [*_ONCE, *[_PROFILE] * _MAX_PROFILE_SEGMENTS], None
    for marker, start, body, end in _list_segments(data):
        if marker == _END:
            if frame is None or not frame.scans or not frame.is_complete:
                raise build_truncation_error("JPEG", data)
            return b"".join([*segments, b"\xff\xd9"])
        if marker in _FRAMES and frame is None:
            frame = _read_frame(marker, data[body:end])
        if marker == _SCAN and frame is not None:
            frame.add_scan(data[body : body + 16])
        if marker in _APPLICATIONS:
            name = next((name for name in once if name[0] == marker and data.startswith(name[1], body)), None)
            if name is None:
                continue
            once.remove(name)
        if marker != _COMMENT:
            segments.append(data[start:end])
    raise build_cost_error("JPEG", max_segments=MAX_SEGMENTS)


def _list_segments(data: bytes) -> Iterator[tuple[int, int, int, int]]:
    """Yield markers: each with its start, and the start and end of its body (for scans, the end of their data).

    Raises PhotoError `truncated_image`.
    """
    position = 2
    for _ in range(MAX_SEGMENTS):
        start, marker = _find_marker(data, position)
        body = position = start + 2
        if marker not in (_END, *_STANDALONE):
            position += max(2, int.from_bytes(data[body : body + 2], "big"))
            body += 2
        if position > len(data):
            raise build_truncation_error("JPEG", data)
        if marker == _SCAN:
            position, _ = _find_marker(data, position)
        yield marker, start, body, position


def _find_marker(data: bytes, position: int) -> tuple[int, int]:
    """Return the position of the next marker, and the marker; raise PhotoError `truncated_image`."""
    if (found := _MARKER.search(data, position)) is None:
        raise build_truncation_error("JPEG", data)
    return found.start(), data[found.start() + 1]


def _read_frame(marker: int, header: bytes) -> _Frame:
    """Return a frame from its header: size, and one component in every 3 bytes after the sixth."""
    components = header[6 : 6 + 3 * (header[5] if len(header) > 5 else 0) : 3]
    unseen = {component: [_UNSEEN] * _COEFFICIENTS for component in components}
    height, width = int.from_bytes(header[1:3], "big"), int.from_bytes(header[3:5], "big")
    return _Frame(marker in _PROGRESSIVE, width, height, unseen)


def decode_jpeg(data: bytes, colours: str, size: tuple[int, int], divisor: int = 1) -> Image:
    """Decode a stripped JPEG of that size, or reduce it by a divisor of up to 8: (h, w) or (h, w, channels).

    Raises PhotoError `truncated_image` if data is missing, and `broken_image` if it is damaged.
    """
    width, height = (-(-side // divisor) for side in size)
    options = {"colorspace": colours, "min_width": width, "min_height": height, "min_factor": divisor}
    try:
        return np.asarray(simplejpeg.decode_jpeg(data, **options))
    except ValueError as error:
        fault = str(error)
    if any(word in fault for word in _MISSING):
        raise PhotoError("truncated_image", details={"format": "JPEG"})
    if fault.startswith(_DAMAGED) and _HARMLESS not in fault:
        raise PhotoError("broken_image", details={"format": "JPEG"})
    return np.asarray(simplejpeg.decode_jpeg(data, strict=False, **options))
