"""Calibrate the odds of coats of arms: `python -m models.calibration.coats LABEL.json ... --photos DIR`.

Use the tables of `models.calibration.doubt`, which is fitted afterwards. The command prints the rows of
`[carcassonne.coats]` in `models/calibration.toml`, slopes and offsets. For photos whose coats can be read, there is a
row for the net that names tiles alone, one for both nets together before pieces are searched for, and one for both once
pieces are found. For the other photos there is one row, for the net that names tiles. Each row also has the number of
squares it rests on and how wrong its odds are. `--write` writes the rows into the file. The weight of a hidden place
depends on the row `both_nets` in force, so run the command once more after that row changed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize

from models.calibration.file import FittedRow, build_label_parser, collect_from_photos, count_tables, report_rows
from scoring.carcassonne.tiles.catalogue import list_layout_turns
from vision.arrays import Flags, Floats
from vision.errors import ReadingError
from vision.evaluation.labels import Truth
from vision.evaluation.matching import TILE_REACH
from vision.geometry.lattice_transform import Step
from vision.multiview.coat_occlusion import compute_coat_occlusion
from vision.photo.decoding import Photo
from vision.reader import Reader
from vision.squares.coat_posterior import Evidence, locate_coats, weigh_occlusion
from vision.survey.survey import PlacedSurvey

SLOPE_SPREAD, OFFSET_SPREAD = 1.0, 2.0
"""Prior standard deviations of slopes about their equal share and of offsets about 0: thousands of squares outweigh
them. A guess."""
MIN_LEGIBILITY = 0.97
"""Photos whose coats are less likely to be readable are fitted separately. A guess."""
FREAK_SHARE = 0.002
"""Share of squares whose truth is independent of the odds: a tile laid on another, a square beside its place. A
guess."""


@dataclass(frozen=True, slots=True, eq=False)
class CoatSquares:
    """Squares of known truth, (n,) each: the log odds of a coat of arms against none, and whether there is one.

    The logits are those of the net that names tiles and of the net that recognises coats; `hidden` is the extent to
    which pieces hide the coat's place. `legibility` is the probability that the coats of their photo can be read.
    """

    tile_net: Floats
    coat_net: Floats
    hidden: Floats
    coats: Flags
    legibility: float = 1.0


def main() -> None:
    options = build_label_parser(__doc__).parse_args()
    reader = Reader()
    photos = [
        *collect_from_photos(
            options.labels, options.photos, lambda truth, file: collect_coats(reader, Photo.from_path(file), truth)
        )
    ]
    report_rows("carcassonne", fit_rows(photos), options.write, count_tables(options.labels))


def fit_rows(photos: Sequence[CoatSquares]) -> Iterator[FittedRow]:
    """Yield the row of each kind of evidence for coats of arms for which the photos show squares."""
    legible = _concatenate([photo for photo in photos if photo.legibility >= MIN_LEGIBILITY])
    strange = _concatenate([photo for photo in photos if photo.legibility < MIN_LEGIBILITY])
    if len(legible.coats):
        by_tile_net = {"tile_net": legible.tile_net}
        by_both_nets = by_tile_net | {"coat_net": legible.coat_net}
        occlusion = weigh_occlusion(legible.tile_net, legible.coat_net, legible.hidden)
        yield fit_row("tile_net", by_tile_net, legible.coats)
        yield fit_row("both_nets", by_both_nets, legible.coats)
        yield fit_row("beside_pieces", by_both_nets | {"hidden": occlusion}, legible.coats)
    if len(strange.coats):
        yield fit_row("strange", {"tile_net": strange.tile_net}, strange.coats)


def fit_row(evidence: Evidence, logits: Mapping[str, Floats], coats: Flags) -> FittedRow:
    """Return the slopes of (n,) logits by name and the offset, with the squares that they rest on.

    `coats` (n,) marks those with a coat of arms. The row also has the number of wrong squares and the loss in nats.
    """
    columns = np.column_stack([*logits.values()])
    *slopes, offset = fit_weights(columns, coats)
    honest = columns @ slopes + offset
    weights = dict(zip(logits, slopes, strict=True)) | {"offset": offset}
    counts = {
        "squares": len(coats),
        "coats": int(coats.sum()),
        "wrong": int(((honest > 0) != coats).sum()),
        "nats": round(compute_nats(honest, coats), 1),
    }
    rounded = {name: round(weight, 2) for name, weight in weights.items()}
    return FittedRow("coats", evidence, rounded, counts, len(coats))


def fit_weights(logits: Floats, coats: Flags) -> list[float]:
    """Return the slopes of (n, m) logits and then the offset that maximise the likelihood of (n,) coats of arms."""
    usual = np.append(np.full(logits.shape[1], 1.0 / logits.shape[1]), 0.0)
    spread = np.append(np.full(logits.shape[1], SLOPE_SPREAD), OFFSET_SPREAD)

    def loss(numbers: Floats) -> float:
        unusual = (numbers - usual) / spread
        return float((unusual**2).sum() / 2) + compute_nats(logits @ numbers[:-1] + numbers[-1], coats)

    numbers: list[float] = minimize(loss, usual).x.tolist()
    return numbers


def compute_nats(logits: Floats, coats: Flags) -> float:
    """Return the negative log-likelihood of (n,) coats of arms given (n,) logits, in nats."""
    right = np.exp(-np.logaddexp(0, -np.where(coats, 1.0, -1.0) * logits))
    return -float(np.log((1 - FREAK_SHARE) * right + FREAK_SHARE / 2).sum())


def collect_coats(reader: Reader, photo: Photo, truth: Truth) -> CoatSquares:
    """Return the evidence of a photo on tiles that have a twin but for a coat of arms; nothing without a board."""
    try:
        survey = reader.survey(photo)
    except ReadingError:
        return _concatenate([])
    coats = survey.logits.coats
    if coats is None:
        return _concatenate([])
    tiles = np.flatnonzero(survey.logits.layouts[:, -1] < np.log(0.5)).tolist()
    pieces = reader.piece_reader.find_pieces(survey, [survey.squares[number] for number in tiles])
    twins, names = reader.square_reader.twins, list_layout_turns(reader.square_reader.catalogue)
    placed = PlacedSurvey.at(survey, Step(), reader.square_reader.catalogue)
    hidden = compute_coat_occlusion(
        placed, coats, pieces, reader.pieces.metadata["poses"], locate_coats(reader.square_reader.catalogue, twins)
    )
    middles = np.array(list(survey.lattice.corners.values())).mean(axis=1)
    likeliest = np.nan_to_num(coats.coat_logits, nan=-np.inf).argmax(axis=1)
    rows = []
    for tile in truth.tiles:
        distances = np.linalg.norm(middles - tile.centre_px, axis=1)
        number = int(distances.argmin())
        pair = likeliest[number]
        without, with_coat = (names[turned][0] for turned in twins[pair].tolist())
        near = distances[number] < TILE_REACH * tile.size_px and np.isfinite(coats.coat_logits[number, pair])
        if near and tile.placement and tile.placement.tile in (without, with_coat):
            evidence = coats.tile_logits[number, pair], coats.coat_logits[number, pair], hidden[number, pair]
            rows.append((*evidence, tile.placement.tile == with_coat))
    columns = np.array(rows, np.float64).reshape(-1, 4)
    return CoatSquares(columns[:, 0], columns[:, 1], columns[:, 2], columns[:, 3] > 0, coats.legibility)


def _concatenate(photos: Sequence[CoatSquares]) -> CoatSquares:
    parts = zip(*((photo.tile_net, photo.coat_net, photo.hidden, photo.coats) for photo in photos), strict=True)
    arrays = [np.concatenate(part) for part in parts] if photos else [np.zeros(0)] * 4
    tile_net, coat_net, hidden, coats = arrays
    return CoatSquares(tile_net, coat_net, hidden, coats > 0)


if __name__ == "__main__":
    main()
