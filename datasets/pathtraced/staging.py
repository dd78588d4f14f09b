"""A laid table as surfaces: meshes, each with its colour or picture and its finish. Nothing here needs Mitsuba."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from datasets.pathtraced.solids import (
    Build,
    Cut,
    Mesh,
    build_block,
    build_piece,
    build_quad,
    build_tile_bevel,
    build_tile_side,
    build_tile_top,
)
from datasets.pathtraced.things import Thing, is_on_table, place_clutter
from datasets.scene.pieces import Piece
from datasets.scene.table import TILE_THICKNESS_TILES, Table
from vision.arrays import Floats, Image
from vision.photo.crops import compute_tile_px

MAX_LIFT_TILES = 0.003
"""Maximum difference in height between tiles, which decides the upper one if two overlap slightly."""
MIN_SHARPNESS_RATIO = 1.5
"""Minimum resolution of a tile's picture relative to the photo's."""
TABLE_REACH_TILES = 90.0
"""Extent of a table top without an edge, in tiles."""
SLAB, FLOOR = 0.6, 16.0
"""Thickness of a table and its height above the floor, in tiles."""


@dataclass(frozen=True, slots=True, eq=False)
class Surface:
    """A mesh with one finish: `picture` in BGR sRGB, one pixel if plain; `roughness` of its coat, None if matt."""

    mesh: Mesh
    picture: Image
    roughness: float | None = None


def stage_table(table: Table, rng: np.random.Generator) -> list[Surface]:
    """Build everything in the table's scene; properties that the table leaves open are sampled."""
    surfaces = [*_table_top(table, rng), *_board(table, rng), *_pieces(table, rng)]
    if table.clutter_seed is not None:
        things = place_clutter(table, np.random.default_rng(table.clutter_seed))
        surfaces += [_surface(thing) for thing in things]
    return surfaces


def build_atlas(pictures: Sequence[Image]) -> tuple[Image, Floats]:
    """Arrange square pictures of one size in an atlas, and return it with the (n, 2) uv of their north-west corners.

    A picture's own uv scales by `1 / side`, where `side` is the square root of the number of pictures, rounded up.
    """
    side = int(np.ceil(np.sqrt(len(pictures))))
    px = pictures[0].shape[0]
    sheet = np.zeros((side * px, side * px, 3), np.uint8)
    cells = np.array([divmod(i, side)[::-1] for i in range(len(pictures))], np.float64)
    for picture, (x, y) in zip(pictures, cells.astype(int) * px, strict=True):
        sheet[y : y + px, x : x + px] = picture
    return sheet, cells / side


def _board(table: Table, rng: np.random.Generator) -> list[Surface]:
    cut = Cut(rng.uniform(0.004, 0.02), rng.uniform(0.003, 0.010), rng.uniform(0.004, 0.03), rng.normal(0, 0.004))
    lifts = rng.permutation(len(table.tiles)) / max(1, len(table.tiles) - 1) * MAX_LIFT_TILES
    pictures = _fitting(table)
    kinds = {id(picture): picture for picture in pictures}
    sheet, cells = build_atlas(list(kinds.values()))
    cell_of = dict(zip(kinds, cells, strict=True))
    scale = pictures[0].shape[0] / sheet.shape[0]
    placed_tiles = list(zip(table.tiles, lifts.tolist(), pictures, strict=True))

    def printed(mesh: Mesh, picture: Image) -> Mesh:
        half = 0.5 / picture.shape[0]
        return Mesh(mesh.vertices, mesh.faces, np.clip(mesh.uv, half, 1 - half) * scale + cell_of[id(picture)])

    tops = [printed(build_tile_top(tile, cut, lift), picture) for tile, lift, picture in placed_tiles]
    bevels = [build_tile_bevel(tile, cut, lift) for tile, lift, _ in placed_tiles]
    sides = [build_tile_side(tile, cut, lift) for tile, lift, _ in placed_tiles]
    worn = rng.random() < 0.3
    if not worn:
        tops += [printed(bevel, picture) for bevel, (*_, picture) in zip(bevels, placed_tiles, strict=True)]
    coat = rng.uniform(0.22, 0.5) if rng.random() < 0.7 else None
    cardboard = np.array(_cardboard(table, rng), np.uint8)[None, None]
    return [
        Surface(Mesh.join(tops), sheet, coat),
        Surface(Mesh.join([*sides, *bevels] if worn else sides), cardboard),
    ]


