"""The temperature that calibrates a net's probabilities on samples outside its training."""

from __future__ import annotations

import numpy as np
from scipy.optimize import minimize_scalar

from vision.arrays import Floats, Ints, compute_log_softmax


def fit_temperature(logits: Floats, labels: Ints) -> float:
    """Return the temperature that maximises the likelihood of (n,) labels under (n, classes) logits."""

    def loss(log_temperature: float) -> float:
        log_probs = compute_log_softmax(logits / np.exp(log_temperature))
        return float(-log_probs[np.arange(len(labels)), labels].mean())

    return float(np.exp(minimize_scalar(loss, bounds=(-2.0, 2.0), method="bounded").x))
