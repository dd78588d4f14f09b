"""Fit how near a disc is to a road that it lies on: `python -m models.calibration.ground LABEL.json ... --photos DIR`.

The labels are to be those of real photos: on drawn tables roads run where the catalogue draws them. Of each true disc
beside a road that was read on its own tile, the distance to the nearer one of the road's drawn and printed courses is
taken. A disc is on the road where that is less than a reach, as read with a Gaussian error. Few discs lie about the
reach, so it and the error's spread are averages over all that are possible, each weighed by how likely it makes the
discs. Prints the row of `[carcassonne.ground]` in `models/calibration.toml`; `--write` puts it there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import shapely
from scipy.special import log_ndtr

from models.calibration.file import FittedRow, fit_row_of_photos
from scoring.carcassonne.tiles.geometry import unplace_point
from vision.arrays import Floats
from vision.evaluation.labels import Truth
from vision.evaluation.matching import match_reading
from vision.multiview.placed_pieces import read_grounds
from vision.photo.decoding import Photo
from vision.reader import Reader
from vision.reading.board import build_board
from vision.roads.printed_roads import MAX_FOOT_TILES

REACHES, SPREADS = np.linspace(0.05, 0.30, 126), np.geomspace(0.01, 0.12, 60)
"""All that is thought possible, in tiles; spreads are as likely by their logarithm."""


class Disc(NamedTuple):
    """A true disc near a road: how far from it, in tiles, and whether it lies on it."""

    distance: float
    on_road: bool


def main() -> None:
    fit_row_of_photos(__doc__, collect_discs, fit_row)


def collect_discs(reader: Reader, truth: Truth, file: Path) -> Iterator[Disc]:
    """Yield the discs of a photo near the one road that is nearest to each; raises ReadingError."""
    surveyed = reader.survey(Photo.from_path(file))
    joint = reader.joiner.group([surveyed])
    table = reader.joiner.read_table(reader.joiner.read_board(joint))
    reading = table.build_reading(None, {}).views[0].reading
    board = build_board(reading)
    printed = read_grounds(reader.piece_reader, table.board.joint.placed, table.sightings, board).roads
    match = match_reading(reading, truth)
    for read, true in match.meeples:
        square = (read.row, read.col)
        placement = board.tiles.get(square)
        if true.placed.pose == "disc" and placement is not None and match.true_square(*square) == true.placed.square:
            at = shapely.Point(unplace_point(read.at, placement.turns, square))
            distances = {
                index: min(segment.geometry.distance(at), printed[square, index].distance(at))
                for index, segment in enumerate(placement.layout.segments)
                if (square, index) in printed
            }
            if distances and min(distances.values()) < MAX_FOOT_TILES:
                yield Disc(min(distances.values()), truth.board.find_kind_below(true.placed) == "road")


def fit_row(discs: Sequence[Disc]) -> FittedRow:
    """Return the reach and the spread of discs, with what they rest on; without any, what was thought before."""
    reach, spread = fit_reach(discs)
    counts = {"discs": len(discs), "on_road": sum(disc.on_road for disc in discs)}
    return FittedRow("ground", "disc_on_road", {"reach": round(reach, 3), "spread": round(spread, 3)} | counts)


def fit_reach(discs: Sequence[Disc]) -> tuple[float, float]:
    """Return the mean reach and the mean spread, in tiles, that the discs leave possible."""
    distances = np.array([disc.distance for disc in discs])
    signs = np.where([disc.on_road for disc in discs], 1.0, -1.0)
    reaches, spreads = np.meshgrid(REACHES, SPREADS, indexing="ij")
    depths = (reaches[..., None] - distances) / spreads[..., None]
    likely = log_ndtr(signs * depths).sum(axis=-1)
    weights: Floats = np.exp(likely - likely.max())
    weights /= weights.sum()
    return float((weights * reaches).sum()), float((weights * spreads).sum())


if __name__ == "__main__":
    main()
