"""Fit the evidence of pieces on their heads for wonders: `python -m models.calibration.markers LABEL.json ... --photos
DIR`.

Only a wonder's marker stands on its head. The odds of that pose are compared with the truth, markers against everything
else read as a piece, both kinds weighing the same (Platt, 1999). The row also has the number of pieces expected on as
many squares of other tiles as a wonder covers. The command prints the row `marker_look` of `[carcassonne.wonders]` in
`models/calibration.toml` with the number of pieces it rests on; `--write` writes it there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from models.calibration.file import FittedRow, fit_row_of_photos
from models.calibration.wonders import fit_odds
from vision.evaluation.labels import TrueMeeple, Truth
from vision.evaluation.matching import MAX_FOOT_DISTANCE_TILES
from vision.geometry.warp import project_to_photo
from vision.photo.decoding import Photo
from vision.pieces.kind_prior import collect_marker_looks
from vision.reader import Reader

SQUARES = 5
"""Number of squares that a wonder covers. By the rules."""


class LookedAtPiece(NamedTuple):
    """The log odds by its look that a piece is there and stands on its head, in nats, and whether it marks a wonder.

    `presence` is the probability that it is there at all. `tiles` is the number of its table's tiles that are no
    wonder; one piece of the table carries the whole number, the others 0.
    """

    odds: float
    is_marker: bool
    presence: float
    tiles: int


def main() -> None:
    fit_row_of_photos(__doc__, collect_pieces, fit_row)


def collect_pieces(reader: Reader, truth: Truth, file: Path) -> Iterator[LookedAtPiece]:
    """Yield everything that is read as a piece on the tiles of a photo; raises ReadingError."""
    board = reader.joiner.read_board(reader.joiner.group([reader.survey(Photo.from_path(file))]))
    (pieces,) = reader.joiner.find_pieces(board)
    markers = [meeple for meeple in truth.meeples if truth.board.find_kind_below(meeple.placed) == "wonder"]
    tiles = sum(placement is None or placement.wonder is None for placement in truth.board.tiles.values())
    feet = project_to_photo(board.reading.warp, np.array([piece.at for piece in pieces]).reshape(-1, 2))
    for piece, foot in zip(pieces, feet.tolist(), strict=True):
        ((odds,),) = collect_marker_looks([piece], reader.piece_reader.names.poses).values()
        yield LookedAtPiece(odds, any(_is_at(marker, foot, truth) for marker in markers), piece.presence, tiles)
        tiles = 0


def _is_at(marker: TrueMeeple, foot: Sequence[float], truth: Truth) -> bool:
    size = next(tile.size_px for tile in truth.tiles if tile.square == marker.placed.square)
    return float(np.hypot(*np.subtract(foot, marker.foot_px))) < MAX_FOOT_DISTANCE_TILES * size


def fit_row(pieces: Sequence[LookedAtPiece]) -> FittedRow:
    """Return the calibration of the odds, and the expected number of other pieces; raises TooFewCasesError without
    either."""
    odds = np.array([piece.odds for piece in pieces])
    is_marker = np.array([piece.is_marker for piece in pieces], bool)
    look = fit_odds("marker_look", odds, is_marker)
    counts = {"markers": look.fitted_on["squares"], "pieces": look.fitted_on["others"]}
    others = sum(piece.presence for piece in pieces if not piece.is_marker)
    expected = SQUARES * others / max(sum(piece.tiles for piece in pieces), 1)
    return FittedRow("wonders", "marker_look", {**look.fitted, "expected": round(expected, 2)}, counts, look.cases)


if __name__ == "__main__":
    main()
