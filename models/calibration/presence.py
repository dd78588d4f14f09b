"""Fit the probability that a place shows a piece: `python -m models.calibration.presence LABEL.json ... --photos DIR`.

A logistic regression over the possible places weighs four witnesses: the net that classifies the place, the net that
found it, whether a sure piece elsewhere looks the same, and whether a player of its colour has sure pieces elsewhere.
Use the tables of `models.calibration.doubt`, which is fitted afterwards. Real photos, which have a photographer, weigh
more, since drawn pieces of a player look more alike than real ones. The command prints the row of
`[carcassonne.presence]` in `models/calibration.toml`, and the mistakes of the one in force; `--write` writes it there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import expit, log_expit

from models.calibration.file import FittedRow, build_label_parser, count_tables, report_rows
from scoring.carcassonne.tiles.geometry import Square
from vision.arrays import Flags, Floats
from vision.evaluation.labels import load_truth
from vision.evaluation.tables import find_photo
from vision.geometry.warp import project_to_photo
from vision.photo.decoding import Photo
from vision.pieces.classifier import PresenceWeights, load_presence_weights, logit
from vision.pieces.company import compute_colour_company, compute_paint_likeness
from vision.reader import Reader
from vision.reading.piece import Piece
from vision.survey.survey import Survey

AT_FOOT, APART = 0.25, 0.6
"""Distances in tiles: a place nearer to a foot than the first is that piece, one farther from all feet than the second
is none. A guess."""
REAL_WEIGHT = 3.0
"""Weight of a place in a real photo: there are few of them. A guess."""
WEIGHT_SPREAD = 5.0
"""Prior standard deviation of the weights about 0. A guess."""
MAX_ROUNDS, SETTLED = 30, 1e-3
"""Maximum number of times the regression is solved again, and the change of weights below which it has converged.
Bounds time."""


@dataclass(frozen=True, slots=True, eq=False)
class LabelledPhoto:
    """A photo with the pixels of its pieces' feet, (n, 2)."""

    file: Path
    feet: Floats
    weight: float


@dataclass(frozen=True, slots=True, eq=False)
class Places:
    """The n places of a photo: both nets' logits, (n, 3) paints, (n, colours) odds of colours, (n, 2) lattice places.

    `weight` is the weight of each. `pieces` (n,) marks the places of pieces, one each; `used` (n,) marks these and the
    places where surely no piece stands.
    """

    classifier: Floats
    finder: Floats
    paints: Floats
    colours: Floats
    at: Floats
    pieces: Flags
    used: Flags
    weight: float


class Mistakes(NamedTuple):
    """The numbers of missed and of invented pieces, and the negative log-likelihood of the truth in nats."""

    missed: int
    invented: int
    nats: float


def main() -> None:
    options = build_label_parser(__doc__).parse_args()
    reader = Reader()
    places = [collect_places(reader, photo) for photo in list_labelled(options.labels, options.photos)]
    missed, invented, nats = judge_weights(places, load_presence_weights())
    print(f"# by those in force {missed} missed, {invented} invented, {nats:.1f} nats")
    report_rows("carcassonne", map(fit_row, [places]), options.write, count_tables(options.labels))


def list_labelled(labels: Iterable[Path], photos: Path) -> Iterator[LabelledPhoto]:
    """Yield the photos of labels, found under `photos`."""
    for label in labels:
        truth = load_truth(label)
        feet = np.array([meeple.foot_px for meeple in truth.meeples], np.float64).reshape(-1, 2)
        weight = REAL_WEIGHT if truth.photographer else 1.0
        yield LabelledPhoto(find_photo(truth.photo, photos, label), feet, weight)


def survey_tiles(reader: Reader, file: Path) -> tuple[Survey, list[Square]]:
    """Return the survey of a photo and the squares of its lattice with tiles, both as its pieces are read on them.

    Reading the board may add squares to a survey. Raises ReadingError.
    """
    board = reader.joiner.read_board(reader.joiner.group([reader.survey(Photo.from_path(file))]))
    (placed,) = board.joint.placed
    return placed.survey, sorted(placed.find_own_squares([tile.square for tile in board.tiles]))


def collect_places(reader: Reader, photo: LabelledPhoto) -> Places:
    """Return the nets' output for every place on a tile of a photo that they inspect; raises ReadingError."""
    survey, squares = survey_tiles(reader, photo.file)
    size = survey.lattice.tile_px
    candidates = reader.piece_reader.find_places(survey, squares)
    at = np.array([piece.at for piece in candidates]).reshape(-1, 2)
    pixels = project_to_photo(survey.lattice.warp(), at)
    on_tiles = np.array([(int(row), int(col)) in squares for col, row in np.floor(at)], np.bool_)
    distances, nearest = _find_nearest(pixels, photo.feet)
    pieces = _select_likeliest(candidates, nearest, on_tiles & (distances < AT_FOOT * size))
    return Places(
        classifier=logit(np.array([piece.seen for piece in candidates])),
        finder=logit(np.array([piece.seeming for piece in candidates])),
        paints=np.array([piece.paint for piece in candidates]).reshape(-1, 3),
        colours=np.array([piece.colours for piece in candidates]).reshape(-1, len(reader.piece_reader.names.colours)),
        at=at,
        pieces=pieces,
        used=pieces | (on_tiles & (distances >= APART * size)),
        weight=photo.weight,
    )


