"""Fit how often pieces share a tile and how often a box's supply is exceeded: `python -m models.calibration.crowds
LABEL.json ... --photos DIR`.

Use labels of real photos: on drawn tables pieces share a tile as often as the generator decides. The row `tiles` of
`[carcassonne.habits]` in `models/calibration.toml` has the rates at which several pieces of one player (`own`) and
pieces of several players (`others`) share a tile, relative to pieces placed on tiles at random. Wonders have room for
several pieces and do not count. The row `supply` has the odds that a player has one piece more on the board than the
box holds, such as the one from the score track, against exactly as many. `--write` writes both there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations

from models.calibration.file import FittedRow, build_label_parser, count_tables, report_rows
from scoring.carcassonne.board.board import MEEPLES_A_PLAYER, Board
from scoring.carcassonne.board.features import build_feature_map
from vision.evaluation.labels import load_truth

DIGITS = 2
"""Decimals of a fitted number. A guess."""


@dataclass(frozen=True, slots=True)
class Crowds:
    """How often pieces of one board share a tile, the rate expected by chance, and players with all pieces there.

    `own` counts pairs of tile and colour with more than one piece; `others` counts the further colours on tiles.
    """

    own: int
    others: int
    own_by_chance: float
    others_by_chance: float
    out_of_pieces: int
    one_more: int


def main() -> None:
    options = build_label_parser(__doc__).parse_args()
    boards = (load_truth(label).board for label in options.labels)
    rows = fit_rows(map(count_crowds, boards))
    report_rows("carcassonne", rows, options.write, count_tables(options.labels))


def count_crowds(board: Board) -> Crowds:
    """Count how pieces of a board share its tiles and how many players have none left."""
    wonders = {square for square, tile in board.tiles.items() if tile is not None and tile.wonder is not None}
    pieces = [meeple for meeple in board.meeples if meeple.square not in wonders]
    by_colour = Counter((piece.square, piece.colour) for piece in pieces)
    colours = Counter(square for square, _ in by_colour)
    alike = [one.colour == other.colour for one, other in combinations(pieces, 2)]
    features = build_feature_map(board)
    on = [(meeple, features.under(meeple)) for meeple in board.meeples if meeple.kind == "meeple"]
    supply = Counter(meeple.colour for meeple, feature in on if feature is None or feature.kind != "wonder")
    return Crowds(
        own=sum(count > 1 for count in by_colour.values()),
        others=sum(count - 1 for count in colours.values()),
        own_by_chance=sum(alike) / max(len(board.tiles), 1),
        others_by_chance=(len(alike) - sum(alike)) / max(len(board.tiles), 1),
        out_of_pieces=sum(count >= MEEPLES_A_PLAYER for count in supply.values()),
        one_more=sum(count > MEEPLES_A_PLAYER for count in supply.values()),
    )


def fit_rows(crowds: Iterable[Crowds]) -> Iterator[FittedRow]:
    """Yield both rows; half a case is added as a prior, against one expected by chance."""
    boards = list(crowds)
    counts = {name: sum(getattr(board, name) for board in boards) for name in Crowds.__dataclass_fields__}
    shares = {
        name: round((counts[name] + 0.5) / (counts[f"{name}_by_chance"] + 1), DIGITS) for name in ("own", "others")
    }
    shared = {f"{name}_tiles": counts[name] for name in shares}
    yield FittedRow("habits", "tiles", shares, {**shared, "boards": len(boards)}, len(boards))
    just_all = counts["out_of_pieces"] - counts["one_more"]
    odds = round((counts["one_more"] + 0.5) / (just_all + 0.5), DIGITS)
    outcomes = {"so": counts["one_more"], "of": counts["out_of_pieces"]}
    yield FittedRow("habits", "supply", {"one_more": odds}, outcomes, counts["out_of_pieces"])


if __name__ == "__main__":
    main()
