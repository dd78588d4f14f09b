"""Where one more block would explain most: each colour, size and turn held against all places at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.printed.blocks import Block, compute_foot_corners, project_block
from vision.tower_of_babel.scene import BLOCK_COST, Scene, Size

Layer = NDArray[np.float32]

YAWS = tuple(float(yaw) for yaw in np.deg2rad(np.arange(0, 90, 22.5)))
COARSE = 3
"""Times smaller is the picture that is looked at."""
WORTH_TRYING = 0.2
"""Of what a block costs: where it explains less, it is not tried."""
FOOT_SHARE = 0.5
"""Of a foot: more of it does not lie where another block stands."""


@dataclass(frozen=True, slots=True, eq=False)
class _Template:
    """A block as it is seen in the middle of the scene: kernels of its top, side and foot, and its foot's middle."""

    size: Size
    yaw: float
    top: Layer
    side: Layer
    foot: Layer
    anchor: tuple[int, int]


class Sprouts:
    """Looks for blocks in one scene."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.templates = tuple(_templates(scene))
        small = [_smaller(layer) for layer in scene.against]
        self.against = np.stack(small)
        self.inside = _smaller(scene.inside.astype(np.float32)) > 0.5

    def best(self, blocks: Sequence[Block]) -> list[Block]:
        """Of each colour the block that would explain most beside the others, if it explains enough; the best first."""
        labels = self.scene.painted(blocks)
        now = _smaller(self.scene.explained(blocks))
        covered = _smaller((labels > 0).astype(np.float32)) > 0.5
        stands = self._feet(blocks)
        found: list[tuple[float, Block]] = []
        for colour in range(self.scene.colours):
            top, side = (now - self.against[1 + 2 * colour + k] for k in (0, 1))
            for layer in (top, side):  # what another block hides is neither for nor against one behind it
                layer[covered] = np.maximum(layer[covered], 0)
            most = float(np.maximum(np.maximum(top, side), 0).sum()) * COARSE**2 * self.scene.pixel_nats
            if most <= WORTH_TRYING * BLOCK_COST:
                continue
            least, best = WORTH_TRYING * BLOCK_COST, None
            for template in self.templates:
                gain = _correlated(top, template.top, template.anchor) + _correlated(
                    side, template.side, template.anchor
                )
                gain[~self.inside] = -1
                if blocks:
                    gain[_correlated(stands, template.foot, template.anchor) > FOOT_SHARE * template.foot.sum()] = -1
                y, x = np.unravel_index(int(gain.argmax()), gain.shape)
                worth = float(gain[y, x]) * COARSE**2 * self.scene.pixel_nats
                if worth > least:
                    least = worth
                    at = (np.array((x, y)) + 0.5) * COARSE / self.scene.px_mm + self.scene.origin
                    best = Block(float(at[0]), float(at[1]), template.yaw, template.size, colour)
            if best is not None:
                found.append((least, best))
        return [block for _, block in sorted(found, key=lambda own: -own[0])]

    def _feet(self, blocks: Sequence[Block]) -> Layer:
        """(h, w) where blocks stand."""
        h, w = self.inside.shape
        stands = np.zeros((h, w), np.float32)
        for block in blocks:
            cv2.fillConvexPoly(
                stands, np.rint(self.scene.pixels(compute_foot_corners(block)) / COARSE - 0.5).astype(np.int32), 1.0
            )
        return stands


def _smaller(layer: Layer) -> Layer:
    h, w = layer.shape
    size = (max(1, w // COARSE), max(1, h // COARSE))
    return np.asarray(cv2.resize(layer[: size[1] * COARSE, : size[0] * COARSE], size, interpolation=cv2.INTER_AREA))


def _correlated(layer: Layer, kernel: Layer, anchor: tuple[int, int]) -> Layer:
    return np.asarray(
        cv2.filter2D(layer, cv2.CV_32F, kernel, anchor=anchor, borderType=cv2.BORDER_CONSTANT), np.float32
    )


def _templates(scene: Scene) -> Iterator[_Template]:
    px_mm = scene.px_mm / COARSE
    ys, xs = np.nonzero(scene.inside)
    middle = np.array((xs.mean(), ys.mean())) / scene.px_mm + scene.origin
    for size in scene.sizes:
        for yaw in YAWS:
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
            yield _Template(size, yaw, upper, np.maximum(whole - upper, 0), stands, (int(-low[0]), int(-low[1])))
