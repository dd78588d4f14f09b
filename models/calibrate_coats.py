"""Fit what makes the odds of coats of arms honest: `python -m models.calibrate_coats LABEL.json ... --photos DIR`.

The tables are to be those of `models.calibrate_doubt`, which is fitted after it. Prints the two slopes and offsets of
`vision.coats`, of squares whose coat no piece hides and of those where one does; photos whose coats can hardly be read
tell nothing of them.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from datasets.evaluate import find_photo
from datasets.labels import Truth, load_truth
from datasets.matching import TILE_REACH
from scoring.carcassonne.catalogue import turned_layouts
from vision.coats import honest_odds
from vision.errors import ReadingError
from vision.fellows import likely_by_fellows
from vision.hidden_coats import hidden_in, likely_pairs
from vision.meeples import shown_pieces
from vision.photo import Photo
from vision.pieces import Piece
from vision.reader import Reader
from vision.survey import Survey
from vision.tiles import twins_of

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

SLOPE_SPREAD, OFFSET_SPREAD = 1.0, 2.0
"""How far the numbers may be expected to lie from 1 and 0: thousands of squares say more."""
READABLE = 0.97
"""Photos whose coats are less likely to be readable are left out: half of an art's coats that are not known would have
the others told as unsure."""
HALF, NEARLY = 0.5, 1.0
"""What is told apart in words: squares whose coat is rather in view or hidden, whose odds are within a nat."""
WHATEVER = 0.002
"""How often a coat is seen or not seen whatever its odds: a tile laid on another, a square beside its place."""


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("labels", type=Path, nargs="+")
    parser.add_argument("--photos", type=Path, required=True)
    options = parser.parse_args()
    reader = Reader()
    truths = [load_truth(label) for label in options.labels]
    seen = [coats_of(reader, Photo.from_path(find_photo(truth.photo, options.photos)), truth) for truth in truths]
    odds, hidden, coats = (np.concatenate(parts) for parts in zip(*seen, strict=True))
    bare, covered = fitted(odds, hidden, coats)
    told = ", ".join(f"({slope:.2f}, {offset:.2f})" for slope, offset in (bare, covered))
    print(f"BARE, HIDDEN = {told}  # {len(coats)} squares, {int(coats.sum())} with a coat of arms")
    for name, where in (("in view", hidden < HALF), ("hidden", hidden >= HALF)):
        unsure = where & (odds < 0) & (odds > -NEARLY)
        print(f"{name}: {int(coats[unsure].sum())} of {int(unsure.sum())} have one, where hardly none is seen")


def fitted(odds: Floats, hidden: Floats, coats: Flags) -> tuple[tuple[float, float], tuple[float, float]]:
    """Slope and offset that make (n,) logits likeliest, where nothing is hidden, and where all is; `hidden` is (n,)."""
    signs = np.where(coats, 1.0, -1.0)
    spread = np.array([SLOPE_SPREAD, OFFSET_SPREAD] * 2)

    def loss(numbers: Floats) -> float:
        bare, covered = numbers[:2].tolist(), numbers[2:].tolist()
        right = np.exp(-np.logaddexp(0, -signs * honest_odds(odds, hidden, bare, covered)))
        unusual = (numbers - (1.0, 0.0, 1.0, 0.0)) / spread
        return float((unusual**2).sum() / 2 - np.log((1 - WHATEVER) * right + WHATEVER / 2).sum())

    slope, offset, other_slope, other_offset = minimize(loss, np.array([1.0, 0.0, 1.0, 0.0])).x.tolist()
    return (slope, offset), (other_slope, other_offset)


def coats_of(reader: Reader, photo: Photo, truth: Truth) -> tuple[Floats, Floats, Flags]:
    """What a photo tells of its n tiles that have a twin but for a coat of arms, (n,) each; nothing without a board.

    The net's logits of a coat against none, how far pieces hide the place of it, and whether there is one.
    """
    try:
        survey = reader.survey(photo)
    except ReadingError:
        return _none()
    coats = survey.logits.coats
    if coats is None or coats.known < READABLE:
        return _none()
    twins = twins_of(tuple(reader.classifier.metadata["classes"]))
    hidden = hidden_in(reader.classifier, survey, coats, _pieces(reader, survey), reader.catalogue)
    pairs, odds = likely_pairs(survey.logits.layouts, coats, twins)
    names = turned_layouts(reader.catalogue)
    middles = np.array(list(survey.lattice.corners.values())).mean(axis=1)
    told = []
    for tile in truth.tiles:
        away = np.linalg.norm(middles - tile.centre_px, axis=1)
        number = int(away.argmin())
        likely = [names[turned][0] for turned in twins[pairs[number]].tolist()]
        if tile.placement and tile.placement.tile in likely and away[number] < TILE_REACH * tile.size_px:
            told.append((odds[number], hidden[number], tile.placement.tile == likely[1]))
    seen = np.array(told, np.float64).reshape(-1, 3)
    return seen[:, 0], seen[:, 1], seen[:, 2] > 0


def _pieces(reader: Reader, survey: Survey) -> list[Piece]:
    tiles = np.flatnonzero(survey.logits.layouts[:, -1] < np.log(0.5))
    places = reader.places(survey, [survey.squares[number] for number in tiles.tolist()])
    return shown_pieces(likely_by_fellows(places), reader.pieces.metadata["colours"], survey.lattice.warp())


def _none() -> tuple[Floats, Floats, Flags]:
    return np.zeros(0), np.zeros(0), np.zeros(0, bool)


if __name__ == "__main__":
    main()
