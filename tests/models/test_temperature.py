"""Temperatures are found again that logits were made with."""

from __future__ import annotations

import numpy as np
import pytest

from models.samples import CATALOGUE, CLASSES
from models.temperature import coat_decisions, temperature_of
from vision.coats import coat_twins


@pytest.mark.parametrize("temperature", [0.6, 1.0, 3.0])
def test_the_temperature_that_logits_were_sharpened_with_is_found(temperature: float) -> None:
    rng = np.random.default_rng(3)
    honest = rng.normal(0, 1.5, (6000, 5))
    odds = np.exp(honest) / np.exp(honest).sum(axis=1, keepdims=True)
    labels = (rng.random((6000, 1)) > odds.cumsum(axis=1)).sum(axis=1).clip(max=4)
    assert temperature_of(honest * temperature, labels) == pytest.approx(temperature, rel=0.1)


def test_decisions_on_coats_are_of_tiles_with_a_twin_alone() -> None:
    twins = coat_twins(CATALOGUE)
    alone = next(i for i in range(len(CLASSES)) if i not in twins)
    labels = np.array([twins[0, 1], alone, twins[3, 0], len(CLASSES)])
    logits = np.random.default_rng(0).normal(size=(4, len(CLASSES) + 2))
    told, which = coat_decisions(logits, labels, twins)
    np.testing.assert_array_equal(told, [logits[0, twins[0]], logits[2, twins[3]]])
    assert which.tolist() == [1, 0]
