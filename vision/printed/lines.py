"""How likely lines are printed along the sides of boxes, as the picture itself tells.

An edge is as surprising as it is rare: `-log` of the share of the picture that has so strong an edge of its way, in
nats. Where nothing is printed that is exponential, of mean 1; on a printed line it is exponential too, of a greater
mean. Of a line's points most have such an edge, of points elsewhere few: what a point says for a line is the log of how
much likelier its edge is on one, and never without bound, since there are other lines.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np

from scoring.calibration import load_weights
from vision.arrays import Image, Singles

GRAIN_PX = 1.0
"""What is finer than this in a picture is its grain."""
BINS = 4096
"""So many strengths of edges are told apart."""


@dataclass(frozen=True, slots=True)
class LineWeights:
    """What tells a printed line, by `python -m models.calibration.boards`.

    The share of points with an edge of mean `surprise` nats is `seen` on a line and `elsewhere` besides. A box counts
    `side` times the mean along each side, `end` times less what runs on beyond each end, `through` times less what runs
    on beyond both, and `round` less for each round in it.
    """

    seen: float
    elsewhere: float
    surprise: float
    side: float
    end: float
    through: float
    round: float


@cache
def load_line_weights() -> LineWeights:
    """Load the weights; raises ScoringError as `load_weights` does."""
    row = load_weights("boards", "lines")["box"]
    return LineWeights(**{name: float(row[name]) for name in LineWeights.__slots__})


@dataclass(frozen=True, slots=True, eq=False)
class LineEvidence:
    """Sums (h + 1, w) from the top of what each point says for an upright line, and (w + 1, h) from the left for a
    level one."""

    upright: Singles
    level: Singles


def measure_lines(picture: Image, weights: LineWeights) -> LineEvidence:
    """Measure what a (h, w, 3) picture says for lines."""
    upright, level = (weigh_surprise(surprise, weights) for surprise in measure_surprise(picture))
    return LineEvidence(_sum_up(upright), _sum_up(level.T))


def _sum_up(ratios: Singles) -> Singles:
    return np.asarray(np.pad(np.cumsum(ratios, axis=0, dtype=np.float32), ((1, 0), (0, 0))))


def measure_surprise(picture: Image) -> tuple[Singles, Singles]:
    """Measure (h, w) how rare so strong an edge is, in nats, of upright edges and of level ones."""
    lab = np.asarray(cv2.cvtColor(cv2.GaussianBlur(picture, (0, 0), GRAIN_PX), cv2.COLOR_BGR2LAB), np.uint8)
    return _rank(_derive(lab, (1, 0))), _rank(_derive(lab, (0, 1)))


def _derive(lab: Image, way: tuple[int, int]) -> Singles:
    """(h, w) the strongest change within a pixel across an edge: lines are seldom quite straight."""
    changes = [cv2.Scharr(lab[..., channel], cv2.CV_32F, *way) for channel in range(3)]
    strength = np.sqrt(np.sum(np.square(changes), axis=0))
    return np.asarray(cv2.dilate(strength, np.ones((1, 3) if way == (1, 0) else (3, 1), np.uint8)), np.float32)


def _rank(strength: Singles) -> Singles:
    numbers = (strength * ((BINS - 1) / max(float(strength.max()), 1e-6))).astype(np.int32)
    counts = np.bincount(numbers.ravel(), minlength=BINS)
    reached = np.cumsum(counts[::-1])[::-1]
    shares = (reached - counts / 2) / strength.size  # of the edges of one bin, half are stronger
    return np.asarray(-np.log(np.maximum(shares, 0.5 / strength.size))[numbers], np.float32)


def weigh_surprise(surprise: Singles, weights: LineWeights) -> Singles:
    """Return what points of so much surprise say for a line: the log of how much likelier they are on one."""
    ratio = np.exp(surprise * (1 - 1 / weights.surprise)) / weights.surprise
    on_line, elsewhere = (1 + share * (ratio - 1) for share in (weights.seen, weights.elsewhere))
    return np.asarray(np.log(on_line / elsewhere), np.float32)
