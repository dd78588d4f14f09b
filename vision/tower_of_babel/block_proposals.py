"""Proposals for one more block: each colour, size and turn is correlated with all places at once."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.arrays import EVEN_ODDS, Flags, Singles
from vision.flat_boards.reading import MIN_ALTERNATIVE_PROBABILITY
from vision.tower_of_babel.blocks import Block, compute_foot_corners, project_block
from vision.tower_of_babel.scene import WHOLE, Box, Part, Reach, Scene, Size

YAWS_RADIANS = tuple(float(yaw) for yaw in np.deg2rad(np.arange(0, 180, 22.5)))
"""Angles at which blocks are searched for. Bounds time."""
COARSE_FACTOR = 3
"""Downscaling factor of the picture in which blocks are searched for. Bounds time."""
MAX_SUMMED = 129
"""Maximum number of places of a kernel that OpenCV sums directly; larger ones are correlated by Fourier transforms. By
the rules of OpenCV."""
MIN_GAIN_SHARE = 0.2
"""Minimum gain of a proposed block, relative to the cost of a block. A guess."""
MAX_FOOT_SHARE = EVEN_ODDS
"""Maximum share of a foot that overlaps the feet of other blocks."""
MAX_SHARED_FOOT = 0.1
"""Maximum share of a foot that overlaps others at places that no photo shows: wood stands beside wood, not in it. A
guess."""
MAX_OVERLOOKED_SHARE = 0.4
"""Maximum visible share of a block that may be overlooked. A guess."""
UNLIKELY_NATS = -math.log(MIN_ALTERNATIVE_PROBABILITY)
"""Nats against a block, or a set of blocks, that is too unlikely to be asked about."""


class _Kernel:
    """A mask (h, w) of zeros and ones around an anchor, to be correlated with layers.

    It is cut into strips without empty borders: OpenCV sums the few ones of a small kernel directly, which is faster.
    """

    def __init__(self, mask: Singles, anchor: tuple[int, int]) -> None:
        self.mask, self.anchor, self.area = mask, anchor, float(mask.sum())
        x0, y0, wide, high = cv2.boundingRect(mask.astype(np.uint8))
        rows = MAX_SUMMED // max(1, wide)
        self._strips = [
            (np.ascontiguousarray(mask[y : min(y + rows, y0 + high), x0 : x0 + wide]), (x0 - anchor[0], y - anchor[1]))
            for y in range(y0, y0 + high, rows)
        ]

    def correlate(self, layer: Singles, total: Singles | None = None) -> Singles:
        """Return the sum (h, w) of a layer under the mask at each place, added to a `total` if there is one."""
        total = np.zeros(layer.shape, np.float32) if total is None else total
        for strip, (x, y) in self._strips:
            u, v = (min(max(-at, 0), n - 1) for at, n in ((x, strip.shape[1]), (y, strip.shape[0])))
            sums = cv2.filter2D(layer, cv2.CV_32F, strip, anchor=(u, v), borderType=cv2.BORDER_CONSTANT)
            _add_moved(total, np.asarray(sums, np.float32), u + x, v + y)
        return total


def _add_moved(total: Singles, sums: Singles, x: int, y: int) -> None:
    """Add to each place of a layer (h, w) the sum `x` to the right and `y` below of it."""
    h, w = total.shape
    x0, y0 = max(0, -x), max(0, -y)
    x1, y1 = max(x0, min(w, w - x)), max(y0, min(h, h - y))
    total[y0:y1, x0:x1] += sums[y0 + y : y1 + y, x0 + x : x1 + x]


@dataclass(frozen=True, slots=True, eq=False)
class _Template:
    """A block in the middle of the scene: kernels of its top, its side, both, and its foot, around its foot's
    centre."""

    yaw: float
    top: _Kernel
    side: _Kernel
    whole: _Kernel
    foot: _Kernel


class _Templates:
    """A block at several angles. All of them lie within `reach`: left, above, right and below of the foot's centre."""

    def __init__(self, turned: Sequence[_Template]) -> None:
        self.turned = turned
        wholes = [template.whole for template in turned]
        ends = [
            (*one.anchor, one.mask.shape[1] - one.anchor[0] - 1, one.mask.shape[0] - one.anchor[1] - 1)
            for one in wholes
        ]
        self.reach: Box = tuple(np.max(ends, axis=0).tolist())
        left, above, right, below = self.reach
        hull = np.zeros((above + below + 1, left + right + 1), np.float32)
        for one in wholes:
            (x, y), (h, w) = (left - one.anchor[0], above - one.anchor[1]), one.mask.shape
            np.maximum(hull[y : y + h, x : x + w], one.mask, out=hull[y : y + h, x : x + w])
        self._hull = _Kernel(hull, (left, above))

    def bound_gains(self, likely: Singles) -> Singles:
        """Return the sum (h, w) of the `likely` gains of pixels around each place: no block there gains more."""
        return self._hull.correlate(likely)


