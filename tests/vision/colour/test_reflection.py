from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.flat_boards.boards import printed
from vision.colour.reflection import estimate_reflection

BOARD = printed(2)
PICTURE = BOARD.at(1.0)
SHOWN = np.full(PICTURE.shape[:2], 255, np.uint8)
H, W = PICTURE.shape[:2]


def reflection(strength: float) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    light = np.zeros((H, W), np.float32)
    cv2.ellipse(light, (W // 2, H // 2), (W // 6, H // 8), 0, 0, 360, strength, -1)
    return np.asarray(cv2.GaussianBlur(light, (0, 0), W / 20), np.float32)


@pytest.mark.parametrize("gain", [0.6, 0.9])
def test_a_board_without_a_reflection_has_none(gain: float) -> None:
    view = np.clip(PICTURE * gain, 0, 255).astype(np.uint8)
    assert estimate_reflection(view, PICTURE, SHOWN).mean() < 1


@pytest.mark.parametrize("strength", [50, 110])
def test_a_reflection_is_told_where_it_lies_and_how_strong_it_is(strength: float) -> None:
    light = reflection(strength)
    view = np.clip(0.6 * PICTURE + light[..., None], 0, 255).astype(np.uint8)
    view[H // 2 - 15 : H // 2 + 15, W // 2 - 15 : W // 2 + 15] = (20, 20, 90)
    estimate = estimate_reflection(view, PICTURE, SHOWN)
    there = light > 0.5 * strength
    assert np.abs(estimate - light)[there].mean() < 0.2 * strength
    assert estimate[light < 1].mean() < 4
