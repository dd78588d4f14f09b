"""A part of the board to be explained by blocks: the cost of a set of them, rendered for the camera.

A face is flat, so one light shows all of it equally bright. If two blocks are mistaken for one, or one for two, an edge
between bright and dark runs across a face (`compute_shade_nats`)."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Flags, Floats, Image, Ints, Singles
from vision.tower_of_babel.blocks import Block, Projection, compute_overlap, measure_reach, project_visible_faces
from vision.tower_of_babel.calibration import BlockWeights, load_block_weights, load_face_weights

Size = tuple[float, float, float]
Outline = NDArray[np.int32]
Box = tuple[int, int, int, int]
Bounds = tuple[float, float, float, float]
B = TypeVar("B", Box, Bounds)
Outlined = tuple[Box, tuple[Outline, Outline]]
Part = tuple[slice, slice]
WHOLE: Part = (slice(None), slice(None))
Numbers = tuple[tuple[int, Size, int], ...]
"""The number of blocks of each colour and size."""

SUBPIXEL_BITS = 4
"""Fractional bits of OpenCV's fixed-point coordinates. A guess."""
FREE_OVERLAP_MM = 0.7
"""Overlap of feet without a cost. A guess."""
OVERLAP_NATS_PER_MM = 2.0
"""Cost of each millimetre by which feet overlap beyond `FREE_OVERLAP_MM`: two pieces of wood cannot share a place. A
guess."""
LOOK_PX = 14
"""Margin around a block within which nats are precomputed for moving it; they are computed again if it moves farther.
Bounds time."""


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """The observation to be explained.

    `against` (1 + 2 colours, h, w) are the nats of each place against the board, and against each colour's top and
    side. `origin` (x, y) is the first pixel's corner in millimetres, `inside` (h, w) masks the possible centres of a
    block's foot, `sizes` are the possible sizes of blocks, the smallest first. `brightness` (h, w) is the observed one
    in grey levels.

    A block costs nats by its `weights`, which its evidence must exceed.
    """

    against: Singles
    origin: tuple[float, float]
    px_mm: float
    camera: Floats
    sizes: tuple[Size, ...]
    inside: NDArray[np.bool_]
    brightness: Singles
    weights: BlockWeights = field(default_factory=load_block_weights)
    _seen: dict[Block, Outlined] = field(default_factory=dict)
    _projections: dict[tuple[Size, int], Projection] = field(default_factory=dict)
    _turns: dict[tuple[Size, int, float], tuple[Floats, Floats, int]] = field(default_factory=dict)
    masks: Singles = field(init=False)
    """(2, h, w) zeros, a scratch buffer for drawing a block's outline and its roof."""
    labels: Image = field(init=False)
    """(h, w) zeros, a scratch buffer for drawing what is visible."""
    known: Flags = field(init=False)
    """(h, w) places with evidence; elsewhere nothing speaks against any explanation."""
    _by_place: Singles = field(init=False)
    _firsts: Ints = field(init=False)

    def __post_init__(self) -> None:
        """Arrange the nats place by place, so that one index finds each."""
        object.__setattr__(self, "masks", np.zeros((2, *self.inside.shape), np.float32))
        object.__setattr__(self, "labels", np.zeros(self.inside.shape, np.uint8))
        object.__setattr__(self, "known", self.against.any(axis=0))
        object.__setattr__(self, "_by_place", np.moveaxis(self.against, 0, -1).ravel())
        firsts = np.arange(self.inside.size).reshape(self.inside.shape) * len(self.against)
        object.__setattr__(self, "_firsts", firsts)

    @property
    def colours(self) -> int:
        """The number of colours."""
        return (len(self.against) - 1) // 2

    @property
    def pixel_nats(self) -> float:
        """Weight of a pixel's nats."""
        return 1 / (self.weights.correlated_mm2 * self.px_mm**2)

    @property
    def diagonal_mm(self) -> float:
        """The longest diagonal of a block: blocks farther apart do not touch."""
        return math.hypot(*self.sizes[-1])

    def pixels(self, mm: Floats) -> Floats:
        """Convert (n, 2) millimetres to (n, 2) pixels."""
        return np.asarray((mm - self.origin) * self.px_mm)

    def subpixels(self, mm: Floats) -> Outline:
        """Convert (n, 2) millimetres to (n, 2) fixed-point pixels with `SUBPIXEL_BITS` fractional bits, as OpenCV
        draws."""
        return np.rint((self.pixels(mm) - 0.5) * (1 << SUBPIXEL_BITS)).astype(np.int32)

    def painted(self, blocks: Iterable[Block], box: Box | None = None) -> Image:
        """Return the visible label of each place (h, w), or of each in a box: 0 the board, then each colour's top and
        side."""
        h, w = self.inside.shape
        x0, y0, x1, y1 = box or (0, 0, w, h)
        drawn = x0, y0, x1, y1
        there = []
        for block in blocks:
            around, outlines = self.outlined(block)
            if around[0] < x1 and x0 < around[2] and around[1] < y1 and y0 < around[3]:
                there.append((self.away(block), block.colour, outlines))
                drawn = _join_boxes(drawn, around)
        for _, colour, (hull, top) in sorted(there, key=itemgetter(0), reverse=True):
            cv2.fillConvexPoly(self.labels, hull, 2 + 2 * colour, cv2.LINE_8, SUBPIXEL_BITS)
            cv2.fillConvexPoly(self.labels, top, 1 + 2 * colour, cv2.LINE_8, SUBPIXEL_BITS)
        visible = self.labels[y0:y1, x0:x1].copy()
        self.labels[drawn[1] : drawn[3], drawn[0] : drawn[2]] = 0
        return visible

    def away(self, block: Block) -> float:
        """Return the squared distance from the camera; nearer blocks are painted over farther ones."""
        return (block.x - float(self.camera[0])) ** 2 + (block.y - float(self.camera[1])) ** 2

    def cost(self, blocks: Sequence[Block]) -> float:
        """Compute the nats against a set of blocks."""
        against = float(self.explained(blocks).sum()) * self.pixel_nats
        return against + sum(self.plain_cost(block, blocks[:i]) for i, block in enumerate(blocks))

    def explained(self, blocks: Sequence[Block]) -> Singles:
        """Return the nats (h, w) of each place against the explanation by a set of blocks."""
        return self.take_nats(self.painted(blocks))

    def take_nats(self, labels: Image, part: Part = WHOLE) -> Singles:
        """Return the nats of each place of a part against the visible labels of that part."""
        return self._by_place.take(self._firsts[part] + labels)

    def plain_cost(self, block: Block, others: Iterable[Block]) -> float:
        """Compute a block's cost for existing, overlapping others, and being outside the area."""
        cost, x, y, reach = self.weights.cost, block.x, block.y, measure_reach(block.size, block.pose)
        for other in others:
            if math.hypot(other.x - x, other.y - y) < reach + measure_reach(other.size, other.pose):
                cost += compute_overlap_cost(block, other)
        return cost if self.is_inside(block) else math.inf

    def is_inside(self, block: Block) -> bool:
        """Return whether a block's centre is in the area."""
        x, y = int((block.x - self.origin[0]) * self.px_mm), int((block.y - self.origin[1]) * self.px_mm)
        h, w = self.inside.shape
        return 0 <= x < w and 0 <= y < h and bool(self.inside[y, x])

    def outlined(self, block: Block) -> Outlined:
        """Return a block's bounding box in pixels (x, y, x, y), and the fixed-point outlines of its hull and its
        top."""
        known = self._seen.get(block)
        if known is not None:
            return known
        turned, scales, corners = self._turn(block)
        fixed = np.rint(turned + scales * (block.x, block.y)).astype(np.int32)
        hull, top = (np.asarray(cv2.convexHull(some), np.int32) for some in (fixed[:corners], fixed[corners:]))
        x, y, width, height = cv2.boundingRect(hull)
        right, bottom = ((x + width - 1) >> SUBPIXEL_BITS) + 3, ((y + height - 1) >> SUBPIXEL_BITS) + 3
        x0, y0 = max(0, (x >> SUBPIXEL_BITS) - 1), max(0, (y >> SUBPIXEL_BITS) - 1)
        h, w = self.inside.shape
        outlined = (x0, y0, max(x0, min(w, right)), max(y0, min(h, bottom))), (hull, top)
        self._seen[block] = outlined
        return outlined

    def _turn(self, block: Block) -> tuple[Floats, Floats, int]:
        """Return the corners (n, 2) of a block at the board's origin in fixed-point pixels, followed again by those of
        its upper faces; their pixels per millimetre (n, 1); and the number of corners."""
        key = block.size, block.pose, block.yaw
        turned = self._turns.get(key)
        if turned is None:
            projection = self.get_projection(block)
            order = [*range(len(projection.corners)), *projection.upper]
            scale = self.px_mm * (1 << SUBPIXEL_BITS)
            corners = (projection.turn(block.yaw) - self.origin) * scale - (1 << SUBPIXEL_BITS) / 2
            turned = corners[order], projection.scales[order] * scale, len(corners)
            self._turns[key] = turned
        return turned

    def measure_area_px(self, block: Block) -> float:
        """Return the number of pixels that a block covers, including those outside the scene."""
        hull, _ = self.outlined(block)[1]
        return float(cv2.contourArea(hull)) / (1 << SUBPIXEL_BITS) ** 2

    def get_projection(self, block: Block) -> Projection:
        """Return the camera's projection of blocks of this size and pose."""
        projection = self._projections.get((block.size, block.pose))
        if projection is None:
            projection = Projection.of(block.size, block.pose, self.camera)
            self._projections[block.size, block.pose] = projection
        return projection


