"""Fit how farmers stand: `python -m models.calibration.farmers LABEL.json ... --photos DIR`.

Use labels of real photos: on drawn tables all farmers lie. Tables that leave all farmers standing, which have another
habit, are left out (`models.calibration.standing`). The row `pieces` of `[carcassonne.habits]` in
`models/calibration.toml` has three shares: farmers among the pieces that stand or lie; standing pieces among the
farmers; and, among the others that stand, those that seem to be in the middle of a field (`strays`), because their
feet, their tiles or the print are not quite where they are read. `--write` writes it there. The share of tables that
leave all farmers standing (the row `tables`) was set by hand: one of about seventy inspected.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from models.calibration.file import FittedRow, fit_row_of_tables
from models.calibration.photographers import CasesOfTable, judge_unseen, weigh_cases
from models.calibration.standing import leaves_farmers_standing
from scoring.carcassonne.board.locate import PLACED_BY_POSE, locate_piece
from vision.evaluation.labels import Truth
from vision.evaluation.matching import match_reading
from vision.photo.decoding import Photo
from vision.reader import Reader
from vision.reading.board import build_board

PRIOR_SHARES, PRIOR_PIECES = {"farmers": 0.3, "standing": 0.02, "strays": 0.02}, 20
"""Prior of each share, and its weight in pieces: farmers lie even on tables without a lying piece. A guess."""
MIDDLE_ODDS = 1e-2
"""A piece stands in the middle of a field if its odds of anything else against a field are lower than this. A guess."""


class PosedPiece(NamedTuple):
    """A true piece that stands or lies: whether it stands, is a farmer, and seems to be in the middle of a field."""

    stands: bool
    is_farmer: bool
    seems_in_field: bool


def main() -> None:
    fit_row_of_tables(__doc__, collect_pieces, fit_row)


def collect_pieces(reader: Reader, truth: Truth, file: Path) -> Iterator[PosedPiece]:
    """Yield the pieces of a photo that were found and stand or lie on a known feature; raises ReadingError.

    There are none on a table that leaves all farmers standing.
    """
    if leaves_farmers_standing(truth):
        return
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


def fit_row(tables: Sequence[CasesOfTable[PosedPiece]]) -> FittedRow:
    """Return the shares of farmers, of standing farmers and of strays, with `PRIOR_SHARES` as their prior."""
    pieces, weights = weigh_cases(tables)
    unseen = judge_unseen(tables, fit_shares, _measure_pieces)
    for line in unseen.format_lines("pieces"):
        print(line)
    fitted = {name: round(share, 4) for name, share in fit_shares(pieces, weights).items()}
    return FittedRow("habits", "pieces", fitted, {"pieces": len(pieces), **unseen.counts}, len(pieces))


def fit_shares(pieces: Sequence[PosedPiece], weights: Sequence[float]) -> dict[str, float]:
    """Return each share; a piece counts as many times as its weight."""
    counted: dict[str, list[float]] = {name: [0.0, 0.0] for name in PRIOR_SHARES}
    for piece, weight in zip(pieces, weights, strict=True):
        for name, so in _list_outcomes(piece):
            counted[name][0] += so * weight
            counted[name][1] += weight
    return {
        name: (count + PRIOR_PIECES * PRIOR_SHARES[name]) / (total + PRIOR_PIECES)
        for name, (count, total) in counted.items()
    }


def _measure_pieces(shares: Mapping[str, float], pieces: Sequence[PosedPiece]) -> float:
    outcomes = [outcome for piece in pieces for outcome in _list_outcomes(piece)]
    return -sum(math.log(shares[name] if so else 1 - shares[name]) for name, so in outcomes)


def _list_outcomes(piece: PosedPiece) -> Iterator[tuple[str, bool]]:
    """Yield the names of the shares that a piece is about, and whether it is among those counted."""
    yield "farmers", piece.is_farmer
    if piece.is_farmer:
        yield "standing", piece.stands
    elif piece.stands:
        yield "strays", piece.seems_in_field


if __name__ == "__main__":
    main()