_Proposal = tuple[float, Block]
"""The gain of a block in nats, and the block."""


class Sprouts:
    """A generator of block proposals for one scene."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.templates = {size: _Templates([*_build_templates(scene, size)]) for size in scene.sizes}
        self.quarter_templates = {
            size: _Templates(templates.turned[: len(YAWS_RADIANS) // 2]) for size, templates in self.templates.items()
        }
        self._near: dict[tuple[frozenset[Block], frozenset[Block], Size], list[_Proposal]] = {}
        small = [_shrink_layer(layer) for layer in scene.against]
        self.against = np.stack(small)
        self.inside = _shrink_layer(scene.inside.astype(np.float32)) > 0.5

    def best(self, blocks: Sequence[Block]) -> list[Block]:
        """Return for each colour and size the block that explains most beside the others, if it explains enough; best
        first."""
        return _rank_blocks(self._propose(blocks, self.scene.sizes))

    def least_unlike(self, blocks: Sequence[Block]) -> list[Block]:
        """Return for each colour and size the visible block with the least nats against it, even if no evidence
        supports it."""
        return _rank_blocks(self._propose(blocks, self.scene.sizes, least=-UNLIKELY_NATS, only_visible=True))

    def best_near(self, blocks: Sequence[Block], gone: Sequence[Block], sizes: Sequence[Size]) -> list[Block]:
        """Return for each colour and given size the block that explains most near the places of removed blocks."""
        proposals: list[_Proposal] = []
        beside = frozenset(filter(self.reach_near(gone).touches, blocks))
        for size in sizes:
            key = beside, frozenset(gone), size
            if key not in self._near:
                window, quarter = self._select_window(gone), size[0] == size[1]
                self._near[key] = self._propose(blocks, (size,), window, quarter=quarter)
            proposals += self._near[key]
        return _rank_blocks(proposals)

    def reach_near(self, gone: Sequence[Block]) -> Reach:
        """Return the extent of the places that `best_near` tries."""
        rows, columns = self._select_window(gone)
        x0, x1, y0, y1 = (COARSE_FACTOR * edge for edge in (columns.start, columns.stop, rows.start, rows.stop))
        left, upper = self.scene.origin
        px_mm = self.scene.px_mm
        middles = (left + x0 / px_mm, upper + y0 / px_mm, left + x1 / px_mm, upper + y1 / px_mm)
        return Reach(self.scene, (x0, y0, x1, y1), middles)

    def _select_window(self, gone: Sequence[Block]) -> Part:
        at = (np.array([(block.x, block.y) for block in gone]) - self.scene.origin) * self.scene.px_mm / COARSE_FACTOR
        room = self.scene.diagonal_mm * self.scene.px_mm / COARSE_FACTOR
        (x0, y0), (x1, y1) = np.maximum(at.min(axis=0) - room, 0).astype(int), (at.max(axis=0) + room).astype(int) + 1
        return np.s_[y0:y1, x0:x1]

    def is_visible(self, block: Block, others: Sequence[Block]) -> bool:
        """Return whether enough of a block is visible beside others for it not to be overlooked."""
        alone = self.scene.painted([block])
        visible = (alone > 0) & (self.scene.painted([*others, block]) == alone) & self.scene.known
        return bool(visible.sum() > MAX_OVERLOOKED_SHARE * self.scene.measure_area_px(block))

    def _propose(
        self,
        blocks: Sequence[Block],
        sizes: Sequence[Size],
        window: Part = WHOLE,
        least: float | None = None,
        only_visible: bool = False,
        quarter: bool = False,
    ) -> list[_Proposal]:
        """Return the best blocks that gain more than `least` nats each, before their cost.

        Those turned by less than a `quarter` are enough for square feet in the place of others: the search turns them.
        """
        least = MIN_GAIN_SHARE * self.scene.weights.cost if least is None else least
        pixel_nats = COARSE_FACTOR**2 * self.scene.pixel_nats
        (y0, y1, _), (x0, x1, _) = (side.indices(n) for side, n in zip(window, self.inside.shape, strict=True))
        box = x0 * COARSE_FACTOR, y0 * COARSE_FACTOR, x1 * COARSE_FACTOR, y1 * COARSE_FACTOR
        part = np.s_[box[1] : box[3], box[0] : box[2]]
        labels = self.scene.painted(blocks, box)
        now = _shrink_layer(self.scene.take_nats(labels, part))
        covered = _shrink_layer((labels > 0).astype(np.float32)) > 0.5
        sight = _shrink_layer(((labels == 0) & self.scene.known[part]).astype(np.float32)) if only_visible else None
        free = _FreePlaces(self._mask_feet(blocks)[window] if blocks else None, self.inside[window], sight)
        proposals: list[_Proposal] = []
        for colour in range(self.scene.colours):
            layers = now - self.against[1 + 2 * colour : 3 + 2 * colour, *window]
            np.maximum(layers, 0, out=layers, where=covered)  # covered pixels are no evidence against one behind
            for size in sizes:
                templates = (self.quarter_templates if quarter else self.templates)[size]
                if peak := _find_peak(layers, templates, free, least / pixel_nats):
                    gain, (x, y), yaw = peak
                    at = (np.array((x0 + x, y0 + y)) + 0.5) * COARSE_FACTOR / self.scene.px_mm + self.scene.origin
                    proposals.append((gain, Block(float(at[0]), float(at[1]), yaw, size, colour)))
        return proposals

    def measure_blind_mm2(self, blocks: Sequence[Block], hidden: Flags) -> float:
        """Measure the total area of centres at which a smallest block could stand beside the others unseen.

        `hidden` (h, w) is where nothing is visible anyway; areas hidden by the blocks themselves also count.
        """
        blind = _shrink_layer(((self.scene.painted(blocks) > 0) | hidden).astype(np.float32))
        stands = self._mask_feet(blocks)
        least = np.full(self.inside.shape, np.inf, np.float32)
        for template in self.templates[self.scene.sizes[0]].turned:
            visible = 1 - template.whole.correlate(blind) / template.whole.area
            visible[template.foot.correlate(stands) > MAX_SHARED_FOOT * template.foot.area] = 1
            least = np.minimum(least, visible)
        blind_places = self.inside & (least < MAX_OVERLOOKED_SHARE)
        return float(blind_places.sum()) * (COARSE_FACTOR / self.scene.px_mm) ** 2

    def _mask_feet(self, blocks: Sequence[Block]) -> Singles:
        """Return the mask (h, w) of the blocks' feet."""
        h, w = self.inside.shape
        stands = np.zeros((h, w), np.float32)
        for block in blocks:
            cv2.fillConvexPoly(
                stands,
                np.rint(self.scene.pixels(compute_foot_corners(block)) / COARSE_FACTOR - 0.5).astype(np.int32),
                1.0,
            )
        return stands


