"""Fit the evidence of strange squares for wonders: `python -m models.calibration.wonders LABEL.json ... --photos DIR`.

No net knows a wonder. The tile classifier gives the probability that a square is of no layout that it knows. These odds
are compared with the truth, squares of wonders against those of tiles it knows, both kinds weighing the same (Platt,
1999). The bounds limit the evidence of one square to what this number of squares can support. The command prints the
row of `[carcassonne.wonders]` in `models/calibration.toml` with the number of squares it rests on; `--write` writes it
there.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize

from models.calibration.file import FittedRow, TooFewCasesError, fit_row_of_photos
from scoring.carcassonne.tiles.geometry import Square
from vision.arrays import Flags, Floats
from vision.board.wonders.evidence import compute_strange_odds
from vision.evaluation.labels import Truth
from vision.evaluation.matching import TILE_REACH
from vision.photo.decoding import Photo
from vision.reader import Reader
from vision.squares.catalogue import build_reading_catalogue

PRIOR_SLOPE, PRIOR_SPREAD = 1.0, 1.0
"""Prior mean of the slope and its standard deviation. A guess."""


class StrangeSquare(NamedTuple):
    """A square's log odds of no known layout by the classifier, in nats, and whether it is one of a wonder."""

    odds: float
    is_wonder: bool


def main() -> None:
    fit_row_of_photos(__doc__, collect_squares, fit_row)


def collect_squares(reader: Reader, truth: Truth, file: Path) -> Iterator[StrangeSquare]:
    """Yield the squares of a photo that belong to wonders or to known tiles; raises ReadingError."""
    survey = reader.survey(Photo.from_path(file))
    odds = compute_strange_odds(survey.logits)
    middles = np.array([survey.lattice.corners[square].mean(axis=0) for square in survey.squares])
    for square, is_wonder in _list_true_squares(truth):
        tile = next(tile for tile in truth.tiles if tile.square == square)
        apart = np.linalg.norm(middles - tile.centre_px, axis=1) / tile.size_px
        if apart.min() < TILE_REACH:
            yield StrangeSquare(float(odds[int(apart.argmin())]), is_wonder)


def _list_true_squares(truth: Truth) -> Iterator[tuple[Square, bool]]:
    known = build_reading_catalogue()
    for tile in truth.tiles:
        if tile.placement is not None and (tile.placement.wonder is not None or tile.placement.tile in known):
            yield tile.square, tile.placement.wonder is not None


def fit_row(squares: Sequence[StrangeSquare]) -> FittedRow:
    """Return slope and offset of the odds, and their bounds; raises TooFewCasesError without squares of either
    kind."""
    odds = np.array([square.odds for square in squares])
    return fit_odds("strange", odds, np.array([square.is_wonder for square in squares], bool))


def fit_odds(name: str, odds: Floats, is_so: Flags) -> FittedRow:
    """Return the named row with the slope and offset that calibrate (n,) odds if both kinds are equally frequent, and
    the bounds in nats that the numbers of squares support.

    `is_so` (n,) is the truth. Raises TooFewCasesError without squares of either kind.
    """
    count = int(is_so.sum())
    if not 0 < count < len(is_so):
        raise TooFewCasesError(f"{name} has {count} true and {len(is_so) - count} other cases and needs both kinds")
    weights = np.where(is_so, 0.5 / count, 0.5 / (len(is_so) - count)) * 2 * count
    signs = np.where(is_so, 1.0, -1.0)

    def compute_loss(parameters: np.ndarray[tuple[int], np.dtype[np.float64]]) -> float:
        slope, offset = parameters
        loss = float((weights * np.logaddexp(0.0, -signs * (slope * odds + offset))).sum())
        return loss + ((slope - PRIOR_SLOPE) / PRIOR_SPREAD) ** 2 / 2

    slope, offset = minimize(compute_loss, np.array([PRIOR_SLOPE, 0.0]), method="Nelder-Mead").x.tolist()
    fitted = {
        "slope": round(slope, 2),
        "offset": round(offset, 2),
        "least": -math.floor(10 * math.log(count + 1)) / 10,
        "most": math.floor(10 * math.log(len(is_so) - count + 1)) / 10,
    }
    return FittedRow("wonders", name, fitted, {"squares": count, "others": len(is_so) - count}, len(is_so))


if __name__ == "__main__":
    main()
