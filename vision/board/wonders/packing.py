"""Which of many ways to lay wonders go together: sets of ways, of each wonder one at most, that share no square.

A way that lies across two wonders may be likelier than either of them, and both together likelier than it. So all sets
are weighed, not one way after the other: a beam search, which takes one wonder after the other and keeps the likeliest
sets (Lowerre, 1976). How likely each way is are the sets that have it among all sets.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.arrays import Flags, Floats, Ints, Singles

KEPT_SETS = 5000
"""So many of the likeliest sets are gone on with, which bounds the time: where hundreds of ways are all in doubt, that
moves no share by more than 0.05."""


@dataclass(frozen=True, slots=True, eq=False)
class Packing:
    """The likeliest set, by the numbers of its ways, and (w,) how likely each of the ways is in any set."""

    best: tuple[int, ...]
    shares: Floats


def weigh_packings(odds: Floats, covers: Flags, groups: Sequence[str]) -> Packing:
    """Weigh all sets of w ways with log-odds (w,) against nothing being there, that cover squares (w, s).

    Of each of the `groups` (w,) a set has one way at most, and no two of its ways cover the same square.
    """
    members = {group: np.flatnonzero([other == group for other in groups]) for group in dict.fromkeys(groups)}
    chosen = np.full((1, len(members)), -1)
    covered = np.asarray(covers, np.float32)  # so small numbers are exact, and half as wide
    occupancy: Singles = np.zeros((1, covers.shape[1]), np.float32)
    weights: Floats = np.zeros(1)
    for level, ways in enumerate(sorted(members.values(), key=lambda ways: -float(odds[ways].max()))):
        chosen, occupancy, weights = _extend_sets(chosen, occupancy, weights, level, ways, odds, covered)
    shares = np.exp(weights - weights.max())
    shares /= shares.sum()
    by_way = np.zeros(len(odds))
    for ways in chosen.T:
        np.add.at(by_way, ways[ways >= 0], shares[ways >= 0])
    best = chosen[int(weights.argmax())]
    return Packing(tuple(sorted(best[best >= 0].tolist(), key=lambda way: -float(by_way[way]))), by_way)


def _extend_sets(
    chosen: Ints, occupancy: Singles, weights: Floats, level: int, ways: Ints, odds: Floats, covers: Singles
) -> tuple[Ints, Singles, Floats]:
    """The likeliest sets with one of some ways more, or without."""
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
