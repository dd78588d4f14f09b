"""Damaged pictures against the decoding of photos: python -m datasets.benchmark.mutants [--count 10000] [--read].

Each is a small JPEG, PNG, WebP or HEIC, of any mode, orientation and size (including 1 x 1 pixel), with bytes flipped,
removed, repeated or inserted; a few are intact. They are opened, and with `--read` also read, in a process with limited
memory that the system ends if one picture takes too long. Any exception other than an error with a code is a fault, and
is printed with its traceback.
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
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random
from traceback import format_exc

import cv2
import pillow_heif
from PIL import Image, ImageCms

from datasets.benchmark import measure_peak_memory_mib
from vision.errors import PhotoError, ReadingError
from vision.photo.decoding import Photo

EXAMPLE = Path(__file__).parents[1] / "examples" / "test_level.jpg"
MEMORY_MIB = 1024
READING_MEMORY_MIB = 4096
"""Maximum address space of a reading process, much of it for libraries. A guess."""
SECONDS = 30.0
"""Maximum CPU time for one picture. A guess."""
WAITING_SECONDS = 600.0
"""Maximum wall time for one picture, on a loaded machine. A guess."""
_EDGES = (0, 1, 0x7F, 0x80, 0xFE, 0xFF)


@dataclass
class Outcomes:
    """Outcomes of some mutants: the counts by code (`decoded` among them), the longest time, and the peak memory.

    `died` is the number of the mutant at which the process ended, and the reason; None if all were opened. `faults` are
    tracebacks, each with the mutant's number.
    """

    codes: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    slowest_ms: float = 0.0
    peak_mib: float = 0.0
    died: str | None = None


SIZES = ((96, 72), (96, 72), (320, 240), (1, 1), (1, 300), (300, 1), (1, 1), (17, 13), (255, 257), (2, 3))
"""Width and height of originals; only the first 3 are large enough to be read."""
DAMAGES = (0, 1, 2, 3, 5, 8, 8, 12)
"""Number of damaged places."""
MUTANTS_A_PROCESS = 500
"""Number of damaged pictures that one process reads. Bounds time."""


@dataclass(frozen=True, slots=True)
class _Kind:
    """A format with its options; `mode` is Pillow's, and `profile` may not match it."""

    format: str
    mode: str = "RGB"
    options: tuple[tuple[str, object], ...] = ()
    exif: bool = False
    profile: str | None = None
    frames: int = 1


KINDS = (
    _Kind("JPEG", options=(("quality", 80),), exif=True),
    _Kind("JPEG", options=(("quality", 60), ("progressive", True))),
    _Kind("JPEG", "L", exif=True),
    _Kind("JPEG", "CMYK"),
    _Kind("JPEG", options=(("restart_marker_blocks", 2), ("subsampling", 0)), profile="wide"),
    _Kind("JPEG", profile="LAB", exif=True),
    _Kind("MPO", exif=True, frames=2),
    _Kind("PNG", exif=True),
    _Kind("PNG", "P", (("transparency", 3),)),
    _Kind("PNG", "I;16"),
    _Kind("PNG", "RGBA", profile="wide"),
    _Kind("PNG", "LA", profile="LAB"),
    _Kind("PNG", "1"),
    _Kind("PNG", frames=2),
    _Kind("WEBP", options=(("quality", 70),), exif=True),
    _Kind("WEBP", "RGBA", (("lossless", True),)),
    _Kind("WEBP", frames=2),
    _Kind("HEIF", options=(("quality", 60),), exif=True),
    _Kind("HEIF", "RGBA"),
    _Kind("HEIF", "L", profile="wide"),
)


@cache
def make_original(kind: int, size: int = 0, orientation: int = 6) -> bytes:
    """Return a picture of one of the kinds, in one of the SIZES; some have an EXIF orientation."""
    pillow_heif.register_heif_opener(thumbnails=False)
    wanted = KINDS[kind]
    with Image.open(EXAMPLE) as whole:
        small = whole.convert("RGB").resize(SIZES[size])
    image = small.quantize(64) if wanted.mode == "P" else small.convert(wanted.mode)
    options = dict(wanted.options)
    if wanted.exif:
        exif = Image.Exif()
        exif[0x0112] = orientation
        options["exif"] = exif.tobytes()
    if wanted.profile:
        options["icc_profile"] = _make_profile(wanted.profile)
    if wanted.frames > 1:
        options |= {"save_all": True, "append_images": [image.rotate(180)] * (wanted.frames - 1)}
    packed = io.BytesIO()
    image.save(packed, wanted.format, **options)
    return packed.getvalue()


def _make_profile(name: str) -> bytes:
    """Return a colour profile: `LAB`, or `wide`, which is sRGB renamed so that it is converted."""
    if name == "LAB":
        return ImageCms.ImageCmsProfile(ImageCms.createProfile("LAB")).tobytes()
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    return profile.replace("sRGB".encode("utf-16-be"), "wide".encode("utf-16-be")).replace(b"sRGB", b"wide")


