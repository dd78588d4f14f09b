"""The decision whether a square cut by the photo's border shows the bare table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.calibration import load_weights
from scoring.carcassonne.tiles.geometry import Square
from vision.arrays import Flags, Floats
from vision.colour.histograms import CELLS, compute_colour_cells, compute_colour_shares
from vision.geometry.warp import project_to_photo
from vision.photo.crops import CORNERS
from vision.reading.values import Reading, Warp
from vision.squares.background import INSET, MIN_TABLE_TILES

_GAP = INSET
"""Inset of the inspected part of a square, and margin around the tiles, in tiles: hand-laid tiles stray."""
_LONG_SIDE = 600
"""Approximate longer side in pixels of the picture whose colours are counted. Bounds time."""


def find_bare_squares(pixels: NDArray[np.uint8], reading: Reading, squares: Iterable[Square]) -> frozenset[Square]:
    """Return those squares beside the board whose part in the photo (pixels (h, w, 3) BGR) has the table's colours.

    The threshold exceeds the likeness of any part of a tile (the row `bare` of the calibration's `borders`).
    """
    least = load_weights("carcassonne", "borders")["bare"]["likeness"]
    likeness = measure_likeness_to_table(pixels, reading, squares)
    return frozenset(square for square, mean in likeness.items() if mean >= least)


def measure_likeness_to_table(
    pixels: NDArray[np.uint8], reading: Reading, squares: Iterable[Square]
) -> Mapping[Square, float]:
    """Return the mean probability, from 0 to 1, that the colours of each square's part in the photo are the table's.

    The colours of the read tiles are compared with those of everything beside them except the square itself. Most of
    that is table, even if the photo ends close to the board, and any tiles in it have colours of tiles. Squares out of
    view are left out, and all squares if the photo shows little beside the tiles.
    """
    candidates = sorted(squares)
    scale = max(1, max(pixels.shape[:2]) // _LONG_SIDE)
    colours = compute_colour_cells(pixels[::scale, ::scale])
    occupied = sorted(tile.square for tile in reading.tiles)
    tiles = _count_colours(colours, _mask(colours, reading.warp, occupied, _GAP, scale))
    beside = ~_mask(colours, reading.warp, occupied, -_GAP, scale)
    all_beside = _count_colours(colours, beside)
    likeness = {}
    for square in candidates:
        part = _mask(colours, reading.warp, [square], _GAP, scale)
        around = all_beside - _count_colours(colours, beside & _mask(colours, reading.warp, [square], -_GAP, scale))
        if part.any() and around.sum() >= MIN_TABLE_TILES * tiles.sum() / max(1, len(occupied)):
            likeness[square] = float(_compare_colours(around, tiles)[colours[part]].mean())
    return likeness


def _mask(colours: NDArray[np.intp], warp: Warp, squares: Iterable[Square], inset: float, scale: int) -> Flags:
    """Return the pixels (h, w) of some squares, each inset by a share of a tile, or grown if that is negative."""
    canvas = np.zeros(colours.shape, np.uint8)
    corners = [CORNERS * (1 - 2 * inset) + inset + np.array([col, row]) for row, col in squares]
    if corners:
        quads = project_to_photo(warp, np.concatenate(corners)).reshape(-1, 4, 2) / scale
        for quad in np.clip(quads, -(2**14), 2**14):
            cv2.fillPoly(canvas, [np.asarray(np.round(quad), np.int32)], 1)
    return np.asarray(canvas > 0, np.bool_)


def _count_colours(colours: NDArray[np.intp], mask: Flags) -> NDArray[np.intp]:
    """Count the pixels (CELLS,) of each colour in the mask."""
    return np.bincount(colours[mask], minlength=CELLS)


def _compare_colours(around: NDArray[np.intp], tiles: NDArray[np.intp]) -> Floats:
    """Return the relative frequency (CELLS,), from 0 to 1, of each colour around the tiles against on them."""
    on_table, on_tiles = (compute_colour_shares(counts) + 1e-6 for counts in (around, tiles))
    return np.asarray(on_table / (on_table + on_tiles), np.float64)
