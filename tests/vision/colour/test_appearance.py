"""The weighted median of a body's pixels, and the choice of its pixels."""

from __future__ import annotations

import numpy as np
import pytest

from vision.colour.appearance import CORE_POWER, Body, compute_weighted_median, measure_paints


def test_values_without_weight_do_not_count() -> None:
    values, weights = np.array([[5.0, 90.0], [7.0, 6.0]]), np.array([[1.0, 0.0], [1.0, 1.0]])
    assert compute_weighted_median(values, weights) == 6.0


@pytest.mark.parametrize("value", [0.0, -3.5, 100.0])
def test_the_median_of_equal_values_is_that_value(value: float) -> None:
    assert compute_weighted_median(np.full((4, 4), value), np.ones((4, 4))) == value


DARK, BLUE, PALE = (12.0, 0.0, -2.0), (35.0, 15.0, -45.0), (85.0, -2.0, 12.0)


def body(*parts: tuple[tuple[float, float, float], float], pixels: int = 100) -> Body:
    """Return a body with such a number of pixels, colour and share for each part, before an unknown print."""
    colours = np.array([[colour for colour, _ in parts]] * pixels)
    weight = np.array([[share for _, share in parts]] * pixels) ** (1 / CORE_POWER)
    return Body(colours, np.zeros_like(colours), np.zeros(weight.shape), weight)


def test_a_dark_side_does_not_determine_a_pieces_paint() -> None:
    (paint,) = measure_paints([body((DARK, 0.55), (BLUE, 0.3), (PALE, 0.15))])
    assert tuple(paint) == BLUE


def test_a_pale_side_does_not_determine_a_pieces_paint() -> None:
    (paint,) = measure_paints([body((DARK, 0.5), (BLUE, 0.22), (PALE, 0.28))])
    assert tuple(paint) == BLUE


def test_the_rim_of_a_body_counts_less_than_its_middle() -> None:
    """With equally many pixels, weights of the middle twice those of the rim count four to one for the colour."""
    colours = np.array([[BLUE] * 40 + [PALE] * 60])
    weight = np.array([[1.0] * 40 + [0.5] * 60])
    (paint,) = measure_paints([Body(colours, np.zeros_like(colours), np.zeros(weight.shape), weight)])
    assert tuple(paint) == BLUE


def test_a_single_pixel_with_most_of_the_weight_determines_the_paint() -> None:
    (paint,) = measure_paints([body((DARK, 0.05), (BLUE, 0.95), pixels=1)])
    assert tuple(paint) == BLUE
