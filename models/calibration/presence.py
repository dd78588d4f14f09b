"""Fit how likely a place shows a piece: `python -m models.calibration.presence LABEL.json ... --photos DIR`.

What three witnesses tell is weighed by a logistic regression over the places where one may stand: the net that looks
at the place, the net that found it, and whether a sure piece elsewhere has the same colour. The tables are to be those
of `models.calibration.doubt`, which is fitted after it. With `--marked PHOTOS`, the folder that holds `train`, the
marked real photos count as well: drawn pieces of a player look more alike than real ones. Prints the numbers of
`vision.pieces.classifier` and `vision.pieces.colour_clusters`, and how those in force do. Players, places and rules
weigh the pieces after that, and take more away than they add: whole readings tell how far the offset is to be above the
regression's.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import expit, log_expit

from models.samples.real_photos import MARKS
from vision.arrays import Flags, Floats
from vision.evaluation.labels import load_truth
from vision.evaluation.tables import find_photo
from vision.geometry.warp import project_to_photo
from vision.photo.crops import compute_tile_px
from vision.photo.decoding import Photo
from vision.pieces.classifier import SEEMED, SEEN, STANDS, Piece, logit
from vision.pieces.colour_clusters import LIKE, compute_paint_likeness
from vision.reader import Reader

AT_FOOT, APART = 0.25, 0.6
"""Of a tile: what is so near to a foot is that piece, and what is farther from all of them is none."""
MARKED_COUNTS = 3.0
"""How much a place in a marked photo counts: there are few of them."""
SPREAD = 5.0
"""How far from 0 the weights are thought to lie before anything is seen."""
WIDE = 0.5
"""How far from the numbers in force others are tried first."""


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """A photo with the pixels of its pieces' feet, (n, 2), and of what may be one, (m, 2)."""

    photo: Path
    feet: Floats
    unsure: Floats = field(default_factory=lambda: np.zeros((0, 2)))
    counts: float = 1.0


@dataclass(frozen=True, slots=True, eq=False)
class Places:
    """What is told of the n places of a photo: both nets' logits, (n, 3) paints, (n, 2) lattice places.

    `pieces` (n,) are those where a piece stands, each once, `used` (n,) these and those where surely none does.
    """

    seen: Floats
    seeming: Floats
    paints: Floats
    at: Floats
    pieces: Flags
    used: Flags
    counts: float


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("labels", type=Path, nargs="+")
    parser.add_argument("--photos", type=Path, required=True)
    parser.add_argument("--marked", type=Path)
    options = parser.parse_args()
    shown = [*labelled(options.labels, options.photos), *(marked(options.marked) if options.marked else ())]
    reader = Reader()
    places = [places_of(reader, one) for one in shown]
    seen, seemed, stands, like = best = fitted(places)
    pieces = sum(int(own.pieces.sum()) for own in places)
    print(f"SEEN, SEEMED, STANDS = {seen:.2f}, {seemed:.2f}, {stands:.2f}")
    print(f"LIKE = {like:.2f}")
    print(f"# {sum(int(own.used.sum()) for own in places)} places, {pieces} of them pieces")
    for name, numbers in (("these", best), ("those in force", (SEEN, SEEMED, STANDS, LIKE))):
        missed, invented, nats = judged(places, numbers)
        print(f"# by {name} {missed} missed, {invented} invented, {nats:.1f} nats")


def labelled(labels: Iterable[Path], photos: Path) -> Iterator[Shown]:
    """The photos of labels, found under `photos`."""
    for truth in map(load_truth, labels):
        yield Shown(find_photo(truth.photo, photos), _points([meeple.foot_px for meeple in truth.meeples]))


def marked(photos: Path) -> Iterator[Shown]:
    """The real photos whose pieces are all marked; `photos` holds `train`."""
    for file in sorted(MARKS.glob("*.json")):
        said = json.loads(file.read_text(encoding="utf-8"))
        if said["pieces"] is not None:
            feet, unsure = (_points(own) for own in ([p["foot_px"] for p in said["pieces"]], said.get("unsure", ())))
            yield Shown(photos.parent / said["photo"], feet, unsure, MARKED_COUNTS)


def _points(said: Sequence[Sequence[float] | Floats]) -> Floats:
    return np.array(said, np.float64).reshape(-1, 2)


