"""Table tops: every kind can be drawn, and some are reserved for evaluation."""

from __future__ import annotations

import numpy as np
import pytest

from datasets.render.tabletops import (
    HELD_OUT_KINDS,
    KINDS,
    REPEATED_KINDS,
    TRIED_KINDS,
    draw_tabletop,
    sample_fractal,
    sample_noise,
)

TRAINED = (*KINDS, *REPEATED_KINDS)
ALL = (*TRAINED, *HELD_OUT_KINDS, *TRIED_KINDS)


@pytest.mark.parametrize("kind", ALL)
def test_every_kind_is_drawn_differently_each_time_but_the_same_for_a_seed(kind: str) -> None:
    one, again, other = (draw_tabletop(kind, np.random.default_rng(seed), 96) for seed in (1, 1, 2))
    assert (one.shape, one.dtype.name) == ((96, 96, 3), "uint8")
    np.testing.assert_array_equal(one, again)
    assert (one != other).any()


def test_what_evaluation_uses_is_never_trained_on() -> None:
    assert set(TRAINED).isdisjoint((*HELD_OUT_KINDS, *TRIED_KINDS))
    assert len(set(ALL)) == len(ALL)


@pytest.mark.parametrize("kind", ["checks", "stripes", "planks", "marble", *REPEATED_KINDS])
def test_patterns_show(kind: str) -> None:
    tops = [draw_tabletop(kind, np.random.default_rng(seed), 128) for seed in range(6)]
    assert np.median([top.astype(float).std(axis=(0, 1)).max() for top in tops]) > 8


def test_noise_is_even_about_zero() -> None:
    for layer in (
        sample_noise(np.random.default_rng(3), 128, (6, 9)),
        sample_fractal(np.random.default_rng(3), 128, 5),
    ):
        assert layer.mean() == pytest.approx(0, abs=0.05)
        assert layer.std() == pytest.approx(1, abs=0.05)
