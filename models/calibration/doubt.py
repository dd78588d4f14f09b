"""Calibrate the reader's doubts: `python -m models.calibration.doubt LABEL.json ... --photos DIR`.

The tables should be of art and table tops neither trained on nor measured (`python -m datasets.generate` draws them;
"Calibration tables" of `docs/evaluation.md` lists those behind the numbers in `models/calibration.toml`). For every
kind of doubt the command prints the number of alternatives offered, how many of them are true and the sum of their
stated probabilities, with slope and offset. For photos with unknown tiles that may matter, only the doubts about found
pieces count: a person is asked about these photos anyway, and a misplaced lattice would distort all other doubts.

Most drawn tables share the reader's geometry, so they say nothing about where pieces stand, or about pieces that share
a tile. The numbers for where pieces stand (`place`) are fitted on real tables and on those drawn with `--sloppy`, whose
roads and walls are traced on the print. The row for pieces that share a tile (`crowded_none`) is fitted on real tables
alone, and so are the last row and those for other tiles (`tile`), other kinds of pieces (`kind`) and pieces that may be
none (`gone`). Photographers weigh alike, and for each of them the command prints the surprise of their alternatives by
numbers fitted without them, beside that by the stated probabilities (`models.calibration.photographers`). Therefore
`--write` takes the names of the rows to write, and needs at least one:

    python -m models.calibration.doubt datasets/real/*.json TRAIN_AND_FAILING_LABELS --photos ../shared/photos \\
        --write tile kind gone crowded_none right_though_contradicted

Further rows are the share of readings with a contradiction of the rules or the box that are right all the same
(`right_though_contradicted`), and the weight of each of several doubts (`other_doubts`). First of all the command
prints how many final scorings would be without a doubt at several confidence thresholds, the one in force among them
(`CONFIDENCE_SURE` of `scoring.carcassonne.doubt.relevance`, which is set by hand), given the slopes and offsets in
force.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

import numpy as np
from scipy.optimize import minimize, minimize_scalar
from scipy.special import log_expit, logit

from models.calibration.file import (
    FittedRow,
    build_label_parser,
    collect_from_photos,
    count_tables,
    report_rows,
)
from models.calibration.photographers import CasesOfTable, judge_unseen, weigh_cases
from scoring.calibration import Platt
from scoring.carcassonne.doubt.relevance import CONFIDENCE_SURE, list_subject_probabilities
from scoring.confidence import split_confidence
from vision.arrays import SUREST, Floats
from vision.doubt.alternatives import Doubted
from vision.evaluation.judge import collect_score_doubts, judge_reading
from vision.evaluation.labels import Truth
from vision.evaluation.offered import Offered, judge_alternatives
from vision.photo.decoding import Photo
from vision.reader import Reader
from vision.reading.values import Reading

Case = TypeVar("Case")

SLOPE_SPREAD, OFFSET_SPREAD = 0.5, 1.0
"""Prior standard deviations of slope and offset about 1 and 0, that is about the stated probability: drawn tables are
easier than real ones, and stated probabilities should still count if few doubts came true. A guess."""
OF_FOUND_PIECES: tuple[Doubted, ...] = ("place", "pose", "colour", "split", "kind", "crowded")
"""Doubts about a piece that was found, which count however well the tiles beside it are known."""
THRESHOLDS = (0.9, 0.95, 0.96, 0.97, CONFIDENCE_SURE, 0.99)
"""Confidence thresholds that are reported. A guess, around the one in force."""


@dataclass(frozen=True, slots=True)
class JudgedTable:
    """A table's alternatives, offered by its reading, and whether its final scoring is right.

    `confidence` and `split` (as of `split_confidence`) are None if unknown tiles may matter; `contradicted` marks a
    reading that contradicts the rules or the box.
    """

    photographer: str
    offers: tuple[Offered, ...]
    is_right: bool
    contradicted: bool = False
    confidence: float | None = None
    split: tuple[float, float] | None = None


def main() -> None:
    options = build_label_parser(__doc__, needs_names=True).parse_args()
    tables = judge_tables(Reader(), options.labels, options.photos)
    stated = [(table.confidence, table.is_right) for table in tables if table.confidence is not None]
    for line in format_thresholds([confidence for confidence, _ in stated], [is_right for _, is_right in stated]):
        print(line)
    report_rows("carcassonne", fit_rows(tables), options.write, count_tables(options.labels))


def judge_tables(reader: Reader, labels: Iterable[Path], photos: Path) -> list[JudgedTable]:
    """Read the photos of labels, found under `photos`, and compare the readings' alternatives with the truth."""
    readings = collect_from_photos(labels, photos, lambda truth, file: (truth, reader.read(Photo.from_path(file))))
    return [judge_table(reading, truth) for truth, reading in readings]


