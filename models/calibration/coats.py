"""Fit what makes the odds of coats of arms honest: `python -m models.calibration.coats LABEL.json ... --photos DIR`.

The tables are to be those of `models.calibration.doubt`, which is fitted after it. Prints the slopes and offsets of
`vision.squares.coat_posterior`: of the net that names tiles alone, and of both nets together, before pieces are looked
for and once they are found, by the photos whose coats can be read; and by the others, of the net that names tiles.
Beside them stands how far what they say is wrong.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.optimize import minimize

from scoring.carcassonne.tiles.catalogue import list_layout_turns
from vision.arrays import Flags, Floats
from vision.errors import ReadingError
from vision.evaluation.labels import Truth, load_truth
from vision.evaluation.matching import TILE_REACH
from vision.evaluation.tables import find_photo
from vision.geometry.lattice_transform import Step
from vision.multiview.coat_occlusion import compute_coat_occlusion
from vision.photo.decoding import Photo
from vision.reader import Reader
from vision.squares.coat_posterior import locate_coats, weigh_occlusion
from vision.survey.survey import PlacedSurvey

SLOPE_SPREAD, OFFSET_SPREAD = 1.0, 2.0
"""How far the numbers may be expected to lie from 1 and 0: thousands of squares say more."""
READABLE = 0.97
"""Photos whose coats are less likely to be readable are fitted by themselves."""
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
    read = _together([own for own in seen if own.known >= READABLE])
    strange = _together([own for own in seen if own.known < READABLE])
    for name, logits, coats in (
        ("ALONE", read.named[:, None], read.coats),
        ("TOGETHER", np.column_stack([read.named, read.told]), read.coats),
        (
            "BESIDE",
            np.column_stack([read.named, read.told, weigh_occlusion(read.named, read.told, read.hidden)]),
            read.coats,
        ),
        ("STRANGE", strange.named[:, None], strange.coats),
    ):
        *slopes, offset = fitted(logits, coats)
        honest = logits @ slopes + offset
        numbers = ", ".join(f"{number:.2f}" for number in (*slopes, offset))
        amiss = f"{unlikely(honest, coats):.1f} nats, {int(((honest > 0) != coats).sum())} wrong"
        print(f"{name} = ({numbers})  # {len(coats)} squares, {int(coats.sum())} with a coat of arms; {amiss}")


def fitted(logits: Floats, coats: Flags) -> list[float]:
    """The slopes of (n, m) logits and the offset that make (n,) coats of arms likeliest."""
    usual = np.append(np.full(logits.shape[1], 1.0 / logits.shape[1]), 0.0)
    spread = np.append(np.full(logits.shape[1], SLOPE_SPREAD), OFFSET_SPREAD)

    def loss(numbers: Floats) -> float:
        unusual = (numbers - usual) / spread
        return float((unusual**2).sum() / 2) + unlikely(logits @ numbers[:-1] + numbers[-1], coats)

    numbers: list[float] = minimize(loss, usual).x.tolist()
    return numbers


def unlikely(logits: Floats, coats: Flags) -> float:
    """How unlikely (n,) coats of arms are by (n,) logits, in nats."""
    right = np.exp(-np.logaddexp(0, -np.where(coats, 1.0, -1.0) * logits))
    return -float(np.log((1 - WHATEVER) * right + WHATEVER / 2).sum())


@dataclass(frozen=True, slots=True, eq=False)
class Told:
    """Of n squares, (n,) each: the logits of a coat of arms against none, of the net that names tiles and of that which
    tells coats, how far pieces hide its place, and whether there is a coat. `known` is how likely their photo's can be
    read.
    """

    named: Floats
    told: Floats
    hidden: Floats
    coats: Flags
    known: float = 1.0


def coats_of(reader: Reader, photo: Photo, truth: Truth) -> Told:
    """What a photo tells of its tiles that have a twin but for a coat of arms; nothing without a board."""
    try:
        survey = reader.survey(photo)
    except ReadingError:
        return _together([])
    coats = survey.logits.coats
    if coats is None:
        return _together([])
    tiles = np.flatnonzero(survey.logits.layouts[:, -1] < np.log(0.5)).tolist()
    pieces = reader.piece_reader.find_pieces(survey, [survey.squares[number] for number in tiles])
    twins, names = reader.twins, list_layout_turns(reader.catalogue)
    placed = PlacedSurvey.at(survey, Step(), reader.catalogue)
    hidden = compute_coat_occlusion(
        placed, coats, pieces, reader.pieces.metadata["poses"], locate_coats(reader.catalogue, twins)
    )
    middles = np.array(list(survey.lattice.corners.values())).mean(axis=1)
    asked = np.nan_to_num(coats.told, nan=-np.inf).argmax(axis=1)
    seen = []
    for tile in truth.tiles:
        away = np.linalg.norm(middles - tile.centre_px, axis=1)
        number = int(away.argmin())
        pair = asked[number]
        likely = [names[turned][0] for turned in twins[pair].tolist()]
        near = away[number] < TILE_REACH * tile.size_px and np.isfinite(coats.told[number, pair])
        if near and tile.placement and tile.placement.tile in likely:
            said = coats.named[number, pair], coats.told[number, pair], hidden[number, pair]
            seen.append((*said, tile.placement.tile == likely[1]))
    found = np.array(seen, np.float64).reshape(-1, 4)
    return Told(found[:, 0], found[:, 1], found[:, 2], found[:, 3] > 0, coats.known)


def _together(photos: Sequence[Told]) -> Told:
    parts = zip(*((own.named, own.told, own.hidden, own.coats) for own in photos), strict=True)
    named, told, hidden, coats = [np.concatenate(part) for part in parts] if photos else [np.zeros(0)] * 4
    return Told(named, told, hidden, coats > 0)


if __name__ == "__main__":
    main()
