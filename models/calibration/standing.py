"""Fit what tells a farmer who stands from other pieces that do: `python -m models.calibration.standing LABEL.json ...
--photos DIR`.

The labels are to be those of tables that leave all farmers standing (`python -m datasets.generate --standing`): hardly
a real one does. The drawing and the net of `models.calibration.features` know but farmers who lie, so that they are
surer than they should be that what stands beside a monastery or a road is no farmer. The row `farmers_standing` of
`[carcassonne.habits]` in `models/calibration.toml` has the slope and offset of the logit of a farmer by both witnesses,
and by how many pieces are farmers, for a table that leaves them standing. `--write` puts it there.
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
    """A true piece that stands: how likely it is a farmer if farmers stand, by all that is known, and whether it is."""

    probability: float
    is_farmer: bool


def main() -> None:
    fit_row_of_photos(__doc__, collect_pieces, fit_row)


def collect_pieces(reader: Reader, truth: Truth, file: Path) -> Iterator[StandingPiece]:
    """Yield the pieces of a photo that stand and may be farmers, or may not; raises ReadingError."""
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
    """Return slope and offset by which the pieces that are farmers are likeliest so."""
    slope, offset = fit_platt([piece.probability for piece in pieces], [piece.is_farmer for piece in pieces])
    counts = {"pieces": len(pieces), "farmers": sum(piece.is_farmer for piece in pieces)}
    return FittedRow("habits", "farmers_standing", {"slope": round(slope, 2), "offset": round(offset, 2)} | counts)


if __name__ == "__main__":
    main()
