"""The temperatures that logits were made with are recovered."""

from __future__ import annotations

import numpy as np
import pytest

from models.training.temperature import fit_temperature


@pytest.mark.parametrize("temperature", [0.6, 1.0, 3.0])
def test_the_temperature_of_sharpened_logits_is_recovered(temperature: float) -> None:
    rng = np.random.default_rng(3)
    honest = rng.normal(0, 1.5, (6000, 5))
    odds = np.exp(honest) / np.exp(honest).sum(axis=1, keepdims=True)
    labels = (rng.random((6000, 1)) > odds.cumsum(axis=1)).sum(axis=1).clip(max=4)
    assert fit_temperature(honest * temperature, labels) == pytest.approx(temperature, rel=0.1)
