"""Looks at a photo until the board is seen from above: each look's lattice tells how to take the next."""

from __future__ import annotations

import cv2
import numpy as np

from vision.arrays import Floats
from vision.geometry.rectification import Lie, apply_homography, estimate_lie
from vision.localise.detector import TileCells, compute_tile_axes, is_good_look, take_closer_look, take_first_look
from vision.localise.lattice import Lattice, grow_lattice, is_too_large
from vision.localise.tile_votes import find_tiles
from vision.photo.crops import expand_quads
from vision.photo.pyramid import Halves
from vision.runtime.onnx import Net

FIRST_LOOKS_PX = (512, 320, 800)
"""The longer side of the first look at a photo, and of further first looks where that leads to no board.

A cloth may seem to be tiles, but the same cloth seldom deceives at other sizes as well.
"""
MAX_LOOKS = 5
"""How many looks are taken: one can be wrong about small or much squeezed tiles, and the one after it then sees
that."""
COARSE_LOOKS = 2
"""How many looks pass before the lattice tells how the table lies: tiles seen askew are linked wrongly."""
MAX_LIE_CELLS = 2000
"""About this many of a look's cells, spread over it, tell how the table lies as well as all of them."""
MIN_LIE_SQUARES = 8
"""From this many squares on, where they lie tells more about the table than what shape each seems to have."""
MIN_TABLE_PROBABILITY = 0.95
"""A square that shows no tile with this probability is painted over, where what a look found is no board."""
PAINT_MARGIN_TILES = 0.06
"""How far beyond a square is painted over too, since what lies between two of a cloth's squares is cloth."""
MIN_TILES_SHARE = 0.9
"""A look that finds less than this share of the tiles that an earlier one found went astray."""


def find_lattice(net: Net, photo: Halves, first_px: int = FIRST_LOOKS_PX[0]) -> Lattice | None:
    """Find the lattice of the tiles in a photo; None where there are fewer than two. A look with too many ends the
    search.

    `first_px` is the longer side of the picture that is looked at first.
    """
    cells = take_first_look(net, photo, first_px)
    best: Lattice | None = None
    for look in range(1, MAX_LOOKS + 1):
        if not len(cells.at):
            break
        some = slice(None, None, 1 + len(cells.at) // MAX_LIE_CELLS)
        lie = estimate_lie(cells.at[some], compute_tile_axes(cells.basis[some]), cells.weight[some])
        if look > COARSE_LOOKS or is_good_look(cells, lie):
            lattice = grow_lattice(find_tiles(cells), cells)
            if lattice and is_too_large(lattice):
                return lattice
            best = (
                lattice if _count_supported_tiles(lattice) >= MIN_TILES_SHARE * _count_supported_tiles(best) else best
            )
            lie = _estimate_lattice_lie(cells, lattice) or lie
        if look == MAX_LOOKS or is_good_look(cells, lie):
            break
        closer = take_closer_look(net, photo, cells, lie)
        if best is None and not len(closer.at):
            return grow_lattice(find_tiles(cells), cells)
        cells = closer
    return best


def find_table_squares(layouts: Floats, lattice: Lattice) -> Floats:
    """Return the (n, 4, 2) pixel corners of the squares that surely show no tile.

    `layouts` are the log-probabilities of `vision.squares.classifier`.
    """
    return np.asarray(np.array(list(lattice.corners.values()))[layouts[:, -1] >= np.log(MIN_TABLE_PROBABILITY)])


def paint_over_squares(photo: Halves, squares: Floats) -> Halves:
    """Return the photo with (n, 4, 2) squares, n > 0, painted in the one colour that they have on the whole.

    A cloth may seem to be tiles all over, so that they, and not those that lie on it, make the lattice. Where it is
    painted over only the tiles are left to be seen.
    """
    picture = photo.whole.copy()
    mask = np.zeros(picture.shape[:2], np.uint8)
    for square in expand_quads(squares, PAINT_MARGIN_TILES).round().astype(np.int32):
        cv2.fillConvexPoly(mask, square, 1)
    over = mask.astype(bool)
    if over.any():
        picture[over] = np.median(picture[over], axis=0)
    return Halves(picture)


def _count_supported_tiles(lattice: Lattice | None) -> float:
    """How many tiles a lattice stands on, those half seen counting half."""
    return sum(lattice.support.values()) if lattice else 0.0


def _estimate_lattice_lie(cells: TileCells, lattice: Lattice | None) -> Lie | None:
    supported = [square for square, support in lattice.support.items() if support > 0] if lattice else []
    if lattice is None or len(supported) < MIN_LIE_SQUARES:
        return None
    nw, ne, se, sw = np.array(
        [apply_homography(cells.view, lattice.corners[square]) for square in supported]
    ).transpose(1, 0, 2)
    axes = np.stack([ne + se - nw - sw, se + sw - nw - ne], axis=2) / 2
    return estimate_lie((nw + ne + se + sw) / 4, axes, np.array([lattice.support[square] for square in supported]))
