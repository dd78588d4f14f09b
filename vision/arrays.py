"""The types of arrays that pass between modules; what their axes are, the functions that take them say."""

from __future__ import annotations

from typing import Any, TypeVar, overload

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
Precision = TypeVar("Precision", np.float32, np.float64)

FLOOR = 1e-9
"""Floor of probabilities and sums, which keeps logarithms and quotients finite. A guess."""
SUREST = 1e-6
"""Minimum distance of a probability from 0 and 1. A guess."""
EVEN_ODDS = 0.5
"""Probability, or share of a whole, at which something is as likely, or as much, as not. By the rule of even odds."""


def round_to_step(values: Floats, step: float) -> Floats:
    """Return the values (...) rounded to multiples of `step`."""
    return np.asarray(step * np.rint(values / step))


def compute_softmax(nats: Floats, axis: int | None = None) -> Floats:
    """Compute the shares of weights from their logarithms, along an axis or over all together.

    This and the next 2 are our own because importing `scipy.special` takes a third of a second.
    """
    weights = np.exp(nats - nats.max(axis=axis, keepdims=True))
    return np.asarray(weights / weights.sum(axis=axis, keepdims=True))


def compute_log_softmax(logits: Floats) -> Floats:
    """Compute (..., K) log-probabilities from (..., K) logits."""
    shifted = logits - logits.max(axis=-1, keepdims=True)
    return np.asarray(shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True)))


@overload
def compute_sigmoid(logits: NDArray[Precision]) -> NDArray[Precision]: ...
@overload
def compute_sigmoid(logits: float) -> Floats: ...
def compute_sigmoid(logits: Any) -> Any:
    """Compute (...) probabilities from (...) logits, in their own precision."""
    return np.asarray(1 / (1 + np.exp(-logits)))
