"""How many discs are left on a wonder: whether each of its spaces looks as on the empty board."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.arrays import Flags
from vision.printed.layout import Region
from vision.printed.similarity import extract_drawing
from vision.tower_of_babel.colour_likelihood import Paints
from vision.tower_of_babel.view import BoardView

INNER = 0.8
"""Of a space: what is looked at."""
DIFFERS = 1.5
"""Nats from which a place does not look like the empty board."""
LINE, ALIKE, OTHER = -0.6, -4.2, 7.0
"""The log odds of a disc: what the likeness of the drawing, and the share of places that differ, say."""
SEEN_LEAST = 0.25
"""Of a space: where less is seen, nothing is known."""


def compute_disc_features(view: BoardView, paints: Paints, space: Region, hidden: Flags) -> tuple[float, float, float]:
    """Of a space's middle: how alike its drawing is to the empty board's, the share that differs, and that is seen."""
    rim = space.outline
    there = view.filled(rim.mean(axis=0) + INNER * (rim - rim.mean(axis=0)), 0.0)
    seen = there & ~hidden & view.board
    if seen.sum() < 30:
        return 0.0, 0.0, 0.0
    ys, xs = np.nonzero(there)
    crop = np.s_[max(0, ys.min() - 9) : ys.max() + 10, max(0, xs.min() - 9) : xs.max() + 10]
    own = seen[crop]
    one, other = (extract_drawing(np.ascontiguousarray(p[crop]))[own] for p in (view.seen, view.empty))
    spread = float(np.sqrt((one**2).mean() * (other**2).mean()))
    alike = float((one * other).mean()) / max(spread, 2.0)
    return alike, float((paints.board[seen] > DIFFERS).mean()), float(seen.sum() / there.sum())


def estimate_disc_probability(view: BoardView, paints: Paints, space: Region, hidden: Flags) -> float:
    """How likely a disc lies on a space."""
    alike, other, seen = compute_disc_features(view, paints, space, hidden)
    if seen < SEEN_LEAST:
        return 0.5
    return float(1 / (1 + np.exp(-min(1.0, 1.5 * seen) * (LINE + ALIKE * alike + OTHER * other))))


def compute_count_distribution(chances: Sequence[float]) -> dict[int, float]:
    """The chance of each number of discs, by the chance of each."""
    numbers = np.ones(1)
    for chance in chances:
        numbers = np.convolve(numbers, (1 - chance, chance))
    return {count: float(chance) for count, chance in enumerate(numbers)}
