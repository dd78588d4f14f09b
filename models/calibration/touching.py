"""Fit the evidence for two touching pieces against one: `python -m models.calibration.touching LABEL.json ... --photos
DIR`.

The finder sees many a piece twice, at its foot and at its body. Therefore, of two places of one colour that are nearer
than `SAME_PIECE`, the less sure one may be the other again. But people set pieces so that they touch, and then there
are two. The pose distinguishes the two cases: a piece has the same pose wherever it is inspected. For each pair of
places that probably show pieces, farther apart than two sightings of one foot, the command compares the probability
that both show one pose with the pieces of the label. For two places of one piece, these agreements have a density on
[0, 1] proportional to their `power`, fitted by maximum likelihood; for two pieces, the density is uniform. The command
prints the power and the `share` of two, and `--write` writes them into `[carcassonne.touching]` of
`models/calibration.toml`. The pairs need tables on which pieces touch (`python -m datasets.generate --sloppy`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from models.calibration.file import FittedRow, fit_row_of_photos
from models.calibration.presence import AT_FOOT, survey_tiles
from vision.arrays import SUREST, Floats
from vision.evaluation.labels import Truth
from vision.geometry.warp import project_to_photo
from vision.pieces.classifier import compute_pose_agreement, may_be_one
from vision.pieces.meeples import MIN_COUNTED_PRESENCE, weigh_likely_places
from vision.reader import Reader


@dataclass(frozen=True, slots=True)
class Pair:
    """Two places of one colour: the probability that they show one pose, and whether two pieces are there."""

    agreement: float
    are_two: bool


def main() -> None:
    fit_row_of_photos(__doc__, collect_pairs, fit_row)


def collect_pairs(reader: Reader, truth: Truth, file: Path) -> Iterator[Pair]:
    """Yield the pairs of places that the reading of a photo has to distinguish; raises ReadingError.

    Places on a pile, whose pieces share one foot in the label, are left out: the label does not say which piece they
    show.
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
    """Return (n,) whether places lie at a foot shared by several pieces of the label, given their (n, m) distances, in
    tiles, from its (m, 2) feet."""
    _, numbers, counts = np.unique(feet, axis=0, return_inverse=True, return_counts=True)
    piled = counts[numbers.ravel()] > 1
    return np.asarray((distances[:, piled] < AT_FOOT).any(axis=1))


def show_two_pieces(first: Floats, second: Floats) -> bool:
    """Return whether two places show different pieces, given their distances, in tiles, from the (n,) feet of a label.

    They do if their nearest feet differ and both are near.
    """
    if not len(first):
        return False
    mine, others = int(first.argmin()), int(second.argmin())
    return mine != others and max(float(first[mine]), float(second[others])) < AT_FOOT


def fit_row(pairs: Sequence[Pair]) -> FittedRow:
    """Return the power of the agreements of one piece and the share of two pieces, with the data they rest on.

    The prior: one of two pairs shows two pieces, and the agreement of one piece is uniform (each worth two pairs).
    """
    one = [max(pair.agreement, SUREST) for pair in pairs if not pair.are_two]
    spread = (len(one) + 1) / (1 - float(np.log(one).sum()))
    two = len(pairs) - len(one)
    fitted = {"power": round(max(spread - 1, 0.0), 2), "share": round((two + 1) / (len(pairs) + 2), 2)}
    return FittedRow("touching", "two_poses", fitted, {"pairs": len(pairs), "two": two}, len(pairs))


if __name__ == "__main__":
    main()
