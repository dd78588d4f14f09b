"""Fit the distance at which a disc lies on a road: `python -m models.calibration.ground LABEL.json ... --photos DIR`.

Use labels of real photos: on drawn tables roads run where the catalogue draws them. For each true disc beside a road
that was read on its own tile, the distance is measured to the nearer of the road's drawn and printed courses. A disc is
on the road if that distance, read with a Gaussian error, is less than a reach. Few discs lie near the reach, so the
reach and the standard deviation of the error are posterior means. The command prints the row of `[carcassonne.ground]`
in `models/calibration.toml`; `--write` writes it there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import shapely
from scipy.special import log_ndtr

from models.calibration.features import find_pieces
from models.calibration.file import FittedRow, fit_row_of_photos
from scoring.carcassonne.tiles.geometry import unplace_point
from vision.arrays import compute_softmax
from vision.evaluation.labels import Truth
from vision.reader import Reader
from vision.roads.printed_roads import MAX_FOOT_TILES

REACHES, SPREADS = np.linspace(0.05, 0.30, 126), np.geomspace(0.01, 0.12, 60)
"""Grid of reaches and of standard deviations, in tiles; the prior is uniform in the reach and in the logarithm of the
deviation. A guess."""


class Disc(NamedTuple):
    """A true disc near a road: its distance in tiles, and whether it lies on the road."""

    distance: float
    on_road: bool


def main() -> None:
    fit_row_of_photos(__doc__, collect_discs, fit_row)


def collect_discs(reader: Reader, truth: Truth, file: Path) -> Iterator[Disc]:
    """Yield the discs of a photo that are near a road, with the distance to the nearest one; raises ReadingError."""
    for piece in find_pieces(reader, truth, file):
        square, true = (piece.read.row, piece.read.col), piece.true
        placement = piece.board.tiles.get(square)
        is_there = piece.match.true_square(*square) == true.placed.square
        if true.placed.pose == "disc" and placement is not None and is_there:
            at = shapely.Point(unplace_point(piece.read.at, placement.turns, square))
            distances = [
                min(segment.geometry.distance(at), piece.grounds.roads[square, index].distance(at))
                for index, segment in enumerate(placement.layout.segments)
                if (square, index) in piece.grounds.roads
            ]
            if distances and min(distances) < MAX_FOOT_TILES:
                yield Disc(min(distances), truth.board.find_kind_below(true.placed) == "road")


def fit_row(discs: Sequence[Disc]) -> FittedRow:
    """Return the reach and the spread of discs, with the data they rest on; the prior's means without any disc."""
    reach, spread = fit_reach(discs)
    counts = {"discs": len(discs), "on_road": sum(disc.on_road for disc in discs)}
    return FittedRow(
        "ground", "disc_on_road", {"reach": round(reach, 3), "spread": round(spread, 3)}, counts, len(discs)
    )


def fit_reach(discs: Sequence[Disc]) -> tuple[float, float]:
    """Return the posterior means of the reach and the spread, in tiles."""
    distances = np.array([disc.distance for disc in discs])
    signs = np.where([disc.on_road for disc in discs], 1.0, -1.0)
    reaches, spreads = np.meshgrid(REACHES, SPREADS, indexing="ij")
    depths = (reaches[..., None] - distances) / spreads[..., None]
    likely = log_ndtr(signs * depths).sum(axis=-1)
    weights = compute_softmax(likely)
    return float((weights * reaches).sum()), float((weights * spreads).sum())


if __name__ == "__main__":
    main()
