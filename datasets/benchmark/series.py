"""Cost of a further photo of a game: python -m datasets.benchmark.series [--photos 70] [--size 4000x3000] [--out DIR].

Draws a board as it grows tile by tile, a photo after each, and follows it. Prints the CPU time of the last photos,
with all boards decided anew, as a ratio to readings of the same photos alone, and the peak memory. With `--out` the
photos are kept and reused by the next run.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from random import Random

import numpy as np

from datasets.art.procedural import draw_tile_set
from datasets.art.style import STYLES
from datasets.benchmark import measure_peak_memory_mib
from datasets.generate import ART_PX, parse_size
from datasets.render.shots import Manner, shoot
from scoring.carcassonne.board.board import Board
from scoring.carcassonne.deal.boards import deal_random_board
from scoring.connected_squares import Square, list_neighbours
from vision.photo.decoding import Photo
from vision.reader import Reader

SEED = 65
FIRST_TILES = 3
"""Number of tiles in the first photo: one alone is a board only if it is a start tile. A guess."""
MEASURED_PHOTOS = 5
"""Number of last photos that are measured. Bounds time."""


@dataclass(frozen=True, slots=True)
class Cost:
    """CPU seconds of each photo of a series, and of readings of the last ones alone."""

    seconds: tuple[float, ...]
    alone: tuple[float, ...]
    peak_mib: float

    @property
    def ratio(self) -> float:
        """Return the cost of a last photo in readings; the least of each, since other load only adds."""
        return min(self.seconds[-len(self.alone) :]) / min(self.alone)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m datasets.benchmark.series", description=__doc__)
    parser.add_argument("--photos", type=int, default=70, metavar="N", help="number of photos")
    parser.add_argument("--size", type=parse_size, default=(4000, 3000), help="size of a photo: WIDTHxHEIGHT")
    parser.add_argument("--out", type=Path, metavar="DIR", help="folder of the photos")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        with ProcessPoolExecutor(1) as other:  # drawing takes more memory than reading
            files = other.submit(draw_series, options.out or Path(folder), options.photos, options.size).result()
        cost = measure_series(Reader(), files)
    width, height = options.size
    print(f"{len(files)} photos of {width * height / 1e6:.1f} megapixels; CPU of one of the last {MEASURED_PHOTOS}")
    print(f"{'ratio':>10} {cost.ratio:6.2f} readings of the same photo")
    print(f"{'memory':>10} {cost.peak_mib:6.0f} MiB at most")


def draw_series(folder: Path, count: int, size: tuple[int, int]) -> list[Path]:
    """Draw photos of a growing board into a folder, except those that are there."""
    board = deal_random_board(Random(SEED), tiles=count + FIRST_TILES - 1)
    art, order, files = draw_tile_set(STYLES["meadow"], 1, ART_PX), order_squares(board), []
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(FIRST_TILES, FIRST_TILES + count):
        path = folder / f"{number:03}.jpg"
        if not path.exists():
            manner = Manner(size, elevation=(60, 85), free=(0.2, 0.3), strength=0.3)
            part = take_squares(board, order[:number])
            shoot(part, art, "wood", manner, np.random.default_rng(number)).save(folder, path.stem)
        files.append(path)
    return files


def order_squares(board: Board) -> list[Square]:
    """Return the squares of a board so that each touches an earlier one."""
    order, fringe = [], [min(board.tiles)]
    while fringe:
        square = fringe.pop(0)
        if square not in order:
            order.append(square)
            fringe += [near for near in list_neighbours(square) if near in board.tiles]
    return order


def take_squares(board: Board, squares: Sequence[Square]) -> Board:
    """Return the part of a board on some squares, counted from its own first row and column."""
    top, left = (min(square[axis] for square in squares) for axis in (0, 1))
    return Board({(row - top, col - left): board.tiles[row, col] for row, col in squares})


def measure_series(reader: Reader, files: Sequence[Path]) -> Cost:
    """Follow the photos of a game one by one, then read the last ones alone."""
    series, seconds = reader.begin_series(), []
    for file in files:
        started = time.process_time()
        series.add(reader.survey_moment(Photo.from_path(file)))
        series.follow()
        seconds.append(time.process_time() - started)
    peak_mib = measure_peak_memory_mib()
    return Cost(tuple(seconds), tuple(_time_reading(reader, file) for file in files[-MEASURED_PHOTOS:]), peak_mib)


def _time_reading(reader: Reader, file: Path) -> float:
    started = time.process_time()
    reader.read(Photo.from_path(file))
    return time.process_time() - started


if __name__ == "__main__":
    main()
