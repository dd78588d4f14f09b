"""Duration of a reading by stage, as a ratio to decoding the photo in the same process."""

from __future__ import annotations

import re
import resource
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from vision.evaluation.timing import ReadsPhotos, measure_stage_times
from vision.flat_boards.reading import TableReader
from vision.photo.decoding import Photo
from vision.runtime.onnx import Net


@dataclass(frozen=True, slots=True)
class Benchmark:
    """Minimum milliseconds by stage, and the peak memory of the process.

    The minimum of several readings is the cost of the work; any excess is caused by other load on the machine.
    `count` is the number of tiles or spots read. `decode_ms` is decoding in full, of which a reading may do less;
    `nets_ms` is the nets' share of the stages; `first_ms` is the total of the very first reading, including set-up.
    """

    width: int
    height: int
    count: int
    repeats: int
    times_ms: Mapping[str, float]
    decode_ms: float
    nets_ms: float
    first_ms: float
    peak_mib: float

    @property
    def total_ms(self) -> float:
        """The milliseconds of all stages."""
        return sum(self.times_ms.values())

    @property
    def ratios(self) -> dict[str, float]:
        """Return the ratio to decoding in full, by stage and in total."""
        by_stage = {stage: spent / self.decode_ms for stage, spent in self.times_ms.items()}
        return {**by_stage, "total": sum(by_stage.values())}

    @property
    def shares(self) -> dict[str, float]:
        """Return the nets' share of the total, and the total of the first reading, as ratios to decoding in full."""
        return {"nets": self.nets_ms / self.decode_ms, "first": self.first_ms / self.decode_ms}


Reads = Callable[[Photo], tuple[int, Mapping[str, float]]]
"""Reads a photo, and returns the number of tiles or spots, and the milliseconds by stage."""


def read_tiles(reader: ReadsPhotos) -> Reads:
    """Return how a reader of Carcassonne reads a photo."""

    def read(photo: Photo) -> tuple[int, Mapping[str, float]]:
        reading = reader.read(photo)
        return len(reading.tiles), measure_stage_times(photo, reading)

    return read


def read_spots(reader: TableReader) -> Reads:
    """Return how a reader of a printed board reads a photo."""

    def read(photo: Photo) -> tuple[int, Mapping[str, float]]:
        reading = reader.read((photo,))
        return len(reading.spots), reading.timing_ms

    return read


def measure(read: Reads, path: Path, repeats: int = 5, nets: Sequence[Net] = ()) -> Benchmark:
    """Measure repeated readings of a photo after one to set up; `nets` are the reader's, timed as well.

    Raises PhotoError and ReadingError.
    """
    runs, spent = [], []
    decode_ms = min(measure_decoding_ms(path) for _ in range(repeats))
    for _ in range(repeats + 1):
        before = sum(net.spent_ms for net in nets)
        photo = Photo.from_path(path)  # the previous photo is released: one at a time is measured
        count, times = read(photo)
        runs.append(times)
        spent.append(sum(net.spent_ms for net in nets) - before)
    first, *stages = runs
    return Benchmark(
        width=photo.width,
        height=photo.height,
        count=count,
        repeats=repeats,
        times_ms={stage: min(times[stage] for times in stages) for stage in stages[0]},
        decode_ms=decode_ms,
        nets_ms=min(spent[1:]),
        first_ms=sum(first.values()),
        peak_mib=measure_peak_memory_mib(),
    )


def measure_decoding_ms(path: Path) -> float:
    """Return the milliseconds for decoding a photo in full, including its checks if it has no half; raise
    PhotoError.
    """
    photo = Photo.from_path(path)
    started = time.perf_counter()
    photo.pixels  # noqa: B018 - decodes what is left to decode
    return max(photo.decode_ms, (time.perf_counter() - started) * 1000)


def measure_peak_memory_mib() -> float:
    """Return the peak memory of this process, excluding its parent's if the system allows."""
    if (status := Path("/proc/self/status")).exists():
        return int(re.findall(r"VmHWM:\s+(\d+) kB", status.read_text())[0]) / 2**10
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss  # in bytes on macOS, in KiB elsewhere
    return peak / (2**20 if sys.platform == "darwin" else 2**10)
