"""Boxes of one size around places that a user pointed at: the jointly most likely outlines in the picture.

An outline has a line along each side, and none that continues beyond its corners, least of all beyond both; this rules
out boxes composed of pieces of others. All boxes have one size, so the clear ones determine one that is hard to see.

The evidence for printed lines comes from the statistics of the picture itself. The surprise of an edge is `-log` of the
share of the picture with edges at least as strong in that direction, in nats. It is exponential with mean 1 where
nothing is printed, and exponential with a larger mean on a printed line. Most points of a line have such an edge, and
few points elsewhere. A point's evidence for a line is the log-likelihood ratio of its edge, which is bounded, since
there are other lines.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np

from scoring.calibration import load_weights
from vision.arrays import Flags, Floats, Image, Singles
from vision.showing.outlines import load_shape_rules

AIM_SHARE = 0.0075
"""Standard deviation of a finger's distance from a box's centre, as a share of the picture's longer side. A guess."""
MAX_AIM_SPREADS = 4
"""Search range in multiples of the standard deviation of a finger's aim. A guess."""
STEP_PX = 2
"""Step of the coarse search, which is followed by one to the pixel, and standard deviation of the smoothing across a
side, which makes the middle of a wide printed line count. Bounds time."""
MAX_HEIGHTS = 20
"""Maximum number of heights of a column's boxes that are evaluated together with the boxes between them. Bounds
time."""
STARTS = 10
"""Number of starting heights. Bounds time."""
CORNER_PX, BEYOND_SHARE = 5.0, 0.1
"""Length by which a line may extend beyond a corner, because of its width, and the share of the side along which
continuations are measured. A guess."""
CORE_SHARE = 0.8
"""Share of a round's radius that is its core; a round is in a box if part of its core is. A guess."""


