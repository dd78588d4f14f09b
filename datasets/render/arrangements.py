"""Boards and laid tables with one special property: drift, trays, turned tiles, holes, parts joined by one tile; spare
tiles, piles face down or the lid of the box beside the board.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from random import Random

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import label

from datasets.render.compositor import build_pyramid
from datasets.scene.clutter import build_rectangle, paste
from datasets.scene.table import LaidMeeple, LaidTile, Table
from scoring.carcassonne.board.board import Board
from scoring.carcassonne.tiles.geometry import SIDES, Square, get_neighbour
from vision.arrays import Floats, Image

DRIFT_TILES = 0.5
"""Drift from the regular lattice at a distance of `DRIFT_OVER_TILES` from the board's middle."""
DRIFT_OVER_TILES = 10.0
TRAY_PITCH_TILES = (1.08, 1.16)
"""Pitch of tiles in trays, which leave gaps between them."""
TURNED_SHARE, TURN = 0.1, np.deg2rad(5.0)
MAX_HOLES = 6
MIN_PART_TILES = 12
"""Minimum size of both parts of a board joined by a single tile."""
MAX_BOARDS = 50
SPARE_ROW = 1000
"""Row from which spare tiles are numbered, beyond the reach of any board."""
LID_TILES = (5.5, 7.0)
LID_HEIGHT_TILES = 1.2
"""Sides and height of a box's lid, in tiles of 45 mm: sides of 25 to 31 cm."""


def bend_rows(table: Table, rng: np.random.Generator) -> Table:
    """Curve rows and columns: tiles touch, but the lattice drifts by `DRIFT_TILES` over `DRIFT_OVER_TILES` tiles."""
    middle = _middle(table)
    bend = DRIFT_TILES / DRIFT_OVER_TILES**2 * rng.choice([-1, 1], 2)

    def moved(corners: Floats) -> Floats:
        x, y = corners.mean(0) - middle
        angle = bend[0] * x - bend[1] * y  # mean of the slopes of the two curves that cross there
        return _rotated(corners, angle) + np.array([bend[1] * y * y, bend[0] * x * x])

    return _moved(table, {tile.square: moved(tile.corners) for tile in table.tiles})


def spread_tiles(table: Table, rng: np.random.Generator) -> Table:
    """Lay tiles in trays, each with a gap to its neighbours."""
    middle, pitch = _middle(table), rng.uniform(*TRAY_PITCH_TILES)
    return _moved(table, {t.square: t.corners + (pitch - 1) * (t.corners.mean(0) - middle) for t in table.tiles})


def turn_tiles(table: Table, rng: np.random.Generator) -> Table:
    """Turn individual tiles in place, at least one."""
    chosen = {tile.square for tile in table.tiles if rng.random() < TURNED_SHARE}
    chosen = chosen or {table.tiles[int(rng.integers(len(table.tiles)))].square}
    return _moved(
        table,
        {t.square: _rotated(t.corners, TURN * rng.choice([-1, 1]) * (t.square in chosen)) for t in table.tiles},
    )


def cut_holes(board: Board, rng: Random) -> Board:
    """Remove some tiles that have four neighbours, keeping the board in one piece."""
    inner = [s for s in board.tiles if all(get_neighbour(s, side) in board.tiles for side in SIDES)]
    rng.shuffle(inner)
    left = set(board.tiles)
    for square in inner[:MAX_HOLES]:
        left = left - {square} if len(_parts(left - {square})) == 1 else left
    return _only(board, left)


def join_by_one(deal: Callable[[Random], Board], rng: Random) -> Board:
    """Deal a board of two parts joined by one tile: the rest of that tile's column is removed.

    Deals up to `MAX_BOARDS` boards; raises ValueError if none has such a tile.
    """
    for _ in range(MAX_BOARDS):
        board = deal(rng)
        squares = max((_cut(board, *square) for square in board.tiles), key=len)
        if squares:
            return _only(board, squares)
    raise ValueError("no board has two parts that one tile could join")


def _cut(board: Board, row: int, col: int) -> set[Square]:
    """Return the connected squares without the tile's column except the tile itself, or nothing if a part is too
    small."""
    left = {s for s in board.tiles if s[1] != col or s == (row, col)}
    part = next(part for part in _parts(left) if (row, col) in part)
    sides = (sum(s[1] < col for s in part), sum(s[1] > col for s in part))
    return part if min(sides) >= MIN_PART_TILES else set()


def _parts(squares: set[Square]) -> list[set[Square]]:
    """Return the connected components of the squares."""
    named = sorted(squares)
    at = np.array(named).T - np.array(named).min(0)[:, None]
    grid = np.zeros(at.max(1) + 1, bool)
    grid[tuple(at)] = True
    numbers = label(grid)[0][tuple(at)].tolist()
    return [{s for s, number in zip(named, numbers, strict=True) if number == n} for n in sorted(set(numbers))]


def _only(board: Board, squares: set[Square]) -> Board:
    """Return the board restricted to some squares, renumbered from 0."""
    top, left = (min(square[axis] for square in squares) for axis in (0, 1))
    return Board(
        {(r - top, c - left): p for (r, c), p in board.tiles.items() if (r, c) in squares},
        tuple(replace(m, square=(m.square[0] - top, m.square[1] - left)) for m in board.meeples if m.square in squares),
    )


def _middle(table: Table) -> Floats:
    x0, y0, x1, y1 = table.bounds
    return np.array([(x0 + x1) / 2, (y0 + y1) / 2])


