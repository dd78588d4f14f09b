"""What discs, parts and the scoring marker say of each other.

By the rules a disc that is taken brings as many parts as it needs, a wonder without discs is completed and its parts
are gone, and the marker moves down a row for each. Tables that break this are rare: a slip, or a wonder that is not
scored yet.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from scoring.tower_of_babel.components import Discs
from vision.tower_of_babel.wonders import Heap, sum_worth

AGAINST_RULES = 0.03
"""Of tables: where discs and parts of a wonder do not agree."""
MARKER_ELSEWHERE = 0.04
"""Of tables: where the marker does not lie on the row of as many completed wonders."""

Chances = dict[int, float]


def reconcile_heap(heap: Heap, left: Mapping[int, float], discs: Discs) -> tuple[Heap, Chances]:
    """A wonder's parts and discs left, each in the light of the other."""
    joint = [
        (numbers, count, own * chance * _fits(sum_worth(numbers), count, discs))
        for numbers, own in heap.sets
        for count, chance in left.items()
    ]
    total = sum(weight for *_, weight in joint)
    counts: Chances = dict.fromkeys(left, 0.0)
    sets: dict[int, float] = {}
    places = {id(numbers): i for i, (numbers, _) in enumerate(heap.sets)}
    for numbers, count, weight in joint:
        counts[count] += weight / total
        place = places[id(numbers)]
        sets[place] = sets.get(place, 0.0) + weight / total
    return Heap(heap.blocks, tuple((heap.sets[i][0], chance) for i, chance in sets.items())), counts


def reconcile_row(rows: Mapping[int | str, float], left: Sequence[Mapping[int, float]]) -> dict[int | str, float]:
    """The marker's row in the light of how many wonders are completed; where no marker was seen, by that alone."""
    completed = np.ones(1)
    for own in left:
        completed = np.convolve(completed, (1 - own.get(0, 0.0), own.get(0, 0.0)))
    names = rows or dict.fromkeys(range(len(completed) - 1), 1.0)
    weights = {
        name: chance
        * (
            MARKER_ELSEWHERE / len(names)
            + (1 - MARKER_ELSEWHERE) * (float(completed[name]) if isinstance(name, int) else 1 / len(names))
        )
        for name, chance in names.items()
    }
    total = sum(weights.values())
    return {name: weight / total for name, weight in weights.items()}


def _fits(worth: int, left: int, discs: Discs) -> float:
    taken = discs.on_a_wonder - left
    fits = worth == 0 if left == 0 else taken * discs.least <= worth <= taken * discs.most
    return 1.0 if fits else AGAINST_RULES
