"""Outlines of the pieces, our own drawings in true sizes, from which the prism of each kind is extruded.

Width, height and thickness were measured by players with a caliper (Carcassonne Central, "Carcassonne components sizing
information"); the abbot's are inferred from a meeple's. Printings differ in outline, so kinds that are not cut like a
meeple are drawn twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.arrays import Floats

Points = Sequence[tuple[float, float]]

TILE_MM = 45
MEEPLE_WIDTH_TILES = 16 / TILE_MM
"""Width of a meeple relative to a tile's."""
MEEPLE_THICKNESS_TILES = 10 / TILE_MM
BIG_MM = (18.5, 19.3, 9.9)
BUILDER_MM = (14.3, 20.5, 9.8)
PIG_MM = (22.1, 11.2, 8.0)
ABBOT_MM = (13.0, 19.5, 10.0)
"""Width, height and thickness; the abbot's are inferred."""


@dataclass(frozen=True, slots=True, eq=False)
class Shape:
    """A standing piece: `outline` (n, 2), x right and y up from its foot, counter-clockwise, in `unit` tiles.

    `middle` is the height of its middle in the same units; `thickness` is that of the wood in tiles.
    """

    outline: Floats
    unit: float
    thickness: float
    middle: float


def build_circle(n: int) -> Floats:
    """Return an (n, 2) circle of diameter 1 about the origin, counter-clockwise."""
    a = np.arange(n) * 2 * np.pi / n
    return np.stack([np.cos(a), np.sin(a)], 1) / 2


def _meeple_outline() -> Floats:
    """Return a meeple's outline, 1 unit wide and high."""
    half = [
        (0.10, 0.0),
        (0.44, 0.0),
        (0.47, 0.05),
        (0.27, 0.40),
        (0.47, 0.44),
        (0.50, 0.53),
        (0.45, 0.62),
        (0.22, 0.70),
    ]
    angles = np.linspace(-0.62, np.pi / 2, 6)
    head = [(0.19 * np.cos(a), 0.81 + 0.19 * np.sin(a)) for a in angles]
    right = half + head
    left = [(-x, y) for x, y in reversed(right[:-1])]
    return np.array([*right, *left, (-0.02, 0.24), (0.02, 0.24)])


def _cut(points: Points, size_mm: tuple[float, float, float]) -> Shape:
    """Return a shape from an outline stretched to a width and height in millimetres."""
    outline = np.array(points, np.float64)
    width, height, thickness = size_mm
    outline *= np.array([width, height]) / np.ptp(outline, axis=0)
    return Shape(outline, 1 / TILE_MM, thickness / TILE_MM, height / 2)


def _both_sides(right: Points) -> Points:
    """Return the symmetric outline whose right half, from the foot up to the top, is given."""
    return [*right, *((-x, y) for x, y in reversed(right) if x)]


# fmt: off
_BUILDER_WITH_HAMMER = [
    (0.5, 0), (4.4, 0), (4.7, 0.8), (3.3, 5.6), (3.3, 8.0), (4.6, 7.2), (6.0, 8.0), (6.9, 12.2), (8.0, 12.2),
    (8.0, 14.6), (4.4, 14.6), (4.4, 12.2), (5.5, 12.2), (5.0, 10.0), (2.4, 10.9), (2.2, 12.2), (3.4, 12.6),
    (3.4, 13.4), (2.1, 13.6), (1.8, 16.0), (-1.8, 16.0), (-2.1, 13.6), (-3.4, 13.4), (-3.4, 12.6), (-2.2, 12.2),
    (-2.4, 10.9), (-5.0, 10.0), (-7.6, 6.6), (-6.4, 5.4), (-4.6, 7.4), (-3.3, 7.8), (-3.3, 5.6), (-4.7, 0.8),
    (-4.4, 0), (-0.5, 0), (-0.4, 3.6), (0.4, 3.6),
]
_BUILDER_IN_HAT = [
    (0.5, 3.0), (1.0, 0), (4.6, 0), (5.0, 0.8), (3.2, 5.0), (6.0, 6.2), (6.4, 7.6), (3.4, 10.4), (2.3, 11.0),
    (2.5, 12.0), (4.6, 12.6), (4.6, 13.5), (2.4, 13.7), (2.0, 15.4), (1.0, 16.0),
]
_PIG = [
    (-7.2, 0), (-4.4, 0), (-4.0, 2.8), (2.2, 2.8), (2.6, 0), (5.4, 0), (5.5, 3.4), (9.0, 4.4), (9.0, 6.9), (7.5, 7.6),
    (6.6, 11.2), (4.9, 9.8), (2.0, 10.6), (-2.0, 10.8), (-5.6, 10.2), (-7.6, 8.4), (-8.6, 9.4), (-9.0, 8.6),
    (-8.2, 6.4), (-7.9, 3.6),
]
_ROUND_PIG = [
    (-5.5, 0), (-3.4, 0), (-3.0, 2.0), (2.6, 2.0), (3.0, 0), (5.1, 0), (5.4, 2.4), (7.5, 3.6), (7.5, 6.0), (6.2, 7.0),
    (5.6, 9.2), (4.2, 8.6), (1.5, 9.8), (-2.5, 10.0), (-5.4, 8.6), (-7.0, 6.6), (-7.5, 4.0), (-6.4, 2.2),
]
_ABBOT = [
    (6.2, 0), (6.4, 0.7), (4.6, 7.0), (3.6, 10.6), (2.3, 11.8), (2.8, 13.2), (2.5, 14.4), (3.0, 15.2), (2.4, 17.4),
    (0, 19.5),
]
_ABBOT_IN_COPE = [
    (5.4, 0), (5.8, 1.0), (5.2, 6.0), (4.2, 10.0), (2.0, 11.4), (2.6, 12.8), (2.0, 14.0), (2.4, 15.2), (1.6, 17.2),
    (0, 18.2),
]
# fmt: on