def compute_overlap_cost(one: Block, other: Block) -> float:
    """Compute the nats against the overlap of two blocks."""
    return OVERLAP_NATS_PER_MM * max(0.0, compute_overlap(one, other) - FREE_OVERLAP_MM)


class PaintedSet:
    """A set of blocks with its cost and the nats (h, w) against it, from which the cost of a similar set follows."""

    def __init__(self, scene: Scene, blocks: Sequence[Block]) -> None:
        self.scene, self._set = scene, {*blocks}
        self.explained, self.cost = scene.explained(blocks), scene.cost(blocks)

    def compute_cost(self, blocks: Sequence[Block]) -> float:
        """Compute the nats against another set of blocks."""
        before, after = self._set, {*blocks}
        if len(after) < len(blocks):
            return self.scene.cost(blocks)
        gone, new = before - after, after - before
        if not gone and not new:
            return self.cost
        common_blocks = before & after
        box = functools.reduce(_join_boxes, (self.scene.outlined(block)[0] for block in (*gone, *new)))
        part = np.s_[box[1] : box[3], box[0] : box[2]]
        nats = self.scene.take_nats(self.scene.painted(blocks, box), part).sum() - self.explained[part].sum()
        plain = self._compute_plain_cost(new, common_blocks) - self._compute_plain_cost(gone, common_blocks)
        return self.cost + float(nats) * self.scene.pixel_nats + plain

    def _compute_plain_cost(self, blocks: Iterable[Block], common_blocks: Iterable[Block]) -> float:
        """Compute the cost of blocks, also for overlapping each other and those that are kept."""
        others, cost = [*common_blocks], 0.0
        for block in blocks:
            cost += self.scene.plain_cost(block, others)
            others.append(block)
        return cost


