"""Seams between neighbouring squares: two tiles meet in a line, a gap or a jump; within one print there is none.

The look of a seam depends on the light, the prints and the camera, so it is learned from each photo: the borders
between its squares, nearly all of which are seams, are compared with lines within its squares, none of which is one (a
linear discriminant between the two).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from scoring.calibration import load_weights
from scoring.carcassonne.tiles.geometry import Square
from vision.arrays import Floats, Image, Ints, compute_sigmoid
from vision.localise.lattice import GAP_TILES
from vision.photo.crops import CORNERS, crop_quads
from vision.survey.survey import PlacedSurvey

Border = tuple[Square, Square]
"""Two squares side by side, the western or the northern one first."""

SIDE_PX = 96
"""Size of a square in which its borders are measured. A guess."""
SEGMENTS = 4
"""Number of parts in which a border is measured: a tile may lie slightly askew. A guess."""
REACH_PX = 4
"""Maximum distance of a seam from a square's border. A guess."""
WITHIN = (0.3, 0.4, 0.5, 0.6, 0.7, 1.3, 1.4, 1.5, 1.6, 1.7)
"""Positions, in two squares side by side, of lines without a seam. A guess."""
MIN_DIFFERENCE = 0.5
"""Smaller differences, in grey levels, are noise. A guess."""
SAMPLED_BORDERS = 40
"""Maximum number of borders from which the look of seams is learned. Bounds time."""
MIN_BORDERS = 12
"""Minimum number of borders for any evidence of seams. A guess."""
ROUNDS = 3
"""Number of rounds in which the discriminant is refined. A guess."""


def load_most_nats() -> float:
    """Load the maximum evidence of a border for a seam, or against one, in nats."""
    return load_weights("carcassonne", "wonders")["seam"]["most"]


def weigh_print(within: Floats, around: Floats) -> Floats:
    """Return (m,) the log-likelihood ratio of one print against several tiles, given the evidence for seams.

    `within` (m,) is its sum over the borders within the squares, `around` (m,) over those around them, where seams run
    in either case. If those cannot be seen, as in a blurred part of a photo, missing seams within are no evidence.
    """
    unseen = load_weights("carcassonne", "wonders")["seam"]["unseen"]
    clear, blurred = np.log(1 - unseen), np.log(unseen)
    return np.asarray(np.logaddexp(clear + around, blurred) - np.logaddexp(clear + within + around, blurred))


@dataclass(frozen=True, slots=True, eq=False)
class SeamLook:
    """The look of seams in one photo: `weights` (5,) and `middle` (5,) of the discriminant."""

    weights: Floats
    middle: Floats

    @classmethod
    def learn(cls, borders: Floats, within: Floats) -> SeamLook:
        """Learn it from (n, 5) statistics of borders, nearly all of them seams, and (m, 5) of lines within prints."""
        inner, spread = within.mean(axis=0), np.cov(within.T)
        shares, look = np.ones(len(borders)), None
        prior = load_weights("carcassonne", "wonders")["seam"]["prior"]
        for _ in range(ROUNDS):
            mean = np.average(borders, axis=0, weights=shares)
            common = (spread + np.cov(borders.T, aweights=shares)) / 2 + 1e-3 * np.eye(len(inner))
            look = cls(np.linalg.solve(common, mean - inner), (mean + inner) / 2)
            shares = compute_sigmoid(look.weigh(borders) + prior)
        assert look is not None
        return look

    def weigh(self, statistics: Floats) -> Floats:
        """Return (...) the log-likelihood ratio of seams against lines within a print, for (..., 5) statistics."""
        most = load_most_nats()
        return np.asarray(np.clip((statistics - self.middle) @ self.weights, -most, most))


