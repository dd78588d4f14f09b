"""Compatible ways to lay wonders: sets with at most one way of each wonder, in which no two ways share a square.

A way that lies across two wonders may be more likely than either of them, and both together more likely than it. All
sets are therefore weighed, not one way after the other: a beam search, which takes one wonder after the other and keeps
the most likely sets (Lowerre, 1976). The probability of each way is the share of the sets that contain it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.arrays import Flags, Floats, Ints, Singles, compute_softmax

KEPT_SETS = 5000
"""Number of the most likely sets that are extended. Bounds time. Measured: with hundreds of doubtful ways, the limit
changes no share by more than 0.05."""


@dataclass(frozen=True, slots=True, eq=False)
class Packing:
    """The most likely set, by the indices of its ways, and (w,) the probability of each way in any set."""

    best: tuple[int, ...]
    shares: Floats


def weigh_packings(odds: Floats, covers: Flags, groups: Sequence[str], single_nats: float = 0.0) -> Packing:
    """Weigh all sets of w ways with log-odds (w,) against no wonder, which cover squares (w, s).

    A set has at most one way of each of the `groups` (w,), and no two of its ways cover the same square. A set of a
    single way is more likely by `single_nats`.
    """
    members = {group: np.flatnonzero([other == group for other in groups]) for group in dict.fromkeys(groups)}
    chosen = np.full((1, len(members)), -1)
    covered = np.asarray(covers, np.float32)  # exact for small integers, and half as wide
    occupancy: Singles = np.zeros((1, covers.shape[1]), np.float32)
    weights: Floats = np.zeros(1)
    for level, ways in enumerate(sorted(members.values(), key=lambda ways: -float(odds[ways].max()))):
        chosen, occupancy, weights = _extend_sets(chosen, occupancy, weights, level, ways, odds, covered)
    weights = weights + np.where((chosen >= 0).sum(axis=1) == 1, single_nats, 0.0)
    shares = compute_softmax(weights)
    by_way = np.zeros(len(odds))
    for ways in chosen.T:
        np.add.at(by_way, ways[ways >= 0], shares[ways >= 0])
    best = chosen[int(weights.argmax())]
    return Packing(tuple(sorted(best[best >= 0].tolist(), key=lambda way: -float(by_way[way]))), by_way)


def _extend_sets(
    chosen: Ints, occupancy: Singles, weights: Floats, level: int, ways: Ints, odds: Floats, covers: Singles
) -> tuple[Ints, Singles, Floats]:
    """Return the most likely sets with one or none of some further ways."""
    together = occupancy @ covers[ways].T
    with_one = np.where(together > 0, -np.inf, weights[:, None] + odds[ways])
    all_weights = np.concatenate([weights[:, None], with_one], axis=1).ravel()
    likeliest = np.flatnonzero(np.isfinite(all_weights))
    if len(likeliest) > KEPT_SETS:
        likeliest = likeliest[np.argpartition(-all_weights[likeliest], KEPT_SETS)[:KEPT_SETS]]
    sets, numbers = np.divmod(likeliest, len(ways) + 1)
    further, covered = chosen[sets], occupancy[sets]
    more = np.flatnonzero(numbers)
    further[more, level] = ways[numbers[more] - 1]
    covered[more] += covers[ways[numbers[more] - 1]]
    return further, covered, all_weights[likeliest]
