"""Boards and laid tables with one special property: drift, trays, turned tiles, holes, parts joined by one tile."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from random import Random

import numpy as np
from scipy.ndimage import label

from datasets.scene.table import LaidMeeple, LaidTile, Table
from scoring.carcassonne.board.board import Board
from scoring.carcassonne.tiles.geometry import SIDES, Square, get_neighbour
from vision.arrays import Floats

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
