"""Pixels that may be glare, for each of the questions asked about them."""

from __future__ import annotations

import numpy as np
import pytest

from vision.arrays import Image
from vision.colour.glare import (
    compute_unreadable_shares,
    exclude_faint_reflections,
    find_clipped_channels,
    find_colourless_pixels,
    find_dazzled_places,
    find_unclipped_pixels,
    find_unreadable_pixels,
    find_white_light,
    is_washed_out,
)


def paint(*colour: int) -> Image:
    return np.full((8, 8, 3), colour, np.uint8)


@pytest.mark.parametrize(
    ("darkest", "colourless", "unreadable"),
    [(214, False, False), (215, True, False), (244, True, False), (245, True, True)],
)
@pytest.mark.parametrize("channel", [0, 1, 2])
def test_the_darkest_channel_measures_the_whiteness_of_a_pixel(
    darkest: int, colourless: bool, unreadable: bool, channel: int
) -> None:
    image = paint(255, 255, 255)
    image[..., channel] = darkest
    assert find_colourless_pixels(image).tolist() == [[colourless] * 8] * 8
    assert find_unreadable_pixels(image).tolist() == [[unreadable] * 8] * 8


def test_each_crop_has_its_own_unreadable_share() -> None:
    crops = np.stack([paint(250, 250, 250), paint(250, 250, 90), paint(0, 0, 0)])
    crops[2, :2] = 255
    assert compute_unreadable_shares(crops).tolist() == [1, 0, 0.25]


def test_a_bright_colour_clipped_in_some_channels_is_not_glare() -> None:
    red = paint(40, 60, 255)
    assert find_clipped_channels(red)[0, 0].tolist() == [False, False, True]
    assert not find_unclipped_pixels(red).any()
    assert not find_colourless_pixels(red).any()


def test_the_level_before_clipping_is_neither_clipped_nor_safe() -> None:
    pixels = paint(248, 248, 248)
    assert not find_clipped_channels(pixels).any()
    assert not find_unclipped_pixels(pixels).any()
    assert find_unclipped_pixels(pixels - 1).all()
    assert find_clipped_channels(pixels + 1).all()


def test_faint_or_coloured_light_is_not_a_reflection() -> None:
    levels = np.array([[0, 7, 8, 90]], np.float32)
    assert exclude_faint_reflections(levels).tolist() == [[0, 0, 8, 90]]
    assert find_white_light(np.array([[44, 45]], np.float32)).tolist() == [[True, False]]


def test_a_place_is_dazzled_if_a_strong_reflection_is_surrounded_by_white() -> None:
    view = np.concatenate([paint(250, 250, 250), paint(90, 90, 90)], axis=1)
    strong, faint = np.full((8, 16), 61, np.float32), np.full((8, 16), 60, np.float32)
    dazzled = find_dazzled_places(view, strong, 3)
    assert dazzled[:, :8].all()
    assert not dazzled[:, 10:].any()
    assert not find_dazzled_places(view, faint, 3).any()


@pytest.mark.parametrize(
    ("paint_lab", "washed_out"),
    [((90, 10, 10), True), ((90, 40, 0), False), ((80, 10, 10), False), ((81, 39, 0), True)],
)
def test_a_light_paint_with_little_chroma_may_be_any_colour(paint_lab: tuple[float, ...], washed_out: bool) -> None:
    assert is_washed_out(np.array(paint_lab, np.float64)) is washed_out
