"""Fit the evidence that a standing piece is a farmer: `python -m models.calibration.standing LABEL.json ... --photos
DIR`.

Use labels of real photos; only tables that leave all farmers standing count. On drawn tables the slope is 0.5,
since the nets know the drawn prints too well to be as sure of real ones. The drawing and the net of
`models.calibration.features` know only farmers who lie, so they may be too sure, or not sure enough, that a piece
standing beside a monastery or a road is no farmer. The row `farmers_standing` of `[carcassonne.habits]` in
`models/calibration.toml` has the slope and offset of the logit of a farmer, by both witnesses and by the share of
farmers among pieces, for a table that leaves them standing. `--write` writes it there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from models.calibration.doubt import fit_platt, measure_surprise
from models.calibration.features import find_pieces
from models.calibration.file import FittedRow, fit_row_of_tables
from models.calibration.photographers import CasesOfTable, judge_unseen, weigh_cases
from scoring.calibration import Platt
from scoring.carcassonne.board.locate import PLACED_BY_POSE
from vision.evaluation.labels import Truth
from vision.pieces.placement import compute_farmer_share, list_standing_places
from vision.reader import Reader


class StandingPiece(NamedTuple):
    """A true piece that stands: the probability of a farmer if farmers stand, and whether it is one."""

    probability: float
    is_farmer: bool


def main() -> None:
    fit_row_of_tables(__doc__, collect_pieces, fit_row)


def collect_pieces(reader: Reader, truth: Truth, file: Path) -> Iterator[StandingPiece]:
    """Yield the standing pieces of a photo for which a farmer is a possibility; raises ReadingError.

    There are none on a table that does not leave all farmers standing.
    """
    if not leaves_farmers_standing(truth):
        return
    for piece in find_pieces(reader, truth, file):
        below = truth.board.find_kind_below(piece.true.placed)
        stands = piece.true.placed.pose == "standing" and piece.true.placed.kind in PLACED_BY_POSE
        if stands and below not in (None, "wonder"):
            places = list_standing_places(
                piece.read.at, piece.board, piece.features, piece.grounds.roads, piece.evidence
            )
            share = compute_farmer_share(places, piece.features)
            if share is not None:
                yield StandingPiece(share, below == "field")


def leaves_farmers_standing(truth: Truth) -> bool:
    """Return whether a table has farmers, and all of them stand."""
    poses = {meeple.placed.pose for meeple in truth.meeples if truth.board.find_kind_below(meeple.placed) == "field"}
    return poses == {"standing"}


def fit_row(tables: Sequence[CasesOfTable[StandingPiece]]) -> FittedRow:
    """Return the slope and offset with the greatest posterior probability given the true farmers."""
    pieces, weights = weigh_cases(tables)
    scaling = _fit_scaling(pieces, weights)
    unseen = judge_unseen(tables, _fit_scaling, _measure_pieces)
    for line in unseen.format_lines("farmers_standing"):
        print(line)
    counts = {"pieces": len(pieces), "farmers": sum(piece.is_farmer for piece in pieces), **unseen.counts}
    fitted = {"slope": round(scaling.slope, 2), "offset": round(scaling.offset, 2)}
    return FittedRow("habits", "farmers_standing", fitted, counts, len(pieces))


def _fit_scaling(pieces: Sequence[StandingPiece], weights: Sequence[float]) -> Platt:
    return Platt(*fit_platt([piece.probability for piece in pieces], [piece.is_farmer for piece in pieces], weights))


def _measure_pieces(scaling: Platt, pieces: Sequence[StandingPiece]) -> float:
    return measure_surprise(scaling, [(piece.probability, piece.is_farmer) for piece in pieces])


if __name__ == "__main__":
    main()