def places_of(reader: Reader, shown: Shown) -> Places:
    """What the nets tell of every place on a tile of a photo that they look at; raises ReadingError."""
    survey = reader.survey(Photo.from_path(shown.photo))
    tiles = {(tile.row, tile.col) for tile in reader.join([survey]).views[0].reading.tiles}
    squares = sorted(tiles.intersection(survey.lattice.corners))
    size = float(np.median(compute_tile_px(np.array(list(survey.lattice.corners.values())))))
    found = reader.piece_reader.find_places(survey, squares)
    at = np.array([piece.at for piece in found]).reshape(-1, 2)
    pixels = project_to_photo(survey.lattice.warp(), at)
    on = np.array([(int(row), int(col)) in tiles for col, row in np.floor(at)], np.bool_)
    known = on & (_nearest(pixels, shown.unsure)[0] > APART * size)
    away, which = _nearest(pixels, shown.feet)
    pieces = _once(found, which, known & (away < AT_FOOT * size))
    return Places(
        seen=logit(np.array([piece.seen for piece in found])),
        seeming=logit(np.array([piece.seeming for piece in found])),
        paints=np.array([piece.paint for piece in found]).reshape(-1, 3),
        at=at,
        pieces=pieces,
        used=pieces | (known & (away >= APART * size)),
        counts=shown.counts,
    )


def _nearest(points: Floats, others: Floats) -> tuple[Floats, NDArray[np.int64]]:
    """(n,) how far (n, 2) points are from the next of (m, 2) others, and (n,) which that is."""
    if not len(others):
        return np.full(len(points), np.inf), np.zeros(len(points), np.int64)
    away = np.linalg.norm(points[:, None] - others[None], axis=2)
    return away.min(axis=1), away.argmin(axis=1)


def _once(found: Sequence[Piece], which: NDArray[np.int64], near: Flags) -> Flags:
    """(n,) of the places near to one foot the likeliest."""
    surest: dict[int, int] = {}
    for i in np.flatnonzero(near).tolist():
        foot = int(which[i])
        if foot not in surest or found[i].presence > found[surest[foot]].presence:
            surest[foot] = i
    once = np.zeros(len(found), np.bool_)
    once[list(surest.values())] = True
    return once


def logits_by(places: Places, numbers: Sequence[float]) -> Floats:
    """(n,) logits of a piece by weights of both nets, an offset, and a weight of likeness."""
    seen, seemed, stands, like = numbers
    both = seen * places.seen + seemed * places.seeming + stands
    return np.asarray(both + like * compute_paint_likeness(places.paints, places.at, expit(both)))


def fitted(places: Sequence[Places]) -> tuple[float, float, float, float]:
    """The four numbers that make what is so likeliest, and are likely themselves."""

    def loss(numbers: Floats) -> float:
        return _nats(places, numbers.tolist(), counted=True) + float((numbers**2).sum()) / (2 * SPREAD**2)

    # Who is sure changes by leaps with the weights: no derivative is asked for, and the first steps are wide.
    corners = np.array([SEEN, SEEMED, STANDS, LIKE]) + np.vstack([np.zeros(4), WIDE * np.eye(4)])
    wide = {"xatol": 0.01, "initial_simplex": corners}
    seen, seemed, stands, like = minimize(loss, corners[0], method="Nelder-Mead", options=wide).x.tolist()
    return seen, seemed, stands, like


def judged(places: Sequence[Places], numbers: Sequence[float]) -> tuple[int, int, float]:
    """By some numbers: how many pieces are missed, how many invented, and the nats that the truth is unlikely by."""
    told = [(logits_by(own, numbers), own) for own in places]
    missed = sum(int((own.pieces & (logits < 0)).sum()) for logits, own in told)
    invented = sum(int((~own.pieces & own.used & (logits > 0)).sum()) for logits, own in told)
    return missed, invented, _nats(places, numbers, counted=False)


def _nats(places: Sequence[Places], numbers: Sequence[float], counted: bool) -> float:
    total = 0.0
    for own in places:
        signs = np.where(own.pieces, 1.0, -1.0)[own.used]
        total -= (own.counts if counted else 1.0) * float(log_expit(signs * logits_by(own, numbers)[own.used]).sum())
    return total


if __name__ == "__main__":
    main()
