"""Blocks on a board as a camera sees them: upright boxes by their foot, all in millimetres of the board.

What is seen of a block is told on the board's plane (`vision.printed.board.project_level_to_board`): its top leans away
from the camera, so a block is where its foot is, not where its top is seen.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np

from vision.arrays import Floats
from vision.printed.board import project_level_to_board

SIDES = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) / 2


@dataclass(frozen=True, slots=True)
class Block:
    """A box: the middle of its foot, its turn in radians, its two sides and its height, and a colour's number."""

    x: float
    y: float
    yaw: float
    size: tuple[float, float, float]
    colour: int

    def moved(self, dx: float, dy: float, turn: float = 0.0) -> Block:
        """Return the same block elsewhere."""
        return Block(self.x + dx, self.y + dy, self.yaw + turn, self.size, self.colour)

    @property
    def reach(self) -> float:
        """The distance from its middle to a corner."""
        return math.hypot(self.size[0], self.size[1]) / 2


def compute_foot_corners(block: Block) -> Floats:
    """Compute the (4, 2) corners of a block's foot."""
    c, s = np.cos(block.yaw), np.sin(block.yaw)
    return np.asarray(SIDES * block.size[:2] @ np.array([(c, s), (-s, c)]) + (block.x, block.y))


def project_block(block: Block, camera: Floats) -> tuple[Floats, Floats]:
    """Return the (n, 2) outline of the whole block and (4, 2) of its top, where the (3,) camera sees them on the
    board."""
    base = compute_foot_corners(block)
    top = project_level_to_board(camera, base, block.size[2])
    hull = cv2.convexHull(np.vstack([base, top]).astype(np.float32))[:, 0]
    return np.asarray(hull, np.float64), top


def compute_overlap(one: Block, other: Block) -> float:
    """Compute how deep two feet reach into each other, 0 where they lie apart: by the axes of both (separating
    axes)."""
    dx, dy = other.x - one.x, other.y - one.y
    if math.hypot(dx, dy) > one.reach + other.reach:
        return 0.0
    c, s = abs(math.cos(other.yaw - one.yaw)), abs(math.sin(other.yaw - one.yaw))
    depth = math.inf
    for block, rival in ((one, other), (other, one)):
        (w, h), (u, v) = block.size[:2], rival.size[:2]
        x, y = math.cos(block.yaw), math.sin(block.yaw)
        for half, reach, away in (
            (w / 2, (c * u + s * v) / 2, abs(x * dx + y * dy)),
            (h / 2, (s * u + c * v) / 2, abs(x * dy - y * dx)),
        ):
            depth = min(depth, half + reach - away, 2 * half, 2 * reach)
        if depth <= 0:
            return 0.0
    return depth
