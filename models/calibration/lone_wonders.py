"""Fit the evidence for where a wonder tile lies by itself: `python -m models.calibration.lone_wonders LABEL.json ...
--photos DIR`.

For a photo of one wonder tile alone (`python -m datasets.generate --alone`) all possible outlines are listed
(`vision.localise.lone_wonder`). The weights of the share of an outline with an edge in the photo (`support`, in favour)
and of the distance from a camera's view (`misfit`, against) maximise the likelihood of the true outline among them (a
conditional logit; McFadden, 1974), given how likely that wonder has the outline. The `least` support is the minimum of
the true outlines, less their standard deviation. The command prints the row `lone` of `[carcassonne.wonders]` in
`models/calibration.toml` with the number of photos it rests on; `--write` writes it there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.optimize import minimize
from scipy.special import logsumexp

from datasets.evaluation.wonder_enrolment import align_squares
from models.calibration.file import FittedRow, TooFewCasesError, fit_row_of_photos
from vision.arrays import Flags, Floats
from vision.evaluation.labels import Truth
from vision.localise.lone_wonder import list_lone_tiles, weigh_lone_outline
from vision.localise.regions import list_regions
from vision.photo.decoding import Photo
from vision.reader import Reader

WEIGHT_SPREADS = np.array([50.0, 200.0])
"""Prior scales of both weights about 0. A guess."""


@dataclass(frozen=True, slots=True, eq=False)
class ListedTiles:
    """The n possible outlines of a photo's tile: (n, 2) supports and misfits, (n,) nats of the outlines' shapes, and
    (n,) whether they are true."""

    looks: Floats
    outlines: Floats
    right: Flags


def main() -> None:
    fit_row_of_photos(__doc__, collect_tiles, fit_row)


def collect_tiles(reader: Reader, truth: Truth, file: Path) -> Iterator[ListedTiles]:
    """Yield the possible outlines of one photo, unless none of them or all of them are true; raises ReadingError."""
    (wonder,) = truth.board.wonders
    photo, layout = Photo.from_path(file), reader.board_tiles.wonders[wonder.layout.id]
    image, scale, regions = list_regions(reader.localiser, photo.halves)
    tiles = list_lone_tiles(photo.halves, image, scale, regions, layout)
    right = np.array([align_squares(tile.build_lattice().corners, truth) is not None for tile in tiles], np.bool_)
    if right.any() and not right.all():
        looks = np.array([(tile.support, tile.misfit) for tile in tiles])
        yield ListedTiles(looks, np.array([weigh_lone_outline(layout, tile.outline) for tile in tiles]), right)


def fit_row(photos: Sequence[ListedTiles]) -> FittedRow:
    """Return the weights that make the true outlines most likely; raises TooFewCasesError without a photo."""
    if not photos:
        raise TooFewCasesError("photos of one wonder tile are wanted, on which it is found")

    def compute_loss(weights: Floats) -> float:
        nats = 0.0
        for photo in photos:
            odds = photo.looks @ weights + photo.outlines
            nats += float(logsumexp(odds) - logsumexp(odds[photo.right]))
        return nats + float(((weights / WEIGHT_SPREADS) ** 2).sum() / 2)

    support, misfit = minimize(compute_loss, np.zeros(2), method="Nelder-Mead").x.tolist()
    supports = np.array([photo.looks[photo.right, 0].max() for photo in photos])
    least = float(supports.min() - supports.std())
    fitted = {"support": round(support, 1), "misfit": round(misfit, 1), "least": round(least, 2)}
    return FittedRow("wonders", "lone", fitted, {"photos": len(photos)}, len(photos))


if __name__ == "__main__":
    main()
