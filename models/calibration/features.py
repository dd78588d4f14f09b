"""Fit the weights of the drawing and the net for the feature that a piece stands on: `python -m
models.calibration.features LABEL.json ... --photos DIR`.

For each piece that was read, given the true pose, two witnesses are compared with the label: the weights that the
drawing gives to the features near it (with roads where they are printed, `models.calibration.ground`), and the output
of `models/ground.onnx`. The row has the two factors that maximise the likelihood of the true features. All real tables
together weigh as much as all drawn ones, whose pieces are set more sloppily than people set them. The command prints
the row `feature` of `[carcassonne.ground]` in `models/calibration.toml`; `--write` writes it there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from scipy.optimize import minimize
from scipy.special import log_softmax

from models.calibration.file import FittedRow, TooFewCasesError, fit_row_of_photos
from scoring.calibration import load_weights
from scoring.carcassonne.board.board import Board
from scoring.carcassonne.board.features import FeatureMap, build_feature_map
from scoring.carcassonne.board.locate import Standing, locate_piece
from vision.arrays import Floats
from vision.evaluation.labels import TrueMeeple, Truth
from vision.evaluation.matching import Match, is_same_place, match_reading
from vision.multiview.placed_pieces import read_grounds
from vision.photo.decoding import Photo
from vision.pieces.ground_classifier import Evidence, Grounds, weigh_witnesses
from vision.reader import Reader
from vision.reading.board import build_board
from vision.reading.values import MeepleReading

SURE = 0.98
"""The command reports how many pieces have a feature more probable than this. A guess."""


@dataclass(frozen=True, slots=True, eq=False)
class WitnessedPiece:
    """A piece with (n, 2) nats for n features by the drawing and by the net, and the index of its true feature.

    `is_photographed` marks a piece of a real table.
    """

    nats: Floats
    true_number: int
    is_photographed: bool


def main() -> None:
    fit_row_of_photos(__doc__, collect_pieces, fit_row, describe_witnesses)


@dataclass(frozen=True, slots=True, eq=False)
class FoundPiece:
    """A piece that was read, the piece of the label that it is, and the evidence of the photo beneath it."""

    read: MeepleReading
    true: TrueMeeple
    match: Match
    board: Board
    features: FeatureMap
    grounds: Grounds
    evidence: Evidence


def find_pieces(reader: Reader, truth: Truth, file: Path) -> Iterator[FoundPiece]:
    """Yield the true pieces that are found on a photo; raises ReadingError."""
    joint = reader.joiner.group([reader.survey(Photo.from_path(file))])
    table = reader.joiner.read_table(reader.joiner.read_board(joint))
    reading = replace(table.board.reading, meeples=table.meeples)
    board = build_board(reading)
    features = build_feature_map(board)
    grounds = read_grounds(reader.piece_reader, table.board.joint.placed, table.sightings, board)
    evidence = {sighting.piece.at: grounds.of_piece(i) for i, sighting in enumerate(table.sightings)}
    match = match_reading(reading, truth)
    for read, true in match.meeples:
        yield FoundPiece(read, true, match, board, features, grounds, evidence[read.at])


def collect_pieces(reader: Reader, truth: Truth, file: Path) -> Iterator[WitnessedPiece]:
    """Yield the pieces of a photo that have more than one feature near them; raises ReadingError."""
    for piece in find_pieces(reader, truth, file):
        standings = list_standings(piece.board, piece.read, piece.true, truth, piece.grounds)
        nats = weigh_witnesses(standings, piece.features, piece.evidence)
        right = {
            piece.features.at(standing.square, standing.segment).id
            for standing in standings
            if is_same_place(_put(piece.read, standing), piece.true, truth, piece.match)
        }
        if piece.evidence and len(nats) > 1 and len(right) == 1:
            yield WitnessedPiece(
                np.array([*nats.values()]), [*nats].index(right.pop()), is_photographed=bool(truth.photographer)
            )


def list_standings(
    board: Board, read: MeepleReading, true: TrueMeeple, truth: Truth, grounds: Grounds
) -> tuple[Standing, ...]:
    """List the places where a piece that was read may stand, given its true pose and kind."""
    pose, kind = true.placed.pose, true.placed.kind
    standings = locate_piece(board, read.at, pose, kind, grounds.roads)
    if pose == "standing" and truth.board.find_kind_below(true.placed) == "field":
        standings += locate_piece(board, read.at, "lying", kind, grounds.roads)
    return standings


def _put(read: MeepleReading, standing: Standing) -> MeepleReading:
    row, col = standing.square
    return replace(read, row=row, col=col, segment=standing.segment)


def describe_witnesses(pieces: Sequence[WitnessedPiece]) -> Iterator[str]:
    """Yield a comment line for real and for drawn pieces, by the drawing alone and by both witnesses in force."""
    in_force = load_weights("carcassonne", "ground")["feature"]
    ways = {"drawing": (1.0, 0.0), "both": (in_force["drawing"], in_force["net"])}
    for tables, is_photographed in (("real", True), ("drawn", False)):
        of_tables = [piece for piece in pieces if piece.is_photographed == is_photographed]
        for way, factors in ways.items() if of_tables else ():
            nats = [log_softmax(piece.nats @ factors) for piece in of_tables]
            truth = [float(of_piece[piece.true_number]) for of_piece, piece in zip(nats, of_tables, strict=True)]
            right = sum(nat == of_piece.max() for nat, of_piece in zip(truth, nats, strict=True))
            sure = sum(bool(of_piece.max() > np.log(SURE)) for of_piece in nats)
            surprise = -float(np.mean(truth))
            yield f"# {tables}, {way}: {right} of {len(truth)} right, {surprise:.3f} nats, {sure} surer than {SURE}"


def fit_row(pieces: Sequence[WitnessedPiece]) -> FittedRow:
    """Return the factors, with the data they rest on; raises TooFewCasesError without a piece."""
    if not pieces:
        raise TooFewCasesError("no piece has more than one feature near it")
    drawing, net = fit_factors(pieces)
    real = sum(piece.is_photographed for piece in pieces)
    wrong = sum(int(np.argmax(piece.nats @ (drawing, net))) != piece.true_number for piece in pieces)
    counts = {"pieces": len(pieces), "real": real, "misplaced": wrong}
    return FittedRow("ground", "feature", {"drawing": round(drawing, 2), "net": round(net, 2)}, counts, len(pieces))


def fit_factors(pieces: Sequence[WitnessedPiece]) -> tuple[float, float]:
    """Return the weights of the drawing's nats and of the net's; real and drawn tables weigh equally."""
    counts = Counter(piece.is_photographed for piece in pieces)
    weights = [1 / counts[piece.is_photographed] for piece in pieces]

    def compute_loss(factors: Floats) -> float:
        return -sum(
            weight * float(log_softmax(piece.nats @ factors)[piece.true_number])
            for weight, piece in zip(weights, pieces, strict=True)
        )

    drawing, net = minimize(compute_loss, np.ones(2), bounds=[(0, None)] * 2).x.tolist()
    return drawing, net


if __name__ == "__main__":
    main()
