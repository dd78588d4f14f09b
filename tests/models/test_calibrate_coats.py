"""What the odds of coats of arms were distorted by is found again; they are looked at where the truth says."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.special import expit

from datasets.labels import load_truth
from models.calibrate_coats import coats_of, fitted
from vision.coats import honest_odds
from vision.photo import Photo
from vision.reader import Reader

EXAMPLES = Path(__file__).parents[2] / "datasets" / "examples"


@pytest.mark.parametrize("bare", [(1.0, 0.0), (2.5, -1.4)])
@pytest.mark.parametrize("covered", [(1.0, 0.0), (0.6, 0.5)])
def test_the_slopes_and_offsets_that_make_coats_honest_are_found(
    bare: tuple[float, float], covered: tuple[float, float]
) -> None:
    rng = np.random.default_rng(5)
    odds, hidden = rng.normal(0, 3, 30_000), rng.choice([0.0, 0.4, 1.0], 30_000)
    coats = rng.random(len(odds)) < expit(honest_odds(odds, hidden, bare, covered))
    found_bare, found_covered = fitted(odds, hidden, coats)
    assert found_bare == pytest.approx(bare, abs=0.15)
    assert found_covered == pytest.approx(covered, abs=0.15)


def test_without_squares_nothing_is_learnt() -> None:
    none = np.zeros(0)
    for found in fitted(none, none, none > 0):
        assert found == pytest.approx((1, 0), abs=1e-3)


def test_of_a_photo_all_tiles_that_may_have_a_coat_of_arms_are_looked_at() -> None:
    truth = load_truth(EXAMPLES / "table.json")
    odds, hidden, coats = coats_of(Reader(), Photo.from_path(EXAMPLES / "table.jpg"), truth)
    assert len(coats) == 20
    assert coats.sum() == 9
    assert hidden.min() == 0
    assert 0 < np.count_nonzero(hidden) < 20
    assert ((odds > 0) == coats).mean() > 0.9


def test_a_photo_without_a_board_tells_nothing() -> None:
    truth = load_truth(EXAMPLES / "table.json")
    photo = Photo.from_path(EXAMPLES / "table.jpg")
    photo.pixels[:] = 128
    assert [len(told) for told in coats_of(Reader(), photo, truth)] == [0, 0, 0]
