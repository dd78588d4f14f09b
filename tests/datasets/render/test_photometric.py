"""Effects of light, lens and sensor: always a picture of the same size, the same for the same seed."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as effort
from hypothesis import strategies as st
from numpy.typing import NDArray

from datasets.render.photometric import compress_jpeg, fade, photograph


@pytest.fixture(scope="module")
def scene() -> NDArray[np.uint8]:
    small = np.random.default_rng(0).integers(30, 220, (9, 12, 3)).astype(np.uint8)
    return np.asarray(cv2.resize(small, (160, 120), interpolation=cv2.INTER_CUBIC), dtype=np.uint8)


@given(seed=st.integers(0, 2**32), strength=st.floats(0, 1))
@effort(max_examples=30)
def test_a_photo_has_the_picture_s_size(scene: NDArray[np.uint8], seed: int, strength: float) -> None:
    before = scene.copy()
    photo = photograph(scene, np.random.default_rng(seed), strength)
    assert (photo.shape, photo.dtype.name) == (scene.shape, "uint8")
    np.testing.assert_array_equal(scene, before)


@given(seed=st.integers(0, 2**32))
@effort(max_examples=10)
def test_the_same_seed_takes_the_same_photo(scene: NDArray[np.uint8], seed: int) -> None:
    first, second = (photograph(scene, np.random.default_rng(seed)) for _ in range(2))
    np.testing.assert_array_equal(first, second)


@given(seed=st.integers(0, 2**32))
@effort(max_examples=20)
def test_a_flawless_camera_changes_next_to_nothing(scene: NDArray[np.uint8], seed: int) -> None:
    photo = photograph(scene, np.random.default_rng(seed), 0.0)
    assert np.abs(photo.astype(int) - scene).mean() < 2.5


def test_more_strength_changes_more(scene: NDArray[np.uint8]) -> None:
    def change(strength: float) -> float:
        photos = [photograph(scene, np.random.default_rng(seed), strength) for seed in range(20)]
        return float(np.mean([np.abs(photo.astype(int) - scene).mean() for photo in photos]))

    assert change(0.0) < change(0.4) < change(1.0)


def test_jpeg_loses_more_at_lower_quality(scene: NDArray[np.uint8]) -> None:
    loss = [np.abs(compress_jpeg(scene, quality).astype(int) - scene).mean() for quality in (95, 60, 20)]
    assert loss == sorted(loss)


@given(seed=st.integers(0, 2**32))
@effort(max_examples=30)
def test_nothing_in_a_faded_picture_is_black_and_white_stays_white(seed: int) -> None:
    grey = np.repeat(np.arange(256, dtype=np.uint8)[None, :, None], 3, axis=2)
    veiled = fade(grey, np.random.default_rng(seed))
    assert veiled[0, 0].max() >= 15
    assert (veiled[0, 255] == 255).all()
    assert (np.diff(veiled[0].astype(int), axis=0) >= 0).all()
