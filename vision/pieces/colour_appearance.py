"""How a piece looks in the photo, whatever it is called: its colour, and how unlike what is printed there it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Floats, Image
from vision.pieces.crops import ASIDE_TILES, BEYOND_TILES, STAND_PX, STAND_TILE_PX

FOOTPRINT_TILES, BODY_WIDTH_PX = 0.075, 8.0
"""How fast what is beside the piece's middle counts less."""
PIECE_DISTANCE_LAB = 25.0
"""A pixel this far from what is printed there surely belongs to a piece."""
LIGHTNESS_WEIGHT = 0.5
"""How much a unit of lightness counts of a difference, against one of hue: a shadow is no piece."""
CORE_POWER = 2
"""The power of how far pixels belong to a body, for its colour: what is no piece lies about its rim."""
MIN_WEIGHT_SHARE = 0.01
"""Rows and columns whose weight is a smaller share of the largest are left out of a body."""
LIT_SHARES = (0.5, 0.9)
"""Which part of a body tells its colour, from the darkest pixel (0) to the lightest (1): against the light one sees the
dark side of a piece, where every paint looks black, and the lightest may be something beside it."""
BINS = 256
"""The number of bins in which a weighted median is sought."""
MIN_TRUSTED_SHARE = 0.25
"""Where less than this share of a body has a known print behind it, its difference from the print is not measured."""


@dataclass(frozen=True, slots=True, eq=False)
class Body:
    """The part of a picture that shows a piece's body: `photo` and `printed` are (h, w, 3) CIE Lab of it and of the
    print behind it.

    `trust` (h, w), 0 to 1, is how far the print is known, `weight` (h, w) how far each pixel belongs to the body.
    """

    photo: Floats
    printed: Floats
    trust: Floats
    weight: Floats


def extract_bodies(pictures: Image, leans: Floats, offsets: Floats, high: Floats) -> list[Body]:
    """Extract the bodies of the pieces in (n, STAND_PX, STAND_PX, STAND_CHANNELS) pictures.

    `leans` are (n,) lengths in tiles, `offsets` (n, 2) the feet right and down of the places, in tiles; `high` (n,) is
    how high above the table the pieces reach, in tiles.
    """
    return [_extract_body(*inputs) for inputs in zip(pictures, leans, offsets, high, strict=True)]


def measure_paints(bodies: Sequence[Body]) -> Floats:
    """Measure (n, 3) CIE Lab colours of n bodies: the median over each one's lit part, without what looks as the
    print."""
    return np.array([_measure_paint(body) for body in bodies]).reshape(-1, 3)


def measure_print_difference(bodies: Sequence[Body]) -> Floats:
    """Measure (n,) how far n bodies are from what is printed there, in Lab units; NaN where that is not known.

    It is the median over the part of the body behind which the print is known.
    """
    return np.array([_measure_body_difference(body) for body in bodies]).reshape(-1)


def _measure_paint(body: Body) -> Floats:
    printed = np.clip(np.linalg.norm(body.photo - body.printed, axis=2) / PIECE_DISTANCE_LAB, 0, 1) ** 2
    core = body.weight**CORE_POWER * (1 - body.trust * (1 - printed))
    lit = core * _mask_lit_pixels(body.photo[..., 0], core)
    return np.array([compute_weighted_median(body.photo[..., channel], lit) for channel in range(3)])


def _mask_lit_pixels(lightness: Floats, weights: Floats) -> NDArray[np.bool_]:
    """Which pixels of a body lie within the shares `LIT_SHARES` of its weight, by their lightness: one at least."""
    order = np.argsort(lightness, axis=None)
    ordered_weights = weights.ravel()[order]
    upto = np.cumsum(ordered_weights)
    low, high = (share * upto[-1] for share in LIT_SHARES)
    lit = np.empty(lightness.size, np.bool_)
    lit[order] = (upto >= low) & (upto - ordered_weights < high)
    return lit.reshape(lightness.shape)


def _measure_body_difference(body: Body) -> float:
    trusted_weight = body.weight * body.trust
    if trusted_weight.sum() < MIN_TRUSTED_SHARE * body.weight.sum():
        return np.nan
    return compute_weighted_median(compute_colour_distance(body.photo, body.printed), trusted_weight)


def _extract_body(picture: Image, lean: float, offset: Floats, high: float) -> Body:
    x, y = (ASIDE_TILES + offset[0]) * STAND_TILE_PX, (BEYOND_TILES + offset[1]) * STAND_TILE_PX
    half = float(lean) * high * STAND_TILE_PX / 2
    tall = half + FOOTPRINT_TILES * STAND_TILE_PX
    y -= half
    along = np.arange(STAND_PX)
    down, across = np.exp(-(((along - y) / tall) ** 2)), np.exp(-(((along - x) / BODY_WIDTH_PX) ** 2))
    rows, cols = (np.flatnonzero(profile >= MIN_WEIGHT_SHARE * profile.max()) for profile in (down, across))
    part, weight = picture[np.ix_(rows, cols)], np.outer(down[rows], across[cols])
    return Body(convert_to_lab(part[..., :3]), convert_to_lab(part[..., 3:6]), part[..., 6] / 255.0, weight)


def compute_colour_distance(photo: Floats, printed: Floats) -> Floats:
    """Compute (h, w) how far a photo is from what is printed there, both (h, w, 3) CIE Lab; a shadow counts less."""
    return np.asarray(np.linalg.norm((photo - printed) * (LIGHTNESS_WEIGHT, 1, 1), axis=2))


def convert_to_lab(picture: Image) -> Floats:
    """Convert a picture (h, w, 3) BGR to CIE Lab."""
    return np.asarray(cv2.cvtColor(picture.astype(np.float32) / 255, cv2.COLOR_BGR2LAB), np.float64)


def compute_weighted_median(values: Floats, weights: Floats) -> float:
    """Compute the weighted median: it is sought among the values of one bin of `BINS`, since sorting all of them
    takes long."""
    values, weights = values.ravel(), weights.ravel()
    low, high = values.min(), values.max()
    bins = ((values - low) * ((BINS - 1) / max(high - low, 1e-9))).astype(np.intp)
    heavy = np.cumsum(np.bincount(bins, weights, BINS))
    middle = int(np.searchsorted(heavy, heavy[-1] / 2))
    members = np.flatnonzero(bins == middle)
    order = members[np.argsort(values[members])]
    before = heavy[middle - 1] if middle else 0.0
    position = np.searchsorted(before + np.cumsum(weights[order]), heavy[-1] / 2)
    return float(values[order[min(int(position), len(order) - 1)]])
