"""The evidence for the pose of a lone wonder tile is fitted so that the true pose is the most likely."""

from __future__ import annotations

import numpy as np
import pytest

from models.calibration.lone_wonders import ListedTiles, fit_row


def list_ways(rng: np.random.Generator, support: float, misfit: float) -> ListedTiles:
    """Return six poses, one of them true, drawn with the probabilities that such weights of their looks give."""
    looks = np.column_stack([rng.uniform(0.5, 1, 6), rng.uniform(0, 0.1, 6)])
    odds = np.exp(looks @ (support, misfit))
    return ListedTiles(looks, np.zeros(6), np.arange(6) == rng.choice(6, p=odds / odds.sum()))


@pytest.mark.soak
def test_the_weights_of_drawn_ways_are_recovered() -> None:
    rng = np.random.default_rng(3)
    row = fit_row([list_ways(rng, 20.0, -40.0) for _ in range(150)])
    assert row.values["support"] == pytest.approx(20.0, rel=0.25)
    assert row.values["misfit"] == pytest.approx(-40.0, rel=0.35)
    assert row.values["photos"] == 150


@pytest.mark.soak
def test_evidence_that_the_outline_includes_is_not_counted_twice() -> None:
    rng = np.random.default_rng(4)
    ways = [list_ways(rng, 20.0, 0.0) for _ in range(100)]
    said = [ListedTiles(way.looks, way.looks @ (20.0, 0.0), way.right) for way in ways]
    assert abs(fit_row(said).values["support"]) < 5 < fit_row(ways).values["support"]


def test_the_minimum_support_is_below_that_of_all_true_ways() -> None:
    rng = np.random.default_rng(5)
    ways = [list_ways(rng, 20.0, -40.0) for _ in range(40)]
    assert fit_row(ways).values["least"] < min(float(way.looks[way.right, 0].max()) for way in ways)


def test_without_a_photo_nothing_is_fitted() -> None:
    with pytest.raises(ValueError, match="one wonder tile"):
        fit_row([])
