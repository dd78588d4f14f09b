"""A search for the board's view from above: the lattice of each pass over the photo determines the view of the next."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np

from scoring.connected_squares import group_connected_squares
from vision.arrays import Floats
from vision.geometry.rectification import Lie, apply_homography, estimate_lie
from vision.localise.detector import (
    MIN_ALIKE_SHARE,
    TileCells,
    compute_tile_axes,
    find_tiles,
    is_good_look,
    take_closer_look,
    take_first_look,
)
from vision.localise.lattice import GAP_TILES, Lattice, grow_lattice, is_too_large
from vision.photo.crops import expand_quads
from vision.photo.pyramid import Halves
from vision.reading.values import DOUBT_BELOW
from vision.runtime.onnx import Net

FIRST_LOOKS_PX = (512, 320, 800)
"""Longer side of the first pass over a photo, and of further first passes if that leads to no board. A cloth may look
like tiles, but the same cloth seldom does at other sizes as well. A guess."""
MAX_LOOKS = 5
"""Maximum number of passes: one may misjudge small or much squeezed tiles, which the next can correct. Bounds time."""
COARSE_LOOKS = 2
"""Number of passes before the lattice is used to estimate the pose of the table: tiles seen at an angle are linked
wrongly. A guess."""
MAX_LIE_CELLS = 2000
"""Approximate number of a pass's cells, spread over it, that suffice to estimate the pose of the table. Bounds time."""
MIN_LIE_SQUARES = 8
"""Number of squares from which their places say more about the table than the apparent shape of each. A guess."""
MIN_TILES_SHARE = 0.9
"""A pass that finds less than this share of an earlier pass's tiles has failed. A guess."""
PAINT_MARGIN_TILES = GAP_TILES
"""Margin of a painted square, since the gaps between a cloth's squares are cloth."""


def find_lattice(net: Net, photo: Halves, first_px: int = FIRST_LOOKS_PX[0]) -> Lattice | None:
    """Find the lattice of the tiles in a photo; None for fewer than two. A pass with too many ends the search.

    `first_px` is the longer side of the picture in the first pass.
    """
    return _follow_cells(net, photo, take_first_look(net, photo, first_px), min_tiles=2)


def find_small_lattices(net: Net, photo: Halves, first_px: int) -> Iterator[Lattice]:
    """Find the tiles of each of the most likely groups of few tiles in a photo, without the squares beside them.

    Each group is looked at by itself: the table around a small board often resembles tiles.
    """
    cells = take_first_look(net, photo, first_px)
    groups = [group for group in cells.split() if group.tiles <= MIN_LIE_SQUARES]
    for group in sorted(groups, key=lambda group: -float(group.weight.mean()))[:MAX_LOOKS]:
        if lattice := _follow_cells(net, photo, group, min_tiles=1):
            supported = [square for square, support in lattice.support.items() if support >= MIN_ALIKE_SHARE]
            yield from (lattice.select(squares) for squares in group_connected_squares(supported))


def _follow_cells(net: Net, photo: Halves, cells: TileCells, min_tiles: int) -> Lattice | None:
    """Find the lattice of the tiles of a pass by closer passes over these."""
    best: Lattice | None = None
    for look in range(1, MAX_LOOKS + 1):
        if not len(cells.at):
            break
        some = slice(None, None, 1 + len(cells.at) // MAX_LIE_CELLS)
        lie = estimate_lie(cells.at[some], compute_tile_axes(cells.basis[some]), cells.weight[some])
        if look > COARSE_LOOKS or is_good_look(cells, lie):
            lattice = grow_lattice(find_tiles(cells), cells, min_tiles)
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
            return grow_lattice(find_tiles(cells), cells, min_tiles)
        cells = closer
    return best


def find_table_squares(layouts: Floats, lattice: Lattice) -> Floats:
    """Return the (n, 4, 2) pixel corners of the squares that surely show no tile.

    `layouts` are the log-probabilities of `vision.squares.classifier`.
    """
    return np.asarray(np.array(list(lattice.corners.values()))[layouts[:, -1] >= np.log(DOUBT_BELOW)])


def paint_over_squares(photo: Halves, squares: Floats) -> Halves:
    """Return the photo with (n, 4, 2) squares, n > 0, painted in their median colour.

    A cloth may look like tiles all over, so that it forms the lattice instead of the tiles on it. Once it is painted
    over, only the tiles are left.
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
    """Count the tiles that support a lattice; half-seen ones count half."""
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
