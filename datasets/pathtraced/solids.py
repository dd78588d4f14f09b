"""Meshes of the objects on a table: tiles with bevelled edges, meeples and discs with rounded ones, boxes and cups.

All are in table units (x = col, y = row, z = up, a tile is 1), with the tile tops at z = 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from shapely import Polygon, constrained_delaunay_triangles, get_coordinates

from datasets.scene.piece_outlines import MEEPLE_THICKNESS_TILES, MEEPLE_WIDTH_TILES, build_circle
from datasets.scene.pieces import Piece
from datasets.scene.table import TILE_THICKNESS_TILES, LaidTile
from vision.arrays import Floats, Ints

DISC_HEIGHT_TILES = 0.10
ROUNDING_SHARE = 0.035
"""Radius of a wooden piece's rounded edges relative to its width: about 0.5 mm."""
ROUND_STEPS = 4
ROUND_POINTS = 40


@dataclass(frozen=True, slots=True, eq=False)
class Mesh:
    """Triangles: `vertices` (n, 3), `faces` (m, 3) as vertex indices, `uv` (n, 2) in a picture, y down from its top."""

    vertices: Floats
    faces: Ints
    uv: Floats

    @classmethod
    def join(cls, meshes: Sequence[Mesh]) -> Mesh:
        """Join several meshes into one."""
        starts = np.cumsum([0, *(len(mesh.vertices) for mesh in meshes)])
        return cls(
            np.concatenate([mesh.vertices for mesh in meshes]),
            np.concatenate([mesh.faces + start for mesh, start in zip(meshes, starts, strict=False)]),
            np.concatenate([mesh.uv for mesh in meshes]),
        )


@dataclass(frozen=True, slots=True)
class Cut:
    """The cut and pressing of tiles, in tiles: the bevel's width and depth, the corners' radius, the middle's rise."""

    bevel: float
    depth: float
    corner: float
    bow: float


@dataclass(frozen=True, slots=True)
class Build:
    """The cut of one make of meeples, as factors near 1: width of head and arms, length of legs."""

    head: float = 1.0
    arm: float = 1.0
    leg: float = 1.0


def build_loft(rings: Sequence[Floats], uv: Sequence[Floats] | None = None) -> Mesh:
    """Build the surface between consecutive (n, 3) rings with equal numbers of points; `uv` (n, 2) for each ring."""
    n = len(rings[0])
    i = np.arange(n)
    j = (i + 1) % n
    strips = [
        np.concatenate([np.stack([a + i, a + j, b + j], 1), np.stack([a + i, b + j, b + i], 1)])
        for a, b in ((k * n, (k + 1) * n) for k in range(len(rings) - 1))
    ]
    flat = np.zeros((n * len(rings), 2)) if uv is None else np.concatenate(uv)
    return Mesh(np.concatenate(rings), np.concatenate(strips), flat)


def build_cap(ring: Floats, outline: Floats) -> Mesh:
    """Build the flat face inside an (n, 3) ring along the (n, 2) outline, which may be concave."""
    number = {(float(x), float(y)): i for i, (x, y) in enumerate(outline)}
    triangles = get_coordinates(constrained_delaunay_triangles(Polygon(outline))).reshape(-1, 4, 2)[:, :3]
    faces = [[number[float(x), float(y)] for x, y in triangle] for triangle in triangles]
    return Mesh(ring, np.array(faces), np.zeros((len(ring), 2)))


def build_quad(corners: Floats, z: float, uv: Floats) -> Mesh:
    """Build a flat four-sided face at height `z`; `corners` and `uv` are (4, 2)."""
    return Mesh(np.column_stack([corners, np.full(4, z)]), np.array([(0, 1, 2), (0, 2, 3)]), uv)


def build_block(corners: Floats, low: float, high: float) -> Mesh:
    """Build the four sides of an upright block over (4, 2) corners, without its top."""
    return build_loft([np.column_stack([corners, np.full(4, z)]) for z in (low, high)])


def build_tube(at: tuple[float, float], radii: Sequence[float], heights: Sequence[float]) -> Mesh:
    """Build the surface of revolution of a profile about the vertical: one radius per height."""
    circle = build_circle(ROUND_POINTS) * 2
    rings = [np.column_stack([circle * r + at, np.full(ROUND_POINTS, z)]) for r, z in zip(radii, heights, strict=True)]
    return build_loft(rings)


def build_tile_top(tile: LaidTile, cut: Cut, lift: float) -> Mesh:
    """Build the printed side up to the bevel, bowed; `lift` is its height above z = 0."""
    outline = _rounded_square(cut.corner, cut.bevel)
    rings, uv = [], []
    for share in (1.0, 0.67, 0.33, 0.0):
        local = (outline - 0.5) * share + 0.5
        z = lift + cut.bow * (1 - share**2)
        rings.append(np.column_stack([_placed(tile, local), np.full(len(local), z)]))
        uv.append(local)
    return build_loft(rings, uv)


def build_tile_bevel(tile: LaidTile, cut: Cut, lift: float) -> Mesh:
    """Build the rounded border of the printed side, down to the cut."""
    outlines = [_rounded_square(cut.corner, inset) for inset in (0.0, 0.35 * cut.bevel, cut.bevel)]
    heights = (-cut.depth, -0.35 * cut.depth, 0.0)
    rings = [
        np.column_stack([_placed(tile, o), np.full(len(o), lift + z)]) for o, z in zip(outlines, heights, strict=True)
    ]
    return build_loft(rings, [np.clip(outline, 0.004, 0.996) for outline in outlines])


