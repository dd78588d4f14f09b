"""Fit the evidence of the looks of monuments and markers of World Wonders, in arts neither trained on nor measured.

    for art in basalt cedar copper; do
        python -m datasets.world_wonders --out runs/$art --count 12 --seed 31 --art $art --monuments 2 \\
            --tabletops checks; done
    python -m models.calibration.printed.wonder_looks runs/basalt runs/cedar runs/copper

Each monument and each tower on a map is compared with the monuments enrolled of the same copy, as far as their
footprints allow it (`vision.world_wonders.monuments`), to fit the weights of the differences between two looks. Each
track of a resource board has a marker (`vision.world_wonders.markers`), which gives the number of grey levels that make
one space e times as likely. The command prints the rows of `[world_wonders.looks]` in `models/calibration.toml` with
the data they rest on; `--write` writes them there.
"""

from __future__ import annotations

import argparse
import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.optimize import minimize, minimize_scalar

from datasets.world_wonders.showing import build_shown_copy
from models.calibration.file import FittedRow, TooFewCasesError, add_write_option, report_rows
from scoring.connected_squares import group_connected_squares
from scoring.spots.text import SpotLabel, parse_label
from scoring.world_wonders.kinds import TOWER, parse_piece_name
from vision.arrays import Floats
from vision.photo.decoding import Photo
from vision.world_wonders.markers import load_marker_spread
from vision.world_wonders.monument_features import Look, compute_look_difference, extract_look, rectify_map
from vision.world_wonders.monuments import LookWeights, load_look_weights, may_be_monument, weigh_look_difference
from vision.world_wonders.reader import WondersReader, build_reader

ROUNDS = 4
"""Number of fits: each compares a monument with the look nearest to it under the weights of the fit before. Bounds
time."""
RIDGE = 1e-3
"""Ridge penalty that keeps the weights finite if looks separate monuments without an error. A guess."""

MIN_PROBABILITY = 1e-30
"""Floor that keeps logarithms finite. A guess."""

Difference = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Comparison:
    """The differences between something on a map and each look of one monument, and whether it is that monument."""

    differences: tuple[Difference, ...]
    is_same: bool


@dataclass(frozen=True, slots=True, eq=False)
class MarkerLook:
    """The probabilities that each space of a track holds its marker, (spaces,), and the space that does."""

    probabilities: Floats
    space: int


def collect_looks(folder: Path) -> Iterator[Comparison | MarkerLook]:
    """Yield the comparisons of all monuments and towers of a generated folder's tables, and their markers."""
    enrolment = build_shown_copy(folder, with_monuments=True)
    reader = build_reader(enrolment)
    looks = {name: [Look(picture) for picture in pictures] for name, pictures in enrolment.pieces.items()}
    for file in sorted(folder.glob("table_*.json")):
        label = parse_label(file.read_text(encoding="utf-8"))
        photo = Photo.from_path(folder / label.photo)
        for name, squares, look in _list_standing(reader, photo, label):
            yield from compare_looks(reader, name, squares, look, looks)
        yield from collect_markers(reader, photo, label)


def compare_looks(
    reader: WondersReader,
    name: str,
    squares: Sequence[tuple[int, int]],
    look: Look,
    looks: Mapping[str, Sequence[Look]],
) -> Iterator[Comparison]:
    """Yield the comparisons of a piece on these squares with each enrolled monument that may stand there."""
    for other, known in looks.items():
        if may_be_monument(reader.components.monuments[other], squares):
            pairs = (compute_look_difference(look, each) for each in known)
            if differences := tuple(pair for pair in pairs if pair is not None):
                yield Comparison(differences, name == other)


def collect_markers(reader: WondersReader, photo: Photo, label: SpotLabel) -> Iterator[MarkerLook]:
    """Yield the markers of the resource boards that are found in a photo."""
    for colour, tracks in reader.tracks_in(photo):
        for name, track in tracks.items():
            space = label.table.laid.get(f"resource.{colour}.{name}")
            if isinstance(space, int):
                yield MarkerLook(track, space)


def _list_standing(
    reader: WondersReader, photo: Photo, label: SpotLabel
) -> Iterator[tuple[str, list[tuple[int, int]], Look]]:
    """Yield each monument and tower on the maps found in a photo: its name, its squares and its look."""
    for lie, grid, colour in reader.maps_in(photo):
        pieces: Mapping[str, list[tuple[int, int]]] = defaultdict(list)
        for spot, value in label.table.laid.items():
            piece = parse_piece_name(value)
            if spot.startswith(f"map.{colour}.") and piece is not None and (piece.is_monument or piece.kind == TOWER):
                _, _, row, col = spot.split(".")
                pieces[str(value)].append((int(row), int(col)))
        view, empty = rectify_map(photo.halves, lie, reader.maps.get(colour) or reader.maps[""], grid)
        for value, squares in pieces.items():
            for part in group_connected_squares(squares):
                yield value.partition("#")[0], sorted(part), Look(extract_look(view, empty, part))


