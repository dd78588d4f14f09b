"""The weights that places were drawn with are recovered; a photo's places are compared with its label."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.special import expit, logit

from models.calibration.presence import (
    LabelledPhoto,
    Places,
    collect_places,
    compute_logits,
    fit_row,
    fit_weights,
    judge_weights,
    list_labelled,
)
from tests.readers import reader as own_reader
from tests.scoring.outside import SHARED, needs_shared
from vision.arrays import SUREST
from vision.photo.decoding import Photo
from vision.pieces.classifier import PresenceWeights, load_presence_weights
from vision.pieces.company import weigh_presence_by_company
from vision.reader import Reader

EXAMPLES = Path(__file__).parents[3] / "datasets" / "examples"


def draw_places(weights: PresenceWeights, rng: np.random.Generator) -> Places:
    """Return a photo's places, with pieces as likely as some weights make them."""
    n = 80
    colours = rng.uniform(-60, 60, (4, 3))
    paints = colours[rng.integers(4, size=n)] + rng.normal(0, 2, (n, 3))
    paints[n // 2 :] = rng.uniform(-60, 60, (n - n // 2, 3))
    classifier, finder, at = rng.normal(0, 3, n), rng.normal(0, 1.5, n), rng.uniform(0, 12, (n, 2))
    odds = np.eye(6)[rng.integers(6, size=n)] * rng.choice([1.0, 0.0], size=(n, 1)) + 0.02
    odds /= odds.sum(axis=1, keepdims=True)
    places = Places(classifier, finder, paints, odds, at, np.zeros(n, np.bool_), np.ones(n, np.bool_), 1.0)
    return replace(places, pieces=rng.random(n) < expit(compute_logits(places, weights)))


@pytest.mark.parametrize(
    "weights", [PresenceWeights(0.8, 1.2, 0.2, 2.5, 1.5), PresenceWeights(1.2, 0.6, -0.5, 1.2, 0.0)]
)
def test_the_weights_of_places_with_pieces_are_recovered(weights: PresenceWeights) -> None:
    rng = np.random.default_rng(3)
    places = [draw_places(weights, rng) for _ in range(60)]
    best = fit_weights(places)
    assert best[:3] == pytest.approx(weights[:3], abs=0.2)
    assert best[3:] == pytest.approx(weights[3:], abs=0.5)
    assert judge_weights(places, best).nats <= judge_weights(places, weights).nats + 2


def test_the_row_holds_the_weights_and_their_cases() -> None:
    rng = np.random.default_rng(4)
    places = [draw_places(PresenceWeights(0.8, 1.2, 0.2, 2.5, 1.5), rng) for _ in range(3)]
    row, best = fit_row(places), fit_weights(places)
    assert [row.values[name] for name in best._fields] == [round(weight, 2) for weight in best]
    assert row.values["places"] == 3 * 80
    assert row.values["pieces"] == sum(photo.pieces.sum() for photo in places)
    assert (row.values["missed"], row.values["invented"]) == judge_weights(places, best)[:2]


@pytest.fixture(scope="module")
def photo() -> LabelledPhoto:
    (photo,) = list_labelled([EXAMPLES / "test_turned.json"], EXAMPLES)
    return photo


@pytest.fixture(scope="module")
def places(reader: Reader, photo: LabelledPhoto) -> Places:
    return collect_places(reader, photo)


def test_each_piece_and_false_place_of_a_photo_is_collected_once(photo: LabelledPhoto, places: Places) -> None:
    assert len(photo.feet) == 27
    assert places.pieces.sum() == 27
    assert places.used[places.pieces].all()
    assert (places.used & ~places.pieces).sum() >= 1
    missed, invented, _ = judge_weights([places], load_presence_weights())
    assert missed == 0
    assert invented <= 1


def test_the_reader_uses_the_fitted_weights_of_witnesses(reader: Reader, photo: LabelledPhoto, places: Places) -> None:
    survey = reader.survey(Photo.from_path(photo.file))
    squares = sorted(tile.square for tile in reader.join([survey]).views[0].reading.tiles)
    candidates = reader.piece_reader.find_places(survey, squares)
    likely = [piece.presence for piece in weigh_presence_by_company(candidates)]
    assert len(likely) > 27
    weights = load_presence_weights()
    fitted = expit(compute_logits(places, weights))
    within = np.abs(weights.weigh(places.classifier, places.finder)) < logit(1 - SUREST)
    assert within.sum() > 15
    assert np.array(likely)[within] == pytest.approx(fitted[within], abs=1e-6)


@needs_shared
def test_every_piece_is_found_on_squares_that_reading_the_board_adds() -> None:
    (photo,) = list_labelled([SHARED / "labels" / "new" / "ls_five_colours.json"], SHARED / "photos")
    assert collect_places(own_reader(), photo).pieces.sum() == 16
