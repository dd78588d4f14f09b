"""Calibrate the doubts of Tower of Babel, on photos in arts that are never measured (those are mosaic and fresco).

    for art in oasis papyrus marble dusk; do
        python -m datasets.tower_of_babel --out runs/$art --count 8 --seed 71 --art $art; done
    python -m datasets.tower_of_babel --out runs/random --count 8 --seed 72 --art random
    python -m datasets.tower_of_babel --out runs/lamp --count 8 --seed 73 --art oasis --lamp
    python -m models.calibration.babel runs/oasis runs/papyrus runs/marble runs/dusk runs/random runs/lamp

The chroma of black parts in a photo's light, by which players are named, is fitted first. Players are seldom misnamed,
so this takes many tables: `--paints` names further ones (`--count 5 --art random`, seeds 8301 to 8312 and 8321 to
8332). The weights of the evidence for a disc follow, from the spaces of wonders with three discs left or none, and
those of sets of houses: the cost of a house in nats, and the area that counts as one place. These maximise the
likelihood of the true set on each wonder among all sets tried. The doubts depend on these weights: if they changed, run
the command again for the other rows.

The command prints its rows of `models/calibration.toml`, each with the data it rests on; `--write` writes them there.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.optimize import minimize, minimize_scalar

from datasets.render.empty_boards import load_enrolment
from models.calibration.doubt import fit_scaling
from models.calibration.file import FittedRow, add_write_option, fit_share, report_rows
from scoring.spots.game import Laid, Value
from scoring.spots.text import SpotLabel, parse_label
from scoring.tower_of_babel.board import COLOURS, WORTHS, name_parts_spot
from scoring.tower_of_babel.components import Wonder
from vision.arrays import Floats
from vision.colour.hue_naming import NEUTRAL_NAME, Naming, name_players
from vision.errors import ReadingError
from vision.flat_boards.reading import SpotReading
from vision.photo.decoding import Photo
from vision.tower_of_babel.calibration import BlockWeights, DiscWeights, load_block_weights
from vision.tower_of_babel.form import DISCS
from vision.tower_of_babel.fusion import Found
from vision.tower_of_babel.pieces import DiscFeatures
from vision.tower_of_babel.reader import GAME, BabelReader, build_reader
from vision.tower_of_babel.view import MIN_VISIBLE_SHARE
from vision.tower_of_babel.wonders import Heap

CHROMA_RANGE_LAB = (2.0, 20.0)
"""Range of chroma searched, in CIELAB units. A guess."""
MIN_TRUE_SHARE = 1e-3
"""Minimum probability of the true set of players, also if no naming gives it. A guess."""
AMISS_BEFORE = 0.5
"""Prior count of misread spots, out of 1: a few tables without a misread spot do not mean that none ever is. A
guess."""


@dataclass(frozen=True, slots=True)
class JudgedSpot:
    """A spot as it was read, with its alternatives and their probabilities by value, and its true value."""

    kind: str
    value: Value
    alternatives: Mapping[Value, float]
    truth: Value


def judge_spots(spots: Iterable[SpotReading], truth: Laid) -> Iterator[JudgedSpot]:
    """Yield every spot for which the table's label has a value."""
    for spot in spots:
        if spot.id in truth:
            yield JudgedSpot(spot.id.partition(".")[0], spot.value, dict(spot.alternatives), truth[spot.id])


@dataclass(frozen=True, slots=True, eq=False)
class TriedSets:
    """The sets of houses tried on one wonder: (n,) their numbers of houses, (n,) the nats of their places in square
    millimetres, as if none were correlated, and the index of the true set."""

    counts: Floats
    costs: Floats
    truth: int


def collect_tried_sets(heaps: Mapping[Wonder, Heap], truth: Laid, weights: BlockWeights) -> Iterator[TriedSets]:
    """Yield the tried sets of every wonder on which the true set is among them."""
    for wonder, heap in heaps.items():
        true = {
            (player, worth): int(count)
            for player in COLOURS
            for worth in WORTHS
            if (count := truth.get(name_parts_spot(wonder, player, worth)))
        }
        numbers = [dict(kinds) for kinds, _ in heap.tried]
        if true in numbers:
            counts = np.array([sum(kinds.values()) for kinds in numbers], float)
            costs = np.array([cost for _, cost in heap.tried])
            yield TriedSets(counts, (costs - weights.cost * counts) * weights.correlated_mm2, numbers.index(true))


