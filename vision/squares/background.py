"""Squares of a lattice in the table's colours: a patterned cloth may look like tiles to every net.

Everything well away from the surely known tiles is table, whatever its pattern; an unknown tile has other colours than
the table, or those of tiles. A square is compared with the table without its own surroundings: an unknown tile, or a
wonder, would otherwise be part of its own background. Glare has no colour, on tiles as on the table.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.carcassonne.tiles.geometry import Square
from vision.arrays import EVEN_ODDS, Flags, Floats
from vision.colour.glare import find_colourless_pixels
from vision.colour.lab import CELLS, compute_colour_cells, compute_colour_shares
from vision.localise.lattice import GAP_TILES, Lattice, add_squares
from vision.photo.crops import expand_quads
from vision.photo.pyramid import Halves
from vision.squares.classifier import TileLogits

LOOK_TILE_PX = 24.0
"""Approximate size of a tile in the picture whose colours are counted. Bounds time."""
SURE = 0.8
"""A square is known if one layout has this probability and at least half of its cells voted for a tile. A guess."""
MAX_NONE_PROBABILITY = 1e-4
"""Known squares are still checked if `none` is more likely than this, as are all others. A guess."""
MIN_KNOWN_TILES = 5
"""Minimum number of known tiles from which they say something about the rest of a table. A guess."""
MIN_TABLE_TILES = 2.0
"""Minimum visible area of table, in tiles, for any evidence. A guess."""
INSET = GAP_TILES
"""Inset of a square's inspected part from its outline, in tiles."""
BEYOND = 2 * GAP_TILES
"""Distance from a known tile at which the table begins, in tiles. A guess."""
AROUND = 2
"""Extent of a square's own surroundings, in squares in each direction. A guess."""
RARE = 0.0005
"""A colour with no larger share of the table, and of the tiles, is no evidence. A guess."""
MIN_TABLE_DIFFERENCE = 0.2
"""Minimum difference in likeness between bare table and known tiles: otherwise their colours are alike, and no
evidence. A guess."""
BARE_FROM = 0.6
"""Position between the known tiles (0) and the table (1) beyond which a square may be bare. Measured: on the cloths of
`datasets.render.tabletops.TRIED_KINDS` 97 of 100 bare squares are beyond, and 2 of 100 tiles, equally for unknown ones,
wonders and others."""
NATS = 25.0
"""Nats for the bare table per unit of likeness beyond. A guess."""
MAX_NATS = NATS * (1 - BARE_FROM)
"""Maximum nats for the bare table: those of a square that is just like it."""
CROWD, NATS_OF_CROWD = 8, 40.0
"""From this number of squares beyond on, a cloth deceives the nets, and may do so at each of them: the nats then used.
A guess."""
HOST, BARE_FROM_OF_HOST = 50, 0.4
"""From this number on it deceives them all over the table, and a smaller position suffices. Measured: on 27 such
calibration tables, counted by hand, no tile is lost by it, and of 221 bare squares that pass for tiles 47 fewer do."""


def apply_table_evidence(logits: TileLogits, photo: Halves, lattice: Lattice) -> TileLogits:
    """Return the log-probabilities, with `none` more likely for squares in the table's colours."""
    tile_flags = _surely_known(logits, lattice)
    candidates = ~tile_flags | (logits.layouts[:, -1] > np.log(MAX_NONE_PROBABILITY))
    like = compute_table_likeness(photo, lattice, tile_flags, candidates)
    bare = (like > BARE_FROM).sum()
    nats, beyond = NATS_OF_CROWD if bare >= CROWD else NATS, BARE_FROM_OF_HOST if bare >= HOST else BARE_FROM
    layouts = logits.layouts.copy()
    layouts[candidates, -1] += np.clip(nats * (like - beyond), 0.0, MAX_NATS)
    return replace(logits, layouts=layouts - np.logaddexp.reduce(layouts, axis=1, keepdims=True))


def find_bare_squares(photo: Halves, lattice: Lattice, logits: TileLogits, squares: Collection[Square]) -> list[Square]:
    """Return those of some squares that show bare table, as far as the photo shows enough of it; `logits` are those of
    the lattice's own squares.

    One tile that is known to be any of them is enough. Measured: if only one of a drawn photo's tiles is known, 5 of
    100 others pass for table, and if three are, 1 of 100.
    """
    wide = lattice
    while (wider := add_squares(wide, [square for square in squares if square not in wide.corners])) is not wide:
        wide = wider
    known = _surely_supported(np.logaddexp.reduce(logits.layouts[:, :-2], axis=1), lattice)
    tile_flags = np.concatenate([known, np.zeros(len(wide.corners) - len(lattice.corners), bool)])
    wanted = [square for square in wide.corners if square in squares]
    candidates = np.array([square in squares for square in wide.corners])
    like = compute_table_likeness(photo, wide, tile_flags, candidates, min_known=1)
    return [square for square, likeness in zip(wanted, like, strict=True) if likeness > BARE_FROM]


