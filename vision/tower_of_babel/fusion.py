"""Fusion of several photos of one table: each wonder is taken from the photo that shows it best."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from scoring.tower_of_babel.components import Wonder
from vision.flat_boards.board import BoardLie
from vision.reading.values import DOUBT_BELOW
from vision.tower_of_babel.wonders import Heap


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
