"""Time the scoring: python -m datasets.benchmark.scoring [--repeat N] [--referee FILE].

Random boards of 72 tiles and more are dealt. The command times their features, their final scoring, and laying one tile
late in a game, all as ratios to a sum of 10,000 numbers timed in the same run. An independent scorer with
`Board(label)` and `final()` (a Python file) is timed as well if given.
"""

from __future__ import annotations

import argparse
import importlib.util
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

from scoring.carcassonne.board.board import Board, Placement
from scoring.carcassonne.board.features import build_feature_map
from scoring.carcassonne.board.label import write_label
from scoring.carcassonne.deal.boards import deal_random_board
from scoring.carcassonne.final.scoring import compute_final_scoring
from scoring.carcassonne.play.game import Game, Move, PlacedTile, Setup
from scoring.carcassonne.play.placement import find_tile_violation
from scoring.carcassonne.play.running_features import Laying, Tracker
from scoring.carcassonne.tiles.catalogue import Catalogue, load_base_catalogue
from scoring.carcassonne.tiles.geometry import Square

SIZES = (72, 144, 288, 576)
TIMED_TILES = 24
"""Number of final tiles whose laying is timed. A guess."""
_YARDSTICK = range(10_000)


@dataclass(frozen=True, slots=True)
class Timing:
    """Median milliseconds for one board: features, their final scoring, laying a tile, and the referee's scoring."""

    tiles: int
    features_ms: float
    scoring_ms: float
    laying_ms: float
    referee_ms: float | None

    @property
    def whole_ms(self) -> float:
        """Return the milliseconds of features and final scoring."""
        return self.features_ms + self.scoring_ms


def deal_board(tiles: int, seed: int) -> Board:
    """Return a random board of this many tiles, from as many base games as needed."""
    boxes = -(-tiles // SIZES[0])
    return deal_random_board(Random(seed), tiles=tiles, catalogue=Catalogue(load_base_catalogue().layouts * boxes))


def measure(tiles: int, repeats: int, referee: Callable[[Any], Any] | None = None) -> Timing:
    """Return the times for boards of one size, a new board for each run, after one to warm up."""
    runs = [_run(deal_board(tiles, seed), referee) for seed in range(repeats + 1)][1:]
    parts = zip(*runs, strict=True)
    features, scored, laying, refereed = (median(part) for part in parts)
    return Timing(tiles, features, scored, laying, refereed if referee else None)


def measure_unit_ms(repeats: int) -> float:
    """Return the median milliseconds of the sum used as the unit."""
    return median(_timed(lambda: sum(_YARDSTICK)) for _ in range(10 * repeats))


def measure_turn_ms(board: Board) -> float:
    """Return the median milliseconds of a turn without meeples, in a game that lays a board of the base game's
    tiles.
    """
    (origin, first), *rest = order_tiles(board)
    game = Game(Setup(("red", "blue"), start=first))
    times = []
    for (row, col), tile in rest:
        placement = PlacedTile(tile, (row - origin[0], col - origin[1]))
        times.append(_timed(partial(game.play, Move(game.on_turn, placement))))
    return median(times[-TIMED_TILES:])


def order_tiles(board: Board) -> Iterator[tuple[Square, Placement]]:
    """Yield the tiles of a board in an order in which each but the first touches an earlier one."""
    left = dict(board.known)
    fringe = [next(iter(left))]
    while fringe:
        square = fringe.pop(0)
        if square in left:
            yield square, left.pop(square)
            row, col = square
            fringe += [(row + 1, col), (row, col + 1), (row - 1, col), (row, col - 1)]


def _run(board: Board, referee: Callable[[Any], Any] | None) -> tuple[float, float, float, float]:
    features = build_feature_map(board)
    refereed = 0.0
    if referee:
        label = write_label(board)
        refereed = _timed(lambda: referee(label).final())
    return (
        _timed(lambda: build_feature_map(board)),
        _timed(lambda: compute_final_scoring(board, features)),
        _laying(board),
        refereed,
    )


def _laying(board: Board) -> float:
    """Return the median milliseconds of laying each of the last tiles: its legality, joins and completions."""
    order = list(order_tiles(board))
    tracker = Tracker()
    times = [_timed(partial(_lay, tracker, {at: tile})) for at, tile in order]
    return median(times[-TIMED_TILES:])


def _lay(tracker: Tracker, placements: Mapping[Square, Placement]) -> None:
    find_tile_violation(placements, tracker.tiles)
    laying = Laying(tracker)
    laying.lay(placements)
    laying.completed()
    tracker.commit(laying)


def _timed(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return 1000 * (time.perf_counter() - start)


def main() -> int:
    """Print a line for each size of board."""
    parser = argparse.ArgumentParser(prog="python -m datasets.benchmark.scoring", description=__doc__)
    parser.add_argument("--repeat", type=int, default=9, metavar="N", help="boards of each size to take the median of")
    parser.add_argument("--referee", type=Path, metavar="FILE", help="an independent scorer to time beside")
    arguments = parser.parse_args()
    referee = _board_of(arguments.referee) if arguments.referee else None
    unit = measure_unit_ms(arguments.repeat)
    print(f"median of {arguments.repeat}; a sum of {len(_YARDSTICK)} numbers = 1 ({unit:.3f} ms here)")
    print(f"{'tiles':>6} {'features':>9} {'scoring':>9} {'both, ms':>9} {'a tile':>8} {'its ms':>8} {'to referee':>11}")
    for tiles in SIZES:
        _print(measure(tiles, arguments.repeat, referee), unit)
    turn = measure_turn_ms(deal_board(SIZES[0], 0))
    print(f"a turn of the play engine at the end of a game of {SIZES[0]} tiles: {turn / unit:.2f} ({turn:.3f} ms)")
    return 0


def _print(timing: Timing, unit: float) -> None:
    referee = f"{timing.whole_ms / timing.referee_ms:11.2f}" if timing.referee_ms else f"{'-':>11}"
    print(
        f"{timing.tiles:6} {timing.features_ms / unit:9.1f} {timing.scoring_ms / unit:9.1f} {timing.whole_ms:9.2f}"
        f" {timing.laying_ms / unit:8.2f} {timing.laying_ms:8.3f} {referee}"
    )


def _board_of(path: Path) -> Callable[[Any], Any]:
    """Return the referee's `Board`, loaded from its file."""
    spec = importlib.util.spec_from_file_location("referee", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    board: Callable[[Any], Any] = module.Board
    return board


if __name__ == "__main__":
    sys.exit(main())
