"""A part of the board as something to be explained by blocks: what a set of them costs, drawn as the camera sees it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Floats, Image, Ints, Singles
from vision.printed.blocks import Block, compute_overlap, project_block

Size = tuple[float, float, float]
Outline = NDArray[np.int32]
Outlined = tuple[tuple[int, int, int, int], tuple[Outline, Outline]]
Part = tuple[slice, slice]
WHOLE: Part = (slice(None), slice(None))
Numbers = tuple[tuple[int, Size, int], ...]
"""How many blocks there are of each colour and size."""

SUBPIXEL_BITS = 4
BLOCK_COST_NATS = 14.0
"""Nats for a block that is there: what it explains beyond that speaks for it."""
NATS_PER_MM2 = 0.16
"""How much a square millimetre's nats count: neighbouring places say much the same."""
FREE_OVERLAP_MM = 0.7
OVERLAP_NATS_PER_MM = 12.0
"""What each millimetre costs that feet reach into each other beyond `FREE_OVERLAP_MM`: two pieces of wood are never
in one place."""
OUTSIDE_COST_NATS = 60.0
"""What a block costs whose middle lies outside the area."""
MAX_BESIDE_MM = 60.0
"""A block shares no pixels with blocks farther away than this, wherever it is moved to."""


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """What is to be explained.

    `against` (1 + 2 colours, h, w) are nats of each place: against the board, and each colour's top and side.
    `origin` (x, y) is the first pixel's corner in millimetres, `inside` (h, w) where a block's foot may have its
    middle, `sizes` those of blocks that may lie there, the smallest first.
    """

    against: Singles
    origin: tuple[float, float]
    px_mm: float
    camera: Floats
    sizes: tuple[Size, ...]
    inside: NDArray[np.bool_]
    _seen: dict[Block, Outlined] = field(default_factory=dict)
    _by_place: Singles = field(init=False)
    _firsts: Ints = field(init=False)

    def __post_init__(self) -> None:
        """Lay out the nats place by place, for one index to find each."""
        object.__setattr__(self, "_by_place", np.moveaxis(self.against, 0, -1).ravel())
        firsts = np.arange(self.inside.size).reshape(self.inside.shape) * len(self.against)
        object.__setattr__(self, "_firsts", firsts)

    @property
    def colours(self) -> int:
        """The number of colours."""
        return (len(self.against) - 1) // 2

    @property
    def pixel_nats(self) -> float:
        """What a pixel's nats count."""
        return NATS_PER_MM2 / self.px_mm**2

    def pixels(self, mm: Floats) -> Floats:
        """Convert (n, 2) millimetres to (n, 2) pixels."""
        return np.asarray((mm - self.origin) * self.px_mm)

    def painted(self, blocks: Sequence[Block]) -> Image:
        """Return (h, w) what is seen at each place: 0 the board, then each colour's top and side."""
        labels = np.zeros(self.inside.shape, np.uint8)
        for block in sorted(blocks, key=self.away, reverse=True):
            draw_block(labels, block.colour, self.outlined(block)[1])
        return labels

    def away(self, block: Block) -> float:
        """Return the squared distance from the camera: the nearer block is painted over the farther one."""
        return (block.x - float(self.camera[0])) ** 2 + (block.y - float(self.camera[1])) ** 2

    def cost(self, blocks: Sequence[Block]) -> float:
        """Compute the nats against a set of blocks."""
        against = float(self.explained(blocks).sum()) * self.pixel_nats
        return against + sum(self.plain_cost(block, blocks[:i]) for i, block in enumerate(blocks))

    def explained(self, blocks: Sequence[Block]) -> Singles:
        """Return (h, w) nats of each place against what a set of blocks puts there."""
        return self.take_nats(self.painted(blocks))

    def take_nats(self, labels: Image, part: Part = WHOLE) -> Singles:
        """Return the nats of each place of a part against what is seen there, by labels of the whole."""
        return self._by_place.take(self._firsts[part] + labels[part])

    def plain_cost(self, block: Block, others: Iterable[Block]) -> float:
        """Compute what a block costs for being there, reaching into others, and lying outside the area."""
        cost = BLOCK_COST_NATS + (0.0 if self.is_inside(block) else OUTSIDE_COST_NATS)
        for other in others:
            cost += OVERLAP_NATS_PER_MM * max(0.0, compute_overlap(block, other) - FREE_OVERLAP_MM)
        return cost

    def is_inside(self, block: Block) -> bool:
        """Return whether a block's middle lies in the area."""
        x, y = int((block.x - self.origin[0]) * self.px_mm), int((block.y - self.origin[1]) * self.px_mm)
        h, w = self.inside.shape
        return 0 <= x < w and 0 <= y < h and bool(self.inside[y, x])

    def outlined(self, block: Block) -> Outlined:
        """Return the pixels (x, y, x, y) of a block, its whole outline and its top's, in parts of pixels."""
        outlined = self._seen.get(block)
        if outlined is None:
            outlines = project_block(block, self.camera)
            fixed = np.rint((self.pixels(np.vstack(outlines)) - 0.5) * (1 << SUBPIXEL_BITS)).astype(np.int32)
            hull, top = fixed[: len(outlines[0])], fixed[len(outlines[0]) :]
            x, y, width, height = cv2.boundingRect(hull)
            right, bottom = ((x + width - 1) >> SUBPIXEL_BITS) + 3, ((y + height - 1) >> SUBPIXEL_BITS) + 3
            x0, y0 = max(0, (x >> SUBPIXEL_BITS) - 1), max(0, (y >> SUBPIXEL_BITS) - 1)
            h, w = self.inside.shape
            outlined = (x0, y0, max(x0, min(w, right)), max(y0, min(h, bottom))), (hull, top)
            self._seen[block] = outlined
        return outlined


