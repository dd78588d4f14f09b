"""How a piece looks in the photo, whatever it is called: its colour, and how unlike what is printed there it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Floats, Image
from vision.pieces.crops import ASIDE, BEYOND, STAND_PX, STAND_TILE_PX

FOOTPRINT, WIDE_PX = 0.075, 8.0
"""In tiles: how far a piece reaches toward the camera and away from it, about its foot. And how fast what is beside the
piece's middle counts less."""
OTHER = 25.0
"""In Lab units: so far from what is printed there, a pixel surely belongs to a piece."""
LIGHTNESS = 0.5
"""What a unit of lightness counts of a difference, of one of hue: a shadow is no piece."""
CORE = 2
"""Power of how far pixels belong to a body, for its colour: what is no piece lies about its rim."""
FAINT = 0.01
"""Rows and columns that belong to a body so much less than its middle are left out of it."""
LIT = (0.5, 0.9)
"""Which part of a body tells its colour, from the darkest pixel (0) to the lightest (1): against the light one sees the
dark side of a piece, where every paint looks black, and the lightest may be something beside it."""
BINS = 256
KNOWN_LEAST = 0.25
"""Of a body: where less of what is printed behind it is known, nothing is said of how unlike that it is."""


@dataclass(frozen=True, slots=True, eq=False)
class Body:
    """The part of a picture that shows a piece's body: (h, w, 3) CIE Lab of what is seen, and of what is printed there.

    `trust` (h, w), 0 to 1, is how far the print is known, `weight` (h, w) how far each pixel belongs to the body.
    """

    seen: Floats
    printed: Floats
    trust: Floats
    weight: Floats


def extract_bodies(pictures: Image, leans: Floats, offsets: Floats, high: Floats) -> list[Body]:
    """The bodies of the pieces in (n, STAND_PX, STAND_PX, STAND_CHANNELS) pictures.

    `leans` are (n,) lengths in tiles, `offsets` (n, 2) the feet right and down of the places, in tiles; `high` (n,) is
    how high above the table the pieces reach, in tiles.
    """
    return [_body(*own) for own in zip(pictures, leans, offsets, high, strict=True)]


def measure_paints(shown: Sequence[Body]) -> Floats:
    """(n, 3) CIE Lab colours of n bodies: the median over each one's lit part, without what looks as the print."""
    return np.array([_paint(body) for body in shown]).reshape(-1, 3)


def measure_print_difference(shown: Sequence[Body]) -> Floats:
    """(n,) how far n bodies are from what is printed there, in Lab units; NaN where that is not known.

    It is the median over the part of the body behind which the print is known.
    """
    return np.array([_unlike(body) for body in shown]).reshape(-1)


def _paint(body: Body) -> Floats:
    printed = np.clip(np.linalg.norm(body.seen - body.printed, axis=2) / OTHER, 0, 1) ** 2
    core = body.weight**CORE * (1 - body.trust * (1 - printed))
    lit = core * _lit(body.seen[..., 0], core)
    return np.array([compute_weighted_median(body.seen[..., channel], lit) for channel in range(3)])


def _lit(lightness: Floats, weights: Floats) -> NDArray[np.bool_]:
    """Which pixels of a body lie within the shares `LIT` of its weight, by their lightness: one at least."""
    order = np.argsort(lightness, axis=None)
    own = weights.ravel()[order]
    upto = np.cumsum(own)
    low, high = (share * upto[-1] for share in LIT)
    lit = np.empty(lightness.size, np.bool_)
    lit[order] = (upto >= low) & (upto - own < high)
    return lit.reshape(lightness.shape)


def _unlike(body: Body) -> float:
    known = body.weight * body.trust
    if known.sum() < KNOWN_LEAST * body.weight.sum():
        return np.nan
    return compute_weighted_median(compute_colour_distance(body.seen, body.printed), known)


def _body(picture: Image, lean: float, offset: Floats, high: float) -> Body:
    x, y = (ASIDE + offset[0]) * STAND_TILE_PX, (BEYOND + offset[1]) * STAND_TILE_PX
    half = float(lean) * high * STAND_TILE_PX / 2
    tall = half + FOOTPRINT * STAND_TILE_PX
    y -= half
    along = np.arange(STAND_PX)
    down, across = np.exp(-(((along - y) / tall) ** 2)), np.exp(-(((along - x) / WIDE_PX) ** 2))
    rows, cols = (np.flatnonzero(own >= FAINT * own.max()) for own in (down, across))
    part, own = picture[np.ix_(rows, cols)], np.outer(down[rows], across[cols])
    return Body(convert_to_lab(part[..., :3]), convert_to_lab(part[..., 3:6]), part[..., 6] / 255.0, own)


def compute_colour_distance(seen: Floats, printed: Floats) -> Floats:
    """(h, w) how far what is seen is from what is printed there, both (h, w, 3) CIE Lab; a shadow counts less."""
    return np.asarray(np.linalg.norm((seen - printed) * (LIGHTNESS, 1, 1), axis=2))


def convert_to_lab(picture: Image) -> Floats:
    """(h, w, 3) CIE Lab of a picture (h, w, 3) BGR."""
    return np.asarray(cv2.cvtColor(picture.astype(np.float32) / 255, cv2.COLOR_BGR2LAB), np.float64)


def compute_weighted_median(values: Floats, weights: Floats) -> float:
    """The weighted median: sought among the values of one bin of `BINS`, since sorting all of them takes long."""
    values, weights = values.ravel(), weights.ravel()
    low, high = values.min(), values.max()
    bins = ((values - low) * ((BINS - 1) / max(high - low, 1e-9))).astype(np.intp)
    heavy = np.cumsum(np.bincount(bins, weights, BINS))
    middle = int(np.searchsorted(heavy, heavy[-1] / 2))
    own = np.flatnonzero(bins == middle)
    order = own[np.argsort(values[own])]
    before = heavy[middle - 1] if middle else 0.0
    found = np.searchsorted(before + np.cumsum(weights[order]), heavy[-1] / 2)
    return float(values[order[min(int(found), len(order) - 1)]])
