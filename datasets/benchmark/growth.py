"""Cost of a reading as boards grow: python -m datasets.benchmark.growth [--out DIR] [--squares 36 72 144 288].

Draws a table of each size, with the same number of pixels, reads it repeatedly, and prints for each stage the CPU
milliseconds, their ratio to decoding the whole JPEG, the memory, and the growth since the previous size: 1.0 if the
cost is proportional to the number of squares, 2.0 if to its square, and 0.0 if it is constant. `score` is one scoring
of the board, and `doubts` all those needed to find the relevant doubts. With `--out` the photos are kept and reused by
the next run.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

import cv2
import numpy as np

from datasets.art.procedural import draw_tile_set
from datasets.art.style import STYLES
from datasets.generate import ART_PX
from datasets.render.shots import Manner, shoot
from scoring.carcassonne.board.board import MEEPLES_A_PLAYER, Board
from scoring.carcassonne.deal.boards import deal_random_board
from scoring.carcassonne.doubt.relevance import assess_score_doubts
from scoring.carcassonne.final.scoring import compute_final_scoring
from scoring.carcassonne.tiles.catalogue import Catalogue, load_base_catalogue
from scoring.connected_squares import MAX_BOARD_SQUARES
from vision.doubt.alternatives import find_alternatives
from vision.errors import WondertallyError
from vision.photo.decoding import Photo
from vision.reader import Reader
from vision.reading.board import build_board

SIZE = (4000, 3000)
MIN_SQUARES = 20
PLAYERS = 5
STYLE, TABLETOP = "meadow", "wood"
ELEVATION = (55.0, 65.0)
_STATUS, _CLEAR_REFS = Path("/proc/self/status"), Path("/proc/self/clear_refs")
_RESET_PEAK = "5"
"""The value by which Linux resets the peak of memory."""


def deal_large_board(squares: int, seed: int) -> Board:
    """Return a board of this many squares as a game leaves it, with the pieces of all its boxes."""
    base = load_base_catalogue()
    boxes = -(-squares // sum(layout.count for layout in base))
    catalogue = Catalogue(tuple(replace(layout, count=boxes * layout.count) for layout in base))
    return deal_random_board(Random(seed), squares, PLAYERS, MEEPLES_A_PLAYER * boxes, catalogue)


def draw_table(folder: Path, squares: int, size: tuple[int, int], seed: int) -> Path:
    """Draw the photo and the label of such a board into a folder, unless they exist; return the photo's path."""
    name = f"squares_{squares:03d}"
    photo, label = folder / f"{name}.jpg", folder / f"{name}.json"
    if photo.exists() and label.exists() and json.loads(label.read_text(encoding="utf-8")):
        return photo
    folder.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng([seed, squares])
    art = draw_tile_set(STYLES[STYLE], seed, ART_PX)
    shot = shoot(deal_large_board(squares, seed), art, TABLETOP, Manner(size, ELEVATION), rng)
    shot.save(folder, name)
    return photo


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
    return tiles, {
        **costs,
        "all": Cost(sum(cost.cpu_ms for cost in costs.values()), max(cost.peak_mib for cost in costs.values())),
    }


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


def main() -> int:
    """Print the cost of each stage at each size; print errors to standard error in the common form."""
    parser = argparse.ArgumentParser(prog="python -m datasets.benchmark.growth", description=__doc__)
    parser.add_argument("--squares", type=int, nargs="+", default=(36, 72, 144, 288), metavar="N")
    parser.add_argument(
        "--repeat", type=int, default=3, metavar="N", help="number of readings of each photo, after the first"
    )
    parser.add_argument("--seed", type=int, default=3)
    parser.add_argument("--out", type=Path, help="keep the drawn photos in this folder")
    options = parser.parse_args()
    if not all(MIN_SQUARES <= squares <= MAX_BOARD_SQUARES for squares in options.squares):
        parser.error(f"--squares takes numbers from {MIN_SQUARES} to {MAX_BOARD_SQUARES}")
    if options.repeat < 1:
        parser.error("--repeat takes a number from 1 on")
    try:
        with tempfile.TemporaryDirectory() as folder:
            _measure_sizes(options.out or Path(folder), sorted(options.squares), options.repeat, options.seed)
    except WondertallyError as error:
        print(json.dumps(error.as_dict()), file=sys.stderr)
        return 1
    return 0


def _measure_sizes(folder: Path, sizes: list[int], repeats: int, seed: int) -> None:
    before: tuple[int, Mapping[str, Cost]] | None = None
    print(f"{'stage':>10} {'ms':>8} {'decodes':>8} {'MiB':>6} {'growth':>7}")
    for squares in sizes:
        photo = draw_table(folder, squares, SIZE, seed)
        decode_ms = measure_decoding(photo, repeats)
        tiles, costs = measure_stages(photo, repeats)
        print(f"{squares} squares, {tiles} read, decoding in full {decode_ms:.0f} ms")
        for stage, cost in costs.items():
            growth = f"{compute_growth(before, squares, stage, cost):7.2f}" if before else " " * 7
            print(f"{stage:>10} {cost.cpu_ms:8.1f} {cost.cpu_ms / decode_ms:8.2f} {cost.peak_mib:6.0f} {growth}")
        before = squares, costs


def compute_growth(before: tuple[int, Mapping[str, Cost]], squares: int, stage: str, cost: Cost) -> float:
    """Return the exponent of the number of squares by which a stage grew since the previous size."""
    fewer, costs = before
    if stage not in costs or not costs[stage].cpu_ms or squares == fewer:
        return math.nan
    return math.log(cost.cpu_ms / costs[stage].cpu_ms) / math.log(squares / fewer)


if __name__ == "__main__":
    sys.exit(main())
