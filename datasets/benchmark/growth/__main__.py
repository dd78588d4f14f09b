"""What a reading costs as boards grow: python -m datasets.benchmark.growth [--out DIR] [--squares 36 72 144 288].

Draws a table of each size, whose photo has as many pixels as the others', reads it again and again, and prints for each
stage the milliseconds of the processor, how many times decoding the whole JPEG that is, the memory, and the growth
since the size before: 1.0 where a stage costs so much more as there are more squares, 2.0 where it is their square, and
0.0 where it costs the same. `score` is one scoring of the board, `doubts` all that are needed to tell which doubts
matter. With `--out` the photos are kept, and found there by the next run.
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
    """Print what each stage costs at each size; errors go to standard error in the one shape."""
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
    """Compute the power of the squares by which a stage grew since the size before."""
    fewer, costs = before
    if stage not in costs or not costs[stage].cpu_ms or squares == fewer:
        return math.nan
    return math.log(cost.cpu_ms / costs[stage].cpu_ms) / math.log(squares / fewer)


if __name__ == "__main__":
    sys.exit(main())
