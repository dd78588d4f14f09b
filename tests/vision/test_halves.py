"""Halves of a picture show the same things at the same places."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.crops import shrink_to
from vision.frontal import seen_through
from vision.halves import HALF_LEAST, ROOM, Halves

SIDES = st.integers(4 * HALF_LEAST, 300)
SCALES = st.floats(0.05, 1.2)


def _smooth(width: int, height: int) -> np.ndarray:
    ys, xs = np.mgrid[:height, :width]
    waves = [np.sin(xs / a + ys / b) for a, b in ((31, 47), (53, 29), (40, -37))]
    return np.asarray(np.rint(127 + 100 * np.stack(waves, axis=2)), np.uint8)


@given(SIDES, SIDES, SCALES)
def test_the_smallest_that_is_large_enough_is_taken(width: int, height: int, scale: float) -> None:
    halves = Halves(_smooth(width, height))
    level, own = halves.at_least(scale)
    assert own >= min(ROOM * scale, 1)
    assert own < 2 * ROOM * scale or min(level.shape[:2]) < 2 * HALF_LEAST
    assert level.shape[:2] == (int(height * own), int(width * own))


@given(SIDES, SIDES, SCALES)
def test_a_shrunk_picture_is_what_shrinking_the_whole_gives(width: int, height: int, scale: float) -> None:
    picture = _smooth(width, height)
    small, used = Halves(picture).shrunk(scale)
    whole, _ = shrink_to(picture, used)
    h, w = (min(a, b) - 1 for a, b in zip(small.shape[:2], whole.shape[:2], strict=True))
    assert cv2.absdiff(small[:h, :w], whole[:h, :w]).max() <= 4 / min(scale, 1)


@given(SIDES, SIDES, st.floats(0.1, 0.9), st.data())
def test_a_part_is_what_shrinking_the_whole_gives_there(
    width: int, height: int, scale: float, data: st.DataObject
) -> None:
    left, right = sorted(data.draw(st.tuples(st.integers(0, width), st.integers(0, width))))
    top, bottom = sorted(data.draw(st.tuples(st.integers(0, height), st.integers(0, height))))
    picture = _smooth(width, height)
    whole, used = shrink_to(picture, scale)
    part, also = shrink_to(picture, scale, (left, top, right, bottom))
    assert also == used
    assert all(0 <= a - b <= 1 for a, b in zip(whole.shape[:2], part.shape[:2], strict=True))
    rows, cols = (slice(int(low * scale), int(high * scale)) for low, high in ((top, bottom), (left, right)))
    apart = whole[rows, cols].astype(int)[: len(part[rows]), : part[rows, cols].shape[1]] - part[rows, cols]
    assert np.abs(apart).max(initial=0) <= 3


@pytest.mark.parametrize("box", [(-50, -40, -20, -10), (400, 0, 500, 50), (10, 10, 5, 5)])
def test_of_a_part_beyond_the_picture_nothing_is_shown(box: tuple[int, int, int, int]) -> None:
    part, _ = shrink_to(_smooth(200, 100), 0.5, box)
    assert part.shape == (50, 100, 3)
    assert not part[:, 20:].any()


def test_an_odd_row_left_out_moves_nothing() -> None:
    picture = _smooth(301, 203)
    small = seen_through(Halves(picture), np.diag([0.2, 0.2, 1]), (60, 40)).astype(float)
    at = (np.arange(60) + 0.5) / 0.2 - 0.5
    assert small[20] == pytest.approx(picture[round((20.5) / 0.2 - 0.5), np.rint(at).astype(int)].astype(float), abs=12)


def test_a_half_is_made_once() -> None:
    halves = Halves(_smooth(200, 100))
    assert halves.at_least(0.15)[0] is halves.at_least(0.2)[0]
    assert halves.at_least(0.6)[0] is halves.whole