def _fitting(table: Table) -> list[Image]:
    """Return each tile's smallest picture that is sharper than the photo, which avoids both blur and aliasing."""
    corners = [table.camera.project(np.column_stack([tile.corners, np.zeros(4)])) for tile in table.tiles]
    enough = MIN_SHARPNESS_RATIO * float(np.median(compute_tile_px(np.array(corners))))
    return [next((p for p in reversed(tile.picture) if p.shape[0] >= enough), tile.picture[0]) for tile in table.tiles]


def _cardboard(table: Table, rng: np.random.Generator) -> tuple[int, int, int]:
    """Return a bright, freshly cut edge or the table's own cardboard."""
    if rng.random() < 0.4:
        return table.cardboard
    grey = rng.uniform(150, 235)
    b, g, r = (int(grey * tint) for tint in (rng.uniform(0.78, 1.0), rng.uniform(0.9, 1.0), 1.0))
    return b, g, r


def _pieces(table: Table, rng: np.random.Generator) -> list[Surface]:
    """Build the pieces grouped by paint, all of one make."""
    build = Build(*rng.normal(1, (0.04, 0.03, 0.03)).clip(0.92, 1.06).tolist())
    roughness = rng.uniform(0.12, 0.4)
    paints: dict[tuple[int, int, int], list[Mesh]] = {}
    for piece, ground in _standing(table):
        paints.setdefault(piece.bgr, []).append(build_piece(piece, build, ground))
    return [Surface(Mesh.join(m), np.array(bgr, np.uint8)[None, None], roughness) for bgr, m in paints.items()]


def _standing(table: Table) -> list[tuple[Piece, float]]:
    """Return each piece with the height below it: that of the tiles, or of the table top if it extends that far."""
    board = [(meeple.piece, MAX_LIFT_TILES) for meeple in table.meeples]
    return board + [
        (piece, -TILE_THICKNESS_TILES) for piece in table.strays if is_on_table(table, np.array([piece.at]))
    ]


def _table_top(table: Table, rng: np.random.Generator) -> list[Surface]:
    x0, y0, x1, y1 = table.bounds
    far = np.array(
        [
            (x0 - TABLE_REACH_TILES, y0 - TABLE_REACH_TILES),
            (x1 + TABLE_REACH_TILES, y0 - TABLE_REACH_TILES),
            (x1 + TABLE_REACH_TILES, y1 + TABLE_REACH_TILES),
        ]
    )
    far = np.vstack([far, (x0 - TABLE_REACH_TILES, y1 + TABLE_REACH_TILES)])
    corners = far if table.edge is None else table.edge
    uv = (corners - (x0 - 3, y0 - 3)) / table.ground_tiles
    gloss = rng.uniform(0.1, 0.5) if rng.random() < 0.4 else None
    top = Surface(build_quad(corners, -TILE_THICKNESS_TILES, uv), table.ground, gloss)
    if table.edge is None:
        return [top]
    side = np.median(table.ground, axis=(0, 1)).astype(np.uint8)[None, None]
    floor = build_quad(far, -TILE_THICKNESS_TILES - FLOOR, (far - far[0]) / 60)
    return [
        top,
        Surface(build_block(corners, -TILE_THICKNESS_TILES - SLAB, -TILE_THICKNESS_TILES), side),
        Surface(floor, table.room),
    ]


def _surface(thing: Thing) -> Surface:
    picture = np.array(thing.bgr, np.uint8)[None, None] if thing.picture is None else thing.picture
    return Surface(thing.mesh, picture, 0.5 - 0.42 * thing.gloss)
