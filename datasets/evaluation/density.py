"""The density of pieces on finished tables, and the features they stand on, for comparing dealt tables with real ones.

    python -m datasets.evaluation.density ../shared/labels/*.json datasets/real/*.json
    python -m datasets.evaluation.density synthetic/played/*.json

    tables                           pieces  cities  roads  fields  monasteries  knights  on twins
    real (14 of 26 labels)              9.1     35%    20%     30%          15%      3.1       2.4
    random, 2 to 5 players             22.9     38%    31%     20%          11%      8.7       3.7
    random, 2 players                  13.8     36%    30%     21%          13%      5.0       2.3
    played, 2 players                   9.2     30%    25%     31%          14%      2.8       2.0

The random and played figures are from the 60 tables of `datasets.generate --count 60 --seed 61 --size 320x240 --clean`,
without further options, with `--players 2`, and with `--players 2 --played`. Pieces and knights are means per table.

Only tables of 72 or more tiles, all known, with at least one piece count: a table without pieces is already cleared.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from scoring.carcassonne.board.board import Board
from scoring.carcassonne.board.features import build_feature_map
from scoring.carcassonne.tiles.catalogue import list_layout_turns
from scoring.errors import LabelError
from scoring.percent import format_percent
from vision.errors import InputError
from vision.evaluation.labels import KNOWN, load_truth
from vision.squares.coat_posterior import find_coat_twins

WHOLE_GAME = 72
"""Number of tiles in the base game."""
STOOD_ON = {"city": "cities", "road": "roads", "field": "fields", "monastery": "monasteries"}


@dataclass(frozen=True, slots=True)
class Density:
    """Counts over `tables`: the pieces by the kind of feature they stand on (or none), and the knights on twins.

    `knights_on_twins` stand on a tile with a twin that differs in a coat of arms alone.
    """

    tables: int
    stood_on: Counter[str]
    knights_on_twins: int

    @property
    def pieces(self) -> int:
        """Number of pieces on all tables together."""
        return self.stood_on.total()


def measure_density(boards: Iterable[Board]) -> Density:
    """Count the pieces of those boards that qualify."""
    tables, stood_on, on_twins = 0, Counter[str](), 0
    for board in boards:
        if len(board.tiles) < WHOLE_GAME or None in board.tiles.values() or not board.meeples:
            continue
        tables += 1
        features = build_feature_map(board)
        for piece in board.meeples:
            below = features.under(piece)
            kind = "nothing" if below is None else below.kind
            stood_on[kind] += 1
            placement = board.tiles.get(piece.square)
            on_twins += kind == "city" and placement is not None and placement.tile in _twins()
    return Density(tables, stood_on, on_twins)


def describe_density(figures: Density) -> Iterator[str]:
    """Describe the figures, one per line; shares are of all pieces."""
    yield f"tables {figures.tables}"
    if figures.tables:
        yield f"pieces a table {figures.pieces / figures.tables:.1f}"
        for kind, name in STOOD_ON.items():
            yield f"on {name} {format_percent(figures.stood_on[kind] / figures.pieces)}"
        yield f"knights a table {figures.stood_on['city'] / figures.tables:.1f}"
        on_twins = figures.knights_on_twins / figures.tables
        yield f"of them on tiles that have a twin but for the coat of arms {on_twins:.1f}"


@cache
def _twins() -> frozenset[str]:
    """Return the ids of the tiles that differ from another one in a coat of arms alone."""
    classes = list_layout_turns(KNOWN)
    return frozenset(classes[number][0] for number in find_coat_twins(KNOWN).ravel().tolist())


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        prog="python -m datasets.evaluation.density", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("labels", type=Path, nargs="+", help="labels of tables; their photos are not needed")
    try:
        boards = [load_truth(path).board for path in parser.parse_args(arguments).labels]
    except (LabelError, InputError) as error:
        parser.error(f"{error.code}: {error}")
    for line in describe_density(measure_density(boards)):
        print(line)


if __name__ == "__main__":
    main()