@dataclass(frozen=True, slots=True, eq=False)
class Reach:
    """The extent of the places at which blocks of one scene were tried: of their outlines in pixels, and of their
    centres in millimetres."""

    scene: Scene
    box: Box
    middles: Bounds

    @classmethod
    def of(cls, scene: Scene, blocks: Iterable[Block]) -> Reach:
        """Return the extent of some blocks, of which there is at least one."""
        some = [*blocks]
        left, upper, right, lower = zip(*(scene.outlined(block)[0] for block in some), strict=True)
        x, y = [block.x for block in some], [block.y for block in some]
        box = min(left), min(upper), max(right), max(lower)
        return cls(scene, box, (min(x), min(y), max(x), max(y)))

    def joined(self, others: Iterable[Reach]) -> Reach:
        """Return the extent that includes others."""
        box, middles = self.box, self.middles
        for other in others:
            box, middles = _join_boxes(box, other.box), _join_boxes(middles, other.middles)
        return Reach(self.scene, box, middles)

    def touches(self, other: Block) -> bool:
        """Return whether another block may hide, be hidden by, or overlap a block at any place tried."""
        (x0, y0, x1, y1), (u0, v0, u1, v1) = self.box, self.scene.outlined(other)[0]
        if u0 < x1 and x0 < u1 and v0 < y1 and y0 < v1:
            return True
        (left, upper, right, lower), away = self.middles, self.scene.diagonal_mm
        return left - away <= other.x <= right + away and upper - away <= other.y <= lower + away


def _join_boxes(one: B, other: B) -> B:
    return min(one[0], other[0]), min(one[1], other[1]), max(one[2], other[2]), max(one[3], other[3])


