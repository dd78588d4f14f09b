"""Fit what looks tell at World Wonders, of monuments and of markers, in arts neither trained on nor measured.

    for art in basalt cedar copper; do
        python -m datasets.world_wonders --out runs/$art --count 12 --seed 31 --art $art --monuments 2 \\
            --tabletops checks; done
    python -m models.calibration.printed.wonder_looks runs/basalt runs/cedar runs/copper

Each monument and each tower that stands on a map is held against those that were shown of the same copy, as far as
their footprints allow it (`vision.world_wonders.monuments`): how much do the differences of two looks count? Each track
of a resource board has a marker (`vision.world_wonders.markers`): how many grey levels make one space e times likelier?
Prints the rows of `[world_wonders.looks]` in `models/calibration.toml` with what they rest on; `--write` puts them
there.
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
from models.calibration.file import FittedRow, add_write_option, report_rows
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
"""A monument is held against the look that is most like it, which depends on the weights."""
RIDGE = 1e-3
"""Keeps the weights finite where looks part monuments without an error."""

MIN_PROBABILITY = 1e-30

Difference = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Comparison:
    """How something that stands on a map differs from each look of one monument, and whether it is that one."""

    differences: tuple[Difference, ...]
    is_same: bool


@dataclass(frozen=True, slots=True, eq=False)
class MarkerLook:
    """How likely each space of a track was said to hold its marker, (spaces,), and which one does."""

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
    """Yield what stands on squares held against each monument that was shown and may stand there."""
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
                yield MarkerLook(track.probabilities, space)


def _list_standing(
    reader: WondersReader, photo: Photo, label: SpotLabel
) -> Iterator[tuple[str, list[tuple[int, int]], Look]]:
    """What stands on the maps that are found in a photo: its kind, its squares and its look."""
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
    """Return the weights by which what stands there is told from all others, with what they rest on.

    The offset leaves out how many of the pairs are of one monument: the odds before that are the reader's.
    """
    is_same = np.array([comparison.is_same for comparison in comparisons])
    prior = math.log(is_same.sum() / (~is_same).sum())
    weights = load_look_weights()
    for _ in range(ROUNDS):
        nearest = np.array([_find_nearest(comparison, weights) for comparison in comparisons])
        weights = LookWeights(*_fit_logistic(nearest, is_same, prior))
    nats = np.array([weigh_look_difference(_find_nearest(each, weights), weights) for each in comparisons])
    wrong = int(((nats > 0) != is_same).sum())
    values = {name: round(float(value), 2) for name, value in weights._asdict().items()}
    return FittedRow("looks", "monument", {**values, "pairs": len(is_same), "same": int(is_same.sum()), "wrong": wrong})


def fit_marker_row(markers: Sequence[MarkerLook]) -> FittedRow:
    """Return the spread by which the spaces that markers stand on are likeliest, with what it rests on."""
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
    values = {"spread": round(before / power, 1), "markers": len(markers), "wrong": wrong}
    return FittedRow("looks", "marker", values)


def _find_nearest(comparison: Comparison, weights: LookWeights) -> Difference:
    return max(comparison.differences, key=lambda differ: weigh_look_difference(differ, weights))


def _fit_logistic(differences: Floats, is_same: Floats, prior: float) -> Floats:
    """(4,) offset and weights of the likeliest logistic curve; none speaks for two looks that differ more."""
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
    parser.add_argument("folders", type=Path, nargs="+", help="what `python -m datasets.world_wonders` wrote")
    add_write_option(parser)
    options = parser.parse_args(arguments)
    looks = [look for folder in options.folders for look in collect_looks(folder)]
    monuments = [look for look in looks if isinstance(look, Comparison)]
    markers = [look for look in looks if isinstance(look, MarkerLook)]
    report_rows("world_wonders", [fit_monument_row(monuments), fit_marker_row(markers)], options.write)


if __name__ == "__main__":
    main()
