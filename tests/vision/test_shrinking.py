"""A part of a picture made smaller is that part of the whole made smaller."""

from __future__ import annotations

import cv2
import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from vision.shrinking import BAND_PX, shrink

SIDES = st.integers(1, 500)
FACTORS = st.floats(0.05, 0.95)
PLACES = st.tuples(st.floats(-60, 500), st.floats(-60, 500))
GREY_LEVELS = 2
"""Of 255, between noise as sharp as can be: borders coincide but nearly."""


def _noise(width: int, height: int) -> NDArray[np.uint8]:
    return np.random.default_rng(width * height).integers(0, 256, (height, width, 3), np.uint8)


def _asked(quads: NDArray[np.float64], factors: tuple[float, float], shape: tuple[int, ...]) -> NDArray[np.bool_]:
    """Where the quads' bounding boxes lie in the small picture, and a pixel more."""
    asked = np.zeros(shape[:2], np.bool_)
    for quad in quads * factors:
        (left, top), (right, bottom) = np.floor(quad.min(0) - 1).astype(int), np.ceil(quad.max(0) + 1).astype(int)
        asked[max(0, top) : max(0, bottom), max(0, left) : max(0, right)] = True
    return asked


@given(SIDES, SIDES, FACTORS, FACTORS, st.lists(PLACES, min_size=1, max_size=4))
def test_what_is_asked_for_is_as_in_the_whole(
    width: int, height: int, fx: float, fy: float, places: list[tuple[float, float]]
) -> None:
    if min(round(width * fx), round(height * fy)) < 1:
        return
    picture = _noise(width, height)
    quads = np.array(places)[:, None] + np.array([(0, 10), (40, 0), (50, 30), (5, 45)])
    whole, part = shrink(picture, (fx, fy)), shrink(picture, (fx, fy), quads)
    assert part.shape == whole.shape
    off = cv2.absdiff(whole, part).reshape(whole.shape).max(axis=2)
    assert off[_asked(quads, (fx, fy), whole.shape)].max(initial=0) <= GREY_LEVELS


def test_what_is_not_asked_for_is_not_made() -> None:
    picture = np.full((40 * BAND_PX, 40 * BAND_PX, 3), 200, np.uint8)
    quads = np.array([[(900.0, 1500.0), (1000.0, 1500.0), (1000.0, 1600.0), (900.0, 1600.0)]])
    small = shrink(picture, (0.25, 0.25), quads)
    assert 0 < (small > 0).mean() < 0.1


def test_a_grey_picture_is_made_smaller_too() -> None:
    small = shrink(np.full((60, 80), 7, np.uint8), (0.5, 0.25), np.array([[(0, 0), (80, 0), (80, 60), (0, 60)]], float))
    assert small.shape == (15, 40)
    assert (small == 7).all()