class SeamMeter:
    """A meter of the evidence for a seam at each border between two squares of one photo; each is measured once.

    `borders` are all those of the board. With too few of them, all evidence is 0.
    """

    def __init__(self, placed: PlacedSurvey, borders: Sequence[Border]) -> None:
        self._placed = placed
        within_photo = [border for border in borders if self._shows(border)]
        self._sample = within_photo[:: -(-len(within_photo) // SAMPLED_BORDERS) or 1]
        self._nats: dict[Border, float] = {}

    def weigh(self, borders: Sequence[Border]) -> list[float]:
        """Return the log-likelihood ratio, in nats, of each border being a seam between two tiles against one print."""
        fresh = [border for border in dict.fromkeys(borders) if border not in self._nats and self._shows(border)]
        if fresh and (look := self._look) is not None:
            self._nats |= dict(zip(fresh, look.weigh(self._measure(fresh, (1.0,))[:, 0]).tolist(), strict=True))
        return [self._nats.get(border, 0.0) for border in borders]

    @cached_property
    def _look(self) -> SeamLook | None:
        if len(self._sample) < MIN_BORDERS:
            return None
        statistics = self._measure(self._sample, (*WITHIN, 1.0))
        return SeamLook.learn(statistics[:, -1], statistics[:, :-1].reshape(-1, statistics.shape[-1]))

    def _measure(self, borders: Sequence[Border], lines: Sequence[float]) -> Floats:
        image, scale = self._placed.survey.photo.halves.at_least(SIDE_PX / self._placed.survey.lattice.tile_px)
        return measure_lines(crop_dominoes(image, scale * _stack_quads(self._placed, borders)), lines)

    def _shows(self, border: Border) -> bool:
        return all(square in self._placed.index for square in border)


def crop_dominoes(image: Image, quads: Floats) -> Image:
    """Cut (n, SIDE_PX, 2 SIDE_PX, 3) pictures of pairs of squares with (n, 4, 2) corners, border in the middle."""
    size = 2 * SIDE_PX, SIDE_PX
    return crop_quads(image, quads, CORNERS * size - 0.5, size)


def measure_lines(dominoes: Image, lines: Sequence[float] = (*WITHIN, 1.0)) -> Floats:
    """Measure (n, c, 5) lines in each of n dominoes: those WITHIN its squares, and last the border in its middle.

    `lines` may also be some of these, each of which is measured separately. Their ends, where four tiles meet and gaps
    cross, are left out. The statistics are logarithms of grey levels: the jump in colour common to the whole line, the
    jump at its single points, how dark a line it is, how light, and the steepest change beside it.
    """
    columns = np.array([int(SIDE_PX * at) for at in lines])
    near = columns[:, None] + np.arange(-REACH_PX, REACH_PX + 1)
    free = int(GAP_TILES * SIDE_PX)
    pixels = dominoes[:, free : SIDE_PX - free]
    parts = [_measure_columns(part, near.ravel()) for part in np.array_split(pixels, SEGMENTS, axis=1)]
    largest = [part.reshape(len(part), *near.shape, -1).max(axis=2) for part in parts]
    return np.asarray(np.log(np.maximum(np.mean(largest, axis=0), MIN_DIFFERENCE)), np.float64)


def _measure_columns(pixels: Image, columns: Ints) -> Floats:
    """Measure (n, c, 5) statistics at c columns of (n, h, w, 3) pixels, each at least 4 from the sides."""
    wide = np.asarray(pixels, np.float32)
    grey = wide.mean(axis=3)
    left, middle, right = (
        (wide[:, :, columns + shift - 1] + wide[:, :, columns + shift] + wide[:, :, columns + shift + 1]) / 3
        for shift in (-3, 0, 3)
    )
    jump = right - left
    line = _find_medians((middle - (left + right) / 2).mean(axis=3))
    edge = _find_medians(np.abs(grey[:, :, columns + 1] - grey[:, :, columns]))
    common = np.abs(_find_medians(jump)).mean(axis=2)
    statistics = [common, _find_medians(np.abs(jump).mean(axis=3)), -line, line, edge]
    return np.asarray(np.stack(statistics, axis=2), np.float64)


def _find_medians(values: Floats) -> Floats:
    """Return the medians along the second axis; for so few values sorting is faster than partitioning."""
    ordered, middle = np.sort(values, axis=1), values.shape[1] // 2
    return np.asarray(ordered[:, middle] if values.shape[1] % 2 else (ordered[:, middle - 1] + ordered[:, middle]) / 2)


def _stack_quads(placed: PlacedSurvey, borders: Sequence[Border]) -> Floats:
    """Return (n, 4, 2) common corners of two squares each, the first on the left, their border vertical."""
    first, second = (placed.quads([border[k] for border in borders]) for k in range(2))
    across = np.array([one[0] == other[0] for one, other in borders])[:, None, None]
    beside = np.stack([first[:, 0], second[:, 1], second[:, 2], first[:, 3]], axis=1)
    below = np.stack([first[:, 1], second[:, 2], second[:, 3], first[:, 0]], axis=1)
    return np.where(across, beside, below)