@dataclass(frozen=True, slots=True, eq=False)
class BoxSearch:
    """Boxes around (n, 2) `places`, within `limits` of width and height in pixels: ((least, most), (least, most)).

    `rounds` (m, 3) x, y, radius should be outside of them. The standard deviations of each box's centre from its place
    are `spreads` (n, 2) pixels. Boxes that stand `in_column` (n,) have their centres one below the other; if there
    are two of them, `between` more are evenly spaced between them.
    """

    evidence: LineEvidence
    weights: LineWeights
    places: Floats
    limits: tuple[tuple[float, float], tuple[float, float]]
    rounds: Floats
    spreads: Floats
    in_column: Flags
    between: int = 0

    def find(self) -> tuple[float, Floats]:
        """Find the score and the (n, 4) boxes x, y, width, height."""
        (least, most) = self.limits[1]
        best: tuple[float, Floats] | None = None
        known: set[tuple[float, float]] = set()
        for start in np.geomspace(least, most, STARTS if most > least else 1):
            found = self._settle(float(start), known)
            if found is not None and (best is None or found[0] > best[0]):
                best = found
        assert best is not None
        return best[0], self._sharpen(best[1])

    def _settle(self, height: float, known: set[tuple[float, float]]) -> tuple[float, Floats] | None:
        """Return the score and the boxes reached from a starting height; None if they are already known."""
        sizes, middles = np.array([0.0, height]), self.places.copy()
        total, passed = -np.inf, set[tuple[float, float]]()
        while True:
            for axis in (0, 1):
                low, high = self.limits[axis]
                choices = np.arange(low, high + STEP_PX / 2, STEP_PX)
                sizes[axis], middles[:, axis], total = self._choose(axis, choices, sizes, middles, STEP_PX)
            settled = (float(sizes[0]), float(sizes[1]))
            if settled in known:
                return None
            if settled in passed:
                break
            passed.add(settled)
        known |= passed
        return total, np.column_stack([middles - sizes / 2, np.tile(sizes, (len(middles), 1))])

    def _sharpen(self, boxes: Floats) -> Floats:
        """Refine the boxes to the pixel."""
        sizes, middles = boxes[0, 2:].copy(), boxes[:, :2] + boxes[:, 2:] / 2
        for axis in (0, 1):
            low, high = self.limits[axis]
            choices = np.unique(np.clip(sizes[axis] + np.arange(-2.0, 2.5, 0.5) * STEP_PX, low, high))
            sizes[axis], middles[:, axis], _ = self._choose(axis, choices, sizes, middles, 1)
        return np.column_stack([middles - sizes / 2, np.tile(sizes, (len(middles), 1))])

    def _choose(
        self, axis: int, choices: Floats, sizes: Floats, middles: Floats, step: int
    ) -> tuple[float, Floats, float]:
        """Return the best size along an axis, the boxes' centres (n,) along it, and the score."""
        reach = np.ceil(MAX_AIM_SPREADS * self.spreads[:, axis].max() / step) * step
        offsets = np.arange(-reach, reach + step, step)
        totals, chosen = np.zeros(len(choices)), np.zeros((len(middles), len(choices)))
        for group in self._list_groups(axis):
            if axis == 1 and len(group) > 1:
                column_totals, chosen[group] = self._choose_column(group, choices, sizes, middles, offsets)
                totals += column_totals
                continue
            at = self.places[group, axis].mean() + offsets
            score = np.zeros((len(choices), len(at)))
            for i in group:
                score += self._score(i, axis, choices, sizes, middles, at)
            best = score.argmax(axis=1)
            totals += score[np.arange(len(choices)), best]
            chosen[group] = at[best]
        number = int(totals.argmax())
        return float(choices[number]), chosen[:, number], float(totals[number])

    def _choose_column(
        self, group: list[int], choices: Floats, sizes: Floats, middles: Floats, offsets: Floats
    ) -> tuple[Floats, Floats]:
        """Return the scores (choices,) of two boxes of a column and all between them, and the centres (2, choices)."""
        places = [self.places[i, 1] + offsets for i in group]
        scores = [self._score(i, 1, choices, sizes, middles, at) for i, at in zip(group, places, strict=True)]
        likely = np.argsort(scores[0].max(axis=1) + scores[1].max(axis=1))[-MAX_HEIGHTS:]
        shares = np.arange(1, self.between + 1) / (self.between + 1)
        between = places[0][:, None, None] + shares * (places[1][:, None] - places[0][:, None, None])
        totals, chosen = np.full(len(choices), -np.inf), np.zeros((2, len(choices)))
        for number in likely:
            rows = self._weigh(group[0], 1, choices[[number]], sizes, middles, between.ravel()).reshape(between.shape)
            total = scores[0][number][:, None] + scores[1][number] + rows.sum(axis=2)
            one, other = np.unravel_index(total.argmax(), total.shape)
            totals[number], chosen[:, number] = total[one, other], (places[0][one], places[1][other])
        return totals, chosen

    def _list_groups(self, axis: int) -> list[list[int]]:
        """Return the groups of boxes that are fitted together along an axis; most boxes form their own group."""
        column = [int(i) for i in np.flatnonzero(self.in_column)]
        if axis == 1 and (len(column) != 2 or not self.between):
            column = []
        alone = [[i] for i in range(len(self.places)) if i not in column]
        return [column, *alone] if column else alone

    def _score(self, i: int, axis: int, choices: Floats, sizes: Floats, middles: Floats, at: Floats) -> Floats:
        """Return the scores (choices, at) of a box, less the penalty for its distance from the pointed-at place."""
        aim = ((at - self.places[i, axis]) / self.spreads[i, axis]) ** 2 / 2
        return np.asarray(self._weigh(i, axis, choices, sizes, middles, at) - aim)

    def _weigh(self, i: int, axis: int, choices: Floats, sizes: Floats, middles: Floats, at: Floats) -> Floats:
        """Return the evidence (choices, at) for a box with other sizes and centres along an axis."""
        other = 1 - axis
        first, last = middles[i, other] - sizes[other] / 2, middles[i, other] + sizes[other] / 2
        across = self._sum_sides(axis, first, last)
        low = np.rint(at[None] - choices[:, None] / 2).astype(int)
        high = np.rint(at[None] + choices[:, None] / 2).astype(int)
        inside = (low >= 0) & (high < len(across))
        clipped_low, clipped_high = (np.clip(side, 0, len(across) - 1) for side in (low, high))
        score = np.where(inside, across[clipped_low] + across[clipped_high], -2 * len(across))
        cores = np.abs(self.rounds[:, other] - (first + last) / 2) < (last - first) / 2 + CORE_SHARE * self.rounds[:, 2]
        for entry in self.rounds[cores]:
            middle, core = entry[axis], CORE_SHARE * entry[2]
            score = score - self.weights.round * ((middle + core > low) & (middle - core < high))
        return np.asarray(score, np.float64)

    def _sum_sides(self, axis: int, first: float, last: float) -> Floats:
        """Return the evidence for a side at each place along an axis that extends from `first` to `last` across it."""
        sums = self.evidence.upright if axis == 0 else self.evidence.level
        beyond = BEYOND_SHARE * (last - first)
        ends = ((first - CORNER_PX - beyond, first - CORNER_PX), (last + CORNER_PX, last + CORNER_PX + beyond))
        run_on = [_average(sums, *end) for end in ends]
        score = self.weights.side * _average(sums, first, last) - self.weights.end * sum(run_on)
        score = score - self.weights.through * np.maximum(np.minimum(*run_on), 0)
        return np.asarray(cv2.GaussianBlur(score[None], (0, 0), STEP_PX)[0], np.float64)


