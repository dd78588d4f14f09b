"""The temperature that calibrates a net's probabilities on samples outside its training."""

from __future__ import annotations

import numpy as np
from scipy.optimize import minimize_scalar

from vision.arrays import Floats, Ints


def fit_temperature(logits: Floats, labels: Ints) -> float:
    """Return the temperature that maximises the likelihood of (n,) labels under (n, classes) logits."""

    def loss(log_temperature: float) -> float:
        scaled = logits / np.exp(log_temperature)
        scaled -= scaled.max(axis=1, keepdims=True)
        right = scaled[np.arange(len(labels)), labels] - np.log(np.exp(scaled).sum(axis=1))
        return float(-right.mean())

    return float(np.exp(minimize_scalar(loss, bounds=(-2.0, 2.0), method="bounded").x))
