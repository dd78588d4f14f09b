"""Pictures that are costly to open, or lack half of their data although they end well: one function per kind.

A good photo sent beside them is answered promptly, and the server still stops.
"""

from __future__ import annotations

import io
import math
import signal
import struct
import zlib
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import median
from time import monotonic, sleep
from typing import Any

import httpx2 as httpx
import numpy as np
import pillow_heif
from PIL import Image

from datasets.benchmark.attacks import Tally
from datasets.benchmark.serving import ServerProcess, run_server
from vision.photo.decoding import MAX_PIXELS

EXAMPLES = Path(__file__).parents[2] / "examples"
EXAMPLE = EXAMPLES / "table.jpg"
GOOD = EXAMPLES / "test_level.jpg"
SEGMENTS, SCANS = 1_500_000, 4_000
"""Numbers of segments and scans in a costly JPEG that is small enough to be sent. A guess."""
LARGEST = (math.isqrt(MAX_PIXELS),) * 2
"""Largest square picture that is read."""
SENDERS = 8
MAX_TIMES_ALONE = 3.0
"""Maximum time of a good photo beside hostile ones, as a multiple of its time alone. A guess."""
STOP_SECONDS = 30.0
"""Setting `stop_seconds` of the attacked server, which must end within it. A guess."""
LEAD_SECONDS = 0.5
"""Seconds between sending hostile photos and the good one. A guess."""
HOSTILE_ADDRESS = "127.0.0.2"
SETTINGS: dict[str, Any] = {
    "readings_per_minute": 1000,
    "requests_per_minute": 100_000,
    "stop_seconds": STOP_SECONDS,
    "wait_seconds": 600,
}


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


def make_deep_png() -> bytes:
    """Return a PNG with 4 channels of 16 bits, in the largest size that is read."""
    width, height = LARGEST
    return _make_png(LARGEST, 16, 6, (b"\0" + bytes(width * 8)) * height)


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


def send_hostile_photos(scratch: Path, kinds: Iterable[str]) -> Tally:
    """Send a good photo alongside 8 hostile ones of each kind, from another address; then stop the server."""
    tally = Tally("photos", 0)
    with run_server(scratch / "data", **SETTINGS) as server, ThreadPoolExecutor(SENDERS) as pool:
        _time_good_photo(server.url)
        alone = median(_time_good_photo(server.url) for _ in range(3))
        for kind in kinds:
            data = HOSTILE[kind]()
            sent = [pool.submit(_send, server.url, data, HOSTILE_ADDRESS) for _ in range(SENDERS)]
            sleep(LEAD_SECONDS)
            times = _time_good_photo(server.url) / alone
            answers = [future.result() for future in sent]
            tally.times += 1
            tally.accepted += 1
            tally.done += 1
            tally.answers.update(f"{kind}: {answer}" for answer in answers)
            tally.notes.append(f"{kind}: a good photo takes {times:.1f} times its {alone:.1f} s alone")
            if times > MAX_TIMES_ALONE:
                tally.wrong.append(f"{kind}: {times:.1f} times as long as alone")
            tally.wrong += [f"{kind}: {answer}" for answer in answers if answer.startswith("5")]
        for _ in range(SENDERS):
            pool.submit(_send, server.url, data, HOSTILE_ADDRESS)
        sleep(LEAD_SECONDS)
        seconds = _time_stop(server.process)
        tally.notes.append(f"beside the last of them it stops within {seconds:.1f} s")
        if seconds > STOP_SECONDS:
            tally.wrong.append(f"told to stop it goes on for {seconds:.0f} s")
    return tally


def _time_good_photo(url: str) -> float:
    started = monotonic()
    if (answer := _send(url, GOOD.read_bytes(), "127.0.0.1")) != "201":
        raise RuntimeError(f"a good photo is answered {answer}")
    return monotonic() - started


def _send(url: str, data: bytes, address: str) -> str:
    """Send a photo from an address of this machine; return the status of the answer, with the error's code."""
    try:
        with httpx.Client(base_url=url, timeout=600, transport=httpx.HTTPTransport(local_address=address)) as client:
            answer = client.post("/v1/readings", files={"photo": ("photo", data, "application/octet-stream")})
    except httpx.HTTPError as error:
        return type(error).__name__
    return f"{answer.status_code} {'' if answer.is_success else answer.json()['error']['code']}".strip()


def _time_stop(process: ServerProcess) -> float:
    started = monotonic()
    process.send_signal(signal.SIGTERM)
    process.wait(10 * STOP_SECONDS)
    return monotonic() - started
