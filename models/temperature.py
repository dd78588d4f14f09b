"""The temperature that makes a net's probabilities honest on samples that it was not taught with."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def temperature_of(logits: Floats, labels: Ints) -> float:
    """The temperature that makes (n, classes) logits likeliest for (n,) labels."""

    def loss(log_temperature: float) -> float:
        scaled = logits / np.exp(log_temperature)
        scaled -= scaled.max(axis=1, keepdims=True)
        right = scaled[np.arange(len(labels)), labels] - np.log(np.exp(scaled).sum(axis=1))
        return float(-right.mean())

    return float(np.exp(minimize_scalar(loss, bounds=(-2.0, 2.0), method="bounded").x))


def coat_decisions(logits: Floats, labels: Ints, twins: Ints) -> tuple[Floats, Ints]:
    """Of the crops of a tile with a twin: the (n, 2) logits of the two, and which of them it is."""
    own = {int(number): (pair, which) for pair, both in enumerate(twins) for which, number in enumerate(both)}
    told = [(i, *own[int(label)]) for i, label in enumerate(labels) if int(label) in own]
    crops, pairs, which = np.array(told, np.int64).reshape(-1, 3).T
    return logits[crops[:, None], twins[pairs]], which