def draw_block(labels: Image, colour: int, outlines: tuple[Outline, Outline]) -> None:
    """Draw a block over what is seen."""
    hull, top = outlines
    cv2.fillConvexPoly(labels, hull, 2 + 2 * colour, cv2.LINE_8, SUBPIXEL_BITS)
    cv2.fillConvexPoly(labels, top, 1 + 2 * colour, cv2.LINE_8, SUBPIXEL_BITS)


class Neighbourhood:
    """What a set of blocks costs about one of them, for trying where that explains most."""

    def __init__(self, scene: Scene, blocks: Sequence[Block], i: int) -> None:
        self.scene = scene
        centre_block = blocks[i]
        rest = [
            b
            for k, b in enumerate(blocks)
            if k != i and math.hypot(b.x - centre_block.x, b.y - centre_block.y) < MAX_BESIDE_MM
        ]
        self.reaches = [(b, b.reach + centre_block.reach) for b in rest]
        distance = scene.away(centre_block)
        ordered = sorted(rest, key=scene.away, reverse=True)
        self.before = scene.painted([b for b in ordered if scene.away(b) >= distance])
        self.nearer = [(b, *scene.outlined(b)) for b in ordered if scene.away(b) < distance]
        labels = self.before.copy()
        for other, _, outlines in self.nearer:
            draw_block(labels, other.colour, outlines)
        self.without = scene.take_nats(labels)

    def cost(self, block: Block) -> float:
        """Return the nats, up to what does not depend on the block."""
        (x0, y0, x1, y1), block_outlines = self.scene.outlined(block)
        labels = self.before.copy()
        draw_block(labels, block.colour, block_outlines)
        for other, (u0, v0, u1, v1), outlines in self.nearer:
            if u0 < x1 and x0 < u1 and v0 < y1 and y0 < v1:
                draw_block(labels, other.colour, outlines)
        crop = np.s_[y0:y1, x0:x1]
        nats = self.scene.take_nats(labels, crop)
        against = float(nats.sum() - self.without[crop].sum()) * self.scene.pixel_nats
        beside = [b for b, reach in self.reaches if math.hypot(b.x - block.x, b.y - block.y) <= reach]
        return against + self.scene.plain_cost(block, beside)
