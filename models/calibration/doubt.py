"""Calibrate the reader's doubts: `python -m models.calibration.doubt LABEL.json ... --photos DIR`.

The tables should be of art and table tops neither trained on nor measured (`python -m datasets.generate` draws them;
"Calibration tables" of `docs/evaluation.md` lists those behind the numbers in `models/calibration.toml`). For every
kind of doubt the command prints the number of alternatives offered, how many of them are true and the sum of their
stated probabilities, with slope and offset. For photos with unknown tiles that may matter, only the doubts about found
pieces count: a person is asked about these photos anyway, and a misplaced lattice would distort all other doubts.

Most drawn tables share the reader's geometry, so they say nothing about where pieces stand, or about pieces that share
a tile. The numbers for where pieces stand (`place`) are fitted on real tables and on those drawn with `--sloppy`, whose
roads and walls are traced on the print. The row for pieces that share a tile (`crowded_none`) is fitted on real tables
alone, and so are the last row and the one for other tiles (`tile`), whose alternatives are true less often on real
tables than on drawn ones. Therefore `--write` takes the names of the rows to write, and needs at least one:

    python -m models.calibration.doubt datasets/real/*.json TRAIN_AND_FAILING_LABELS --photos ../shared/photos \\
        --write tile crowded_none right_though_contradicted

Further rows are the share of readings with a contradiction of the rules or the box that are right all the same
(`right_though_contradicted`), and the weight of each of several doubts (`other_doubts`). First of all the command
prints how many final scorings would be without a doubt at several confidence thresholds, the one in force among them
(`CONFIDENCE_SURE` of `scoring.carcassonne.doubt.relevance`, which is set by hand), given the slopes and offsets in
force.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from scipy.optimize import minimize, minimize_scalar
from scipy.special import log_expit, logit

from models.calibration.file import (
    FittedRow,
    build_label_parser,
    collect_from_photos,
    count_tables,
    fit_share,
    report_rows,
)
from scoring.carcassonne.doubt.relevance import CONFIDENCE_SURE, list_subject_probabilities
from scoring.confidence import split_confidence
from vision.arrays import SUREST, Floats
from vision.doubt.calibration import Doubted
from vision.evaluation.judge import collect_score_doubts, judge_reading
from vision.evaluation.offered import Offered, judge_alternatives
from vision.photo.decoding import Photo
from vision.reader import Reader

SLOPE_SPREAD, OFFSET_SPREAD = 0.5, 1.0
"""Prior standard deviations of slope and offset about 1 and 0, that is about the stated probability: drawn tables are
easier than real ones, and stated probabilities should still count if few doubts came true. A guess."""
OF_FOUND_PIECES: tuple[Doubted, ...] = ("place", "pose", "colour", "split", "kind", "crowded")
"""Doubts about a piece that was found, which count however well the tiles beside it are known."""
THRESHOLDS = (0.9, 0.95, 0.96, 0.97, CONFIDENCE_SURE, 0.99)
"""Confidence thresholds that are reported. A guess, around the one in force."""


@dataclass(slots=True)
class Judgements:
    """The alternatives that readings of tables offered, and whether their final scorings were right.

    `confidences`, `splits` (as of `split_confidence`) and `outcomes` belong to scorings without unknown tiles.
    `contradicted` has, for each reading that contradicts the rules or the box, whether it is right.
    """

    offers: list[Offered] = field(default_factory=list)
    confidences: list[float] = field(default_factory=list)
    splits: list[tuple[float, float]] = field(default_factory=list)
    outcomes: list[bool] = field(default_factory=list)
    contradicted: list[bool] = field(default_factory=list)


def main() -> None:
    options = build_label_parser(__doc__, needs_names=True).parse_args()
    judgements = judge_tables(Reader(), options.labels, options.photos)
    for line in format_thresholds(judgements.confidences, judgements.outcomes):
        print(line)
    report_rows("carcassonne", fit_rows(judgements), options.write, count_tables(options.labels))


def judge_tables(reader: Reader, labels: Iterable[Path], photos: Path) -> Judgements:
    """Read the photos of labels, found under `photos`, and compare the readings' alternatives with the truth."""
    judgements = Judgements()
    readings = collect_from_photos(labels, photos, lambda truth, file: (truth, reader.read(Photo.from_path(file))))
    for truth, reading in readings:
        doubts, is_right = collect_score_doubts(reading), judge_reading(reading, truth, {}).final_exact
        judgements.offers += [
            offer
            for offer in judge_alternatives(reading, truth)
            if offer.doubted in OF_FOUND_PIECES or not doubts.unknown
        ]
        if doubts.contradictions:
            judgements.contradicted.append(is_right)
        if not doubts.unknown:
            judgements.confidences.append(doubts.confidence)
            judgements.splits.append(split_confidence(list_subject_probabilities(doubts.changes)))
            judgements.outcomes.append(is_right)
    return judgements


def fit_rows(judgements: Judgements) -> Iterator[FittedRow]:
    """Yield all rows of the calibration file that readings of tables determine."""
    yield from fit_scalings(judgements.offers)
    yield fit_laplace_share("crowded_none", [offer.so for offer in judgements.offers if offer.doubted == "crowded"])
    yield fit_laplace_share("right_though_contradicted", judgements.contradicted)
    if judgements.outcomes:
        yield fit_other_doubts(judgements.splits, judgements.outcomes)


def fit_scalings(offers: Iterable[Offered]) -> Iterator[FittedRow]:
    """Yield slope and offset of every kind of doubt, with the data they rest on."""
    kinds: dict[Doubted, list[Offered]] = defaultdict(list)
    for offer in offers:
        kinds[offer.doubted].append(offer)
    for doubted, alike in sorted(kinds.items()):
        yield fit_scaling(doubted, [offer.said for offer in alike], [offer.so for offer in alike])


def fit_scaling(name: str, probabilities: Sequence[float], outcomes: Sequence[bool]) -> FittedRow:
    """Return slope and offset for alternatives offered with these probabilities, given which of them are true."""
    slope, offset = fit_platt(probabilities, outcomes)
    counts = {"offered": len(outcomes), "so": sum(outcomes), "said": round(sum(probabilities), 1)}
    return FittedRow("doubts", name, {"slope": round(slope, 2), "offset": round(offset, 2)}, counts, len(outcomes))


def fit_laplace_share(name: str, outcomes: Sequence[bool]) -> FittedRow:
    """Return the share of true outcomes by Laplace's rule of succession, which is never 0 or 1."""
    return fit_share(name, sum(outcomes), len(outcomes), prior_count=1, prior_total=2, digits=2)


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


def fit_platt(probabilities: Sequence[float], outcomes: Sequence[bool]) -> tuple[float, float]:
    """Return the slope and offset of logits with the greatest posterior probability given the outcomes."""
    logits = logit(np.clip(np.array(probabilities, np.float64), SUREST, 1 - SUREST))
    signs = np.where(outcomes, 1.0, -1.0)

    def loss(numbers: Floats) -> float:
        slope, offset = numbers
        unusual = ((slope - 1) / SLOPE_SPREAD) ** 2 + (offset / OFFSET_SPREAD) ** 2
        return float(unusual / 2 - log_expit(signs * (slope * logits + offset)).sum())

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
