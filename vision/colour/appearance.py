"""The appearance of a piece in the photo, whatever its name: its colour, and its difference from the print
behind it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.arrays import Floats
from vision.colour.lab import compute_colour_distance

PIECE_DISTANCE_LAB = 25.0
"""Distance from the print beyond which a pixel certainly belongs to a piece. A guess."""
CORE_POWER = 2
"""Exponent of the pixels' weights when measuring a body's colour, which suppresses its rim. A guess."""
LIT_SHARES = (0.5, 0.9)
"""Range of lightness quantiles from which a body's colour is measured. A guess.

Against the light one sees the dark side of a piece, where every paint looks black, and the lightest pixels may belong
to something beside it.
"""
MIN_TRUSTED_SHARE = 0.25
"""Minimum share of a body with a known print behind it for measuring its difference from the print. A guess."""


@dataclass(frozen=True, slots=True, eq=False)
class Body:
    """The part of a picture with a piece's body: `photo` and `printed` are (h, w, 3) CIE Lab of it and of the print
    behind it.

    `trust` (h, w), 0 to 1, is the reliability of the print, and `weight` (h, w) the degree to which each pixel belongs
    to the body.
    """

    photo: Floats
    printed: Floats
    trust: Floats
    weight: Floats


def measure_paints(bodies: Sequence[Body]) -> Floats:
    """Measure the CIE Lab colours (n, 3) of n bodies: the median over each one's lit part, excluding pixels like the
    print.
    """
    return np.array([_measure_paint(body) for body in bodies]).reshape(-1, 3)


def measure_print_difference(bodies: Sequence[Body]) -> Floats:
    """Measure the differences (n,) of n bodies from the print behind them, in Lab units; NaN if it is unknown.

    Each is the median over the part of the body with a known print behind it.
    """
    return np.array([_measure_body_difference(body) for body in bodies]).reshape(-1)


def _measure_paint(body: Body) -> Floats:
    printed = np.clip(np.linalg.norm(body.photo - body.printed, axis=2) / PIECE_DISTANCE_LAB, 0, 1) ** 2
    core = body.weight**CORE_POWER * (1 - body.trust * (1 - printed))
    lit = core * _mask_lit_pixels(body.photo[..., 0], core)
    return np.array([compute_weighted_median(body.photo[..., channel], lit) for channel in range(3)])


def _mask_lit_pixels(lightness: Floats, weights: Floats) -> NDArray[np.bool_]:
    """Return a mask of a body's pixels within the quantiles `LIT_SHARES` of its weight, by lightness; it is never
    empty.
    """
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


def compute_weighted_median(values: Floats, weights: Floats) -> float:
    """Return the weighted median of values of any shape."""
    order = np.argsort(values, axis=None)
    upto = np.cumsum(weights.ravel()[order])
    return float(values.ravel()[order[np.searchsorted(upto, upto[-1] / 2)]])
