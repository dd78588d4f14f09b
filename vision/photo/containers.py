"""Structure of PNG, WebP and HEIC files, checked before a decoder sees them."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator

from vision.errors import PhotoError

MAX_CHUNKS = 16_384
"""Maximum number of chunks: that of the largest file that is read (`vision.photo.decoding.MAX_BYTES`) in chunks of 4
KiB. PNG writers use chunks of 8 KiB or more. Bounds time.
"""

_PNG_SHOWN = frozenset({b"IHDR", b"PLTE", b"tRNS", b"IDAT", b"IEND"})
_PNG_ONCE = frozenset({b"iCCP", b"eXIf"})
_PNG_CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
_PNG_PASSES = ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2))
"""First column and row of each pass of an interlaced picture, and its steps."""
_INFLATED_BYTES = 2**20
"""Maximum number of bytes inflated at once. Bounds memory."""


def strip_png(data: bytes) -> bytes:
    """Strip a PNG of all invisible content: texts, times, further frames.

    Raises PhotoError `truncated_image`, `broken_image`, and `costly_image` if it has more chunks than any picture of a
    camera.
    """
    if not b"IHDR".startswith(data[12:16]):
        raise PhotoError("broken_image", details={"format": "PNG"})
    chunks, once = [data[:8]], set(_PNG_ONCE)
    for name, start, end in _list_png_chunks(data):
        if name in _PNG_SHOWN or name in once:
            once.discard(name)
            chunks.append(data[start:end])
        if name == b"IEND":
            return b"".join(chunks)
    raise build_cost_error("PNG", max_chunks=MAX_CHUNKS)


def _list_png_chunks(data: bytes) -> Iterator[tuple[bytes, int, int]]:
    """Yield the chunks of a PNG: name, start and end; raise PhotoError `truncated_image`."""
    position = 8
    for _ in range(MAX_CHUNKS):
        end = position + 12 + int.from_bytes(data[position : position + 4], "big")
        if end > len(data):
            raise build_truncation_error("PNG", data)
        yield data[position + 4 : position + 8], position, end
        position = end


def has_all_rows(data: bytes) -> bool:
    """Return whether a PNG has all the pixels in its header; damaged data is left to the decoder."""
    width, height = int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")
    depth, colours, is_interlaced = data[24], data[25], data[28] == 1
    bits = depth * _PNG_CHANNELS.get(colours, 0)
    passes = _PNG_PASSES if is_interlaced else ((0, 0, 1, 1),)
    sizes = [(-(-(width - x) // right), -(-(height - y) // down)) for x, y, right, down in passes]
    missing = sum(rows * (1 + (columns * bits + 7) // 8) for columns, rows in sizes if columns > 0 and rows > 0)
    inflating = zlib.decompressobj()
    try:
        for name, start, end in _list_png_chunks(data):
            part = data[start + 8 : end - 4] if name == b"IDAT" else b""
            while part and missing > 0 and not inflating.eof:
                missing -= len(inflating.decompress(part, _INFLATED_BYTES))
                part = inflating.unconsumed_tail
            if missing <= 0 or name == b"IEND":
                break
    except zlib.error:
        return True
    return missing <= 0


def check_webp(data: bytes) -> bytes:
    """Check that a WebP is complete; raise PhotoError `truncated_image`, or `costly_image` as `strip_png` does."""
    end = 8 + int.from_bytes(data[4:8], "little")
    if end > len(data):
        raise build_truncation_error("WEBP", data)
    _find_end("WEBP", 12, end, lambda at: 8 + (int.from_bytes(data[at + 4 : at + 8], "little") + 1) // 2 * 2)
    return data


def check_heif(data: bytes) -> bytes:
    """Check that a HEIC is complete; raise PhotoError `truncated_image`, or `costly_image` as `strip_png` does."""
    if _find_end("HEIF", 0, len(data) - 15, lambda at: _measure_box(data, at)) > len(data):
        raise build_truncation_error("HEIF", data)
    return data


def _measure_box(data: bytes, at: int) -> int:
    """Return the size of a HEIC's box; one without a size extends to the end."""
    size = int.from_bytes(data[at : at + 4], "big")
    if size == 1:
        size = int.from_bytes(data[at + 8 : at + 16], "big")
    return len(data) - at if size < 8 else size


def _find_end(kind: str, position: int, end: int, measure: Callable[[int], int]) -> int:
    """Return the end of the last piece that begins before `end`; raise PhotoError `costly_image` if there are
    too many.
    """
    for _ in range(MAX_CHUNKS):
        if position >= end:
            return position
        position += measure(position)
    raise build_cost_error(kind, max_chunks=MAX_CHUNKS)


def build_truncation_error(kind: str, data: bytes) -> PhotoError:
    """Return the error for an incomplete picture."""
    return PhotoError("truncated_image", details={"format": kind, "bytes": len(data)})


def build_cost_error(kind: str, **limit: float) -> PhotoError:
    """Return the error for a picture that would take a decoder too long, with the exceeded limit."""
    return PhotoError("costly_image", details={"format": kind, **limit})