def judge_table(reading: Reading, truth: Truth) -> JudgedTable:
    """Compare a reading's alternatives with the truth."""
    doubts = collect_score_doubts(reading)
    offers = judge_alternatives(reading, truth)
    return JudgedTable(
        photographer=truth.photographer,
        offers=tuple(offer for offer in offers if offer.doubted in OF_FOUND_PIECES or not doubts.unknown),
        is_right=judge_reading(reading, truth, {}).final_exact,
        contradicted=bool(doubts.contradictions),
        confidence=None if doubts.unknown else doubts.confidence,
        split=None if doubts.unknown else split_confidence(list_subject_probabilities(doubts.changes)),
    )


def fit_rows(tables: Sequence[JudgedTable]) -> Iterator[FittedRow]:
    """Yield all rows of the calibration file that readings of tables determine, photographers weighing alike."""
    yield from fit_doubts(tables)
    crowded = [
        _list_cases(table, [offer.so for offer in table.offers if offer.doubted == "crowded"]) for table in tables
    ]
    yield fit_laplace_share("crowded_none", crowded)
    contradicted = [_list_cases(table, [table.is_right] if table.contradicted else []) for table in tables]
    yield fit_laplace_share("right_though_contradicted", contradicted)
    splits = [(table.split, table.is_right) for table in tables if table.split is not None]
    if splits:
        yield fit_other_doubts([split for split, _ in splits], [is_right for _, is_right in splits])


def fit_doubts(tables: Sequence[JudgedTable]) -> Iterator[FittedRow]:
    """Yield slope and offset of every kind of doubt, with the data they rest on."""
    for doubted in sorted({offer.doubted for table in tables for offer in table.offers}):
        offers = [_list_cases(table, [o for o in table.offers if o.doubted == doubted]) for table in tables]
        cases, weights = weigh_cases(offers)
        unseen = judge_unseen(offers, _fit_offers, _measure_offers)
        for line in unseen.format_lines(doubted):
            print(line)
        row = fit_scaling(doubted, [offer.said for offer in cases], [offer.so for offer in cases], weights)
        yield replace(row, fitted_on={**row.fitted_on, **unseen.counts})


def _list_cases(table: JudgedTable, cases: Iterable[Case]) -> CasesOfTable[Case]:
    return CasesOfTable(table.photographer, tuple(cases))


def _fit_offers(offers: Sequence[Offered], weights: Sequence[float]) -> Platt:
    return Platt(*fit_platt([offer.said for offer in offers], [offer.so for offer in offers], weights))


def _measure_offers(scaling: Platt, offers: Sequence[Offered]) -> float:
    return measure_surprise(scaling, [(offer.said, offer.so) for offer in offers])


def measure_surprise(scaling: Platt, stated: Iterable[tuple[float, bool]]) -> float:
    """Return the nats of outcomes, each with its stated probability, once these are scaled."""
    scaled = [(scaling.apply(probability, SUREST), so) for probability, so in stated]
    return -sum(math.log(probability if so else 1 - probability) for probability, so in scaled)


