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
"""The first look at a photo; and where that leads to no board, since a cloth may seem to be tiles, one at other sizes,
at which the same cloth seldom deceives as well."""
LOOKS_MOST = 5
"""A look can be wrong about small or much squeezed tiles; the one after it then sees that."""
COARSE_LOOKS = 2
"""So many looks pass before the lattice is asked how the table lies: tiles seen askew are linked wrongly."""
CELLS_ASKED = 2000
"""About so many of a look's cells, spread over it, tell how the table lies as well as all of them."""
SQUARES_TRUSTED = 8
"""From so many squares on, where they lie tells more about the table than what shape each seems to have."""
SURELY_TABLE = 0.95
"""A square that so likely shows no tile is painted over, where what a look found is no board."""
PAINTED_BEYOND = 0.06
"""Of a square: so far beyond it is painted over too, since what lies between two of a cloth's squares is cloth."""
NO_WORSE = 0.9
"""A look that finds less than this share of the tiles that an earlier one found went astray."""


def find_lattice(net: Net, photo: Halves, first_px: int = FIRST_LOOKS_PX[0]) -> Lattice | None:
    """The lattice of the tiles in a photo; None where there are fewer than two. A look with too many ends it.

    `first_px` is the longer side of the picture that is looked at first.
    """
    cells = take_first_look(net, photo, first_px)
    best: Lattice | None = None
    for look in range(1, LOOKS_MOST + 1):
        if not len(cells.at):
            break
        some = slice(None, None, 1 + len(cells.at) // CELLS_ASKED)
        lie = estimate_lie(cells.at[some], compute_tile_axes(cells.basis[some]), cells.weight[some])
        if look > COARSE_LOOKS or is_good_look(cells, lie):
            lattice = grow_lattice(find_tiles(cells), cells)
            if lattice and is_too_large(lattice):
                return lattice
            best = lattice if _found(lattice) >= NO_WORSE * _found(best) else best
            lie = _lie_of_lattice(cells, lattice) or lie
        if look == LOOKS_MOST or is_good_look(cells, lie):
            break
        closer = take_closer_look(net, photo, cells, lie)
        if best is None and not len(closer.at):
            return grow_lattice(find_tiles(cells), cells)
        cells = closer
    return best


def find_table_squares(layouts: Floats, lattice: Lattice) -> Floats:
    """(n, 4, 2) pixel corners of the squares that surely show no tile, by the log-probabilities of
    `vision.squares.classifier`."""
    return np.asarray(np.array(list(lattice.corners.values()))[layouts[:, -1] >= np.log(SURELY_TABLE)])


def paint_over_squares(photo: Halves, squares: Floats) -> Halves:
    """The photo with (n, 4, 2) squares, n > 0, in the one colour that they have on the whole.

    A cloth may seem to be tiles all over, so that they, and not those that lie on it, make the lattice. Where it is
    painted over only the tiles are left to be seen.
    """
    picture = photo.whole.copy()
    mask = np.zeros(picture.shape[:2], np.uint8)
    for square in expand_quads(squares, PAINTED_BEYOND).round().astype(np.int32):
        cv2.fillConvexPoly(mask, square, 1)
    over = mask.astype(bool)
    if over.any():
        picture[over] = np.median(picture[over], axis=0)
    return Halves(picture)


def _found(lattice: Lattice | None) -> float:
    """How many tiles a lattice stands on, those half seen counting half."""
    return sum(lattice.support.values()) if lattice else 0.0


def _lie_of_lattice(cells: TileCells, lattice: Lattice | None) -> Lie | None:
    found = [square for square, support in lattice.support.items() if support > 0] if lattice else []
    if lattice is None or len(found) < SQUARES_TRUSTED:
        return None
    nw, ne, se, sw = np.array([apply_homography(cells.view, lattice.corners[square]) for square in found]).transpose(
        1, 0, 2
    )
    axes = np.stack([ne + se - nw - sw, se + sw - nw - ne], axis=2) / 2
    return estimate_lie((nw + ne + se + sw) / 4, axes, np.array([lattice.support[square] for square in found]))
