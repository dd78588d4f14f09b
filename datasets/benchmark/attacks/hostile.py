"""Pictures that are costly to open, or lack half of their data although they end well: one function per kind."""

from __future__ import annotations

import io
import math
import struct
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import pillow_heif
from PIL import Image

from vision.photo.decoding import MAX_PIXELS

EXAMPLE = Path(__file__).parents[2] / "examples" / "table.jpg"
SEGMENTS, SCANS = 1_500_000, 4_000
"""Numbers of segments and scans in a costly JPEG that is small enough to be sent. A guess."""
LARGEST = (math.isqrt(MAX_PIXELS),) * 2
"""Largest square picture that is read."""


def make_segments(count: int = SEGMENTS) -> bytes:
    """Return a JPEG with this many Exif segments of 18 bytes, which Pillow joins one by one."""
    data = EXAMPLE.read_bytes()
    return data[:2] + b"\xff\xe1\0\x10Exif\0\0MM\0*\0\0\0\0" * count + data[2:]


def make_scans(count: int = SCANS, size: tuple[int, int] = (4_000, 3_000)) -> bytes:
    """Return an empty grey progressive JPEG with this many scans."""
    width, height = size
    blocks = -(-width // 8) * -(-height // 8)

    def make_segment(marker: int, body: bytes) -> bytes:
        return bytes((0xFF, marker)) + struct.pack(">H", len(body) + 2) + body

    def make_table(kind: int, symbol: int) -> bytes:
        return make_segment(0xC4, bytes((kind, 1)) + bytes(15) + bytes((symbol,)))

    parts = [b"\xff\xd8", make_segment(0xDB, b"\0" + b"\1" * 64)]
    parts += [make_segment(0xC2, struct.pack(">BHHB", 8, height, width, 1) + b"\1\x11\0")]
    bits = min(14, blocks.bit_length() - 1)
    parts += [make_table(0x00, 0), make_table(0x10, bits << 4)]
    parts += [make_segment(0xDA, b"\1\1\0\0\0\0"), bytes(-(-blocks // 8))]
    runs = [len(run) for run in np.array_split(range(blocks), -(-blocks // (2 ** (bits + 1) - 1)))]
    code = "".join("0" + format(run - 2**bits, f"0{bits}b") for run in runs)
    code = code.ljust(-(-len(code) // 8) * 8, "1")
    scan = int(code, 2).to_bytes(len(code) // 8, "big").replace(b"\xff", b"\xff\0")
    for number in range(count - 1):
        place = 1 + number % 63
        parts += [make_segment(0xDA, bytes((1, 1, 0, place, place, 0))), scan]
    return b"".join([*parts, b"\xff\xd9"])


def make_half_jpeg() -> bytes:
    """Return the first half of a JPEG, with the end of a whole one."""
    data = EXAMPLE.read_bytes()
    return data[: len(data) // 2] + b"\xff\xd9"


def make_half_png() -> bytes:
    """Return a PNG with valid compressed rows, but only half of those in its header."""
    with Image.open(EXAMPLE) as picture:
        rows = np.asarray(picture.convert("RGB").resize((1200, 900)))
    return _make_png((1200, 900), 8, 2, b"".join(b"\0" + row.tobytes() for row in rows[:450]))


def make_deep_png(size: tuple[int, int] = LARGEST) -> bytes:
    """Return a PNG with 4 channels of 16 bits, in the largest size that is read."""
    row = b"\0" + bytes(size[0] * 8)
    return _make_png(size, 16, 6, row * size[1])


def make_large_webp() -> bytes:
    """Return a WebP in the largest size that is read, in a few kilobytes."""
    packed = io.BytesIO()
    Image.new("RGB", (16_000, 4_000), "green").save(packed, "WEBP", lossless=True, quality=0, method=0)
    return packed.getvalue()


def make_chunks(count: int = 1_000_000) -> bytes:
    """Return a PNG with this many empty chunks before its pixels."""
    data = make_half_png()
    return data[:33] + _make_chunk(b"tEXt", b"") * count + data[33:]


def make_boxes(count: int = 4_000_000) -> bytes:
    """Return a HEIC followed by this many empty boxes."""
    pillow_heif.register_heif_opener(thumbnails=False)
    packed = io.BytesIO()
    Image.new("RGB", (640, 480), "green").save(packed, "HEIF")
    return packed.getvalue() + b"\0\0\0\x08free" * count


def _make_png(size: tuple[int, int], depth: int, colours: int, rows: bytes) -> bytes:
    head = struct.pack(">IIBBBBB", *size, depth, colours, 0, 0, 0)
    chunks = ((b"IHDR", head), (b"IDAT", zlib.compress(rows, 1)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_make_chunk(*chunk) for chunk in chunks)


def _make_chunk(name: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))


HOSTILE: Mapping[str, Callable[[], bytes]] = {
    "segments": make_segments,
    "scans": make_scans,
    "half-jpeg": make_half_jpeg,
    "half-png": make_half_png,
    "deep-png": make_deep_png,
    "large-webp": make_large_webp,
    "chunks": make_chunks,
    "boxes": make_boxes,
}
"""Pictures by the name of their kind."""
