"""Fusion of a table's evidence: mutual constraints between the spots of one photo, and several photos of one table.

By the rules, a taken disc brings as many parts as it needs, a wonder without discs is completed and its parts are gone,
and the marker moves down one row for each. Few tables break this: by a mistake, or with a wonder not yet scored. Each
wonder is taken from the photo that shows it best.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from scoring.tower_of_babel.components import Discs, Wonder
from vision.flat_boards.board import BoardLie
from vision.reading.values import DOUBT_BELOW
from vision.tower_of_babel.wonders import Heap, sum_worth


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """The reading of one photo: wonders' heaps and discs, counters by colour, the marker's row, and columns' colours.

    `hidden_spaces` holds the probability of each space for a counter that is not seen anywhere. `renames` are other
    ways to name the colours, each with its probability.
    """

    lie: BoardLie
    heaps: Mapping[Wonder, Heap]
    left: Mapping[Wonder, Mapping[int, float]]
    counters: Mapping[str, Mapping[int, float]]
    row: Mapping[int | str, float]
    columns: frozenset[str]
    hidden_spaces: Mapping[int, float] = field(default_factory=dict)
    renames: Sequence[tuple[Mapping[str, str], float]] = ()

    def sureness(self, wonder: Wonder) -> float:
        """Return the probability of its most likely parts and discs; 0 if the parts were not seen."""
        if wonder not in self.heaps:
            return 0.0
        return max(chance for _, chance in self.heaps[wonder].sets) * max(self.left[wonder].values())

    def is_sure(self, wonder: Wonder) -> bool:
        """Return whether no other photo is needed for a wonder."""
        return self.sureness(wonder) >= DOUBT_BELOW


@dataclass(frozen=True, slots=True, eq=False)
class Joined:
    """The source photo, by number, of each wonder and of each counter; `first` is the source of everything else."""

    first: Found
    wonders: Mapping[Wonder, tuple[int, Found]]
    counters: Mapping[str, tuple[int, Found]]


def join_photos(founds: Sequence[Found], wonders: Sequence[Wonder]) -> Joined:
    """Join the readings of photos; the first is the best one, which shows all wonders."""
    whose = {
        wonder: max(
            ((i, source) for i, source in enumerate(founds) if wonder in source.left),
            key=lambda pair: pair[1].sureness(wonder),
        )
        for wonder in wonders
    }
    counters = {
        colour: max(
            ((i, source) for i, source in enumerate(founds) if colour in source.counters),
            key=lambda pair: max(pair[1].counters[colour].values()),
        )
        for colour in {colour: None for source in founds for colour in source.counters}
    }
    return Joined(founds[0], whose, counters)


AGAINST_RULES_SHARE = 0.03
"""Share of tables on which the discs and parts of a wonder disagree, or the marker's row and the number of completed
wonders. A guess."""

Chances = dict[int, float]


def reconcile_heap(heap: Heap, left: Mapping[int, float], discs: Discs) -> tuple[Heap, Chances]:
    """Return the posteriors of a wonder's parts and of its remaining discs, each given the other."""
    joint = [
        (numbers, count, set_chance * chance * _compute_fit(sum_worth(numbers), count, discs))
        for numbers, set_chance in heap.sets
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
    return replace(heap, sets=tuple((heap.sets[i][0], chance) for i, chance in sets.items())), counts


def reconcile_row(rows: Mapping[int | str, float], left: Sequence[Mapping[int, float]]) -> dict[int | str, float]:
    """Return the marker's row given the number of completed wonders, or by that alone if no marker was seen.

    A table may have more rows than the board has wonders, and no game completes that many.
    """
    completed = np.ones(1)
    for counts in left:
        completed = np.convolve(completed, (1 - counts.get(0, 0.0), counts.get(0, 0.0)))
    names = rows or dict.fromkeys(range(len(completed) - 1), 1.0)
    shares = dict(enumerate(completed.tolist()))
    weights = {
        name: chance
        * (
            AGAINST_RULES_SHARE / len(names)
            + (1 - AGAINST_RULES_SHARE) * (shares.get(name, 0.0) if isinstance(name, int) else 1 / len(names))
        )
        for name, chance in names.items()
    }
    total = sum(weights.values())
    return {name: weight / total for name, weight in weights.items()}


def _compute_fit(worth: int, left: int, discs: Discs) -> float:
    discs_taken = discs.on_a_wonder - left
    fits = worth == 0 if left == 0 else discs_taken * discs.least <= worth <= discs_taken * discs.most
    return 1.0 if fits else AGAINST_RULES_SHARE