def build_tile_side(tile: LaidTile, cut: Cut, lift: float) -> Mesh:
    """Build the cut edge, from the table top to the bevel."""
    placed = _placed(tile, _rounded_square(cut.corner, 0.0))
    return build_loft(
        [np.column_stack([placed, np.full(len(placed), z)]) for z in (-TILE_THICKNESS_TILES, lift - cut.depth)]
    )


def build_piece(piece: Piece, build: Build, ground: float = 0.0) -> Mesh:
    """Build a standing or lying piece with its foot at height `ground`."""
    solid = _disc() if piece.pose == "disc" else _meeple(build)
    x, y, z = solid.vertices.T
    if piece.pose == "standing":
        x, y, z = x, z.max() / 2 - z, y
    elif piece.pose == "lying":
        y = y - 0.45
    size = MEEPLE_WIDTH_TILES * piece.size
    c, s = np.cos(piece.yaw), np.sin(piece.yaw)
    placed = np.column_stack([c * x - s * y, s * x + c * y, z]) * size + (*piece.at, ground)
    return Mesh(placed, solid.faces, solid.uv)


MAX_LEG_HEIGHT = 0.44
"""Maximum height of the leg's upper end, which stays below the arms for any leg length."""


def build_meeple_curve(build: Build) -> Floats:
    """Build a meeple's smooth (n, 2) outline, about 1 wide and high, feet at y = 0, counter-clockwise."""
    half = np.array(
        [
            *((0.02, 0.185), (0.135, 0.0), (0.15, 0.0), (0.405, 0.0), (0.425, 0.02), (0.41, 0.10)),
            *((0.355, 0.27), (0.275, 0.43), (0.30, 0.45), (0.42, 0.475), (0.495, 0.53), (0.50, 0.60)),
            *((0.43, 0.665), (0.30, 0.72), (0.175, 0.765), (0.172, 0.80), (0.178, 0.87), (0.135, 0.955)),
            *((0.06, 0.998),),
        ]
    )
    half[5:8, 1] *= build.leg
    half[7, 1] = min(half[7, 1], MAX_LEG_HEIGHT)
    half[8:14, 0] *= build.arm
    half[14:, 0] *= build.head
    left = half[::-1] * (-1, 1)
    points = np.concatenate([half, left])
    for _ in range(2):  # Chaikin's corner cutting
        following = np.roll(points, -1, axis=0)
        points = np.stack([0.75 * points + 0.25 * following, 0.25 * points + 0.75 * following], 1).reshape(-1, 2)
    points[:, 1] -= points[:, 1].min()
    return np.asarray(points)


@lru_cache(maxsize=8)
def _meeple(build: Build) -> Mesh:
    return _rounded_prism(build_meeple_curve(build), MEEPLE_THICKNESS_TILES / MEEPLE_WIDTH_TILES)


@lru_cache(maxsize=1)
def _disc() -> Mesh:
    return _rounded_prism(build_circle(ROUND_POINTS), DISC_HEIGHT_TILES / MEEPLE_WIDTH_TILES)


def _rounded_prism(outline: Floats, thickness: float) -> Mesh:
    """Build an upright prism over the outline, from z = 0 up, with rounded edges."""
    inward = _inward(outline)
    angles = np.linspace(0, np.pi / 2, ROUND_STEPS)
    insets = ROUNDING_SHARE * (1 - np.sin(angles))
    depths = ROUNDING_SHARE * (1 - np.cos(angles))
    low = [
        np.column_stack([outline + i * inward, np.full(len(outline), d)]) for i, d in zip(insets, depths, strict=True)
    ]
    high = [ring * (1, 1, -1) + (0, 0, thickness) for ring in reversed(low)]
    return Mesh.join([build_loft([*low, *high]), build_cap(low[0], outline), build_cap(high[-1], outline)])


def _inward(outline: Floats) -> Floats:
    """Return the inward unit normals (n, 2) at the points of a counter-clockwise outline."""
    along = np.roll(outline, -1, axis=0) - np.roll(outline, 1, axis=0)
    along /= np.linalg.norm(along, axis=1, keepdims=True)
    return np.stack([-along[:, 1], along[:, 0]], 1)


def _rounded_square(radius: float, inset: float) -> Floats:
    """Return (16, 2) points of the unit square with rounded corners, inset by `inset` on every side."""
    angles = np.linspace(0, np.pi / 2, 4)
    arc = 0.5 - radius + radius * np.stack([np.cos(angles), np.sin(angles)], 1)
    turns = [(x, y) for x, y in arc], [(-y, x) for x, y in arc], [(-x, -y) for x, y in arc], [(y, -x) for x, y in arc]
    return np.concatenate([np.array(turn) for turn in turns]) * (1 - 2 * inset) + 0.5


def _placed(tile: LaidTile, local: Floats) -> Floats:
    """Map (n, 2) points of the print, 0 to 1 from its own north-west corner, to the table."""
    nw, ne, se, sw = tile.canonical_corners
    u, v = local[:, :1], local[:, 1:]
    return np.asarray(nw + u * (ne - nw) + v * (sw - nw) + u * v * (se - ne - sw + nw))