def _rotated(corners: Floats, angle: float) -> Floats:
    """Rotate (4, 2) corners about their centre by an angle in radians."""
    c, s = np.cos(angle), np.sin(angle)
    middle = corners.mean(0)
    return np.asarray((corners - middle) @ np.array([[c, s], [-s, c]]) + middle)


def _moved(table: Table, corners: Mapping[Square, Floats]) -> Table:
    """Return the table with its tiles moved and the meeples carried along with them."""
    tiles = {tile.square: replace(tile, corners=corners[tile.square]) for tile in table.tiles}
    meeples = tuple(_carried(meeple, tiles[meeple.square]) for meeple in table.meeples)
    return replace(table, tiles=tuple(tiles.values()), meeples=meeples)


def _carried(meeple: LaidMeeple, tile: LaidTile) -> LaidMeeple:
    row, col = tile.square
    return replace(meeple, piece=replace(meeple.piece, at=tile.at(meeple.at[0] - col, meeple.at[1] - row)))


def add_spares(table: Table, rng: np.random.Generator) -> Table:
    """Add unlaid tiles around the board: a row, a loose heap, and piles face down."""
    pictures = [tile.picture for tile in table.tiles]
    back = draw_back(rng)
    spares: list[LaidTile] = []
    for kind in rng.permutation(["row", "heap", "piles"])[: int(rng.integers(1, 4))]:
        at, along = _place(table, rng)
        count = int(rng.integers(3, 10))
        angle = rng.uniform(0, np.pi) if kind == "heap" else np.arctan2(along[1], along[0]) + rng.normal(0, 0.1)
        for i in range(count):
            spot = rng.normal(0, 0.9, 2) if kind == "heap" else along * (i - count / 2) * 1.06
            turn = rng.uniform(0, np.pi) if kind == "heap" else angle + rng.normal(0, 0.03)
            picture = back if kind == "piles" else pictures[int(rng.integers(len(pictures)))]
            x, y = (at + spot).tolist()
            spares.append(lay_spare(len(spares), (x, y), turn, picture))
    return replace(table, tiles=(*table.tiles, *_clear_of(table.tiles, spares)))


def add_lid(image: Image, table: Table, rng: np.random.Generator) -> None:
    """Paint the lid of the box beside the board, printed with an enlarged tile and a band of colour."""
    width, depth = rng.uniform(*LID_TILES, 2)
    at, along = _place(table, rng, float(np.hypot(width, depth)) / 2 + LID_HEIGHT_TILES)
    corners = build_rectangle((float(at[0]), float(at[1])), (width, depth), float(np.arctan2(along[1], along[0])))
    foot, top = (table.camera.project(np.column_stack([corners, np.full(4, z)])) for z in (0.0, LID_HEIGHT_TILES))
    if not (np.isfinite(foot).all() and np.isfinite(top).all()):
        return
    picture = table.tiles[int(rng.integers(len(table.tiles)))].picture[0].copy()
    colour = tuple(int(v) for v in rng.integers(0, 255, 3))
    cv2.rectangle(picture, (0, 0), (picture.shape[1], picture.shape[0] // 5), colour, -1)
    hull = cv2.convexHull(np.vstack([foot, top]).astype(np.float32))[:, 0]
    cv2.fillConvexPoly(image, np.round(hull * 16).astype(np.int32), [v // 2 for v in colour], cv2.LINE_AA, 4)
    paste(image, picture, top)


def _place(table: Table, rng: np.random.Generator, reach: float = 1.2) -> tuple[NDArray[np.float64], ...]:
    """Return a place slightly more than `reach` beside the board, and the unit step along that side."""
    x0, y0, x1, y1 = table.bounds
    gap = reach + rng.uniform(0.1, 0.8)
    side, share = int(rng.integers(4)), rng.uniform(0.1, 0.9)
    if side % 2:
        return np.array([x0 - gap if side == 1 else x1 + gap, y0 + share * (y1 - y0)]), np.array([0.0, 1.0])
    return np.array([x0 + share * (x1 - x0), y0 - gap if side == 0 else y1 + gap]), np.array([1.0, 0.0])


def lay_spare(number: int, at: tuple[float, float], turn: float, picture: tuple[Image, ...]) -> LaidTile:
    return LaidTile((SPARE_ROW, number), None, 0, build_rectangle(at, (1.0, 1.0), turn), picture)


def _clear_of(board: Sequence[LaidTile], spares: Sequence[LaidTile]) -> list[LaidTile]:
    """Return the spares that leave at least a finger's width between themselves and the board."""
    middles = np.array([tile.corners.mean(0) for tile in board])
    return [s for s in spares if np.abs(middles - s.corners.mean(0)).max(axis=1).min() > 1.35]


def draw_back(rng: np.random.Generator, size: int = 128) -> tuple[Image, ...]:
    """Draw the back of a tile: dark, with a frame and an ornament."""
    picture = np.full((size, size, 3), rng.integers(20, 110, 3), np.uint8)
    pale = tuple(int(v) for v in rng.integers(110, 230, 3))
    cv2.rectangle(picture, (size // 16, size // 16), (size - size // 16, size - size // 16), pale, size // 40)
    for angle in range(0, 180, 45):
        middle, axes = (size // 2, size // 2), (size // 3, size // 9)
        cv2.ellipse(picture, middle, axes, angle, 0, 360, pale, size // 50 + 1, cv2.LINE_AA)
    return build_pyramid(picture)
