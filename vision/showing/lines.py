"""Evidence for printed lines along the sides of boxes, from the statistics of the picture itself.

The surprise of an edge is `-log` of the share of the picture with edges at least as strong in that direction, in nats.
It is exponential with mean 1 where nothing is printed, and exponential with a larger mean on a printed line. Most
points of a line have such an edge, and few points elsewhere. A point's evidence for a line is the log-likelihood ratio
of its edge, which is bounded, since there are other lines.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np

from scoring.calibration import load_weights
from vision.arrays import Image, Singles

GRAIN_PX = 1.0
"""Scale of a picture's grain, which is smoothed away. A guess."""
BINS = 4096
"""Number of distinct edge strengths. Bounds memory."""


@dataclass(frozen=True, slots=True)
class LineWeights:
    """Model of a printed line, fitted by `python -m models.calibration.boards`.

    The share of points with an edge of mean `surprise` nats is `seen` on a line and `elsewhere` off it. The score of a
    box is `side` times the mean along each side, less `end` times the continuation beyond each end, `through` times the
    continuation beyond both, and `round` for each round in it.
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
    """Cumulative sums of each point's evidence: (h + 1, w) from the top for vertical lines, (w + 1, h) from the left
    for horizontal ones."""

    upright: Singles
    level: Singles


def measure_lines(picture: Image, weights: LineWeights) -> LineEvidence:
    """Measure the evidence of a (h, w, 3) picture for lines."""
    upright, level = (weigh_surprise(surprise, weights) for surprise in measure_surprise(picture))
    return LineEvidence(_sum_up(upright), _sum_up(level.T))


def _sum_up(ratios: Singles) -> Singles:
    return np.asarray(np.pad(np.cumsum(ratios, axis=0, dtype=np.float32), ((1, 0), (0, 0))))


def measure_surprise(picture: Image) -> tuple[Singles, Singles]:
    """Measure the surprise (h, w) of edge strengths in nats, for vertical and for horizontal edges."""
    lab = np.asarray(cv2.cvtColor(cv2.GaussianBlur(picture, (0, 0), GRAIN_PX), cv2.COLOR_BGR2LAB), np.uint8)
    return _rank(_derive(lab, (1, 0))), _rank(_derive(lab, (0, 1)))


def _derive(lab: Image, way: tuple[int, int]) -> Singles:
    """Return the strongest change (h, w) within a pixel across an edge, since lines are seldom perfectly straight."""
    changes = [cv2.Scharr(lab[..., channel], cv2.CV_32F, *way) for channel in range(3)]
    strength = np.sqrt(np.sum(np.square(changes), axis=0))
    return np.asarray(cv2.dilate(strength, np.ones((1, 3) if way == (1, 0) else (3, 1), np.uint8)), np.float32)


def _rank(strength: Singles) -> Singles:
    numbers = (strength * ((BINS - 1) / max(float(strength.max()), 1e-6))).astype(np.int32)
    counts = np.bincount(numbers.ravel(), minlength=BINS)
    reached = np.cumsum(counts[::-1])[::-1]
    shares = (reached - counts / 2) / strength.size  # half of a bin's edges count as stronger
    return np.asarray(-np.log(np.maximum(shares, 0.5 / strength.size))[numbers], np.float32)


def weigh_surprise(surprise: Singles, weights: LineWeights) -> Singles:
    """Return the log-likelihood ratio of a line for points of the given surprise."""
    ratio = np.exp(surprise * (1 - 1 / weights.surprise)) / weights.surprise
    on_line, elsewhere = (1 + share * (ratio - 1) for share in (weights.seen, weights.elsewhere))
    return np.asarray(np.log(on_line / elsewhere), np.float32)
