from __future__ import annotations

import numpy as np
import pytest

from tests.vision.printed.boards import photographed, printed
from vision.photo.pyramid import Halves
from vision.printed.board import normalise_homography
from vision.printed.detector import rectify_enrolled_board
from vision.printed.photometric_fit import relight_view

BOARD = printed(2)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_what_differs_by_light_alone_differs_no_more(seed: int) -> None:
    shot = photographed(BOARD, seed, 70)
    homography = normalise_homography(shot.homographies[0], np.array(BOARD.size_mm) / 2)
    view, mask = rectify_enrolled_board(Halves(shot.photo), homography, BOARD, 1.0)
    picture = BOARD.at(1.0).astype(float)
    before, after = (np.abs(image - picture).mean() for image in (view, relight_view(view, BOARD.at(1.0), mask)))
    assert after < 0.8 * before
    assert after < 14


def test_what_lies_on_the_board_keeps_differing() -> None:
    picture = BOARD.at(1.0)
    view = np.clip(picture * np.array([0.5, 0.7, 0.9]), 0, 255).astype(np.uint8)
    view[100:140, 60:100] = (20, 20, 120)
    lit = relight_view(view, picture, np.full(picture.shape[:2], 255, np.uint8))
    away = np.abs(lit.astype(float) - picture).mean(axis=2)
    away[95:145, 55:105] = np.nan
    assert np.nanmean(away) < 6
    assert np.abs(lit[105:135, 65:95].astype(float) - (40, 29, 133)).mean() < 20
