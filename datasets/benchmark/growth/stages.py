"""Cost of each stage of a reading: CPU milliseconds, and the peak memory beyond that at the start."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from scoring.carcassonne.doubt.relevance import assess_score_doubts
from scoring.carcassonne.final.scoring import compute_final_scoring
from vision.doubt.alternatives import find_alternatives
from vision.photo.decoding import Photo
from vision.reader import Reader
from vision.reading.board import build_board

_STATUS, _CLEAR_REFS = Path("/proc/self/status"), Path("/proc/self/clear_refs")
_RESET_PEAK = "5"
"""The value by which Linux resets the peak of memory."""


@dataclass(frozen=True, slots=True)
class Cost:
    """CPU milliseconds of all threads, and the peak MiB beyond those at the start of the reading."""

    cpu_ms: float
    peak_mib: float


class StageMeter:
    """Meter of consecutive stages: each ends where the next begins, or when `stop` is called.

    Memory is only measured on Linux, and is 0 elsewhere.
    """

    def __init__(self) -> None:
        self.costs: dict[str, Cost] = {}
        self._stage: str | None = None
        self._started = 0.0
        self._held_mib = _read_memory_mib("VmRSS")

    def __call__(self, stage: str) -> None:
        """Begin a stage."""
        self.stop()
        _reset_peak()
        self._stage, self._started = stage, time.process_time()

    def stop(self) -> None:
        """End the current stage, if any."""
        if self._stage is not None:
            spent = (time.process_time() - self._started) * 1000
            before = self.costs.get(self._stage, Cost(0.0, 0.0))
            peak = max(_read_memory_mib("VmHWM") - self._held_mib, before.peak_mib)
            self.costs[self._stage] = Cost(before.cpu_ms + spent, peak)
        self._stage = None


def measure_stages(path: Path, repeats: int) -> tuple[int, Mapping[str, Cost]]:
    """Return the number of tiles on a photo and the minimum cost of each stage, after one reading to set up.

    `decode` is the reading's own decoding of the JPEG, mostly at half size; `score` is one scoring, and `doubts` all
    scorings needed to find the relevant doubts. Raises PhotoError and ReadingError.
    """
    meters = [StageMeter()]
    reader = Reader(tell=lambda stage: meters[-1](stage))
    tiles = _read_once(reader, path, meters[-1])
    for _ in range(repeats):
        meters.append(StageMeter())
        _read_once(reader, path, meters[-1])
    runs = [meter.costs for meter in meters]
    costs = {
        stage: Cost(min(run[stage].cpu_ms for run in runs[1:]), max(run[stage].peak_mib for run in runs[1:]))
        for stage in runs[0]
    }
    return tiles, {**costs, "all": Cost(sum(cost.cpu_ms for cost in costs.values()), _find_most(costs))}


def _find_most(costs: Mapping[str, Cost]) -> float:
    return max(cost.peak_mib for cost in costs.values())


def _read_once(reader: Reader, path: Path, meter: StageMeter) -> int:
    meter("decode")
    photo = Photo.from_path(path)
    reading = reader.read(photo)
    meter("score")
    board = build_board(reading)
    compute_final_scoring(board)
    meter("doubts")
    assess_score_doubts(board, list(find_alternatives(reading, board)))
    meter.stop()
    return len(reading.tiles)


def measure_decoding(path: Path, repeats: int) -> float:
    """Return the minimum CPU milliseconds for decoding a whole JPEG."""
    data, spent = np.frombuffer(path.read_bytes(), np.uint8), list[float]()
    for _ in range(repeats):
        started = time.process_time()
        cv2.imdecode(data, cv2.IMREAD_COLOR)
        spent.append((time.process_time() - started) * 1000)
    return min(spent)


def _read_memory_mib(field: str) -> float:
    if not _STATUS.exists():
        return 0.0
    found = re.search(rf"{field}:\s+(\d+) kB", _STATUS.read_text(encoding="ascii"))
    return int(found[1]) / 2**10 if found else 0.0


def _reset_peak() -> None:
    try:
        _CLEAR_REFS.write_text(_RESET_PEAK, encoding="ascii")
    except OSError:  # another system, or no permission: peaks are then those of the process so far
        return
