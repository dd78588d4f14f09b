"""Data that no training uses: drawn styles held back for calibration and for figures."""

from __future__ import annotations

import numpy as np
import pytest

from datasets.art.style import STYLES
from models.samples.splits import (
    CALIBRATION_STYLES,
    HELD_OUT_STYLES,
    MEASURED_STYLES,
    RANDOM_STYLES,
    choose_training_styles,
)


def test_styles_that_figures_are_measured_on_calibrate_nothing() -> None:
    assert set(MEASURED_STYLES) == {"autumn", "winter"}
    assert set(MEASURED_STYLES).isdisjoint(CALIBRATION_STYLES)


@pytest.mark.parametrize("seed", [1, 2])
def test_styles_held_back_are_never_trained_on(seed: int) -> None:
    styles = choose_training_styles(np.random.default_rng(seed))
    assert {style.name for style in styles[:-RANDOM_STYLES]} == STYLES.keys() - set(HELD_OUT_STYLES)
    kept_back = [STYLES[name] for name in HELD_OUT_STYLES]
    assert not any(style == other for style in styles for other in kept_back)
