"""What photos of one table tell, each by itself and together: each wonder as the photo tells it that shows it best."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from scoring.tower_of_babel.components import Wonder
from vision.printed.board import BoardLie
from vision.tower_of_babel.wonders import Heap

SURE = 0.9
"""Where a photo tells a wonder's parts and discs so surely, no other is asked."""


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """What one photo tells: wonders' heaps and discs, counters by colour, the marker's row, and columns' colours.

    `hidden_spaces` tells on which space a counter may stand that is nowhere seen. `renames` are other ways to name the
    colours, each with its probability.
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
        """How likely its parts and discs are what is likeliest; 0 where the parts were not seen."""
        if wonder not in self.heaps:
            return 0.0
        return max(chance for _, chance in self.heaps[wonder].sets) * max(self.left[wonder].values())

    def is_sure(self, wonder: Wonder) -> bool:
        """Whether no other photo need be asked."""
        return self.sureness(wonder) >= SURE


@dataclass(frozen=True, slots=True, eq=False)
class Joined:
    """Which photo, by its number, tells of each wonder and of each counter; `first` tells all else."""

    first: Found
    wonders: Mapping[Wonder, tuple[int, Found]]
    counters: Mapping[str, tuple[int, Found]]


def join_photos(founds: Sequence[Found], wonders: Sequence[Wonder]) -> Joined:
    """Join what photos show, the best one first, which shows all wonders."""
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