def fit_block_weights(wonders: Sequence[TriedSets]) -> FittedRow:
    """Return the row with the cost of a house and the correlated area that maximise the likelihood of the true sets."""

    def compute_nats(weights: Floats) -> float:
        return float(sum(_compute_true_nats(sets, weights[0], np.exp(weights[1])) for sets in wonders))

    start = load_block_weights()
    best = minimize(compute_nats, (start.cost, np.log(start.correlated_mm2)), method="Nelder-Mead").x
    cost, correlated_mm2 = float(best[0]), float(np.exp(best[1]))
    wrong = sum(int(np.argmin(sets.costs / correlated_mm2 + cost * sets.counts)) != sets.truth for sets in wonders)
    fitted = {"cost": round(cost, 2), "correlated_mm2": round(correlated_mm2, 1)}
    return FittedRow("blocks", "house", fitted, {"wonders": len(wonders), "wrong": wrong}, len(wonders))


def _compute_true_nats(sets: TriedSets, cost: float, correlated_mm2: float) -> float:
    """Compute the negative log-likelihood of the true set, in nats."""
    logits = -(sets.costs / correlated_mm2 + cost * sets.counts)
    return float(np.logaddexp.reduce(logits) - logits[sets.truth])


def fit_disc_weights(spaces: Sequence[tuple[DiscFeatures, bool]]) -> FittedRow:
    """Return the row with the weights that maximise the likelihood of a disc on some spaces and of none on others.

    Half a case of the other kind on each side keeps the weights finite where the evidence separates them.
    """
    features = np.array([(1.0, each.alike, each.differing) for each, _ in spaces])
    discs = np.array([has_disc for _, has_disc in spaces])
    shares = np.where(discs, 1 - 0.5 / (discs.sum() + 1), 0.5 / ((~discs).sum() + 1))

    def compute_nats(weights: Floats) -> float:
        logits = features @ weights
        return float((np.logaddexp(0, logits) - shares * logits).sum())

    intercept, alike, differing = (round(float(weight), 2) for weight in minimize(compute_nats, np.zeros(3)).x)
    fitted = {"intercept": intercept, "alike": alike, "differing": differing}
    wrong = sum((each.compute_logit(DiscWeights(**fitted)) > 0) != has_disc for each, has_disc in spaces)
    return FittedRow(
        "spaces", "disc", fitted, {"spaces": len(spaces), "discs": int(discs.sum()), "wrong": wrong}, len(spaces)
    )


@dataclass(frozen=True, slots=True, eq=False)
class SeenPaints:
    """The (3,) paints that a photo shows, those with a hue in order, and the players who really take part."""

    hues: Sequence[Floats]
    neutral: Sequence[Floats]
    players: frozenset[str]


def fit_black_chroma(tables: Sequence[SeenPaints]) -> FittedRow:
    """Return the row with the chroma of black parts that maximises the likelihood of the true players."""

    def compute_nats(chroma: float) -> float:
        return -sum(float(np.log(max(_compute_true_share(table, chroma), MIN_TRUE_SHARE))) for table in tables)

    chroma = round(float(minimize_scalar(compute_nats, bounds=CHROMA_RANGE_LAB, method="bounded").x), 1)
    wrong = sum(
        _name_table(name_players(table.hues, table.neutral, chroma)[0], table) != table.players for table in tables
    )
    return FittedRow("paints", "black", {"chroma": chroma}, {"tables": len(tables), "wrong": wrong}, len(tables))


def _compute_true_share(table: SeenPaints, chroma: float) -> float:
    """Compute the probability that the paints are given the names of the players who have them."""
    namings = name_players(table.hues, table.neutral, chroma)
    return sum(naming.probability for naming in namings if _name_table(naming, table) == table.players)


def _name_table(naming: Naming, table: SeenPaints) -> frozenset[str]:
    """Return the players that a naming gives a table."""
    return frozenset(name for name in naming.names if name) | ({NEUTRAL_NAME} if table.neutral else set())


