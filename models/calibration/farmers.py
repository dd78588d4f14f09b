"""Fit how farmers stand: `python -m models.calibration.farmers LABEL.json ... --photos DIR`.

The labels are to be those of real photos, since on drawn tables people lay all farmers down. Of the pieces that stand
or lie, the row `pieces` of `[carcassonne.habits]` in `models/calibration.toml` has how many are farmers, how many of
these stand, and how many of the others that stand seem to be in the middle of a field (`strays`), since their feet,
their tiles or the print are not quite where they are read. `--write` puts it there. How many tables leave all farmers
standing (the row `tables`) was set by hand: one of about seventy that were looked at.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from models.calibration.file import FittedRow, fit_row_of_photos
from scoring.carcassonne.board.locate import PLACED_BY_POSE, locate_piece
from vision.evaluation.labels import Truth
from vision.evaluation.matching import match_reading
from vision.photo.decoding import Photo
from vision.reader import Reader
from vision.reading.board import build_board

PRIOR_SHARES, PRIOR_PIECES = {"farmers": 0.3, "standing": 0.02, "strays": 0.02}, 20
"""What is thought of each share before any piece is seen, and as how many pieces that counts: on tables without a lying
piece, farmers lie none the less."""
MIDDLE_ODDS = 1e-2
"""What is less likely on anything else, against on a field, stands in the middle of one."""


class PosedPiece(NamedTuple):
    """A true piece that stands or lies: whether it stands, is a farmer, and seems to be in the middle of a field."""

    stands: bool
    is_farmer: bool
    seems_in_field: bool


def main() -> None:
    fit_row_of_photos(__doc__, collect_pieces, fit_row)


def collect_pieces(reader: Reader, truth: Truth, file: Path) -> Iterator[PosedPiece]:
    """Yield the pieces of a photo that were found and stand or lie on a known feature; raises ReadingError."""
    reading = reader.read(Photo.from_path(file))
    board = build_board(reading)
    for read, true in match_reading(reading, truth).meeples:
        below = truth.board.find_kind_below(true.placed)
        posed = true.placed.kind in PLACED_BY_POSE and true.placed.pose in ("standing", "lying")
        if posed and below not in (None, "wonder"):
            elsewhere, on_field = (
                sum(standing.mass for standing in locate_piece(board, read.at, pose)) for pose in ("standing", "lying")
            )
            yield PosedPiece(true.placed.pose == "standing", below == "field", elsewhere < MIDDLE_ODDS * on_field)


def fit_row(pieces: Sequence[PosedPiece]) -> FittedRow:
    """Return how many pieces are farmers, how many of these stand, and how many others stray, beside `PRIOR_SHARES`."""
    others = [piece for piece in pieces if not piece.is_farmer and piece.stands]
    farmers = [piece for piece in pieces if piece.is_farmer]
    shares = {
        "farmers": (len(farmers), len(pieces)),
        "standing": (sum(piece.stands for piece in farmers), len(farmers)),
        "strays": (sum(piece.seems_in_field for piece in others), len(others)),
    }
    values = {
        name: round((count + PRIOR_PIECES * PRIOR_SHARES[name]) / (total + PRIOR_PIECES), 4)
        for name, (count, total) in shares.items()
    }
    return FittedRow("habits", "pieces", {**values, "pieces": len(pieces)})


if __name__ == "__main__":
    main()
