"""A part of the board as something to be explained by blocks: what a set of them costs, drawn as the camera sees it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.printed.blocks import Block, overlap, seen

Floats = NDArray[np.float64]
Layer = NDArray[np.float32]
Image = NDArray[np.uint8]
Ints = NDArray[np.int64]
Size = tuple[float, float, float]
Numbers = tuple[tuple[int, Size, int], ...]
"""How many blocks there are of each colour and size."""

SHIFT = 4
BLOCK_COST = 14.0
"""Nats for a block that is there: what it explains beyond that speaks for it."""
PLACE_NATS = 0.16
"""What a square millimetre's nats count: neighbouring places say much the same."""
OVERLAP_MM = 0.7
OVERLAP_COST = 12.0
"""Nats a millimetre that feet reach into each other beyond that: two pieces of wood are never in one place."""
OUTSIDE_COST = 60.0
"""Nats for a block whose middle lies outside the area."""
NEAR_MM = 28.0
"""Pixels farther from a block than this do not depend on where it lies, moved a little."""
BESIDE_MM = 45.0
"""Nor does it share any with blocks farther away than this."""


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """What is to be explained.

    `against` (1 + 2 colours, h, w) are nats of each place: against the board, and each colour's top and side.
    `origin` (x, y) is the first pixel's corner in millimetres, `inside` (h, w) where a block's foot may have its
    middle, `sizes` those of blocks that may lie there, the smallest first.
    """

    against: Layer
    origin: tuple[float, float]
    px_mm: float
    camera: Floats
    sizes: tuple[Size, ...]
    inside: NDArray[np.bool_]
    _seen: dict[Block, tuple[NDArray[np.int32], NDArray[np.int32]]] = field(default_factory=dict)

    @property
    def colours(self) -> int:
        """How many there are."""
        return (len(self.against) - 1) // 2

    @property
    def pixel_nats(self) -> float:
        """What a pixel's nats count."""
        return PLACE_NATS / self.px_mm**2

    def pixels(self, mm: Floats) -> Floats:
        """(n, 2) millimetres to (n, 2) pixels."""
        return np.asarray((mm - self.origin) * self.px_mm)

    def painted(self, blocks: Sequence[Block], window: tuple[int, int, int, int] | None = None) -> Image:
        """(h, w) what is seen at each place: 0 the board, then each colour's top and side; or that in (x, y, x, y)."""
        x0, y0, x1, y1 = window or (0, 0, self.inside.shape[1], self.inside.shape[0])
        labels = np.zeros((y1 - y0, x1 - x0), np.uint8)
        off = (-x0 * (1 << SHIFT), -y0 * (1 << SHIFT))
        for block in sorted(blocks, key=self.away, reverse=True):
            self.paint(labels, block, off)
        return labels

    def paint(self, labels: Image, block: Block, off: tuple[int, int]) -> None:
        """A block over what is seen; `off` moves it, in parts of pixels (SHIFT)."""
        hull, top = self._outlines(block)
        cv2.fillConvexPoly(labels, hull + off, 2 + 2 * block.colour, cv2.LINE_8, SHIFT)
        cv2.fillConvexPoly(labels, top + off, 1 + 2 * block.colour, cv2.LINE_8, SHIFT)

    def away(self, block: Block) -> float:
        """From the camera, squared: the nearer block is painted over the farther one."""
        return (block.x - float(self.camera[0])) ** 2 + (block.y - float(self.camera[1])) ** 2

    def cost(self, blocks: Sequence[Block]) -> float:
        """Nats against a set of blocks."""
        against = float(self.explained(blocks).sum()) * self.pixel_nats
        return against + sum(self.plain_cost(blocks, i, range(i)) for i in range(len(blocks)))

    def explained(self, blocks: Sequence[Block]) -> Layer:
        """(h, w) nats of each place against what a set of blocks puts there."""
        labels = self.painted(blocks)
        return np.asarray(np.take_along_axis(self.against, labels[None].astype(np.int64), axis=0)[0], np.float32)

    def plain_cost(self, blocks: Sequence[Block], i: int, others: Sequence[int]) -> float:
        """For a block being there, reaching into some others, and lying outside the area."""
        own = blocks[i]
        cost = BLOCK_COST + (0.0 if self.is_inside(own) else OUTSIDE_COST)
        for k in others:
            cost += OVERLAP_COST * max(0.0, overlap(own, blocks[k]) - OVERLAP_MM)
        return cost

    def is_inside(self, block: Block) -> bool:
        """Whether its middle lies in the area."""
        x, y = int((block.x - self.origin[0]) * self.px_mm), int((block.y - self.origin[1]) * self.px_mm)
        h, w = self.inside.shape
        return 0 <= x < w and 0 <= y < h and bool(self.inside[y, x])

    def _outlines(self, block: Block) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        known = self._seen.get(block)
        if known is None:
            hull, top = seen(block, self.camera)
            known = self._fixed(hull), self._fixed(top)
            self._seen[block] = known
        return known

    def _fixed(self, outline: Floats) -> NDArray[np.int32]:
        return np.rint((self.pixels(outline) - 0.5) * (1 << SHIFT)).astype(np.int32)


class Neighbourhood:
    """What a set of blocks costs about one of them, for trying where that explains most."""

    def __init__(self, scene: Scene, blocks: Sequence[Block], i: int) -> None:
        self.scene = scene
        own = blocks[i]
        self.rest = [b for k, b in enumerate(blocks) if k != i and np.hypot(b.x - own.x, b.y - own.y) < BESIDE_MM]
        low = scene.pixels(np.array([(own.x - NEAR_MM, own.y - NEAR_MM)]))[0]
        high = scene.pixels(np.array([(own.x + NEAR_MM, own.y + NEAR_MM)]))[0]
        h, w = scene.inside.shape
        x0, y0 = (int(np.clip(v, 0, most - 1)) for v, most in zip(low, (w, h), strict=True))
        x1, y1 = (int(np.clip(v, 1, most)) for v, most in zip(high, (w, h), strict=True))
        self.window = (x0, y0, max(x1, x0 + 1), max(y1, y0 + 1))
        x0, y0, x1, y1 = self.window
        self.flat = np.ascontiguousarray(scene.against[:, y0:y1, x0:x1]).reshape(-1)
        self.count = (y1 - y0) * (x1 - x0)
        self.places: Ints = np.arange(self.count)
        self.off = (-x0 * (1 << SHIFT), -y0 * (1 << SHIFT))
        distance = scene.away(own)
        ordered = sorted(self.rest, key=scene.away, reverse=True)
        self.before = scene.painted([b for b in ordered if scene.away(b) >= distance], self.window)
        self.nearer = [b for b in ordered if scene.away(b) < distance]

    def cost(self, block: Block) -> float:
        """Nats, up to what does not depend on the block."""
        labels = self.before.copy()
        for own in (block, *self.nearer):
            self.scene.paint(labels, own, self.off)
        against = self.flat.take(labels.reshape(-1).astype(np.int64) * self.count + self.places).sum()
        last = len(self.rest)
        plain = self.scene.plain_cost([*self.rest, block], last, range(last))
        return float(against) * self.scene.pixel_nats + plain
