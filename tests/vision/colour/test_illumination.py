"""The light estimated from players' paints: found if they show it, else the usual one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.optimize import least_squares

from vision.colour.illumination import (
    BRIGHTNESS_LOG_SPREAD,
    PAINT_SPREAD_LAB,
    TINT_LOG_SPREAD,
    USUAL_PAINTS_LAB,
    compute_usual_paints,
    estimate_light,
    illuminate_paints,
)

COLOURS = tuple(USUAL_PAINTS_LAB)
gains = st.tuples(*[st.floats(-0.3, 0.3)] * 3).map(np.array)


@pytest.mark.parametrize("colour", COLOURS)
def test_paints_look_usual_in_usual_light(colour: str) -> None:
    paints = illuminate_paints(compute_usual_paints([colour]), np.zeros(3))
    assert paints.shape == (1, 3)
    assert np.abs(paints[0] - USUAL_PAINTS_LAB[colour]).max() < 4


@settings(deadline=None)
@given(gains, st.floats(-0.8, 0.2))
def test_several_paints_determine_their_light(
    tint: np.ndarray[tuple[int], np.dtype[np.float64]], brighter: float
) -> None:
    usual = compute_usual_paints(COLOURS)
    paints = illuminate_paints(usual, tint + brighter)
    light, nats = estimate_light(paints, usual)
    assert np.abs(illuminate_paints(usual, light) - paints).mean() < 4
    assert nats <= estimate_light(paints[::-1], usual).nats


@settings(deadline=None)
@given(gains, st.permutations(range(len(COLOURS))))
def test_the_order_of_paints_does_not_matter(
    tint: np.ndarray[tuple[int], np.dtype[np.float64]], order: list[int]
) -> None:
    usual = compute_usual_paints(COLOURS)
    paints = illuminate_paints(usual, tint)
    one, other = estimate_light(paints, usual), estimate_light(paints[order], usual[order])
    assert other[0] == pytest.approx(one[0], abs=1e-3)
    assert other[1] == pytest.approx(one[1], abs=1e-3)


def test_many_lights_are_estimated_at_once() -> None:
    usual, lights = compute_usual_paints(COLOURS), np.array([(0.0, 0.1, -0.2), (0.3, 0.0, 0.0)])
    assert np.allclose(
        illuminate_paints(usual, lights), [illuminate_paints(usual, light) for light in lights], atol=1e-3
    )


def test_without_visible_paint_the_usual_light_is_assumed() -> None:
    light, nats = estimate_light(np.zeros((0, 3)), np.zeros((0, 3)))
    assert (light.tolist(), nats) == ([0.0, 0.0, 0.0], 0.0)


def test_a_dark_photo_is_more_likely_than_a_strongly_tinted_one() -> None:
    usual = compute_usual_paints(["red", "blue", "green", "yellow"])
    dark, tinted = (
        estimate_light(illuminate_paints(usual, np.array(light)), usual).nats
        for light in ((-0.8, -0.8, -0.8), (-0.8, 0.8, 0.0))
    )
    assert dark < tinted


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 2**32), st.integers(1, 6))
@example(2**32, 4)
def test_no_other_light_fits_much_better(seed: int, players: int) -> None:
    rng = np.random.default_rng(seed)
    usual = compute_usual_paints(rng.choice(COLOURS, players, replace=False).tolist())
    looks = illuminate_paints(usual, rng.normal(0, 0.2, 3)) + rng.normal(0, 8, (players, 3))
    light, nats = estimate_light(looks, usual)

    def compute_off(gains: NDArray[np.float64]) -> NDArray[np.float64]:
        away = ((looks - illuminate_paints(usual, gains)) / PAINT_SPREAD_LAB).ravel()
        return np.array(
            [*away, gains.sum() / np.sqrt(3) / BRIGHTNESS_LOG_SPREAD, *(gains - gains.mean()) / TINT_LOG_SPREAD]
        )

    assert nats == pytest.approx((compute_off(light) ** 2).sum() / 2, rel=1e-3, abs=1e-3)
    others = [light + step for step in rng.normal(0, 0.05, (30, 3))]
    fitted = least_squares(compute_off, np.zeros(3), diff_step=1e-3)
    assert nats <= min(float(fitted.cost), *((compute_off(other) ** 2).sum() / 2 for other in others)) + 0.1
