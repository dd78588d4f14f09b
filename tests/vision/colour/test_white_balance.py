"""A strong cast is removed from a photo, a weak one is left."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from datasets.art.procedural import draw_tile
from datasets.art.style import STYLES
from scoring.carcassonne.tiles.catalogue import load_base_catalogue
from vision.colour.white_balance import (
    EXCESS_POWER,
    MAX_ART_BGR,
    MIN_ART_BGR,
    USUAL_BGR,
    correct_white_balance,
    estimate_art_colour,
)

QUAD = np.array([[[20, 20], [180, 20], [180, 180], [20, 180]]], np.float64)
PIECE = (50, 130, 20)
"""A green one."""


@cache
def table(style: str = "meadow") -> NDArray[np.uint8]:
    """Return tiles of an art on a grey table, with a green piece on them."""
    layouts = [load_base_catalogue()[letter] for letter in "CDEV"]
    pictures = [draw_tile(layout, STYLES[style], 1, 80) for layout in layouts]
    image = np.full((200, 200, 3), 90, np.uint8)
    image[20:180, 20:180] = np.vstack([np.hstack(pictures[:2]), np.hstack(pictures[2:])])
    image[90:110, 90:110] = PIECE
    return image


def lit(image: NDArray[np.uint8], lamp: tuple[float, float, float]) -> NDArray[np.uint8]:
    return np.asarray(np.clip(image * np.array(lamp), 0, 255), dtype=np.uint8)


@pytest.mark.parametrize("style", ["meadow", "terra", "ink", "snow"])
@given(blue=st.floats(0.9, 1.1), red=st.floats(0.9, 1.1))
def test_a_weak_cast_is_not_corrected(style: str, blue: float, red: float) -> None:
    image = lit(table(style), (blue, 1.0, red))
    assert correct_white_balance(image, QUAD) is image


@pytest.mark.parametrize("lamp", [(0.4, 0.45, 1.0), (0.25, 0.9, 1.0), (1.0, 0.28, 0.25)])
def test_a_green_piece_is_green_under_a_coloured_lamp(lamp: tuple[float, float, float]) -> None:
    pixel = correct_white_balance(lit(table(), lamp), QUAD)[100, 100].astype(float)
    assert pixel[1] > 1.5 * max(pixel[0], pixel[2])


casts = st.tuples(st.floats(0.02, 6.0), st.just(1.0), st.floats(0.1, 6.0)).map(np.array)


@given(casts)
def test_the_estimated_art_colour_lies_within_the_range_of_all_arts(colour: NDArray[np.float64]) -> None:
    likely = estimate_art_colour(colour)
    assert (likely >= MIN_ART_BGR * 0.999).all()
    assert (likely <= MAX_ART_BGR * 1.001).all()
    within = (colour >= MIN_ART_BGR) & (colour <= MAX_ART_BGR)
    assert (likely[within] == colour[within]).all()


@given(casts, st.floats(-0.01, 0.01))
def test_a_little_more_light_changes_little(colour: NDArray[np.float64], more: float) -> None:
    other = estimate_art_colour(colour * (1 + more, 1, 1 + more))
    assert np.abs(np.log(other) - np.log(estimate_art_colour(colour))).max() <= (EXCESS_POWER + 1) * 0.011


def test_a_cast_far_beyond_all_arts_is_attributed_to_the_lamp() -> None:
    assert estimate_art_colour(np.array([9.0, 1.0, 9.0])) == pytest.approx(USUAL_BGR)
    assert (estimate_art_colour(np.array([0.01, 1.0, 0.01])) == np.sqrt(MIN_ART_BGR * USUAL_BGR)).all()


def test_black_stays_black_and_missing_tiles_cause_no_error() -> None:
    black = np.zeros((200, 200, 3), np.uint8)
    assert not correct_white_balance(black, QUAD).any()
    assert not correct_white_balance(black, np.zeros((0, 4, 2))).any()
