"""Whether what a photo shows of a square that its border cuts is the bare table."""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.carcassonne.tiles.geometry import Square
from vision.arrays import Flags
from vision.geometry.warp import project_to_photo
from vision.photo.colour_histogram import CELLS, compute_colour_cells, compute_colour_shares
from vision.photo.crops import CORNERS
from vision.reading.values import Reading, Warp

SURE = 0.8
"""Mean likeness to the table from which on a square counts as bare. Borders drawn at random through nine read tables
left 202 strips of tiles, of which none had more than 0.7; most of the 339 strips without a tile had more."""
LEAST_TABLE = 1.0
"""Area of known table in the photo, in tiles, below which nothing is said."""

_GAP, _REACH = 0.06, 0.12
"""How far from its own outline a square is looked at, and from that of a tile the table, in tiles: hand-laid tiles
stray."""
_LONG_SIDE = 600


def find_bare_squares(pixels: NDArray[np.uint8], reading: Reading, squares: Iterable[Square]) -> frozenset[Square]:
    """Return those squares beside the board whose part in the photo (pixels (h, w, 3) BGR) has the table's colours.

    The colours of the read tiles are held against those of all that lies well away from them and from the squares
    that are asked for; where these are alike, or little else is seen, no square is bare.
    """
    candidates = sorted(squares)
    scale = max(1, max(pixels.shape[:2]) // _LONG_SIDE)
    colours = compute_colour_cells(pixels[::scale, ::scale])
    occupied = sorted(tile.square for tile in reading.tiles)
    tiles = _mask(colours, reading.warp, occupied, _GAP, scale)
    table = ~_mask(colours, reading.warp, [*occupied, *_around(candidates)], -_REACH, scale)
    if not candidates or table.sum() < LEAST_TABLE * tiles.sum() / max(1, len(occupied)):
        return frozenset()
    like = _likeness(colours, tiles, table)
    likeness = {square: like[_mask(colours, reading.warp, [square], _GAP, scale)] for square in candidates}
    return frozenset(square for square, part in likeness.items() if part.size and part.mean() > SURE)


def _around(squares: Iterable[Square]) -> set[Square]:
    """Some squares with the eight around each."""
    return {(row + down, col + right) for row, col in squares for down in (-1, 0, 1) for right in (-1, 0, 1)}


def _mask(colours: NDArray[np.intp], warp: Warp, squares: Iterable[Square], inset: float, scale: int) -> Flags:
    """The pixels (h, w) of some squares, each drawn in by part of a tile, or grown where that is negative."""
    canvas = np.zeros(colours.shape, np.uint8)
    corners = [CORNERS * (1 - 2 * inset) + inset + np.array([col, row]) for row, col in squares]
    if corners:
        quads = project_to_photo(warp, np.concatenate(corners)).reshape(-1, 4, 2) / scale
        for quad in np.clip(quads, -(2**14), 2**14):
            cv2.fillPoly(canvas, [np.asarray(np.round(quad), np.int32)], 1)
    return np.asarray(canvas > 0, np.bool_)


def _likeness(colours: NDArray[np.intp], tiles: Flags, table: Flags) -> NDArray[np.float64]:
    """How much more common (h, w, 0 to 1) each pixel's colour is on the table than on tiles."""
    on_table, on_tiles = (
        compute_colour_shares(np.bincount(colours[mask], minlength=CELLS)) + 1e-6 for mask in (table, tiles)
    )
    return np.asarray((on_table / (on_table + on_tiles))[colours], np.float64)
