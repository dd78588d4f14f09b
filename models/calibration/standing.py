"""Fit the evidence that a standing piece is a farmer: `python -m models.calibration.standing LABEL.json ... --photos
DIR`.

Use labels of tables that leave all farmers standing (`python -m datasets.generate --standing`): hardly a real table
does. The drawing and the net of `models.calibration.features` know only farmers who lie, so they are too sure that a
piece standing beside a monastery or a road is no farmer. The row `farmers_standing` of `[carcassonne.habits]` in
`models/calibration.toml` has the slope and offset of the logit of a farmer, by both witnesses and by the share of
farmers among pieces, for a table that leaves them standing. `--write` writes it there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from models.calibration.doubt import fit_platt
from models.calibration.features import find_pieces
from models.calibration.file import FittedRow, fit_row_of_photos
from scoring.carcassonne.board.locate import PLACED_BY_POSE
from vision.evaluation.labels import Truth
from vision.pieces.placement import compute_farmer_share, list_standing_places
from vision.reader import Reader


class StandingPiece(NamedTuple):
    """A true piece that stands: the probability of a farmer if farmers stand, and whether it is one."""

    probability: float
    is_farmer: bool


def main() -> None:
    fit_row_of_photos(__doc__, collect_pieces, fit_row)


def collect_pieces(reader: Reader, truth: Truth, file: Path) -> Iterator[StandingPiece]:
    """Yield the standing pieces of a photo for which a farmer is a possibility; raises ReadingError."""
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


def fit_row(pieces: Sequence[StandingPiece]) -> FittedRow:
    """Return the slope and offset that maximise the likelihood of the true farmers."""
    slope, offset = fit_platt([piece.probability for piece in pieces], [piece.is_farmer for piece in pieces])
    counts = {"pieces": len(pieces), "farmers": sum(piece.is_farmer for piece in pieces)}
    fitted = {"slope": round(slope, 2), "offset": round(offset, 2)}
    return FittedRow("habits", "farmers_standing", fitted, counts, len(pieces))


if __name__ == "__main__":
    main()