def make_mutant(seed: int) -> bytes:
    """Return a damaged picture; the same seed always gives the same one."""
    rng = Random(seed)
    data = bytearray(make_original(seed % len(KINDS), rng.randrange(len(SIZES)), rng.randrange(10)))
    for _ in range(rng.choice(DAMAGES)):
        _damage(data, rng)
    return bytes(data)


def _damage(data: bytearray, rng: Random) -> None:
    """Damage data in one place; headers, which contain sizes, are hit as often as all the rest."""
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
            other = make_original(rng.randrange(len(KINDS)))
            start = rng.randrange(len(other))
            data[at:at] = other[start : start + length]


def open_mutants(first: int, count: int, read: bool = False) -> Outcomes:
    """Open or read mutants from `first` on, in a process with limited memory and SECONDS for each; return the
    outcomes.
    """
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder, "at")
        module = "datasets.benchmark.attacks.mutant_readings" if read else "datasets.benchmark.mutants"
        command = [sys.executable, "-m", module, "--here", str(place)]
        arguments = ["--seed", str(first), "--count", str(count)]
        environment = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
        done = subprocess.run([*command, *arguments], capture_output=True, text=True, env=environment, check=False)
        if done.returncode == 0:
            result = json.loads(done.stdout)
            return Outcomes(**{**result, "codes": Counter(result["codes"])})
        at = place.read_text() if place.is_file() else "none"
        return Outcomes(died=f"mutant {at}: exit {done.returncode}: {done.stderr[-500:]}")


def open_here(use: Callable[[bytes], str], limit_mib: int) -> None:
    """Process the mutants named by the command in this process under a memory limit, and print the outcomes.

    The number of each is recorded before it is opened.
    """
    options = _parse_command()
    resource.setrlimit(resource.RLIMIT_AS, (limit_mib * 2**20, resource.RLIM_INFINITY))
    cv2.setNumThreads(1)
    outcomes = Outcomes()
    with options.here.open("wb", buffering=0) as note:
        for number in range(options.seed, options.seed + options.count):
            os.pwrite(note.fileno(), str(number).ljust(12).encode(), 0)
            signal.setitimer(signal.ITIMER_PROF, SECONDS)  # unhandled: the system ends the process
            signal.setitimer(signal.ITIMER_REAL, WAITING_SECONDS)
            started = time.perf_counter()
            outcomes.codes[_find_outcome(number, use, outcomes.faults)] += 1
            outcomes.slowest_ms = max(outcomes.slowest_ms, (time.perf_counter() - started) * 1000)
    signal.setitimer(signal.ITIMER_PROF, 0)
    signal.setitimer(signal.ITIMER_REAL, 0)
    outcomes.peak_mib = measure_peak_memory_mib()
    print(json.dumps({**vars(outcomes), "codes": dict(outcomes.codes)}))


def _find_outcome(number: int, use: Callable[[bytes], str], faults: list[str]) -> str:
    """Process a mutant; return its outcome or the error's code."""
    try:
        return use(make_mutant(number))
    except (PhotoError, ReadingError) as error:
        return error.code
    except Exception:
        faults.append(f"mutant {number}: {format_exc()}")
        return "fault"


def _decode(data: bytes) -> str:
    return "decoded" if Photo.from_bytes(data).pixels.size else "empty"


def _parse_command() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m datasets.benchmark.mutants", description=__doc__)
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0, help="number of the first damaged picture")
    parser.add_argument("--read", action="store_true", help="read the pictures that can be opened")
    parser.add_argument("--here", type=Path, help=argparse.SUPPRESS)
    return parser.parse_args()


def main() -> int:
    """Print all outcomes; return 1 if a process died, or there was any fault."""
    options = _parse_command()
    if options.here:
        open_here(_decode, MEMORY_MIB)
        return 0
    whole = Outcomes()
    end = options.seed + options.count
    for first in range(options.seed, end, MUTANTS_A_PROCESS):
        part = open_mutants(first, min(MUTANTS_A_PROCESS, end - first), options.read)
        whole.codes += part.codes
        whole.faults += part.faults
        whole.slowest_ms, whole.peak_mib = max(whole.slowest_ms, part.slowest_ms), max(whole.peak_mib, part.peak_mib)
        whole.died = whole.died or part.died
    for code, number in whole.codes.most_common():
        print(f"{code:>18} {number:6}")
    print(f"slowest {whole.slowest_ms:.0f} ms, {whole.peak_mib:.0f} MiB at most; died: {whole.died or 'none'}")
    for fault in whole.faults[:20]:
        print(fault)
    return 1 if whole.died or whole.faults else 0


if __name__ == "__main__":
    sys.exit(main())
