"""Squares of a lattice that have the table's colours: a patterned cloth may look like tiles to every net.

What lies well away from the tiles that are surely known is table, whatever pattern it has; a tile that nobody knows has
other colours than the table, or those of tiles. A square is held against the table without its own surroundings, or
else an unknown tile, and a wonder, would be what the table looks like.
"""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.colours import CELLS, colour_cells, shares
from vision.crops import tile_px
from vision.halves import Halves
from vision.lattice import Lattice
from vision.tiles import TileLogits

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Ints = NDArray[np.int64]

LOOK_TILE_PX = 24.0
"""Size of a tile in the picture whose colours are counted."""
SURE, SUPPORTED = 0.8, 0.5
"""A square that shows one layout with such a probability, where so many cells voted for a tile, is one of those known;
all others are asked about."""
KNOWN_LEAST = 4
TABLE_LEAST = 2.0
"""Tiles that are known, and table in tiles, below which nothing is said."""
INSET, BEYOND = 0.06, 0.12
"""How far within its outline a square is looked at, and how far beyond a known tile the table begins, in tiles."""
AROUND = 2
"""A square's own surroundings: so many squares in each direction."""
RARE = 0.0005
"""A colour that makes up no more than this of the table, and of the tiles, tells neither."""
LIKE_LEAST = 0.6
"""Likeness to the table up to which nothing speaks for it. On the cloths of `datasets.tabletops.TRIED_KINDS` 95 of 100
bare squares had more, and on the same tables 99 of 100 tiles less, unknown ones among them."""
NATS, NATS_MOST = 40.0, 10.0
"""How much each part of likeness beyond that speaks for the bare table, and all of it at most."""


def weighed_by_table(logits: TileLogits, photo: Halves, lattice: Lattice) -> TileLogits:
    """The log-probabilities of a lattice's squares, `none` likelier where one has the colours of the table around."""
    sure = _surely_known(logits, lattice)
    like = table_likeness(photo, lattice, sure)
    layouts = logits.layouts.copy()
    layouts[:, -1] += np.clip(NATS * (like - LIKE_LEAST), 0.0, NATS_MOST)
    return replace(logits, layouts=layouts - np.logaddexp.reduce(layouts, axis=1, keepdims=True))


def table_likeness(photo: Halves, lattice: Lattice, known: Flags) -> Floats:
    """How much more common (n,) a square's colours are on the table than on tiles, 0 to 1; 0 for those `known` (n,).

    0 for all where too few are known, or too little of the table is seen.
    """
    like = np.zeros(len(known))
    if known.all() or known.sum() < KNOWN_LEAST:
        return like
    quads = np.array(list(lattice.corners.values()))
    image, scale = photo.shrunk(LOOK_TILE_PX / float(np.median(tile_px(quads))))
    colours, quads = colour_cells(image), quads * scale
    inner = _numbered(colours.shape, quads, -INSET)
    table = _numbered(colours.shape, quads[known], BEYOND) < 0
    there, near = np.bincount(colours[table], minlength=CELLS), _near(lattice, known)
    outer = np.where(table, _numbered(colours.shape, quads, 0.0), -1)
    own = near @ _counts(colours, outer, len(quads))
    shown, beyond = _counts(colours, inner, len(quads)), there - own
    room = beyond.sum(axis=1) >= TABLE_LEAST * LOOK_TILE_PX**2
    on_table, on_tiles = shares(beyond), shares(shown[known].sum(axis=0))
    likelier = (on_table + RARE) / (on_table + on_tiles + 2 * RARE)
    asked = shown[~known]
    like[~known] = room * (likelier * asked).sum(axis=1) / np.maximum(asked.sum(axis=1), 1)
    return like


def _surely_known(logits: TileLogits, lattice: Lattice) -> Flags:
    support = np.array([lattice.support[square] for square in lattice.corners])
    return np.asarray((logits.layouts[:, :-2].max(axis=1) >= np.log(SURE)) & (support >= SUPPORTED))


def _near(lattice: Lattice, known: Flags) -> Ints:
    """(a, n) which squares lie in the surroundings of each that is asked about, itself included."""
    squares = np.array(list(lattice.corners))
    apart = np.abs(squares[~known][:, None] - squares[None]).max(axis=2)
    return np.asarray(apart <= AROUND, np.int64)


def _numbered(shape: tuple[int, ...], quads: Floats, beyond: float) -> NDArray[np.int32]:
    """(h, w) the number of the square that each pixel lies in, -1 for none; each is grown by part of a tile."""
    drawn = np.full(shape, -1, np.int32)
    middles = quads.mean(axis=1, keepdims=True)
    for number, quad in enumerate(middles + (1 + 2 * beyond) * (quads - middles)):
        cv2.fillPoly(drawn, [np.asarray(np.round(quad), np.int32)], number)
    return drawn


def _counts(colours: NDArray[np.intp], numbers: NDArray[np.int32], n: int) -> Ints:
    """(n, CELLS) how many pixels of each colour the squares have."""
    inside = numbers >= 0
    flat = np.bincount(numbers[inside].astype(np.intp) * CELLS + colours[inside], minlength=n * CELLS)
    return np.asarray(flat.reshape(n, CELLS), np.int64)
