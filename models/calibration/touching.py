"""Fit what tells two pieces from one: `python -m models.calibration.touching LABEL.json ... --photos DIR`.

The finder sees many a piece twice, at its foot and at its body, so that of two places of one colour that are nearer
than `SAME_PIECE` the less sure one may be the other once more. But people set pieces so that they touch, and then there
are two. What tells these apart is the pose: a piece that stands or lies does so wherever it is looked at. Of each pair
of places where a piece likely is, farther from each other than two looks at one foot, the command holds how likely both
show one pose against the pieces of the label. Where they show one piece these agreements are spread on [0, 1] as their
`power`, of which the command finds the likeliest, and where they show two evenly; it prints that and the `share` of
two, and `--write` puts them into `[carcassonne.touching]` of `models/calibration.toml`. The pairs need tables on which
pieces touch (`python -m datasets.generate --sloppy`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from models.calibration.file import FittedRow, fit_row_of_photos
from models.calibration.presence import AT_FOOT
from models.calibration.tile_squares import survey_tiles
from vision.arrays import Floats
from vision.evaluation.labels import Truth
from vision.geometry.warp import project_to_photo
from vision.pieces.classifier import (
    SUREST,
    compute_pose_agreement,
    may_be_one,
)
from vision.pieces.meeples import MIN_COUNTED_PRESENCE, weigh_likely_places
from vision.reader import Reader


@dataclass(frozen=True, slots=True)
class Pair:
    """Two places of one colour: how likely they show one pose, and whether two pieces are there."""

    agreement: float
    are_two: bool


def main() -> None:
    fit_row_of_photos(__doc__, collect_pairs, fit_row)


def collect_pairs(reader: Reader, truth: Truth, file: Path) -> Iterator[Pair]:
    """Yield the pairs of places that the reading of a photo has to tell apart; raises ReadingError.

    Places on a pile, whose pieces have one foot in the label, are left out: nobody told which of them they show.
    """
    survey, squares = survey_tiles(reader, file)
    colours = reader.piece_reader.names.colours
    likely_places = weigh_likely_places(reader.piece_reader.find_weighed_places(survey, squares), colours)
    places = [place for place in likely_places if place.presence >= MIN_COUNTED_PRESENCE]
    pixels = project_to_photo(survey.lattice.warp(), np.array([place.at for place in places]).reshape(-1, 2))
    feet = np.array([meeple.foot_px for meeple in truth.meeples], np.float64).reshape(-1, 2)
    distances = np.linalg.norm(pixels[:, None] - feet[None], axis=2) / survey.lattice.tile_px
    piled = find_piled_places(distances, feet)
    for first, second in combinations(range(len(places)), 2):
        if may_be_one(places[first], places[second]) and not piled[first] | piled[second]:
            agreement = compute_pose_agreement(places[first], places[second])
            yield Pair(agreement, show_two_pieces(distances[first], distances[second]))


def find_piled_places(distances: Floats, feet: Floats) -> NDArray[np.bool_]:
    """Return (n,) whether places lie at a foot that several pieces of the label have, by their (n, m) distances, in
    tiles, from its (m, 2) feet."""
    _, numbers, counts = np.unique(feet, axis=0, return_inverse=True, return_counts=True)
    piled = counts[numbers.ravel()] > 1
    return np.asarray((distances[:, piled] < AT_FOOT).any(axis=1))


def show_two_pieces(first: Floats, second: Floats) -> bool:
    """Return whether two places show different pieces, by how far, in tiles, each is from the (n,) feet of a label.

    They do where the feet nearest to them are not the same, and both near.
    """
    if not len(first):
        return False
    mine, others = int(first.argmin()), int(second.argmin())
    return mine != others and max(float(first[mine]), float(second[others])) < AT_FOOT


def fit_row(pairs: Sequence[Pair]) -> FittedRow:
    """Return how agreements of places that show one piece are spread, and the share of two, with what they rest on.

    Before any pair is seen one of two shows two pieces, and what shows one agrees as it likes (two pairs' worth each).
    """
    one = [max(pair.agreement, SUREST) for pair in pairs if not pair.are_two]
    spread = (len(one) + 1) / (1 - float(np.log(one).sum()))
    two = len(pairs) - len(one)
    values = {"power": round(max(spread - 1, 0.0), 2), "share": round((two + 1) / (len(pairs) + 2), 2)}
    return FittedRow("touching", "two_poses", values | {"pairs": len(pairs), "two": two})


if __name__ == "__main__":
    main()
