"""Blocks on a board as a camera sees them: upright boxes by their foot, all in millimetres of the board.

What is seen of a block is told on the board's plane (`vision.printed.board.footprint`): its top leans away from the
camera, so a block is where its foot is, not where its top is seen.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.printed.board import footprint

Floats = NDArray[np.float64]

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
        """The same block elsewhere."""
        return replace(self, x=self.x + dx, y=self.y + dy, yaw=self.yaw + turn)

    @property
    def reach(self) -> float:
        """From its middle to a corner."""
        return math.hypot(self.size[0], self.size[1]) / 2


def foot(block: Block) -> Floats:
    """(4, 2) corners of its foot."""
    c, s = np.cos(block.yaw), np.sin(block.yaw)
    return np.asarray(SIDES * block.size[:2] @ np.array([(c, s), (-s, c)]) + (block.x, block.y))


def seen(block: Block, camera: Floats) -> tuple[Floats, Floats]:
    """(n, 2) outline of the whole block and (4, 2) of its top, where the (3,) camera sees them on the board."""
    base = foot(block)
    top = footprint(camera, np.column_stack([base, np.full(4, block.size[2])]))
    hull = cv2.convexHull(np.vstack([base, top]).astype(np.float32))[:, 0]
    return np.asarray(hull, np.float64), top


def overlap(one: Block, other: Block) -> float:
    """How deep two feet reach into each other, 0 where they lie apart: by the axes of both (separating axes)."""
    if math.hypot(one.x - other.x, one.y - other.y) > one.reach + other.reach:
        return 0.0
    a, b = _corners(one), _corners(other)
    depth = math.inf
    for c, s in (*_axes(one.yaw), *_axes(other.yaw)):
        p, q = [c * x + s * y for x, y in a], [c * x + s * y for x, y in b]
        depth = min(depth, min(max(p), max(q)) - max(min(p), min(q)))
        if depth <= 0:
            return 0.0
    return depth


def _axes(yaw: float) -> tuple[tuple[float, float], tuple[float, float]]:
    c, s = math.cos(yaw), math.sin(yaw)
    return (c, s), (-s, c)


@lru_cache(maxsize=4096)
def _corners(block: Block) -> tuple[tuple[float, float], ...]:
    """As `foot`, in plain numbers: what is asked a hundred thousand times a table."""
    (c, s), _ = _axes(block.yaw)
    w, h = block.size[0] / 2, block.size[1] / 2
    return tuple((block.x + c * u - s * v, block.y + s * u + c * v) for u, v in ((-w, -h), (w, -h), (w, h), (-w, h)))
