"""Objects of the same game beside a board: spare tiles, piles face down, the lid of the box."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.render.compositor import build_pyramid
from datasets.scene.clutter import build_rectangle, paste
from datasets.scene.table import LaidTile, Table
from vision.arrays import Image

SPARE_ROW = 1000
"""Row from which spare tiles are numbered, beyond the reach of any board."""
LID_TILES = (5.5, 7.0)
LID_HEIGHT_TILES = 1.2
"""Sides and height of a box's lid, in tiles of 45 mm: sides of 25 to 31 cm."""


def add_spares(table: Table, rng: np.random.Generator) -> Table:
    """Add unlaid tiles around the board: a row, a loose heap, and piles face down."""
    pictures = [tile.picture for tile in table.tiles]
    back = _back(rng)
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
            spares.append(_spare(len(spares), (x, y), turn, picture))
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


def _spare(number: int, at: tuple[float, float], turn: float, picture: tuple[Image, ...]) -> LaidTile:
    return LaidTile((SPARE_ROW, number), None, 0, build_rectangle(at, (1.0, 1.0), turn), picture)


def _clear_of(board: Sequence[LaidTile], spares: Sequence[LaidTile]) -> list[LaidTile]:
    """Return the spares that leave at least a finger's width between themselves and the board."""
    middles = np.array([tile.corners.mean(0) for tile in board])
    return [s for s in spares if np.abs(middles - s.corners.mean(0)).max(axis=1).min() > 1.35]


def _back(rng: np.random.Generator, size: int = 128) -> tuple[Image, ...]:
    """Draw the back of a tile: dark, with a frame and an ornament."""
    picture = np.full((size, size, 3), rng.integers(20, 110, 3), np.uint8)
    pale = tuple(int(v) for v in rng.integers(110, 230, 3))
    cv2.rectangle(picture, (size // 16, size // 16), (size - size // 16, size - size // 16), pale, size // 40)
    for angle in range(0, 180, 45):
        middle, axes = (size // 2, size // 2), (size // 3, size // 9)
        cv2.ellipse(picture, middle, axes, angle, 0, 360, pale, size // 50 + 1, cv2.LINE_AA)
    return build_pyramid(picture)
