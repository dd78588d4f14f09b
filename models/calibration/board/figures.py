"""Fit the probability of a figure: `python -m models.calibration.board.figures LABEL.json ... --photos DIR`.

A figure is anything that the reader takes for a piece and that is no player's: on labelled tables a piece that is
read and not there, on others as seen by eye (`figures.json`: the pixels of figures and of pieces, by photo). A logistic
regression weighs the evidence of `vision.pieces.figures`. How often drawn tables (`datasets.generate --things`) have
figures says nothing about real ones, so they have an offset of their own, which is not written. The command prints the
row of `[carcassonne.presence]` in `models/calibration.toml`, and `--write figure` writes it there.

The row counts as `asked` and `pieces_asked` the figures and the pieces in photos that are asked about with weights
fitted without their table.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from models.calibration.file import FittedRow, build_label_parser, collect_from_photos, count_tables, report_rows
from models.calibration.presence import solve_regression
from scoring.calibration import load_weights
from vision.arrays import Floats, compute_sigmoid
from vision.evaluation.labels import Truth
from vision.evaluation.matching import match_reading
from vision.evaluation.tables import find_photo
from vision.photo.decoding import Photo
from vision.pieces.figures import FigureWeights, list_figure_evidence
from vision.reader import Reader
from vision.reading.board import build_board
from vision.reading.values import Reading

SEEN_BY_EYE = Path(__file__).with_suffix(".json")
MAX_FOOT_OFF_PX = 3.0
"""Maximum distance of a foot from its place in `figures.json`: the photo may be decoded by another version. A guess."""
DRAWN_WEIGHT = 0.5
"""Weight of a thing on a drawn table relative to one in a photo. A guess."""


class Thing(NamedTuple):
    """A thing that was read as a piece: its table, the evidence, whether it is a figure, and whether it is drawn."""

    table: str
    evidence: Floats
    is_figure: bool
    is_drawn: bool


class _Read(NamedTuple):
    """The pieces that were read in a photo, and the evidence about each."""

    reading: Reading
    evidence: Mapping[tuple[float, float], Floats]


def main() -> None:
    options = build_label_parser(__doc__).parse_args()
    reader = Reader()
    labelled = collect_from_photos(
        options.labels, options.photos, lambda truth, file: list_labelled_things(_read(reader, file), truth)
    )
    things = [thing for table in labelled for thing in table]
    for name, feet in json.loads(SEEN_BY_EYE.read_text(encoding="utf-8")).items():
        things += list_things_seen(name, _read(reader, find_photo(name, options.photos)), feet)
    report_rows("carcassonne", map(fit_row, [things]), options.write, count_tables(options.labels))


def _read(reader: Reader, file: Path) -> _Read:
    joint = reader.joiner.group([reader.survey(Photo.from_path(file))])
    table = reader.joiner.read_pieces(reader.joiner.read_board(joint))
    reading = replace(table.board.reading, meeples=table.meeples)
    pieces = [sighting.piece for sighting in table.sightings]
    evidence = list_figure_evidence(pieces, build_board(reading))
    return _Read(reading, {piece.at: of_piece for piece, of_piece in zip(pieces, evidence, strict=True)})


def list_labelled_things(read: _Read, truth: Truth) -> list[Thing]:
    """List what was read as pieces on a labelled table: what is no true piece is a figure."""
    match = match_reading(read.reading, truth)
    figures = {meeple.at for meeple in match.extra_meeples}
    places = [*figures, *(meeple.at for meeple, _ in match.meeples)]
    return [Thing(truth.name, read.evidence[at], at in figures, not truth.photographer) for at in places]


def list_things_seen(name: str, read: _Read, feet: Mapping[str, Sequence[Sequence[float]]]) -> Iterator[Thing]:
    """Yield what was read as pieces in a photo and judged by eye, given the pixels of `figures` and `pieces`."""
    for meeple in read.reading.meeples:
        for kind, of_kind in feet.items():
            if any(math.dist(meeple.foot_px, foot) <= MAX_FOOT_OFF_PX for foot in of_kind):
                yield Thing(name, read.evidence[meeple.at], kind == "figures", is_drawn=False)


def fit_row(things: Sequence[Thing]) -> FittedRow:
    """Return the weights that fit the things best, with the data they rest on."""
    figures = [thing for thing in things if thing.is_figure]
    fitted = {name: round(float(weight), 2) for name, weight in zip(FigureWeights._fields, _fit(things), strict=True)}
    doubts = [thing for thing in list_asked(things) if not thing.is_drawn]
    data = {
        "things": len(things),
        "figures": len(figures),
        "drawn_figures": sum(thing.is_drawn for thing in figures),
        "asked": sum(thing.is_figure for thing in doubts),
        "pieces_asked": sum(not thing.is_figure for thing in doubts),
    }
    return FittedRow("presence", "figure", fitted, data, len(figures))


def list_asked(things: Sequence[Thing]) -> Iterator[Thing]:
    """Yield the things that are asked about with weights fitted without their table."""
    least = load_weights("carcassonne", "presence")["figure_asked"]["least"]
    for table in sorted({thing.table for thing in things}):
        weights = _fit([thing for thing in things if thing.table != table])
        mine = (thing for thing in things if thing.table == table)
        yield from (thing for thing in mine if compute_sigmoid(float(thing.evidence @ weights)) >= least)


def _fit(things: Sequence[Thing]) -> Floats:
    evidence = np.array([[*thing.evidence, thing.is_drawn] for thing in things])
    signs = np.array([1.0 if thing.is_figure else -1.0 for thing in things])
    counts = np.array([DRAWN_WEIGHT if thing.is_drawn else 1.0 for thing in things])
    return solve_regression(evidence * signs[:, None], counts, np.zeros(evidence.shape[1]))[:-1]


if __name__ == "__main__":
    main()