def _find_nearest(points: Floats, others: Floats) -> tuple[Floats, NDArray[np.int64]]:
    """Find the (n,) distances of (n, 2) points to the nearest of (m, 2) others, and the (n,) indices of these."""
    if not len(others):
        return np.full(len(points), np.inf), np.zeros(len(points), np.int64)
    distances = np.linalg.norm(points[:, None] - others[None], axis=2)
    return distances.min(axis=1), distances.argmin(axis=1)


def _select_likeliest(candidates: Sequence[Piece], nearest: NDArray[np.int64], near: Flags) -> Flags:
    """Mark the (n,) places that are the most likely of those near one foot."""
    surest: dict[int, int] = {}
    for i in np.flatnonzero(near).tolist():
        foot = int(nearest[i])
        if foot not in surest or candidates[i].presence > candidates[surest[foot]].presence:
            surest[foot] = i
    likeliest = np.zeros(len(candidates), np.bool_)
    likeliest[list(surest.values())] = True
    return likeliest


def compute_logits(places: Places, weights: PresenceWeights) -> Floats:
    """Return (n,) logits of a piece at each place, given the weights of its witnesses."""
    return np.asarray(_build_witnesses(places, weights) @ np.array(weights))


def _build_witnesses(places: Places, weights: PresenceWeights) -> Floats:
    """Return the (n, 5) values of the witnesses at each place; the weights decide which places are sure."""
    both = expit(weights.weigh(places.classifier, places.finder))
    n = len(both)
    likeness = compute_paint_likeness(places.paints, places.at, both) if n else np.zeros(0)
    company = compute_colour_company(places.colours, places.at, both) if n else np.zeros(0)
    return np.stack([places.classifier, places.finder, np.ones(n), likeness, company], axis=1)


def fit_row(places: Sequence[Places]) -> FittedRow:
    """Return the weights that fit the places best, with the data they rest on."""
    weights = fit_weights(places)
    missed, invented, nats = judge_weights(places, weights)
    counts = {
        "places": sum(int(photo.used.sum()) for photo in places),
        "pieces": sum(int(photo.pieces.sum()) for photo in places),
        "missed": missed,
        "invented": invented,
        "nats": round(nats, 1),
    }
    fitted = {name: round(weight, 2) for name, weight in weights._asdict().items()}
    return FittedRow("presence", "piece", fitted, counts, int(counts["places"]))


def fit_weights(places: Sequence[Places]) -> PresenceWeights:
    """Return the weights with the greatest posterior probability given the pieces.

    The weights decide which pieces are sure, and so speak for others. With these pieces fixed by the weights of the
    last round, the regression is convex; it is solved again until the weights converge. The best weights of all rounds
    are returned.
    """
    signs = np.concatenate([np.where(photo.pieces, 1.0, -1.0)[photo.used] for photo in places])
    counts = np.concatenate([np.full(int(photo.used.sum()), photo.weight) for photo in places])
    weights = best = load_presence_weights()
    least = _compute_loss(places, best)
    for _ in range(MAX_ROUNDS):
        witnesses = np.concatenate([_build_witnesses(photo, weights)[photo.used] for photo in places])
        fitted = solve_regression(witnesses * signs[:, None], counts, np.array(weights))
        if np.abs(fitted - weights).max() < SETTLED:
            break
        weights = PresenceWeights(*fitted.tolist())
        loss = _compute_loss(places, weights)
        if loss < least:
            least, best = loss, weights
    return best


def solve_regression(signed: Floats, counts: Floats, first: Floats) -> Floats:
    """Return the (k,) most likely weights of a logistic regression over (n, k) signed witnesses with (n,) counts."""

    def loss(numbers: Floats) -> tuple[float, Floats]:
        logits = signed @ numbers
        nats = -(counts * log_expit(logits)).sum() + (numbers**2).sum() / (2 * WEIGHT_SPREAD**2)
        slope = -(counts * expit(-logits)) @ signed + numbers / WEIGHT_SPREAD**2
        return float(nats), np.asarray(slope)

    return np.asarray(minimize(loss, first, jac=True, method="BFGS").x)


def _compute_loss(places: Sequence[Places], weights: PresenceWeights) -> float:
    nats = _compute_nats(places, weights, weighted=True)
    return nats + float((np.array(weights) ** 2).sum()) / (2 * WEIGHT_SPREAD**2)


def judge_weights(places: Sequence[Places], weights: PresenceWeights) -> Mistakes:
    """Return the mistakes that weights make on places; each photo weighs the same."""
    logits = [compute_logits(photo, weights) for photo in places]
    pairs = list(zip(logits, places, strict=True))
    missed = sum(int((photo.pieces & (values < 0)).sum()) for values, photo in pairs)
    invented = sum(int((~photo.pieces & photo.used & (values > 0)).sum()) for values, photo in pairs)
    return Mistakes(missed, invented, _compute_nats(places, weights, weighted=False))


def _compute_nats(places: Sequence[Places], weights: PresenceWeights, weighted: bool) -> float:
    total = 0.0
    for photo in places:
        signs = np.where(photo.pieces, 1.0, -1.0)[photo.used]
        likelihood = float(log_expit(signs * compute_logits(photo, weights)[photo.used]).sum())
        total -= (photo.weight if weighted else 1.0) * likelihood
    return total


if __name__ == "__main__":
    main()