def fit_kinds(spots: Iterable[JudgedSpot]) -> Iterator[FittedRow]:
    """Yield two rows for every kind of spot: the calibration of its doubts, and how often it is misread entirely."""
    kinds: dict[str, list[JudgedSpot]] = defaultdict(list)
    for spot in spots:
        kinds[spot.kind].append(spot)
    for kind, alike in sorted(kinds.items()):
        pairs = [(chance, value == spot.truth) for spot in alike for value, chance in spot.alternatives.items()]
        yield fit_scaling(kind, [chance for chance, _ in pairs], [is_true for _, is_true in pairs])
        amiss = sum(spot.truth not in (spot.value, *spot.alternatives) for spot in alike)
        yield fit_share(kind, amiss, len(alike), prior_count=AMISS_BEFORE, prior_total=1, digits=4)


def build_plain_reader(folder: Path) -> BabelReader:
    """Return an uncalibrated reader for a generated folder's board."""
    reader = build_reader(load_enrolment(folder, GAME))
    reader.scalings, reader.amiss = {}, {}
    return reader


def list_photos(folders: Sequence[Path]) -> Iterator[tuple[BabelReader, Photo, SpotLabel]]:
    """Yield all photos of generated folders with their labels, each with the reader of its folder's board."""
    for folder in folders:
        reader = build_plain_reader(folder)
        for file in sorted(folder.glob("*.json")):
            label = parse_label(file.read_text(encoding="utf-8"))
            yield reader, Photo.from_path(folder / label.photo), label


def collect_paints(folders: Sequence[Path]) -> Iterator[SeenPaints]:
    """Yield the paints of all photos of generated folders whose board is found."""
    for reader, photo, label in list_photos(folders):
        with suppress(ReadingError):
            paints = reader.find_paints(photo)
            yield SeenPaints(paints.hues, paints.neutral, frozenset(label.table.players))


def collect_disc_spaces(folders: Sequence[Path]) -> Iterator[tuple[DiscFeatures, bool]]:
    """Yield the visible spaces of all wonders with three discs left or none, and whether they have a disc."""
    for reader, photo, label in list_photos(folders):
        with suppress(ReadingError):
            left = {wonder: label.table.laid.get(f"discs.{wonder}") for wonder in reader.layout.known_wonders}
            features = reader.compare_disc_spaces(photo)
            yield from (
                (each, left[wonder] == len(DISCS))
                for wonder, spaces in features.items()
                for each in spaces
                if left[wonder] in (0, len(DISCS)) and each.visible >= MIN_VISIBLE_SHARE
            )


def survey_folders(folders: Sequence[Path]) -> Iterator[tuple[list[TriedSets], list[JudgedSpot]]]:
    """Yield the tried sets and the spots of all photos of generated folders whose board is found."""
    weights = load_block_weights()
    for reader, photo, label in list_photos(folders):
        with suppress(ReadingError):
            found = reader.survey(photo)
            sets = list(collect_tried_sets(found.heaps, label.table.laid, weights))
            spots = [spot for spot in reader.list_spots(found) if not _is_unseen_counter(spot, found)]
            yield sets, list(judge_spots(spots, label.table.laid))


def _is_unseen_counter(spot: SpotReading, found: Found) -> bool:
    """Return whether a spot is that of an unseen counter, a doubt that says nothing about other spots."""
    kind, _, player = spot.id.partition(".")
    return kind == "track" and player not in found.counters


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("folders", type=Path, nargs="+", help="folders written by `python -m datasets.tower_of_babel`")
    add_write_option(parser)
    parser.add_argument(
        "--paints", type=Path, nargs="*", default=[], help="further such folders, from which players' colours are named"
    )
    options = parser.parse_args(arguments)
    black = fit_black_chroma([*collect_paints([*options.folders, *options.paints])])
    disc = fit_disc_weights([*collect_disc_spaces(options.folders)])
    surveys = list(survey_folders(options.folders))
    house = fit_block_weights([sets for tried, _ in surveys for sets in tried])
    kinds = fit_kinds(spot for _, spots in surveys for spot in spots)
    report_rows("tower_of_babel", [black, disc, house, *kinds], options.write, {"tables": len(surveys)})


if __name__ == "__main__":
    main()