SHAPES = {
    "meeple": (Shape(_meeple_outline(), MEEPLE_WIDTH_TILES, MEEPLE_THICKNESS_TILES, 0.45),),
    "big": (_cut(_meeple_outline().tolist(), BIG_MM),),
    "builder": (_cut(_BUILDER_WITH_HAMMER, BUILDER_MM), _cut(_both_sides(_BUILDER_IN_HAT), BUILDER_MM)),
    "pig": (_cut(_PIG, PIG_MM), _cut(_ROUND_PIG, PIG_MM)),
    "abbot": (_cut(_both_sides(_ABBOT), ABBOT_MM), _cut(_both_sides(_ABBOT_IN_COPE), ABBOT_MM)),
}
"""Every kind of piece that is drawn, in one or two makes."""

DISC = Shape(build_circle(20), MEEPLE_WIDTH_TILES, 0.10, 0.0)
CUBE = Shape(np.array([(-4.5, -4.5), (4.5, -4.5), (4.5, 4.5), (-4.5, 4.5)]), 1 / TILE_MM, 9 / TILE_MM, 0.0)
"""A substitute for a lost meeple, seen from above."""

# fmt: off
_DRAGON = [
    (-9, 0), (-4, 0), (-4, 4), (3, 4), (4, 0), (9, 0), (9, 6), (14, 8), (22, 4), (20, 9), (14, 13), (11, 16), (12, 20),
    (17, 22), (18, 26), (12, 30), (8, 28), (6, 22), (2, 18), (-2, 27), (-6, 28), (-9, 18), (-14, 14), (-20, 15),
    (-22, 12), (-15, 8), (-10, 7),
]
_FAIRY = [
    (5, 0), (5, 2), (3, 12), (3, 18), (8, 22), (8, 28), (3, 26), (2.5, 29), (3, 33), (0, 36),
]
_BRIDGE = [
    (-23, 0), (-18, 0), (-16, 5), (-8, 8.5), (0, 9.5), (8, 8.5), (16, 5), (18, 0), (23, 0), (21, 8), (11, 13), (0, 14),
    (-11, 13), (-21, 8),
]
_PENTAGON = [(8, -7), (8, 4), (0, 9), (-8, 4), (-8, -7)]
# fmt: on

THINGS = {
    "coin": (Shape(build_circle(28), 20 / TILE_MM, 1.8 / TILE_MM, 0.0),),
    "round counter": (Shape(build_circle(24), 17 / TILE_MM, 2 / TILE_MM, 0.0),),
    "pentagon": (Shape(np.array(_PENTAGON, float), 1 / TILE_MM, 2 / TILE_MM, 0.0),),
    "die": (Shape(np.array([(-7, -7), (7, -7), (7, 7), (-7, 7)], float), 1 / TILE_MM, 14 / TILE_MM, 0.0),),
    "dragon": (_cut(_DRAGON, (44, 30, 9)),),
    "fairy": (_cut(_both_sides(_FAIRY), (15, 36, 9)),),
    "bridge": (_cut(_BRIDGE, (46, 14, 9)),),
    "block": (Shape(build_circle(6), 17 / TILE_MM, 12 / TILE_MM, 0.0),),
}
"""Objects on tiles that are no player's pieces, in approximate true sizes."""
