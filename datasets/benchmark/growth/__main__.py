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
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from datasets.benchmark.growth.stages import Cost, measure_decoding, measure_stages
from datasets.benchmark.growth.tables import draw_table
from scoring.connected_squares import MAX_BOARD_SQUARES
from vision.errors import WondertallyError

SIZE = (4000, 3000)
MIN_SQUARES = 20


def main() -> int:
    """Print the cost of each stage at each size; print errors to standard error in the common form."""
    parser = argparse.ArgumentParser(prog="python -m datasets.benchmark.growth", description=__doc__)
    parser.add_argument("--squares", type=int, nargs="+", default=(36, 72, 144, 288), metavar="N")
    parser.add_argument("--repeat", type=int, default=3, metavar="N", help="readings of each, after the first")
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
