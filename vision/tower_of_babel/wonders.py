"""How many parts of each colour and worth lie on a wonder, and how sure that is."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from vision.arrays import Flags
from vision.printed.blocks import Block
from vision.tower_of_babel.block_proposals import Sprouts
from vision.tower_of_babel.block_search import Fitted, fit_blocks
from vision.tower_of_babel.calibration import load_block_weights
from vision.tower_of_babel.colour_likelihood import Paints
from vision.tower_of_babel.layout import PartSizes, WonderLayout
from vision.tower_of_babel.scene import Numbers, Scene, Size
from vision.tower_of_babel.view import PAD_MM, BoardView

MAX_LEAN_MM = 22.0
"""What stands in an area is seen as far beside it as this."""
MIN_SET_PROBABILITY = 1e-6
MIN_HIDDEN_SHARE = 0.05
"""Where it is at least so likely that a part lies unseen, what was read as empty is not known to be."""
AREA_PER_PART_MM2 = 1300.0
"""About how much of an area there is for the middle of every part that lies there."""
SMALL_PART_SHARE = 0.75
"""The share of the parts that are of value 1."""

Chances = Mapping[int, float]
Kind = tuple[str, int]
"""A part's colour and worth."""


@dataclass(frozen=True, slots=True, eq=False)
class Heap:
    """What lies on a wonder: the blocks as they were found, and how likely each number of parts of each kind is.

    `sets` are numbers by kind, each with its chance; a kind that is not named is not there. `unseen` is how likely one
    more part lies where no photo would show it. `tried` are the numbers of all sets that were tried, each with nats.
    """

    blocks: tuple[Block, ...]
    sets: tuple[tuple[Mapping[Kind, int], float], ...]
    unseen: float = 0.0
    tried: tuple[tuple[Mapping[Kind, int], float], ...] = ()

    @property
    def is_hidden(self) -> bool:
        """Whether so much is hidden that what looks empty may not be."""
        return self.unseen >= MIN_HIDDEN_SHARE

    def chances(self, kind: Kind) -> dict[int, float]:
        """Return the chance of each number of parts of a kind."""
        counts: dict[int, float] = {}
        for numbers, chance in self.sets:
            count = numbers.get(kind, 0)
            counts[count] = counts.get(count, 0.0) + chance
        return counts


EMPTY = Heap((), (({}, 1.0),))


def sum_worth(numbers: Mapping[Kind, int]) -> int:
    """Sum up what parts are worth together."""
    return sum(worth * count for (_, worth), count in numbers.items())


def find_heap(
    view: BoardView, paints: Paints, wonder: WonderLayout, sizes: PartSizes, hidden: Flags, unclear: Flags
) -> Heap:
    """Find the parts on one wonder.

    `hidden` (h, w) is where nothing is known of the board, `unclear` where it looks like nothing known: parts may lie
    there that are not found.
    """
    outline = view.pixels(wonder.area.outline)
    room = MAX_LEAN_MM * view.px_mm
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
    heap = EMPTY
    if colours:
        fit = fit_blocks(scene)
        tried = tuple((_name_kinds(numbers, colours, kinds), cost) for numbers, cost in fit.tried.items())
        heap = Heap(fit.blocks, weigh_block_sets(fit, colours, kinds), tried=tried)
    blind_mm2 = Sprouts(scene).measure_blind_mm2(heap.blocks, (hidden | unclear)[crop])
    return _add_unseen_part(heap, tuple(paints.top), blind_mm2)


def weigh_block_sets(
    fit: Fitted, colours: Sequence[str], kinds: Mapping[Size, int]
) -> tuple[tuple[Mapping[Kind, int], float], ...]:
    """Return the sets of blocks that were tried, each with its chance; `kinds` are the worths of sizes."""
    least, temperature = min(fit.tried.values()), load_block_weights().temperature
    weights = {numbers: float(np.exp((least - cost) / temperature)) for numbers, cost in fit.tried.items()}
    total = sum(weights.values())
    return tuple(
        (_name_kinds(numbers, colours, kinds), weight / total)
        for numbers, weight in weights.items()
        if weight / total > MIN_SET_PROBABILITY
    )


def _name_kinds(numbers: Numbers, colours: Sequence[str], kinds: Mapping[Size, int]) -> dict[Kind, int]:
    """The numbers of blocks by what they are: the names of their colours, and what their sizes are worth."""
    return {(colours[colour], kinds[size]): count for colour, size, count in numbers}


def _add_unseen_part(heap: Heap, colours: Sequence[str], mm2: float) -> Heap:
    """The heap with what one more part, where nothing is seen, would make of it."""
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
