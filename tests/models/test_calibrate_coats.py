"""What the odds of coats of arms were distorted by is found again; they are looked at where the truth says."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.special import expit

from datasets.labels import load_truth
from models.calibrate_coats import coats_of, fitted
from vision.coats import SHARE
from vision.nets import MODELS, Net
from vision.photo import Photo

EXAMPLES = Path(__file__).parents[2] / "datasets" / "examples"


@pytest.mark.parametrize(("slope", "offset"), [(1.0, 0.0), (1.9, -0.4), (0.6, 0.5)])
@pytest.mark.parametrize("known", [1.0, 0.7])
def test_the_slope_and_offset_that_make_coats_honest_are_found(slope: float, offset: float, known: float) -> None:
    rng = np.random.default_rng(5)
    odds = rng.normal(0, 3, 30_000)
    shown = np.where(rng.random(len(odds)) < known, expit(slope * odds + offset), SHARE)
    coats = rng.random(len(odds)) < shown
    assert fitted(np.full(len(odds), known), odds, coats) == pytest.approx((slope, offset), abs=0.15)


def test_where_coats_cannot_be_read_nothing_is_learnt() -> None:
    odds = np.linspace(-3, 3, 50)
    assert fitted(np.zeros(50), odds, odds > 0) == pytest.approx((1, 0), abs=1e-3)


def test_of_a_photo_all_tiles_that_may_have_a_coat_of_arms_are_looked_at() -> None:
    truth = load_truth(EXAMPLES / "table.json")
    known, odds, coats = coats_of(Net(MODELS / "classifier.onnx"), Photo.from_path(EXAMPLES / "table.jpg"), truth)
    assert len(coats) == 20
    assert coats.sum() == 9
    assert (known > 0.9).all()
    assert ((odds > 0) == coats).mean() > 0.9
