"""Wooden houses on a board as a camera sees them: gabled blocks by their foot, all in millimetres of the board.

What is seen of a block is told on the board's plane (`vision.printed.board.project_level_to_board`): its roof leans
away from the camera, so a block is where its foot is, not where its roof is seen.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np

from vision.arrays import Floats
from vision.printed.board import project_points_to_board

SIDES = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) / 2
EAVES_SHARE = 0.6
"""How high the walls of a house are, of all its height: nobody measures it."""
UPRIGHT, ON_WALL, ON_GABLE = POSES = range(3)
"""A house stands, lies on a wall, or stands on a gable."""
FACES = ((0, 1, 2, 3, 4), (5, 6, 7, 8, 9), (1, 2, 7, 6), (2, 3, 8, 7), (3, 4, 9, 8), (4, 0, 5, 9), (0, 1, 6, 5))
"""The corners of a house's faces: both gables, a wall and its roof, the other roof and its wall, and the floor."""


@dataclass(frozen=True, slots=True)
class Block:
    """A house: the middle of its foot, its turn in radians, its size, a colour's number, and how it lies.

    `size` is its width, its length along the ridge and its height, as it stands.
    """

    x: float
    y: float
    yaw: float
    size: tuple[float, float, float]
    colour: int
    pose: int = UPRIGHT

    def moved(self, dx: float, dy: float, turn: float = 0.0) -> Block:
        """Return the same block elsewhere."""
        return Block(self.x + dx, self.y + dy, self.yaw + turn, self.size, self.colour, self.pose)

    @property
    def foot(self) -> tuple[float, float]:
        """The sides of what it covers of the board."""
        return _measure_foot(self.size, self.pose)[0]

    @property
    def reach(self) -> float:
        """The distance from its middle to a corner."""
        return _measure_foot(self.size, self.pose)[1]


@cache
def _measure_foot(size: tuple[float, float, float], pose: int) -> tuple[tuple[float, float], float]:
    """The sides of what a house covers of the board, and how far its corners are from the middle."""
    wide, long, high = size
    foot = ((wide, long), (high, long), (wide, high))[pose]
    return foot, math.hypot(*foot) / 2


@cache
def _build_corners(size: tuple[float, float, float], pose: int) -> tuple[Floats, list[int]]:
    """(10, 3) corners about the foot's middle, the board at 0, and which are those of the faces that look up."""
    wide, long, high = size
    eaves = EAVES_SHARE * high
    gable = np.array([(-wide / 2, 0), (wide / 2, 0), (wide / 2, eaves), (0, high), (-wide / 2, eaves)])
    if pose == ON_GABLE:
        corners = np.array([(x, z - high / 2, y) for y in (0, long) for x, z in gable])
        return corners, [5, 6, 7, 8, 9]
    corners = np.array([(x, y, z) for y in (-long / 2, long / 2) for x, z in gable])
    if pose == UPRIGHT:
        return corners, [2, 3, 4, 7, 8, 9]
    return corners[:, [2, 1, 0]] + (-high / 2, 0, wide / 2), [1, 2, 3, 6, 7, 8]


@dataclass(frozen=True, slots=True, eq=False)
class Projection:
    """How one camera sees houses of one size and pose: a house's corners seen are these, turned, its middle times
    `scales` (n, 1) beside them.

    `corners` (n, 2) are scaled already, `shifts` (n, 2) is what leans towards the camera, `upper` are those of the
    faces that look up.
    """

    corners: Floats
    scales: Floats
    shifts: Floats
    upper: list[int]

    @classmethod
    def of(cls, size: tuple[float, float, float], pose: int, camera: Floats) -> Projection:
        """Return how the (3,) camera sees such houses."""
        corners, upper = _build_corners(size, pose)
        shifts = project_points_to_board(camera, np.zeros((len(corners), 2)), corners[:, 2])
        scales = project_points_to_board(camera, np.ones((len(corners), 2)), corners[:, 2])[:, :1] - shifts[:, :1]
        return cls(corners[:, :2] * scales, scales, shifts, upper)

    def project(self, block: Block) -> Floats:
        """Return the (n, 2) corners of a block as they are seen on the board."""
        c, s = math.cos(block.yaw), math.sin(block.yaw)
        return np.asarray(self.corners @ np.array(((c, s), (-s, c))) + self.scales * (block.x, block.y) + self.shifts)


def compute_foot_corners(block: Block) -> Floats:
    """Compute the (4, 2) corners of a block's foot."""
    c, s = np.cos(block.yaw), np.sin(block.yaw)
    return np.asarray(SIDES * block.foot @ np.array([(c, s), (-s, c)]) + (block.x, block.y))


def project_block(block: Block, camera: Floats) -> tuple[Floats, Floats]:
    """Return the (n, 2) outline of the whole block and (m, 2) of the faces that look up, where the (3,) camera sees
    them on the board."""
    projection = Projection.of(block.size, block.pose, camera)
    points = projection.project(block).astype(np.float32)
    hull, roof = (cv2.convexHull(some)[:, 0] for some in (points, points[projection.upper]))
    return np.asarray(hull, np.float64), np.asarray(roof, np.float64)


def project_visible_faces(block: Block, projection: Projection, camera: Floats) -> list[Floats]:
    """Return the (n, 2) outlines of the faces that the (3,) camera sees, as they are seen on the board; together they
    are what is seen of the block."""
    corners, _ = _build_corners(block.size, block.pose)
    c, s = math.cos(block.yaw), math.sin(block.yaw)
    turned = np.column_stack([corners[:, :2] @ np.array(((c, s), (-s, c))) + (block.x, block.y), corners[:, 2]])
    middle, flat = turned.mean(axis=0), projection.project(block)
    outlines = []
    for face in FACES:
        first, second, third = turned[list(face[:3])]
        outward = np.cross(second - first, third - second)
        outward *= np.sign(outward @ (first - middle))
        if outward @ (camera - first) > 0:
            outlines.append(np.asarray(flat[list(face)]))
    return outlines


def compute_overlap(one: Block, other: Block) -> float:
    """Compute how deep two feet reach into each other, 0 where they lie apart: by the axes of both (separating
    axes)."""
    dx, dy = other.x - one.x, other.y - one.y
    if math.hypot(dx, dy) > one.reach + other.reach:
        return 0.0
    c, s = abs(math.cos(other.yaw - one.yaw)), abs(math.sin(other.yaw - one.yaw))
    depth = math.inf
    for block, rival in ((one, other), (other, one)):
        (w, h), (u, v) = block.foot, rival.foot
        x, y = math.cos(block.yaw), math.sin(block.yaw)
        for half, reach, away in (
            (w / 2, (c * u + s * v) / 2, abs(x * dx + y * dy)),
            (h / 2, (s * u + c * v) / 2, abs(x * dy - y * dx)),
        ):
            if half + reach <= away:
                return 0.0
            depth = min(depth, half + reach - away, 2 * half, 2 * reach)
    return depth
