"""Halves of a picture show the same things at the same places."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.geometry.rectification import warp_photo
from vision.photo.crops import shrink_image
from vision.photo.pyramid import MIN_NEAR_SHARE, MIN_SIZE_SHARE, ROOM_RATIO, Halves

SIDES = st.integers(64, 300)
SCALES = st.floats(0.05, 1.2)


def _smooth(width: int, height: int) -> np.ndarray:
    ys, xs = np.mgrid[:height, :width]
    waves = [np.sin(xs / a + ys / b) for a, b in ((31, 47), (53, 29), (40, -37))]
    return np.asarray(np.rint(127 + 100 * np.stack(waves, axis=2)), np.uint8)


@given(SIDES, SIDES, SCALES)
def test_the_smallest_sufficient_level_is_used(width: int, height: int, scale: float) -> None:
    halves = Halves(_smooth(width, height))
    level, level_scale = halves.at_least(scale)
    assert level_scale >= min(ROOM_RATIO * scale, 1)
    assert level_scale < 2 * ROOM_RATIO * scale or min(level.shape[:2]) == 1
    assert level.shape[:2] == (int(height * level_scale), int(width * level_scale))


@given(SIDES, SIDES, SCALES)
def test_a_shrunk_picture_equals_shrinking_the_whole(width: int, height: int, scale: float) -> None:
    picture = _smooth(width, height)
    small, used = Halves(picture).shrunk(scale)
    whole, _ = shrink_image(picture, used)
    h, w = (min(a, b) - 1 for a, b in zip(small.shape[:2], whole.shape[:2], strict=True))
    assert cv2.absdiff(small[:h, :w], whole[:h, :w]).max() <= 4 / min(scale, 1)


@given(SIDES, SIDES, SCALES)
def test_a_sized_picture_shows_the_same_as_a_shrunk_one(width: int, height: int, scale: float) -> None:
    picture = _smooth(width, height)
    sized, used = Halves(picture).sized(scale)
    assert 0.99 * MIN_SIZE_SHARE * min(scale, 1) <= used <= min(1.01 * scale / MIN_NEAR_SHARE, 1)
    whole, _ = shrink_image(picture, used)
    h, w = (min(a, b) - 1 for a, b in zip(sized.shape[:2], whole.shape[:2], strict=True))
    assert cv2.absdiff(sized[:h, :w], whole[:h, :w]).max() <= 4 / min(scale, 1)


@pytest.mark.parametrize("shape", [(1, 3000, 3), (3000, 1, 3), (1, 1, 3)])
def test_a_resized_line_keeps_at_least_one_pixel(shape: tuple[int, int, int]) -> None:
    assert min(Halves(np.full(shape, 7, np.uint8)).sized(0.1)[0].shape) >= 1


@given(st.floats(0.05, 1.0))
def test_details_finer_than_the_pixels_are_averaged(scale: float) -> None:
    noise = np.random.default_rng(1).integers(0, 256, (1024, 1024, 3), np.uint8)
    assert Halves(noise).sized(scale)[0].std() <= 2.1 * scale * noise.std()


def test_an_omitted_odd_row_moves_nothing() -> None:
    picture = _smooth(301, 203)
    small = warp_photo(Halves(picture), np.diag([0.2, 0.2, 1]), (60, 40)).astype(float)
    at = (np.arange(60) + 0.5) / 0.2 - 0.5
    assert small[20] == pytest.approx(picture[round((20.5) / 0.2 - 0.5), np.rint(at).astype(int)].astype(float), abs=12)


def test_each_half_is_computed_once() -> None:
    halves = Halves(_smooth(200, 100))
    assert halves.at_least(0.15)[0] is halves.at_least(0.2)[0]
    assert halves.at_least(0.6)[0] is halves.whole


def test_the_whole_picture_is_decoded_once_and_only_if_needed() -> None:
    picture, made = _smooth(200, 100), list[int]()

    def make() -> np.ndarray:
        made.append(1)
        return picture

    halves = Halves.from_half(Halves(picture).at_least(0.25)[0], make)
    assert halves.size == (200, 100)
    assert np.array_equal(halves.sized(0.3)[0], Halves(picture).sized(0.3)[0])
    assert np.array_equal(halves.shrunk(0.1)[0], Halves(picture).shrunk(0.1)[0])
    assert not made
    assert halves.sized(0.6)[0].shape == Halves(picture).sized(0.6)[0].shape
    assert halves.whole is picture
    assert len(made) == 1
