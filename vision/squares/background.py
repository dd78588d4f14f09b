"""Squares of a lattice that have the table's colours: a patterned cloth may look like tiles to every net.

What lies well away from the tiles that are surely known is table, whatever pattern it has; a tile that nobody knows has
other colours than the table, or those of tiles. A square is held against the table without its own surroundings, or
else an unknown tile, and a wonder, would be what the table looks like. Glare has no colour, on tiles as on the table.
"""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Flags, Floats
from vision.localise.lattice import Lattice
from vision.photo.colour_histogram import CELLS, compute_colour_cells, compute_colour_shares
from vision.photo.crops import expand_quads
from vision.photo.glare import find_colourless_pixels
from vision.photo.pyramid import Halves
from vision.squares.classifier import TileLogits

LOOK_TILE_PX = 24.0
"""About the size of a tile in the picture whose colours are counted."""
SURE, SUPPORTED = 0.8, 0.5
"""A square with such a probability of one layout, where so many cells voted for a tile, is one of those known."""
MAX_NONE_PROBABILITY = 1e-4
"""All squares are asked about that are not known, or where `none` is likelier than this all the same."""
MIN_KNOWN_TILES = 5
MIN_TABLE_TILES = 2.0
"""Fewer known tiles, or less table in tiles, tell nothing."""
INSET, BEYOND = 0.06, 0.12
"""How far within its outline a square is looked at, and how far beyond a known tile the table begins, in tiles."""
AROUND = 2
"""A square's own surroundings: so many squares in each direction."""
RARE = 0.0005
"""A colour that makes up no more than this of the table, and of the tiles, tells neither."""
MIN_TABLE_DIFFERENCE = 0.2
"""By how much likelier bare the table must be than known tiles are: else their colours are alike, and tell nothing."""
BARE_FROM = 0.6
"""Of the way from the tiles that are known (0) to the table (1): what lies nearer to the tiles is not said to be bare.
On the cloths of `datasets.render.tabletops.TRIED_KINDS` 97 of 100 bare squares lay beyond, and 2 of 100 tiles, of
unknown ones and wonders as of others."""
NATS, MAX_NATS = 25.0, 10.0
"""How much the rest of that way speaks for the bare table, and how much at most."""
CROWD, NATS_OF_CROWD = 8, 40.0
"""From so many squares beyond on, a cloth is what deceives the nets: then it may do so at each of them."""
HOST, BARE_FROM_OF_HOST = 50, 0.4
"""From so many on it deceives them all over the table, and less of the way is enough: on 27 such calibration tables,
counted by hand, no tile is lost by it, and of 221 bare squares that pass for tiles 47 fewer do."""


def apply_table_evidence(logits: TileLogits, photo: Halves, lattice: Lattice) -> TileLogits:
    """Return the log-probabilities of a lattice's squares, `none` likelier where one has the colours of the table."""
    tile_flags = _surely_known(logits, lattice)
    candidates = ~tile_flags | (logits.layouts[:, -1] > np.log(MAX_NONE_PROBABILITY))
    like = compute_table_likeness(photo, lattice, tile_flags, candidates)
    bare = (like > BARE_FROM).sum()
    nats, beyond = NATS_OF_CROWD if bare >= CROWD else NATS, BARE_FROM_OF_HOST if bare >= HOST else BARE_FROM
    layouts = logits.layouts.copy()
    layouts[candidates, -1] += np.clip(nats * (like - beyond), 0.0, MAX_NATS)
    return replace(logits, layouts=layouts - np.logaddexp.reduce(layouts, axis=1, keepdims=True))


def compute_table_likeness(photo: Halves, lattice: Lattice, tile_flags: Flags, candidates: Flags) -> Floats:
    """Return how like the table the candidates are: 1 as all of it is, 0 as known tiles are; both roughly.

    `tile_flags` (n,) tell which of the lattice's squares surely show a known tile, `candidates` (n,) which are asked
    about. 0 for all where too few others are known, too little of the table is seen, or tiles and table have one
    colour.
    """
    if not candidates.any() or tile_flags.sum() < MIN_KNOWN_TILES:
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
    return np.asarray(room * (difference >= MIN_TABLE_DIFFERENCE) * (likely - on_tiles) / difference)


def _likelier(table: Floats, tiles: Floats) -> Floats:
    """How much more common (..., CELLS) each colour is on a table than on tiles, of counts of either, 0 to 1."""
    there, here = compute_colour_shares(table), compute_colour_shares(tiles)
    return np.asarray((there + RARE) / (there + here + 2 * RARE))


def _mean_of(likelier: Floats, counts: Floats) -> Floats:
    """(...) the mean over pixels, by how many have each colour."""
    return np.asarray((likelier * counts).sum(axis=-1) / np.maximum(counts.sum(axis=-1), 1))


def _surely_known(logits: TileLogits, lattice: Lattice) -> Flags:
    support = np.array([lattice.support[square] for square in lattice.corners])
    return np.asarray((logits.layouts[:, :-2].max(axis=1) >= np.log(SURE)) & (support >= SUPPORTED))


def _near(lattice: Lattice, candidates: Flags) -> Floats:
    """(a, n) 1 where a square lies in the surroundings of one that is asked about, itself included, else 0."""
    squares = np.array(list(lattice.corners))
    apart = np.abs(squares[candidates][:, None] - squares[None]).max(axis=2)
    return np.asarray(apart <= AROUND, np.float64)


def _numbered(shape: tuple[int, ...], quads: Floats, beyond: float) -> NDArray[np.int32]:
    """(h, w) the number of the square that each pixel lies in, -1 for none; each is grown by part of a tile."""
    numbers = np.full(shape, -1, np.int32)
    for number, quad in enumerate(expand_quads(quads, beyond)):
        cv2.fillPoly(numbers, [np.asarray(np.round(quad), np.int32)], number)
    return numbers


def _counts(colours: NDArray[np.intp], numbers: NDArray[np.int32], n: int) -> Floats:
    """(n, CELLS) how many pixels of each colour the squares have."""
    inside = numbers >= 0
    flat = np.bincount(numbers[inside].astype(np.intp) * CELLS + colours[inside], minlength=n * CELLS)
    return np.asarray(flat.reshape(n, CELLS), np.float64)
