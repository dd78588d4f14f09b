"""The weights for outlines of empty boards are fitted on arts that are not held out; known weights are recovered."""

from __future__ import annotations

import numpy as np
import pytest

from datasets.tower_of_babel.art import FITTED_BOARD_ARTS, HELD_OUT_BOARD_ARTS
from models.calibration import boards as command
from models.calibration.boards import collect_points, draw_boards, fit_points, measure_loss
from vision.showing.card_fit import load_card_weights
from vision.showing.lines import load_line_weights
from vision.showing.side_lines import load_edge_weights


def test_the_share_and_the_surprise_of_edges_on_lines_are_found_again() -> None:
    rng = np.random.default_rng(1)
    points = np.where(rng.random(40_000) < 0.8, rng.exponential(3.0, 40_000), rng.exponential(1.0, 40_000))
    seen, surprise = fit_points(points)
    assert (seen, surprise) == pytest.approx((0.8, 3.0), rel=0.05)


def test_boards_are_drawn_in_no_art_that_is_held_out(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not {*FITTED_BOARD_ARTS} & {*HELD_OUT_BOARD_ARTS}
    monkeypatch.setattr(command, "FITTED_BOARD_ARTS", ("marble",))
    (photographed,), (board,) = draw_boards(1, 5)
    assert photographed.measure_misfit(load_edge_weights()) < 1.0
    assert photographed.measure_size_off(load_card_weights()) < 0.5
    assert collect_points(board).mean() > 1.5  # by the surprise of any point it is 1
    wrong, off = measure_loss([board], load_line_weights())
    assert wrong <= 2
    assert off < 1.5