def _rank_blocks(proposals: Sequence[_Proposal]) -> list[Block]:
    """Return the proposed blocks, best first."""
    return [block for _, block in sorted(proposals, key=lambda pair: -pair[0])]


class _FreePlaces:
    """The places (h, w) of a window at which a block of each template may stand, found when they are asked for.

    `feet` (h, w) masks the feet of other blocks, `inside` (h, w) the possible centres; if there is a `sight` (h, w) of
    places that show the board, most of a block must be in it.
    """

    def __init__(self, feet: Singles | None, inside: Flags, sight: Singles | None) -> None:
        self._feet, self.inside, self._sight = feet, inside, sight
        self._known: dict[int, Flags] = {}

    def find_refused(self, template: _Template) -> Flags:
        """Return the mask (h, w) of the other places."""
        mask = self._known.get(id(template))
        if mask is None:
            mask = ~self.inside
            if self._feet is not None:
                mask |= template.foot.correlate(self._feet) > MAX_FOOT_SHARE * template.foot.area
            if self._sight is not None:
                mask |= template.whole.correlate(self._sight) <= MAX_OVERLOOKED_SHARE * template.whole.area
            self._known[id(template)] = mask
        return mask


def _find_peak(
    layers: Singles, templates: _Templates, free: _FreePlaces, least: float
) -> tuple[float, tuple[int, int], float] | None:
    """Return the most that any of the templates gains, its place (x, y), and its angle; None if not more than `least`.

    `layers` (2, h, w) are the gain of each pixel as a top, and as a side. Only places are correlated around which the
    gains of single pixels sum to more, and to more than the best so far.
    """
    likely = np.maximum(layers.max(axis=0), 0)
    if likely.sum() <= least:
        return None
    left, above, right, below = templates.reach
    bound = templates.bound_gains(likely)
    bound[~free.inside] = 0
    best: tuple[float, tuple[int, int], float] | None = None
    region = _find_region(bound, least, (0, 0))
    for template in templates.turned:
        if region is None:
            return best
        (x0, y0), bound = region
        y1, x1 = y0 + bound.shape[0], x0 + bound.shape[1]
        x, y = max(0, x0 - left), max(0, y0 - above)
        top, side = layers[:, y : y1 + below, x : x1 + right]
        gain = template.side.correlate(side, template.top.correlate(top))[y0 - y : y1 - y, x0 - x : x1 - x]
        enough = gain > (best[0] if best else least)
        if not enough.any():
            continue
        enough &= ~free.find_refused(template)[y0:y1, x0:x1]
        gain = np.where(enough, gain, -np.inf)
        v, u = divmod(int(gain.argmax()), gain.shape[1])
        if enough[v, u]:
            best = float(gain[v, u]), (x0 + u, y0 + v), template.yaw
            region = _find_region(bound, best[0], (x0, y0))
    return best