class Neighbourhood:
    """The cost of a set of blocks as a function of one of them, for finding its best place."""

    def __init__(self, scene: Scene, blocks: Sequence[Block], i: int) -> None:
        self.scene = scene
        centre_block = blocks[i]
        reach = 2 * scene.diagonal_mm  # beyond it, blocks share no pixels wherever one is moved
        self._rest = rest = [
            b for k, b in enumerate(blocks) if k != i and math.hypot(b.x - centre_block.x, b.y - centre_block.y) < reach
        ]
        distance = scene.away(centre_block)
        self._tried: list[Block] = []
        self._top = 1 + 2 * centre_block.colour
        self._behind = [b for b in rest if scene.away(b) >= distance]
        self._before = [b for b in rest if scene.away(b) < distance]
        self._look_at(scene.outlined(centre_block)[0], LOOK_PX)

    @property
    def reach(self) -> Reach:
        """The extent of the places tried."""
        return Reach.of(self.scene, self._tried)

    def _look_at(self, box: Box, margin: int) -> None:
        """Precompute, for each place around a box, the extra cost of seeing a block's walls there, and of its roof
        instead."""
        (x0, y0, x1, y1), (h, w) = box, self.scene.inside.shape
        self._box = x0, y0, x1, y1 = max(0, x0 - margin), max(0, y0 - margin), min(w, x1 + margin), min(h, y1 + margin)
        part = np.s_[y0:y1, x0:x1]
        roof, walls = self.scene.against[self._top][part], self.scene.against[self._top + 1][part]
        behind = self.scene.take_nats(self.scene.painted(self._behind, self._box), part)
        self._gains = np.stack([walls - behind, roof - walls])
        if self._before:
            self._gains[:, self.scene.painted(self._before, self._box) > 0] = 0

    def cost(self, block: Block, limit: float = math.inf) -> float:
        """Return the nats up to a constant independent of the block; once they reach the limit, the sum may be
        incomplete."""
        scene = self.scene
        box, (hull, top) = scene.outlined(block)
        self._tried.append(block)
        x0, y0, x1, y1 = box
        left, upper, right, lower = self._box
        if x0 < left or y0 < upper or x1 > right or y1 > lower:
            self._look_at(box, LOOK_PX)
            left, upper, right, lower = self._box
        walls, roof = scene.masks
        cv2.fillConvexPoly(walls, hull, 1.0, cv2.LINE_8, SUBPIXEL_BITS)
        cv2.fillConvexPoly(roof, top, 1.0, cv2.LINE_8, SUBPIXEL_BITS)
        masks = scene.masks[:, y0:y1, x0:x1]
        gains = self._gains[:, y0 - upper : y1 - upper, x0 - left : x1 - left]
        nats = float(np.einsum("kij,kij", gains, masks)) * scene.pixel_nats
        masks[...] = 0
        if nats + scene.weights.cost >= limit:
            return nats + scene.weights.cost
        return nats + scene.plain_cost(block, self._rest)


def compute_shade_nats(scene: Scene, blocks: Sequence[Block]) -> float:
    """Compute the nats against a set of blocks from the unevenness of its faces' lighting."""
    labels = _label_faces(scene, blocks)
    there = _shrink(labels) & scene.known
    if not there.any():
        return 0.0
    faces = labels[there]
    order = np.argsort(faces, kind="stable")
    values = scene.brightness[there][order]
    weights = load_face_weights()
    nats = 0.0
    for shades in np.split(values, np.flatnonzero(np.diff(faces[order])) + 1):
        noise = np.square(weights.noise) + np.square(weights.grain * shades)
        nats += float(np.minimum(np.square(shades - np.median(shades)) / (2 * noise), weights.most).sum())
    return nats * scene.pixel_nats


def _label_faces(scene: Scene, blocks: Sequence[Block]) -> NDArray[np.int32]:
    """Return the number of the visible face at each place (h, w), 0 for none."""
    labels = np.zeros(scene.inside.shape, np.int32)
    number = 0
    for block in sorted(blocks, key=scene.away, reverse=True):
        for outline in project_visible_faces(block, scene.get_projection(block), scene.camera):
            number += 1
            cv2.fillConvexPoly(labels, scene.subpixels(outline), number, cv2.LINE_8, SUBPIXEL_BITS)
    return labels


def _shrink(labels: NDArray[np.int32]) -> Flags:
    """Return the mask (h, w) of the faces without their edges, where two colours mix."""
    inner = np.zeros(labels.shape, bool)
    middle = labels[1:-1, 1:-1]
    inner[1:-1, 1:-1] = middle > 0
    for beside in (labels[:-2, 1:-1], labels[2:, 1:-1], labels[1:-1, :-2], labels[1:-1, 2:]):
        inner[1:-1, 1:-1] &= beside == middle
    return inner
