"""Fit the evidence of squares that look like a photo's own coats of arms: `python -m models.calibration.coat_look
LABEL.json ... --photos DIR`.

Squares of tiles with one coat of arms, and of tiles with cities and none, are compared with the sure coats of arms of
the same photo (`vision.board.wonders.coats`), as the squares of wonders are; the odds are calibrated (Platt,
1999). Some coats of arms are hidden by pieces, so a square where none is seen may still have one. The command prints
the row `coat_look` of `[carcassonne.wonders]` in `models/calibration.toml` with the number of squares it rests on;
`--write` writes it there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from models.calibration.file import FittedRow, fit_row_of_photos
from models.calibration.wonders import fit_odds
from scoring.carcassonne.tiles.layout import TileLayout
from vision.board.wonders.coats import CoatMatcher
from vision.evaluation.labels import Truth
from vision.evaluation.matching import TILE_REACH
from vision.photo.decoding import Photo
from vision.reader import Reader


class ComparedSquare(NamedTuple):
    """A square's log odds of a coat of arms by comparison with others of its photo, in nats, and whether it has one."""

    odds: float
    has_coat: bool


def main() -> None:
    fit_row_of_photos(__doc__, collect_squares, fit_row)


def collect_squares(reader: Reader, truth: Truth, file: Path) -> Iterator[ComparedSquare]:
    """Yield the squares with cities that a photo shows, except those of wonders; raises ReadingError."""
    (placed,) = reader.joiner.group([reader.survey(Photo.from_path(file))]).placed
    squares = [*placed.index]
    matcher = CoatMatcher(placed, squares, placed.logits.layouts, reader.square_reader.catalogue)
    middles = placed.quads(squares).mean(axis=1)
    odds = matcher.compare(squares)
    for tile in truth.tiles:
        if tile.placement is None or tile.placement.wonder is not None or not has_cities(tile.placement.layout):
            continue
        apart = np.linalg.norm(middles - tile.centre_px, axis=1) / tile.size_px
        square = squares[int(apart.argmin())]
        if apart.min() < TILE_REACH and square in odds:
            yield ComparedSquare(odds[square][0], bool(tile.placement.layout.coat_spots))


def has_cities(layout: TileLayout) -> bool:
    """Return whether a tile has a city, and so may have a coat of arms."""
    return any(part.kind == "city" for part in layout.segments)


def fit_row(squares: Sequence[ComparedSquare]) -> FittedRow:
    """Return slope and offset of the odds, and their bounds; raises TooFewCasesError without squares of either
    kind."""
    odds = np.array([square.odds for square in squares])
    return fit_odds("coat_look", odds, np.array([square.has_coat for square in squares], bool))


if __name__ == "__main__":
    main()
