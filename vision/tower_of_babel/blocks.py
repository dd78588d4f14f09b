"""Wooden houses on a board in the camera's view: gabled blocks, defined by their foot, in millimetres of the board.

The visible outline of a block is given on the board's plane (`vision.flat_boards.board.project_to_board`). Its
roof leans away from the camera, so a block's position is that of its foot, not that of its visible roof.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import cv2
import numpy as np

from vision.arrays import Floats
from vision.flat_boards.board import project_to_board
from vision.photo.crops import CORNERS

SIDES = CORNERS - CORNERS.mean(axis=0)
"""Corners (col, row) of a unit square about its middle."""
EAVES_SHARE = 0.6
"""Height of a house's walls relative to its total height, which is not measured. A guess."""
UPRIGHT, ON_WALL, ON_GABLE = POSES = range(3)
"""A house stands, lies on a wall, or stands on a gable."""
FACES = ((0, 1, 2, 3, 4), (5, 6, 7, 8, 9), (1, 2, 7, 6), (2, 3, 8, 7), (3, 4, 9, 8), (4, 0, 5, 9), (0, 1, 6, 5))
"""The corners of a house's faces: both gables, a wall and its roof, the other roof and its wall, and the floor.
Geometry of the piece."""


class Block(NamedTuple):
    """A house: the centre of its foot, its rotation in radians, its size, the index of its colour, and its pose.

    `size` is its width, its length along the ridge and its height, when upright.
    """

    x: float
    y: float
    yaw: float
    size: tuple[float, float, float]
    colour: int
    pose: int = UPRIGHT

    def moved(self, dx: float, dy: float, turn: float = 0.0) -> Block:
        """Return the block moved and turned."""
        return Block(self.x + dx, self.y + dy, self.yaw + turn, self.size, self.colour, self.pose)

    @property
    def foot(self) -> tuple[float, float]:
        """The sides of its footprint on the board."""
        return measure_foot(self.size, self.pose)


@cache
def measure_foot(size: tuple[float, float, float], pose: int) -> tuple[float, float]:
    """Return the sides of a house's footprint on the board."""
    wide, long, high = size
    return ((wide, long), (high, long), (wide, high))[pose]


@cache
def measure_reach(size: tuple[float, float, float], pose: int) -> float:
    """Return the distance of the corners of a house's footprint from its centre."""
    return math.hypot(*measure_foot(size, pose)) / 2


@cache
def _build_corners(size: tuple[float, float, float], pose: int) -> tuple[Floats, list[int]]:
    """Return (10, 3) corners around the foot's centre, with the board at height 0, and the indices of the upper faces'
    corners."""
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
    """One camera's projection of houses of one size and pose.

    A house's corners appear at `corners` rotated, plus `scales` (n, 1) times its centre, plus `shifts`. `corners` (n,
    2) are already scaled; `shifts` (n, 2) is the lean relative to the camera; `upper` are the indices of the upper
    faces' corners.
    """

    corners: Floats
    scales: Floats
    shifts: Floats
    upper: list[int]

    @classmethod
    def of(cls, size: tuple[float, float, float], pose: int, camera: Floats) -> Projection:
        """Return the projection of such houses by the (3,) camera."""
        corners, upper = _build_corners(size, pose)
        shifts = project_to_board(camera, np.zeros((len(corners), 2)), corners[:, 2])
        scales = project_to_board(camera, np.ones((len(corners), 2)), corners[:, 2])[:, :1] - shifts[:, :1]
        return cls(corners[:, :2] * scales, scales, shifts, upper)

    def project(self, block: Block) -> Floats:
        """Return the (n, 2) corners of a block as projected onto the board."""
        return np.asarray(self.turn(block.yaw) + self.scales * (block.x, block.y))

    def turn(self, yaw: float) -> Floats:
        """Return the (n, 2) corners of a block of this rotation in radians at the board's origin."""
        c, s = math.cos(yaw), math.sin(yaw)
        return np.asarray(self.corners @ np.array(((c, s), (-s, c))) + self.shifts)


def compute_foot_corners(block: Block) -> Floats:
    """Compute the (4, 2) corners of a block's foot."""
    c, s = np.cos(block.yaw), np.sin(block.yaw)
    return np.asarray(SIDES * block.foot @ np.array([(c, s), (-s, c)]) + (block.x, block.y))


def project_block(block: Block, camera: Floats) -> tuple[Floats, Floats]:
    """Return the outlines, as projected onto the board by the (3,) camera, of the block (n, 2) and its upper faces (m,
    2)."""
    projection = Projection.of(block.size, block.pose, camera)
    points = projection.project(block).astype(np.float32)
    hull, roof = (cv2.convexHull(some)[:, 0] for some in (points, points[projection.upper]))
    return np.asarray(hull, np.float64), np.asarray(roof, np.float64)


def project_visible_faces(block: Block, projection: Projection, camera: Floats) -> list[Floats]:
    """Return the (n, 2) outlines of the faces visible to the (3,) camera, as projected onto the board."""
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
    """Compute the penetration depth of two feet by the separating axis test; 0 if they are apart."""
    dx, dy = other.x - one.x, other.y - one.y
    c, s = abs(math.cos(other.yaw - one.yaw)), abs(math.sin(other.yaw - one.yaw))
    depth = math.inf
    feet = measure_foot(one.size, one.pose), measure_foot(other.size, other.pose)
    for yaw, (w, h), (u, v) in ((one.yaw, *feet), (other.yaw, *feet[::-1])):
        x, y = math.cos(yaw), math.sin(yaw)
        for half, reach, away in (
            (w / 2, (c * u + s * v) / 2, abs(x * dx + y * dy)),
            (h / 2, (s * u + c * v) / 2, abs(x * dy - y * dx)),
        ):
            if half + reach <= away:
                return 0.0
            depth = min(depth, half + reach - away, 2 * half, 2 * reach)
    return depth