def _average(sums: Singles, first: float, last: float) -> Floats:
    low, high = (int(np.clip(round(end), 0, len(sums) - 1)) for end in (first, last))
    return np.asarray((sums[high] - sums[low]) / max(1, high - low))


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


def measure_at_scales(picture: Image, weights: LineWeights) -> Iterator[LineEvidence]:
    """Yield the evidence of a (h, w, 3) picture for lines: for sharp ones, then for sides that fade into the ground."""
    yield measure_lines(picture, weights)
    faded = load_shape_rules("rectangle")["faded_px"]
    yield measure_lines(np.asarray(cv2.GaussianBlur(picture, (0, 0), faded), np.uint8), weights)


def rate_sides(evidence: LineEvidence, boxes: Floats) -> float:
    """Return the mean evidence for lines along all sides of boxes (n, 4) x, y, width, height."""
    rated = [
        _average(sums[:, np.clip(round(side), 0, sums.shape[1] - 1)], begin, begin + length)
        for x, y, w, h in boxes
        for sums, sides, begin, length in ((evidence.upright, (x, x + w), y, h), (evidence.level, (y, y + h), x, w))
        for side in sides
    ]
    return float(np.mean(rated))


def _sum_up(ratios: Singles) -> Singles:
    return np.asarray(np.pad(np.cumsum(ratios, axis=0, dtype=np.float32), ((1, 0), (0, 0))))


def measure_surprise(picture: Image) -> tuple[Singles, Singles]:
    """Measure the surprise (h, w) of edge strengths in nats, for vertical and for horizontal edges."""
    lab = np.asarray(cv2.cvtColor(cv2.GaussianBlur(picture, (0, 0), GRAIN_PX), cv2.COLOR_BGR2LAB), np.uint8)
    return rank_edges(_derive(lab, (1, 0))), rank_edges(_derive(lab, (0, 1)))


def _derive(lab: Image, way: tuple[int, int]) -> Singles:
    """Return the strongest change (h, w) within a pixel across an edge, since lines are seldom perfectly straight."""
    changes = [cv2.Scharr(lab[..., channel], cv2.CV_32F, *way) for channel in range(3)]
    strength = np.sqrt(np.sum(np.square(changes), axis=0))
    return np.asarray(cv2.dilate(strength, np.ones((1, 3) if way == (1, 0) else (3, 1), np.uint8)), np.float32)


def rank_edges(strength: Singles) -> Singles:
    """Return the surprise (h, w) of edges in nats, by their rank."""
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