def compute_table_likeness(
    photo: Halves, lattice: Lattice, tile_flags: Flags, candidates: Flags, min_known: int = MIN_KNOWN_TILES
) -> Floats:
    """Return the likeness of the candidates to the table: roughly 1 for the table itself, 0 for known tiles.

    `tile_flags` (n,) mark the lattice's squares that surely show a known tile, `candidates` (n,) those to check. All
    are 0 if fewer than `min_known` others are known, too little of the table is visible, or its colour is the tiles'.
    """
    if not candidates.any() or tile_flags.sum() < min_known:
        return np.zeros(candidates.sum())
    quads = np.array(list(lattice.corners.values()))
    size = lattice.tile_px
    image, scale = photo.sized(LOOK_TILE_PX / size)
    colours, quads = compute_colour_cells(image), quads * scale
    coloured = ~find_colourless_pixels(image)
    table = (_numbered(colours.shape, quads[tile_flags], BEYOND) < 0) & coloured
    outer = np.where(table, _numbered(colours.shape, quads, 0.0), -1)
    there = np.bincount(colours[table], minlength=CELLS).astype(np.float64)
    beyond = there - _near(lattice, candidates) @ _counts(colours, outer, len(quads))
    square_counts = _counts(colours, np.where(coloured, _numbered(colours.shape, quads, -INSET), -1), len(quads))
    tiles = square_counts[tile_flags].sum(axis=0)
    likely = _mean_of(
        _likelier(beyond, tiles - square_counts[candidates] * tile_flags[candidates, None]), square_counts[candidates]
    )
    on_table, on_tiles = (float(_mean_of(_likelier(there, tiles), counts)) for counts in (there, tiles))
    room = beyond.sum(axis=1) >= MIN_TABLE_TILES * (scale * size) ** 2
    difference = on_table - on_tiles
    if difference < MIN_TABLE_DIFFERENCE:
        return np.zeros(len(likely))
    return np.asarray(room * (likely - on_tiles) / difference)


def _likelier(table: Floats, tiles: Floats) -> Floats:
    """Return the relative frequency (..., CELLS), 0 to 1, of each colour on a table against tiles."""
    there, here = compute_colour_shares(table), compute_colour_shares(tiles)
    return np.asarray((there + RARE) / (there + here + 2 * RARE))


def _mean_of(likelier: Floats, counts: Floats) -> Floats:
    """Return (...) the mean over pixels, given the number of pixels of each colour."""
    return np.asarray((likelier * counts).sum(axis=-1) / np.maximum(counts.sum(axis=-1), 1))


def _surely_known(logits: TileLogits, lattice: Lattice) -> Flags:
    return _surely_supported(logits.layouts[:, :-2].max(axis=1), lattice)


def _surely_supported(log_probs: Floats, lattice: Lattice) -> Flags:
    """Return the squares that surely are what these log-probabilities (n,) say, and that enough cells voted for."""
    support = np.array([lattice.support[square] for square in lattice.corners])
    return np.asarray((log_probs >= np.log(SURE)) & (support >= EVEN_ODDS))


def _near(lattice: Lattice, candidates: Flags) -> Floats:
    """Return (a, n) 1 if a square is in the surroundings of a candidate, including itself, else 0."""
    squares = np.array(list(lattice.corners))
    apart = np.abs(squares[candidates][:, None] - squares[None]).max(axis=2)
    return np.asarray(apart <= AROUND, np.float64)


def _numbered(shape: tuple[int, ...], quads: Floats, beyond: float) -> NDArray[np.int32]:
    """Return (h, w) the index of the square at each pixel, -1 for none; each square is grown by a share of a tile."""
    numbers = np.full(shape, -1, np.int32)
    for number, quad in enumerate(expand_quads(quads, beyond)):
        cv2.fillPoly(numbers, [np.asarray(np.round(quad), np.int32)], number)
    return numbers


def _counts(colours: NDArray[np.intp], numbers: NDArray[np.int32], n: int) -> Floats:
    """Return (n, CELLS) the number of pixels of each colour in the squares."""
    inside = numbers >= 0
    flat = np.bincount(numbers[inside].astype(np.intp) * CELLS + colours[inside], minlength=n * CELLS)
    return np.asarray(flat.reshape(n, CELLS), np.float64)