def fit_monument_row(comparisons: Sequence[Comparison]) -> FittedRow:
    """Return the weights that best distinguish each monument from all others, with the data they rest on.

    The offset excludes the share of pairs that are of one monument: the reader has its own prior odds. Raises
    TooFewCasesError without pairs of one monument or of two.
    """
    is_same = np.array([comparison.is_same for comparison in comparisons], bool)
    if is_same.all() or not is_same.any():
        raise TooFewCasesError("looks.monument needs comparisons of equal and of different monuments")
    prior = math.log(is_same.sum() / (~is_same).sum())
    weights = load_look_weights()
    for _ in range(ROUNDS):
        nearest = np.array([_find_nearest(comparison, weights) for comparison in comparisons])
        weights = LookWeights(*_fit_logistic(nearest, is_same, prior))
    nats = np.array([weigh_look_difference(_find_nearest(each, weights), weights) for each in comparisons])
    wrong = int(((nats > 0) != is_same).sum())
    fitted = {name: round(float(value), 2) for name, value in weights._asdict().items()}
    counts = {"pairs": len(is_same), "same": int(is_same.sum()), "wrong": wrong}
    return FittedRow("looks", "monument", fitted, counts, len(is_same))


def fit_marker_row(markers: Sequence[MarkerLook]) -> FittedRow:
    """Return the spread that maximises the likelihood of the markers' true spaces, with the data it rests on.

    Raises TooFewCasesError without a marker.
    """
    if not markers:
        raise TooFewCasesError("no photo shows a marker")
    before = load_marker_spread()
    logits = [np.log(np.maximum(marker.probabilities, MIN_PROBABILITY)) for marker in markers]

    def loss(power: float) -> float:
        return float(
            np.mean(
                [
                    np.logaddexp.reduce(power * each) - power * each[m.space]
                    for each, m in zip(logits, markers, strict=True)
                ]
            )
        )

    power = float(minimize_scalar(loss, bounds=(0.1, 10.0), method="bounded").x)
    wrong = sum(int(each.argmax()) != marker.space for each, marker in zip(logits, markers, strict=True))
    counts = {"markers": len(markers), "wrong": wrong}
    return FittedRow("looks", "marker", {"spread": round(before / power, 1)}, counts, len(markers))


def fit_rows(comparisons: Sequence[Comparison], markers: Sequence[MarkerLook]) -> Iterator[FittedRow]:
    """Yield the row of monuments and that of markers."""
    yield fit_monument_row(comparisons)
    yield fit_marker_row(markers)


def _find_nearest(comparison: Comparison, weights: LookWeights) -> Difference:
    return max(comparison.differences, key=lambda differ: weigh_look_difference(differ, weights))


def _fit_logistic(differences: Floats, is_same: Floats, prior: float) -> Floats:
    """Return the (4,) offset and weights of the most likely logistic curve; no weight favours differences."""
    scale = differences.std(axis=0) + 1e-9
    scaled, sign = differences / scale, np.where(is_same, 1.0, -1.0)

    def loss(weights: Floats) -> float:
        logits = weights[0] + prior + scaled @ weights[1:]
        return float(np.logaddexp(0, -sign * logits).mean() + RIDGE * (weights[1:] ** 2).sum())

    bounds = [(None, None)] + [(None, 0.0)] * differences.shape[1]
    best = minimize(loss, np.zeros(1 + differences.shape[1]), bounds=bounds).x
    return np.array([best[0], *(best[1:] / scale)])


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("folders", type=Path, nargs="+", help="folders written by `python -m datasets.world_wonders`")
    add_write_option(parser)
    options = parser.parse_args(arguments)
    looks = [look for folder in options.folders for look in collect_looks(folder)]
    monuments = [look for look in looks if isinstance(look, Comparison)]
    markers = [look for look in looks if isinstance(look, MarkerLook)]
    tables = {"tables": sum(len([*folder.glob("table_*.json")]) for folder in options.folders)}
    report_rows("world_wonders", fit_rows(monuments, markers), options.write, tables)


if __name__ == "__main__":
    main()
