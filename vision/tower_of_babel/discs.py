"""The number of discs left on a wonder, from the resemblance of each of its spaces to the empty board."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.arrays import Flags, compute_sigmoid
from vision.flat_boards.layout import Region
from vision.flat_boards.similarity import extract_drawing
from vision.showing.equal_boxes import CORE_SHARE
from vision.tower_of_babel.colour_likelihood import UNEXPLAINED, Paints
from vision.tower_of_babel.view import MIN_VISIBLE_SHARE, BoardView

INTERCEPT_LOGIT, ALIKE_LOGIT, DIFFERENT_LOGIT = -0.6, -4.2, 7.0
"""Log odds of a disc: intercept, and weights of the similarity of the drawing and of the share of differing places. A
guess; `python -m models.calibration.babel` calibrates the resulting probabilities (`discs`)."""


def compute_disc_features(view: BoardView, paints: Paints, space: Region, hidden: Flags) -> tuple[float, float, float]:
    """Compute the similarity of a space's drawing to the empty board's, its differing share and its visible share."""
    rim = space.outline
    there = view.filled(rim.mean(axis=0) + CORE_SHARE * (rim - rim.mean(axis=0)), 0.0)
    visible = there & ~hidden & view.board
    if visible.sum() < 30:
        return 0.0, 0.0, 0.0
    ys, xs = np.nonzero(there)
    crop = np.s_[max(0, ys.min() - 9) : ys.max() + 10, max(0, xs.min() - 9) : xs.max() + 10]
    visible_crop = visible[crop]
    one, other = (extract_drawing(np.ascontiguousarray(p[crop]))[visible_crop] for p in (view.seen, view.empty))
    spread = float(np.sqrt((one**2).mean() * (other**2).mean()))
    alike = float((one * other).mean()) / max(spread, 2.0)
    return alike, float((paints.board[visible] > UNEXPLAINED).mean()), float(visible.sum() / there.sum())


def estimate_disc_probability(view: BoardView, paints: Paints, space: Region, hidden: Flags) -> float:
    """Estimate the probability of a disc on a space."""
    alike, other, visible_share = compute_disc_features(view, paints, space, hidden)
    if visible_share < MIN_VISIBLE_SHARE:
        return 0.5
    logit = INTERCEPT_LOGIT + ALIKE_LOGIT * alike + DIFFERENT_LOGIT * other
    return float(compute_sigmoid(min(1.0, 1.5 * visible_share) * logit))


def compute_count_distribution(chances: Sequence[float]) -> dict[int, float]:
    """Compute the probability of each number of discs from the probability of each disc."""
    numbers = np.ones(1)
    for chance in chances:
        numbers = np.convolve(numbers, (1 - chance, chance))
    return {count: float(chance) for count, chance in enumerate(numbers)}
