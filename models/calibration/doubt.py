"""Fit what makes the reader's doubts honest: `python -m models.calibration.doubt LABEL.json ... --photos DIR`.

The tables should be of art and table tops neither trained on nor measured (`python -m datasets.generate` draws them;
the card of `pieces.onnx` names those that the numbers in `models/calibration.toml` are from). For every kind of doubt
it prints how many alternatives were offered, how many of them are so and how many should be by what was said, with
slope and offset. Of photos with unknown tiles that may matter only what is said of the pieces that were found counts: a
person is asked about these photos anyway, and where a lattice went astray they would make all other doubts look worse.

Drawn tables share the reader's geometry, so that they tell nothing of where pieces stand, nor of pieces that share a
tile. The numbers for these (`place`, `crowded_none`) are fitted on real tables alone, as is the last one:

    python -m models.calibration.doubt datasets/real/*.json TRAIN_AND_FAILING_LABELS --photos ../shared/photos \\
        --write place crowded_none right_though_contradicted

Then it prints how many readings hold what contradicts the rules or the box, and how many of these are right all the
same (`right_though_contradicted`); and by the slopes and offsets in force, how many
final scorings would be without a doubt from several confidences on, that in force among them, and how much each of
several doubts counts (`scoring.carcassonne.doubt.relevance`).
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np
from scipy.optimize import minimize, minimize_scalar
from scipy.special import log_expit, logit

from models.calibration.file import Fitted, fit_share, write_fitted
from scoring.carcassonne.doubt.relevance import CONFIDENCE_SURE, list_subject_probabilities
from scoring.confidence import split_confidence
from vision.arrays import Floats
from vision.doubt.calibration import SUREST, Doubted
from vision.evaluation.judge import collect_score_doubts, judge_reading
from vision.evaluation.labels import load_truth
from vision.evaluation.offered import Offered, judge_alternatives
from vision.evaluation.tables import find_photo
from vision.photo.decoding import Photo
from vision.reader import Reader

SLOPE_SPREAD, OFFSET_SPREAD = 0.5, 1.0
"""How far from 1 and 0, that is from what was said, slope and offset are thought to lie before anything is seen: drawn
tables are easier than real ones, and where few doubts came true what was said should still count."""
OF_FOUND_PIECES: tuple[Doubted, ...] = ("place", "pose", "colour", "kind", "crowded")
"""What is said of a piece that was found, however well the tiles beside it are known."""
THRESHOLDS = (0.9, 0.95, 0.96, 0.97, 0.98, CONFIDENCE_SURE, 0.99)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("labels", type=Path, nargs="+")
    parser.add_argument("--photos", type=Path, required=True)
    parser.add_argument("--write", nargs="+", default=[], metavar="NAME", help="write these into the calibration file")
    options = parser.parse_args()
    reader = Reader()
    seen: list[Offered] = []
    confident: list[float] = []
    left: list[tuple[float, float]] = []
    right: list[bool] = []
    contradicted: list[bool] = []
    for truth in [load_truth(label) for label in options.labels]:
        reading = reader.read(Photo.from_path(find_photo(truth.photo, options.photos)))
        doubts, is_right = collect_score_doubts(reading), judge_reading(reading, truth, {}).final_exact
        seen += [
            one for one in judge_alternatives(reading, truth) if one.doubted in OF_FOUND_PIECES or not doubts.unknown
        ]
        if doubts.contradictions:
            contradicted.append(is_right)
        if not doubts.unknown:
            confident.append(doubts.confidence)
            left.append(split_confidence(list_subject_probabilities(doubts.changes)))
            right.append(is_right)
    crowded = [one.so for one in seen if one.doubted == "crowded"]
    found = [
        *fit_scalings(seen),
        estimate_share("crowded_none", crowded),
        estimate_share("right_though_contradicted", contradicted),
    ]
    for own in found:
        print(own.format_line())
    write_fitted("carcassonne", [own for own in found if own.name in options.write])
    for line in sure_from(confident, right):
        print(line)
    if right:
        weight = f"{together(left, right):.2f}"
        print(f"FURTHER_DOUBT_WEIGHT = {weight}  # {len(right)} final scorings, {sum(right)} of them right")


def fit_scalings(seen: Iterable[Offered]) -> Iterator[Fitted]:
    """Yield slope and offset of every kind of doubt, with what they rest on."""
    kinds: dict[Doubted, list[Offered]] = defaultdict(list)
    for one in seen:
        kinds[one.doubted].append(one)
    for doubted, mine in sorted(kinds.items()):
        yield fit_scaling(doubted, [one.said for one in mine], [one.so for one in mine])


def fit_scaling(name: str, said: Sequence[float], so: Sequence[bool]) -> Fitted:
    """Return slope and offset for what was offered with such probabilities, of which so much was so."""
    slope, offset = fitted(said, so)
    counts = {"offered": len(so), "so": sum(so), "said": round(sum(said), 1)}
    return Fitted("doubts", name, {"slope": round(slope, 2), "offset": round(offset, 2), **counts})


def estimate_share(name: str, so: Sequence[bool]) -> Fitted:
    """Return how often something is so by Laplace's rule of succession, which never says that it always or never is."""
    return fit_share(name, sum(so), len(so), before=1, weight=2, digits=2)


def sure_from(confident: Sequence[float], right: Sequence[bool]) -> Iterable[str]:
    """A line for every threshold: how many of these final scorings are as sure as that, and how many of them right."""
    for threshold in THRESHOLDS:
        sure = [so for confidence, so in zip(confident, right, strict=True) if confidence >= threshold]
        in_force = ", in force" if threshold == CONFIDENCE_SURE else ""
        yield f"# {len(sure)} of {len(right)} final scorings are sure from {threshold} on{in_force}, {sum(sure)} right"


def fitted(said: Sequence[float], so: Sequence[bool]) -> tuple[float, float]:
    """Slope and offset of logits that make what was said likeliest to give what is so, and are likely themselves."""
    logits = logit(np.clip(np.array(said, np.float64), SUREST, 1 - SUREST))
    signs = np.where(so, 1.0, -1.0)

    def loss(numbers: Floats) -> float:
        slope, offset = numbers
        unlikely = ((slope - 1) / SLOPE_SPREAD) ** 2 + (offset / OFFSET_SPREAD) ** 2
        return float(unlikely / 2 - log_expit(signs * (slope * logits + offset)).sum())

    slope, offset = minimize(loss, np.array([1.0, 0.0])).x.tolist()
    return slope, offset


def together(left: Sequence[tuple[float, float]], right: Sequence[bool]) -> float:
    """The power of what all doubts but the likeliest leave (`left_by`) that makes what is right likeliest."""
    first, others = (-np.log(np.clip(part, SUREST, 1 - SUREST)) for part in np.array(left, np.float64).reshape(-1, 2).T)

    def loss(power: float) -> float:
        doubt = first + power * others
        return -float(np.where(right, -doubt, np.log(-np.expm1(-doubt))).sum())

    return float(minimize_scalar(loss, bounds=(0.01, 2.0), method="bounded").x)


if __name__ == "__main__":
    main()
