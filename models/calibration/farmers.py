"""Fit how farmers stand: `python -m models.calibration.farmers LABEL.json ... --photos DIR`.

Use labels of real photos: on drawn tables all farmers lie, and the nets know the drawn prints too well to be as sure of
real ones. The command fits two rows of `[carcassonne.habits]` in `models/calibration.toml`, and `--write` writes them
there.

`pieces`, on tables that do not leave all farmers standing, has three shares: farmers among the pieces that stand or
lie; standing pieces among the farmers; and, among the others that stand, those that seem to be in the middle of a field
(`strays`), because their feet, their tiles or the print are not quite where they are read. The share of tables that
leave all farmers standing (the row `tables`) was set by hand: one of about seventy inspected.

`farmers_standing`, on tables that leave all farmers standing, has the slope and offset of the logit of a farmer, by the
drawing and the net of `models.calibration.features` and by the share of farmers among pieces. Both witnesses know only
farmers who lie, so they may be too sure, or not sure enough, that a piece standing beside a monastery or a road is no
farmer.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from models.calibration.doubt import fit_platt, measure_surprise
from models.calibration.features import find_pieces
from models.calibration.file import (
    FittedRow,
    build_label_parser,
    collect_from_photos,
    count_tables,
    report_rows,
)
from models.calibration.photographers import CasesOfTable, judge_unseen, weigh_cases
from scoring.calibration import Platt
from scoring.carcassonne.board.locate import PLACED_BY_POSE, locate_piece
from vision.evaluation.labels import Truth
from vision.evaluation.matching import match_reading
from vision.photo.decoding import Photo
from vision.pieces.placement import compute_farmer_share, list_standing_places
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


class StandingPiece(NamedTuple):
    """A true piece that stands: the probability of a farmer if farmers stand, and whether it is one."""

    probability: float
    is_farmer: bool


PiecesOfTable = tuple[CasesOfTable[PosedPiece], CasesOfTable[StandingPiece]]
"""The pieces of one table for each of the two rows."""


def main() -> None:
    options = build_label_parser(__doc__).parse_args()
    reader = Reader()
    tables = [
        *collect_from_photos(options.labels, options.photos, lambda truth, file: collect_pieces(reader, truth, file))
    ]
    report_rows("carcassonne", fit_rows(tables), options.write, count_tables(options.labels))


def collect_pieces(reader: Reader, truth: Truth, file: Path) -> PiecesOfTable:
    """Return the pieces of a photo that either row needs; raises ReadingError."""
    return (
        CasesOfTable(truth.photographer, tuple(collect_posed_pieces(reader, truth, file))),
        CasesOfTable(truth.photographer, tuple(collect_standing_pieces(reader, truth, file))),
    )


def fit_rows(tables: Sequence[PiecesOfTable]) -> Iterator[FittedRow]:
    """Yield both rows."""
    yield fit_pieces_row([posed for posed, _ in tables])
    yield fit_standing_row([standing for _, standing in tables])


def collect_posed_pieces(reader: Reader, truth: Truth, file: Path) -> Iterator[PosedPiece]:
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


def collect_standing_pieces(reader: Reader, truth: Truth, file: Path) -> Iterator[StandingPiece]:
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


def fit_pieces_row(tables: Sequence[CasesOfTable[PosedPiece]]) -> FittedRow:
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


def fit_standing_row(tables: Sequence[CasesOfTable[StandingPiece]]) -> FittedRow:
    """Return the slope and offset with the greatest posterior probability given the true farmers."""
    pieces, weights = weigh_cases(tables)
    scaling = _fit_scaling(pieces, weights)
    unseen = judge_unseen(tables, _fit_scaling, _measure_standing_pieces)
    for line in unseen.format_lines("farmers_standing"):
        print(line)
    counts = {"pieces": len(pieces), "farmers": sum(piece.is_farmer for piece in pieces), **unseen.counts}
    fitted = {"slope": round(scaling.slope, 2), "offset": round(scaling.offset, 2)}
    return FittedRow("habits", "farmers_standing", fitted, counts, len(pieces))


def _fit_scaling(pieces: Sequence[StandingPiece], weights: Sequence[float]) -> Platt:
    return Platt(*fit_platt([piece.probability for piece in pieces], [piece.is_farmer for piece in pieces], weights))


def _measure_standing_pieces(scaling: Platt, pieces: Sequence[StandingPiece]) -> float:
    return measure_surprise(scaling, [(piece.probability, piece.is_farmer) for piece in pieces])


if __name__ == "__main__":
    main()
