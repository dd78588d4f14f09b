"""The weights that places were made by are found again; a photo's places are held against its label."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.special import expit

from models.calibration.presence import Places, fitted, judged, labelled, logits_by, places_of
from vision.pieces.classifier import SEEMED, SEEN, STANDS
from vision.pieces.colour_clusters import LIKE
from vision.reader import Reader

EXAMPLES = Path(__file__).parents[3] / "datasets" / "examples"


def drawn(numbers: tuple[float, float, float, float], rng: np.random.Generator) -> Places:
    """A photo's places, with pieces as likely as some numbers make them."""
    n = 80
    colours = rng.uniform(-60, 60, (4, 3))
    paints = colours[rng.integers(4, size=n)] + rng.normal(0, 2, (n, 3))
    paints[n // 2 :] = rng.uniform(-60, 60, (n - n // 2, 3))
    seen, seeming, at = rng.normal(0, 3, n), rng.normal(0, 1.5, n), rng.uniform(0, 12, (n, 2))
    told = Places(seen, seeming, paints, at, np.zeros(n, np.bool_), np.ones(n, np.bool_), 1.0)
    pieces = rng.random(n) < expit(logits_by(told, numbers))
    return Places(seen, seeming, paints, at, pieces, np.ones(n, np.bool_), 1.0)


@pytest.mark.parametrize("numbers", [(0.8, 1.2, 0.2, 2.5), (1.2, 0.6, -0.5, 1.2)])
def test_the_weights_by_which_places_show_pieces_are_found(numbers: tuple[float, float, float, float]) -> None:
    rng = np.random.default_rng(3)
    places = [drawn(numbers, rng) for _ in range(60)]
    found = fitted(places)
    assert found[:3] == pytest.approx(numbers[:3], abs=0.2)
    assert found[3] == pytest.approx(numbers[3], abs=0.5)
    assert judged(places, found)[2] <= judged(places, numbers)[2] + 0.1


def test_of_a_photo_every_piece_is_told_once_and_what_is_none_as_well() -> None:
    (shown,) = labelled([EXAMPLES / "test_turned.json"], EXAMPLES)
    places = places_of(Reader(), shown)
    assert len(shown.feet) == 27
    assert places.pieces.sum() == 27
    assert places.used[places.pieces].all()
    assert (places.used & ~places.pieces).sum() >= 1
    missed, invented, _ = judged([places], (SEEN, SEEMED, STANDS, LIKE))
    assert missed == 0
    assert invented <= 1
