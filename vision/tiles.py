"""Which tile lies on each square: all squares as one batch through the classifier."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.crops import crop_squares
from vision.nets import Net

Floats = NDArray[np.float64]
Image = NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False)
class TileLogits:
    """Calibrated log-probabilities of n squares.

    `layouts` (n, K + 2): the K turned layouts of the catalogue, a tile of another expansion, no tile;
    `edges` (n, 4, 4): what lies N, E, S, W as placed: field, road, city or river.
    """

    layouts: Floats
    edges: Floats


def classify(net: Net, image: Image, corners: Floats) -> TileLogits:
    """Read the squares with (n, 4, 2) corners NW, NE, SE, SW; see `crop_squares` for the size they should have."""
    layouts, edges = net(crop_squares(image, corners))
    temperature = float(net.metadata.get("temperature", 1.0))
    return TileLogits(
        _log_softmax(layouts.astype(np.float64) / temperature), _log_softmax(edges.reshape(-1, 4, 4).astype(np.float64))
    )


def _log_softmax(logits: Floats) -> Floats:
    shifted = logits - logits.max(axis=-1, keepdims=True)
    return np.asarray(shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True)))
