"""Solids around the board that are not its tiles: boxes, cups, piles of tiles, booklets."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from shapely import MultiPoint, Polygon

from datasets.pathtraced.solids import Mesh, build_block, build_quad, build_tube
from datasets.render.tabletops import draw_tabletop
from datasets.scene.clutter import build_rectangle
from datasets.scene.table import TILE_THICKNESS_TILES, Table
from vision.arrays import Floats, Image

UNIT = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float64)
PRINTED = ("photo", "patchwork", "paper", "dots", "plain")
"""Kinds of table-top pattern printed on lids and booklets."""
CLEARANCE_TILES = 0.4
"""Minimum distance between objects and the board."""


@dataclass(frozen=True, slots=True, eq=False)
class Thing:
    """A part in one colour (sRGB BGR) or with a picture; `gloss` from 0, matt, to 1."""

    mesh: Mesh
    bgr: tuple[int, int, int]
    picture: Image | None = None
    gloss: float = 0.2


def place_clutter(table: Table, rng: np.random.Generator) -> list[Thing]:
    """Place a few objects on the table top beside the board, leaving out any that would extend over its edge."""
    things: list[Thing] = []
    for _ in range(int(rng.integers(1, 6))):
        maker, reach = _MAKERS[int(rng.choice(len(_MAKERS), p=_SHARES))]
        parts = maker(_beside(table.bounds, reach, rng), rng)
        if all(is_on_table(table, part.mesh.vertices[:, :2]) for part in parts):
            things += parts
    return things


def is_on_table(table: Table, points: Floats) -> bool:
    """Return whether all of the (n, 2) points are inside the table's edge, if it has one."""
    return table.edge is None or bool(Polygon(table.edge).covers(MultiPoint(points)))


def _beside(bounds: tuple[float, float, float, float], reach: float, rng: np.random.Generator) -> tuple[float, float]:
    """Return a place where an object of the given reach clears the board."""
    x0, y0, x1, y1 = bounds
    gap = reach + CLEARANCE_TILES + rng.exponential(1.0)
    along, side = rng.uniform(-0.1, 1.1), int(rng.integers(4))
    if side % 2:
        return (x0 - gap if side == 1 else x1 + gap, y0 + along * (y1 - y0))
    return (x0 + along * (x1 - x0), y0 - gap if side == 0 else y1 + gap)


def _box(at: tuple[float, float], rng: np.random.Generator) -> list[Thing]:
    """Build a box or its lid, printed on top."""
    corners = build_rectangle(at, (rng.uniform(2, 5), rng.uniform(2, 5)), rng.uniform(0, np.pi))
    high = rng.uniform(0.3, 1.6) - TILE_THICKNESS_TILES
    return [
        Thing(build_block(corners, -TILE_THICKNESS_TILES, high), _bgr(rng), gloss=0.5),
        Thing(build_quad(corners, high, UNIT), (0, 0, 0), _print(rng), gloss=0.5),
    ]


def _cup(at: tuple[float, float], rng: np.random.Generator) -> list[Thing]:
    """Build a cup with a drink in it."""
    radius, high = rng.uniform(0.5, 1.0), rng.uniform(0.6, 2.0)
    foot, wall = -TILE_THICKNESS_TILES, 0.06
    profile = [(0.0, foot), (0.8 * radius, foot), (radius, high), (radius - wall, high), (0.8 * radius - wall, foot)]
    level = rng.uniform(0.2, 0.8)
    drink = (0.8 + 0.2 * level) * radius - wall
    return [
        Thing(build_tube(at, *zip(*profile, strict=True)), _bgr(rng), gloss=0.9),
        Thing(build_tube(at, (0.0, drink), (level * high,) * 2), _bgr(rng), gloss=1.0),
    ]


def _pile(at: tuple[float, float], rng: np.random.Generator) -> list[Thing]:
    """Build a pile of tiles face down, all with the same back."""
    back, edge = _print(rng, size=96), _bgr(rng, low=90)
    things, high = [], -TILE_THICKNESS_TILES
    for _ in range(int(rng.integers(1, 9))):
        spot = (at[0] + rng.normal(0, 0.05), at[1] + rng.normal(0, 0.05))
        corners = build_rectangle(spot, (1, 1), rng.normal(0, 0.2))
        things.append(Thing(build_block(corners, high, high + TILE_THICKNESS_TILES), edge))
        high += TILE_THICKNESS_TILES
        things.append(Thing(build_quad(corners, high, UNIT), (0, 0, 0), back))
        high += 0.002
    return things


def _booklet(at: tuple[float, float], rng: np.random.Generator) -> list[Thing]:
    """Build a few sheets of paper."""
    corners = build_rectangle(at, (rng.uniform(2, 3), rng.uniform(3, 4.5)), rng.uniform(0, np.pi))
    high = rng.uniform(0.005, 0.05) - TILE_THICKNESS_TILES
    return [
        Thing(build_block(corners, -TILE_THICKNESS_TILES, high), (230, 235, 235)),
        Thing(build_quad(corners, high, UNIT), (0, 0, 0), draw_tabletop("paper", rng, 256)),
    ]


def _print(rng: np.random.Generator, size: int = 256) -> Image:
    return draw_tabletop(str(rng.choice(PRINTED)), rng, size)


def _bgr(rng: np.random.Generator, low: int = 15) -> tuple[int, int, int]:
    b, g, r = (int(v) for v in rng.integers(low, 245, 3))
    return b, g, r


_MAKERS = ((_box, 3.6), (_cup, 1.2), (_pile, 1.2), (_booklet, 3.0))
"""Builders of objects, each with the maximum reach of its object."""
_SHARES = (0.3, 0.2, 0.3, 0.2)
