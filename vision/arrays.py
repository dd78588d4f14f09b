"""The types of arrays that pass between modules; what their axes are, the functions that take them say."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
"""Numbers: coordinates, probabilities, colours; the shape stands where it is used."""
Singles = NDArray[np.float32]
"""Numbers in single precision: logits, maps, descriptors, layers of a picture."""
Image = NDArray[np.uint8]
"""Pixels, mostly (h, w, 3) BGR."""
Flags = NDArray[np.bool_]
"""Yes or no for each place."""
Ints = NDArray[np.int64]
"""Indices and counts."""

FLOOR = 1e-9
"""Floor of probabilities and sums, which keeps logarithms and quotients finite. A guess."""
SUREST = 1e-6
"""Minimum distance of a probability from 0 and 1. A guess."""


def compute_softmax(nats: Floats, axis: int | None = None) -> Floats:
    """Compute what shares of all have such logarithms of their weights, along an axis or all together."""
    weights = np.exp(nats - nats.max(axis=axis, keepdims=True))
    return np.asarray(weights / weights.sum(axis=axis, keepdims=True))
