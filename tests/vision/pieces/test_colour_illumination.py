"""The light that players' paints tell of: found where it is shown, usual where nothing shows it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.pieces.colour_illumination import USUAL_PAINTS_LAB, compute_usual_paints, estimate_light, illuminate_paints

COLOURS = tuple(USUAL_PAINTS_LAB)
gains = st.tuples(*[st.floats(-0.3, 0.3)] * 3).map(np.array)


@pytest.mark.parametrize("colour", COLOURS)
def test_in_usual_light_a_paint_looks_as_usual(colour: str) -> None:
    paints = illuminate_paints(compute_usual_paints([colour]), np.zeros(3))
    assert paints.shape == (1, 3)
    assert np.abs(paints[0] - USUAL_PAINTS_LAB[colour]).max() < 4


@settings(deadline=None)
@given(gains, st.floats(-0.8, 0.2))
def test_several_paints_tell_the_light_that_is_on_them(
    tint: np.ndarray[tuple[int], np.dtype[np.float64]], brighter: float
) -> None:
    usual = compute_usual_paints(COLOURS)
    paints = illuminate_paints(usual, tint + brighter)
    light, nats = estimate_light(paints, usual)
    assert np.abs(illuminate_paints(usual, light) - paints).mean() < 4
    assert nats <= estimate_light(paints[::-1], usual)[1]


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


def test_many_lights_are_asked_at_once() -> None:
    usual, lights = compute_usual_paints(COLOURS), np.array([(0.0, 0.1, -0.2), (0.3, 0.0, 0.0)])
    assert np.allclose(
        illuminate_paints(usual, lights), [illuminate_paints(usual, light) for light in lights], atol=1e-3
    )


def test_where_no_paint_is_seen_the_light_is_the_usual_one() -> None:
    light, nats = estimate_light(np.zeros((0, 3)), np.zeros((0, 3)))
    assert (light.tolist(), nats) == ([0.0, 0.0, 0.0], 0.0)


def test_a_dark_photo_is_likelier_than_a_strongly_tinted_one() -> None:
    usual = compute_usual_paints(["red", "blue", "green", "yellow"])
    dark, tinted = (
        estimate_light(illuminate_paints(usual, np.array(light)), usual)[1]
        for light in ((-0.8, -0.8, -0.8), (-0.8, 0.8, 0.0))
    )
    assert dark < tinted