def _find_region(bound: Singles, least: float, origin: tuple[int, int]) -> tuple[tuple[int, int], Singles] | None:
    """Return the first place (x, y) and the bounds of the smallest region with all bounds above `least`, if any.

    `origin` is the place of the first of the given bounds (h, w).
    """
    there = bound > least
    ys, xs = np.flatnonzero(there.any(axis=1)), np.flatnonzero(there.any(axis=0))
    if not len(ys):
        return None
    x0, y0, x1, y1 = int(xs[0]), int(ys[0]), int(xs[-1]) + 1, int(ys[-1]) + 1
    return (origin[0] + x0, origin[1] + y0), bound[y0:y1, x0:x1]


def _shrink_layer(layer: Singles) -> Singles:
    h, w = layer.shape
    size = (max(1, w // COARSE_FACTOR), max(1, h // COARSE_FACTOR))
    return np.asarray(
        cv2.resize(layer[: size[1] * COARSE_FACTOR, : size[0] * COARSE_FACTOR], size, interpolation=cv2.INTER_AREA)
    )


def _build_templates(scene: Scene, size: Size) -> Iterator[_Template]:
    px_mm = scene.px_mm / COARSE_FACTOR
    ys, xs = np.nonzero(scene.inside)
    middle = np.array((xs.mean(), ys.mean())) / scene.px_mm + scene.origin
    for yaw in YAWS_RADIANS:
        block = Block(float(middle[0]), float(middle[1]), yaw, size, 0)
        hull, top = project_block(block, scene.camera)
        base = compute_foot_corners(block)
        low = np.floor((np.vstack([hull, base]).min(axis=0) - middle) * px_mm).astype(int) - 1
        high = np.ceil((np.vstack([hull, base]).max(axis=0) - middle) * px_mm).astype(int) + 2
        masks = []
        for outline in (hull, top, base):
            mask = np.zeros((high[1] - low[1], high[0] - low[0]), np.float32)
            cv2.fillConvexPoly(mask, np.rint((outline - middle) * px_mm - low).astype(np.int32), 1.0)
            masks.append(mask)
        whole, upper, stands = masks
        parts = upper, np.maximum(whole - upper, 0), np.maximum(whole, upper), stands
        yield _Template(yaw, *(_Kernel(part, (int(-low[0]), int(-low[1]))) for part in parts))
