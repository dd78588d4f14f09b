"""What the odds of coats of arms were distorted by is found again; they are looked at where the truth says."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.special import expit

from models.calibration.coats import READABLE, coats_of, fitted, unlikely
from vision.evaluation.labels import load_truth
from vision.photo.decoding import Photo
from vision.reader import Reader

EXAMPLES = Path(__file__).parents[3] / "datasets" / "examples"


@pytest.mark.parametrize("numbers", [(1.0, 0.0), (2.5, -1.4), (0.5, 1.2, 0.3), (1.5, 0.4, -0.8)])
def test_the_slopes_and_the_offset_that_make_coats_honest_are_found(numbers: tuple[float, ...]) -> None:
    rng = np.random.default_rng(5)
    logits = rng.normal(0, 3, (30_000, len(numbers) - 1))
    coats = rng.random(len(logits)) < expit(logits @ numbers[:-1] + numbers[-1])
    found = fitted(logits, coats)
    assert found == pytest.approx(numbers, abs=0.15)
    honest, surer = (unlikely(scale * (logits @ numbers[:-1] + numbers[-1]), coats) for scale in (1, 2))
    assert honest < surer


def test_without_squares_nothing_is_learnt() -> None:
    none = np.zeros((0, 2))
    assert fitted(none, none[:, 0] > 0) == pytest.approx((0.5, 0.5, 0), abs=1e-3)
    assert unlikely(none[:, 0], none[:, 0] > 0) == 0


def test_of_a_photo_all_tiles_that_may_have_a_coat_of_arms_are_looked_at() -> None:
    truth = load_truth(EXAMPLES / "table.json")
    seen = coats_of(Reader(), Photo.from_path(EXAMPLES / "table.jpg"), truth)
    assert len(seen.coats) == 20
    assert seen.coats.sum() == 9
    assert ((seen.named > 0) == seen.coats).mean() > 0.9
    assert ((seen.told > 0) == seen.coats).mean() > 0.9
    assert seen.known > READABLE


def test_a_photo_without_a_board_tells_nothing() -> None:
    truth = load_truth(EXAMPLES / "table.json")
    photo = Photo.from_path(EXAMPLES / "table.jpg")
    photo.pixels[:] = 128
    assert len(coats_of(Reader(), photo, truth).coats) == 0
