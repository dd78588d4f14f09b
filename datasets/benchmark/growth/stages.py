"""What each stage of a reading asks: milliseconds of the processor, and the most memory beyond what was held before."""

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
"""What Linux takes for "begin the peak of memory anew"."""


@dataclass(frozen=True, slots=True)
class Cost:
    """Milliseconds of all threads, and the most MiB held beyond those that were held when the reading began."""

    cpu_ms: float
    peak_mib: float


class StageMeter:
    """Measures one stage after another: each ends where the next begins, or where `stop` is called.

    Memory is told where Linux tells it, and 0 elsewhere.
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
        """End the stage that was begun, if any."""
        if self._stage is not None:
            spent = (time.process_time() - self._started) * 1000
            before = self.costs.get(self._stage, Cost(0.0, 0.0))
            peak = max(_read_memory_mib("VmHWM") - self._held_mib, before.peak_mib)
            self.costs[self._stage] = Cost(before.cpu_ms + spent, peak)
        self._stage = None


def measure_stages(path: Path, repeats: int) -> tuple[int, Mapping[str, Cost]]:
    """Read a photo again and again, after once to set up: its tiles, and the least that each stage asked.

    `decode` is what a reading decodes of the JPEG, mostly half its size; `score` one scoring, and `doubts` all that is
    scored to tell which doubts matter. Raises PhotoError and ReadingError.
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
    """Measure the least milliseconds of the processor to decode a whole JPEG."""
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
    except OSError:  # another system, or no right to: then peaks are those of the process so far
        return