def fit_scaling(
    name: str, probabilities: Sequence[float], outcomes: Sequence[bool], weights: Sequence[float] | None = None
) -> FittedRow:
    """Return slope and offset for alternatives offered with these probabilities, given which of them are true."""
    slope, offset = fit_platt(probabilities, outcomes, weights)
    counts = {"offered": len(outcomes), "so": sum(outcomes), "said": round(sum(probabilities), 1)}
    return FittedRow("doubts", name, {"slope": round(slope, 2), "offset": round(offset, 2)}, counts, len(outcomes))


def fit_laplace_share(name: str, tables: Sequence[CasesOfTable[bool]]) -> FittedRow:
    """Return the share of true outcomes by Laplace's rule of succession, which is never 0 or 1."""
    outcomes, weights = weigh_cases(tables)
    unseen = judge_unseen(tables, _fit_share, _measure_share)
    for line in unseen.format_lines(name):
        print(line)
    share = round(_fit_share(outcomes, weights), 2)
    counts = {"so": sum(outcomes), "of": len(outcomes), **unseen.counts}
    return FittedRow("shares", name, {"share": share}, counts, len(outcomes))


def _fit_share(outcomes: Sequence[bool], weights: Sequence[float]) -> float:
    return (float(np.dot(outcomes, weights)) + 1) / (sum(weights) + 2)


def _measure_share(share: float, outcomes: Sequence[bool]) -> float:
    return -sum(math.log(share if so else 1 - share) for so in outcomes)


def fit_other_doubts(splits: Sequence[tuple[float, float]], outcomes: Sequence[bool]) -> FittedRow:
    """Return the weight of all doubts but the most likely, with the number of final scorings that it rests on."""
    power = round(fit_power(splits, outcomes), 2)
    counts = {"right": sum(outcomes), "of": len(outcomes)}
    return FittedRow("confidence", "other_doubts", {"power": power}, counts, len(outcomes))


def format_thresholds(confidences: Sequence[float], outcomes: Sequence[bool]) -> Iterable[str]:
    """Yield a line for every threshold: how many final scorings reach it, and how many of these are right."""
    for threshold in THRESHOLDS:
        sure = [is_right for confidence, is_right in zip(confidences, outcomes, strict=True) if confidence >= threshold]
        in_force = ", in force" if threshold == CONFIDENCE_SURE else ""
        total = len(outcomes)
        yield f"# {len(sure)} of {total} final scorings are sure from {threshold} on{in_force}, {sum(sure)} right"


def fit_platt(
    probabilities: Sequence[float], outcomes: Sequence[bool], weights: Sequence[float] | None = None
) -> tuple[float, float]:
    """Return the slope and offset of logits with the greatest posterior probability given the outcomes.

    Each outcome counts as many times as its weight, by default once.
    """
    logits = logit(np.clip(np.array(probabilities, np.float64), SUREST, 1 - SUREST))
    signs = np.where(outcomes, 1.0, -1.0)
    counts = np.ones(len(logits)) if weights is None else np.array(weights, np.float64)

    def loss(numbers: Floats) -> float:
        slope, offset = numbers
        unusual = ((slope - 1) / SLOPE_SPREAD) ** 2 + (offset / OFFSET_SPREAD) ** 2
        return float(unusual / 2 - (counts * log_expit(signs * (slope * logits + offset))).sum())

    slope, offset = minimize(loss, np.array([1.0, 0.0])).x.tolist()
    return slope, offset


def fit_power(splits: Sequence[tuple[float, float]], outcomes: Sequence[bool]) -> float:
    """Return the most likely power of the probability left by all doubts but the most likely."""
    shares = np.clip(np.array(splits, np.float64).reshape(-1, 2), SUREST, 1 - SUREST)
    first, others = -np.log(shares).T

    def loss(power: float) -> float:
        doubt = first + power * others
        return -float(np.where(outcomes, -doubt, np.log(-np.expm1(-doubt))).sum())

    return float(minimize_scalar(loss, bounds=(0.01, 2.0), method="bounded").x)


if __name__ == "__main__":
    main()
