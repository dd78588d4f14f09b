"""A known distortion of the odds of coats of arms is recovered; they are read on the squares of the truth."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.special import expit

from models.calibration.coats import MIN_LEGIBILITY, CoatSquares, collect_coats, compute_nats, fit_rows, fit_weights
from tests.readers import reader
from vision.evaluation.labels import load_truth
from vision.photo.decoding import Photo

EXAMPLES = Path(__file__).parents[3] / "datasets" / "examples"


@pytest.mark.parametrize("numbers", [(1.0, 0.0), (2.5, -1.4), (0.5, 1.2, 0.3), (1.5, 0.4, -0.8)])
def test_the_slopes_and_offset_that_calibrate_coats_are_recovered(numbers: tuple[float, ...]) -> None:
    rng = np.random.default_rng(5)
    logits = rng.normal(0, 3, (30_000, len(numbers) - 1))
    coats = rng.random(len(logits)) < expit(logits @ numbers[:-1] + numbers[-1])
    weights = fit_weights(logits, coats)
    assert weights == pytest.approx(numbers, abs=0.15)
    honest, surer = (compute_nats(scale * (logits @ numbers[:-1] + numbers[-1]), coats) for scale in (1, 2))
    assert honest < surer


def test_without_squares_nothing_is_fitted() -> None:
    none = np.zeros((0, 2))
    assert fit_weights(none, none[:, 0] > 0) == pytest.approx((0.5, 0.5, 0), abs=1e-3)
    assert compute_nats(none[:, 0], none[:, 0] > 0) == 0


def test_all_tiles_of_a_photo_with_a_possible_coat_of_arms_are_collected() -> None:
    truth = load_truth(EXAMPLES / "table.json")
    squares = collect_coats(reader(), Photo.from_path(EXAMPLES / "table.jpg"), truth)
    assert len(squares.coats) == 20
    assert squares.coats.sum() == 9
    assert ((squares.tile_net > 0) == squares.coats).mean() > 0.9
    assert ((squares.coat_net > 0) == squares.coats).mean() > 0.9
    assert squares.legibility > MIN_LEGIBILITY


def test_a_photo_without_a_board_yields_no_squares() -> None:
    truth = load_truth(EXAMPLES / "table.json")
    photo = Photo.from_path(EXAMPLES / "table.jpg")
    photo.pixels[:] = 128
    assert len(collect_coats(reader(), photo, truth).coats) == 0


def test_each_kind_of_evidence_has_a_row_from_photos_with_it() -> None:
    rng = np.random.default_rng(7)
    tile_logits, coat_logits = rng.normal(0, 3, 4000), rng.normal(0, 3, 4000)
    coats = rng.random(len(tile_logits)) < expit(0.8 * tile_logits + 0.6 * coat_logits - 1)
    photo = CoatSquares(tile_logits, coat_logits, np.zeros(len(tile_logits)), coats, MIN_LEGIBILITY)
    alone, both, beside = fit_rows([photo])
    assert [row.name for row in (alone, both, beside)] == ["tile_net", "both_nets", "beside_pieces"]
    assert both.values["tile_net"] == pytest.approx(0.8, abs=0.1)
    assert both.values["coat_net"] == pytest.approx(0.6, abs=0.1)
    assert both.values["offset"] == pytest.approx(-1, abs=0.2)
    assert (both.values["squares"], both.values["coats"]) == (4000, coats.sum())
    assert both.values["wrong"] < alone.values["wrong"]
    assert beside.values["hidden"] == pytest.approx(1 / 3, abs=0.01)
    illegible = CoatSquares(tile_logits, coat_logits, np.zeros(len(tile_logits)), coats, MIN_LEGIBILITY / 2)
    assert [row.name for row in fit_rows([illegible])] == ["strange"]
    assert not list(fit_rows([]))
