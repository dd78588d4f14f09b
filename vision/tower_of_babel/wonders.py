"""The number of parts of each colour and value on a wonder, with its probability distribution."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from scoring.confidence import CONFIDENCE_SURE
from vision.arrays import SUREST, Flags
from vision.tower_of_babel.block_proposals import Sprouts
from vision.tower_of_babel.block_search import Fitted, fit_blocks
from vision.tower_of_babel.blocks import Block
from vision.tower_of_babel.colour_likelihood import Paints
from vision.tower_of_babel.layout import PartSizes, WonderLayout
from vision.tower_of_babel.scene import Numbers, Scene, Size
from vision.tower_of_babel.view import PAD_MM, BoardView

MIN_HIDDEN_SHARE = 1 - CONFIDENCE_SURE
"""Minimum probability of an unseen part from which an apparently empty area is not known to be empty."""
AREA_PER_PART_MM2 = 1300.0
"""Approximate area per part, for the density of parts in an area. A guess."""
SMALL_PART_SHARE = 0.75
"""Share of parts that have value 1: each player has 15 of them, and 5 of value 3. By the rules."""

Chances = Mapping[int, float]
Kind = tuple[str, int]
"""A part's colour and value."""


@dataclass(frozen=True, slots=True, eq=False)
class Heap:
    """The parts on a wonder: the blocks found, and the probability of each number of parts of each kind.

    `sets` are numbers by kind, each with its probability; an unlisted kind has number 0. `unseen` is the probability of
    one more part at a place that no photo shows. `tried` are the numbers of all sets tried, each with its nats.
    """

    blocks: tuple[Block, ...]
    sets: tuple[tuple[Mapping[Kind, int], float], ...]
    unseen: float = 0.0
    tried: tuple[tuple[Mapping[Kind, int], float], ...] = ()

    @property
    def is_hidden(self) -> bool:
        """Whether so much is hidden that an apparently empty area may not be empty."""
        return self.unseen >= MIN_HIDDEN_SHARE

    def chances(self, kind: Kind) -> dict[int, float]:
        """Return the probability of each number of parts of a kind."""
        counts: dict[int, float] = {}
        for numbers, chance in self.sets:
            count = numbers.get(kind, 0)
            counts[count] = counts.get(count, 0.0) + chance
        return counts


EMPTY = Heap((), (({}, 1),))
"""An area known to have no part."""


def sum_worth(numbers: Mapping[Kind, int]) -> int:
    """Return the total value of parts."""
    return sum(worth * count for (_, worth), count in numbers.items())


def find_heap(
    view: BoardView, paints: Paints, wonder: WonderLayout, sizes: PartSizes, hidden: Flags, unclear: Flags
) -> Heap:
    """Find the parts on one wonder.

    `hidden` (h, w) masks places without information about the board, `unclear` those that resemble nothing known, where
    parts may be missed.
    """
    outline = view.pixels(wonder.area.outline)
    room = PAD_MM * view.px_mm
    h, w = view.board.shape
    x0, y0 = (int(max(0, v)) for v in np.floor(outline.min(axis=0) - room))
    x1, y1 = (int(min(most, v)) for v, most in zip(np.ceil(outline.max(axis=0) + room), (w, h), strict=True))
    crop = np.s_[y0:y1, x0:x1]
    inside = view.filled(wonder.area.outline, 2.0)[crop]
    colours = tuple(paints.top)
    origin = (x0 / view.px_mm - PAD_MM, y0 / view.px_mm - PAD_MM)
    kinds = {sizes.of(worth): worth for worth in (1, 3)}
    layers = [paints.board, *(layer for c in colours for layer in (paints.top[c], paints.side[c]))]
    against = np.stack([layer[crop] for layer in layers])
    against[:, hidden[crop]] = 0
    scene = Scene(against, origin, view.px_mm, view.camera, tuple(sorted(kinds)), inside, view.measure_brightness(crop))
    heap, sprouts = EMPTY, Sprouts(scene)
    if colours:
        fit = fit_blocks(scene, sprouts)
        tried = tuple((_name_kinds(numbers, colours, kinds), cost) for numbers, cost in fit.tried.items())
        heap = Heap(fit.blocks, weigh_block_sets(fit, colours, kinds), tried=tried)
    blind_mm2 = sprouts.measure_blind_mm2(heap.blocks, (hidden | unclear)[crop])
    return _add_unseen_part(heap, tuple(paints.top), blind_mm2)


def weigh_block_sets(
    fit: Fitted, colours: Sequence[str], kinds: Mapping[Size, int]
) -> tuple[tuple[Mapping[Kind, int], float], ...]:
    """Return the sets of blocks tried, each with its probability; `kinds` maps sizes to values."""
    least = min(fit.tried.values())
    weights = {numbers: float(np.exp(least - cost)) for numbers, cost in fit.tried.items()}
    total = sum(weights.values())
    return tuple(
        (_name_kinds(numbers, colours, kinds), weight / total)
        for numbers, weight in weights.items()
        if weight / total > SUREST
    )


def _name_kinds(numbers: Numbers, colours: Sequence[str], kinds: Mapping[Size, int]) -> dict[Kind, int]:
    """Return the numbers of blocks by kind: the names of their colours and the values of their sizes."""
    return {(colours[colour], kinds[size]): count for colour, size, count in numbers}


def _add_unseen_part(heap: Heap, colours: Sequence[str], mm2: float) -> Heap:
    """Return the heap extended by the possibility of one more part in the unseen area."""
    if not mm2 or not colours:
        return heap
    one_more = 1 - math.exp(-mm2 / AREA_PER_PART_MM2)
    sets: list[tuple[Mapping[Kind, int], float]] = []
    for numbers, chance in heap.sets:
        sets.append((numbers, chance * (1 - one_more)))
        for colour in colours:
            for worth, share in ((1, SMALL_PART_SHARE), (3, 1 - SMALL_PART_SHARE)):
                kind = (colour, worth)
                more = {**numbers, kind: numbers.get(kind, 0) + 1}
                sets.append((more, chance * one_more * share / len(colours)))
    return replace(heap, sets=tuple(sets), unseen=one_more)
