"""Damaged pictures against the photo's way in: python -m datasets.benchmark.mutants [--count 10000] [--seed 0].

Each is a small JPEG, PNG or WebP with bytes flipped, cut out, doubled or put in. They are opened in a process of its
own that may hold so much memory and no more, and that the system ends when one picture takes too long.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random

import cv2
from PIL import Image

from datasets.benchmark import measure_peak_memory_mib
from vision.errors import PhotoError
from vision.photo.decoding import Photo

EXAMPLE = Path(__file__).parents[1] / "examples" / "test_level.jpg"
MEMORY_MIB = 1024
SECONDS = 30.0
"""What one picture may take, on a machine that does much else beside."""
_EDGES = (0, 1, 0x7F, 0x80, 0xFE, 0xFF)


@dataclass
class Outcomes:
    """What came of some mutants: how many by code (`decoded` among them), the slowest, and the most memory held.

    `died` is the number of the mutant at which the process ended, and how; None where all were opened.
    """

    codes: Counter[str] = field(default_factory=Counter)
    slowest_ms: float = 0.0
    peak_mib: float = 0.0
    died: str | None = None


@cache
def make_originals() -> tuple[bytes, ...]:
    """Make pictures of every kind that is read, each of a few kilobytes."""
    with Image.open(EXAMPLE) as whole:
        small = whole.convert("RGB").resize((96, 72))
    exif = Image.Exif()
    exif[0x0112] = 6
    kinds: list[tuple[str, Image.Image, dict[str, object]]] = [
        ("JPEG", small, {"quality": 80, "exif": exif.tobytes()}),
        ("JPEG", small, {"quality": 60, "progressive": True}),
        ("JPEG", small.convert("L"), {}),
        ("JPEG", small.convert("CMYK"), {}),
        ("PNG", small, {"exif": exif.tobytes()}),
        ("PNG", small.quantize(64), {"transparency": 3}),
        ("PNG", small.convert("I;16"), {}),
        ("PNG", small.convert("RGBA"), {}),
        ("WEBP", small, {"quality": 70, "exif": exif.tobytes()}),
        ("WEBP", small.convert("RGBA"), {"lossless": True}),
    ]
    return tuple(_encoded(image, kind, options) for kind, image, options in kinds)


def _encoded(image: Image.Image, kind: str, options: dict[str, object]) -> bytes:
    packed = io.BytesIO()
    image.save(packed, kind, **options)
    return packed.getvalue()


def make_mutant(seed: int) -> bytes:
    """Make a damaged picture; one seed always gives the same one."""
    rng = Random(seed)
    data = bytearray(make_originals()[seed % len(make_originals())])
    for _ in range(rng.choice((1, 1, 2, 3, 8))):
        _damage(data, rng)
    return bytes(data)


def _damage(data: bytearray, rng: Random) -> None:
    """Change it in one place; heads, which say how large things are, are hit as often as all the rest."""
    at = rng.randrange(max(1, min(len(data), 256) if rng.random() < 0.5 else len(data)))
    length = rng.choice((1, 2, 4, 16, 200))
    match rng.randrange(6):
        case 0:
            data[at : at + 1] = bytes([data[at] ^ (1 << rng.randrange(8))]) if data else b"\0"
        case 1:
            data[at : at + length] = bytes(rng.choice(_EDGES) for _ in range(length))
        case 2:
            data[at : at + length] = rng.randbytes(length)
        case 3:
            del data[at : at + length]
        case 4:
            data[at:at] = data[at : at + length]
        case _:
            other = make_originals()[rng.randrange(len(make_originals()))]
            start = rng.randrange(len(other))
            data[at:at] = other[start : start + length]


def open_mutants(first: int, count: int) -> Outcomes:
    """Open mutants from `first` on, in a process with MEMORY_MIB and SECONDS for each; return what came of them."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder, "at")
        command = [sys.executable, "-m", "datasets.benchmark.mutants", "--here", str(place)]
        arguments = ["--seed", str(first), "--count", str(count)]
        environment = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
        done = subprocess.run([*command, *arguments], capture_output=True, text=True, env=environment, check=False)
        if done.returncode == 0:
            result = json.loads(done.stdout)
            return Outcomes(**{**result, "codes": Counter(result["codes"])})
        at = place.read_text() if place.is_file() else "none"
        return Outcomes(died=f"mutant {at}: exit {done.returncode}: {done.stderr[-500:]}")


def _open_here(first: int, count: int, place: Path) -> Outcomes:
    """Open them in this process, from now on with little memory; the number of each is written down before."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_MIB * 2**20, resource.RLIM_INFINITY))
    cv2.setNumThreads(1)
    outcomes = Outcomes()
    with place.open("wb", buffering=0) as note:
        for number in range(first, first + count):
            os.pwrite(note.fileno(), str(number).ljust(12).encode(), 0)
            signal.setitimer(signal.ITIMER_REAL, SECONDS)  # unhandled: the system ends the process
            started = time.perf_counter()
            outcomes.codes[_outcome(make_mutant(number))] += 1
            outcomes.slowest_ms = max(outcomes.slowest_ms, (time.perf_counter() - started) * 1000)
    signal.setitimer(signal.ITIMER_REAL, 0)
    outcomes.peak_mib = measure_peak_memory_mib()
    return outcomes


def _outcome(data: bytes) -> str:
    try:
        Photo.from_bytes(data)
    except PhotoError as error:
        return error.code
    return "decoded"


def _batches(first: int, count: int, size: int = 2500) -> Iterator[tuple[int, int]]:
    for start in range(first, first + count, size):
        yield start, min(size, first + count - start)


def main() -> int:
    """Print what came of all; 1 where a process died."""
    parser = argparse.ArgumentParser(prog="python -m datasets.benchmark.mutants", description=__doc__)
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0, help="the number of the first")
    parser.add_argument("--here", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.here:
        outcomes = _open_here(options.seed, options.count, options.here)
        print(json.dumps({**vars(outcomes), "codes": dict(outcomes.codes)}))
        return 0
    whole = Outcomes()
    for first, count in _batches(options.seed, options.count):
        part = open_mutants(first, count)
        whole.codes += part.codes
        whole.slowest_ms, whole.peak_mib = max(whole.slowest_ms, part.slowest_ms), max(whole.peak_mib, part.peak_mib)
        whole.died = whole.died or part.died
    for code, number in whole.codes.most_common():
        print(f"{code:>18} {number:6}")
    print(f"slowest {whole.slowest_ms:.0f} ms, {whole.peak_mib:.0f} MiB at most; died: {whole.died or 'none'}")
    return 1 if whole.died else 0


if __name__ == "__main__":
    sys.exit(main())
