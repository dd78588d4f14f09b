"""Where coats of arms are printed, as the net itself tells: on tiles of a photo of our own."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from scoring.carcassonne.catalogue import turned_layouts
from vision.coat_places import CELLS, PATCH_PX, patch_starts, places_of_coats
from vision.crops import CROP_MARGIN, CROP_PX
from vision.hidden_coats import SURELY, likely_pairs
from vision.photo import Photo
from vision.quarter_turns import turned_classes
from vision.reader import Reader
from vision.tiles import twins_of

Floats = NDArray[np.float64]
Image = NDArray[np.uint8]
Ints = NDArray[np.int64]

PHOTO = Path(__file__).parents[2] / "datasets" / "examples" / "table.jpg"
TILE_PX = CROP_PX / (1 + 2 * CROP_MARGIN)


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader()


@pytest.fixture(scope="module")
def shown(reader: Reader) -> tuple[Image, Ints]:
    """Crops of the squares that surely show a coat of arms, one of each tile, and the twins that they are one of."""
    survey = reader.survey(Photo.from_path(PHOTO))
    assert survey.logits.coats is not None
    twins = twins_of(tuple(reader.classifier.metadata["classes"]))
    pairs, odds = likely_pairs(survey.logits.layouts, survey.logits.coats, twins)
    tiles = [turned_layouts(reader.catalogue)[number][0] for number in twins[pairs, 1].tolist()]
    best = {tiles[i]: i for i in np.argsort(odds).tolist() if odds[i] > SURELY}
    return survey.logits.coats.crops[list(best.values())], twins[pairs[list(best.values())]]


def odds_of(reader: Reader, crops: Image, twins: Ints) -> Floats:
    (layouts, *_) = reader.classifier(crops)
    return np.asarray(np.diff(np.take_along_axis(layouts, twins, axis=1))[:, 0], np.float64)


def middle_of(place: Floats) -> Floats:
    """(2,) the row and column of its middle, in tiles."""
    cells = (np.indices(place.shape) + 0.5) / CELLS
    return np.asarray((cells * place).sum(axis=(1, 2)))


def painted(crop: Image, middle: Floats) -> Image:
    """The crop, a patch about a place on the tile painted over in one colour."""
    row, col = np.clip((CROP_MARGIN + middle) * TILE_PX - PATCH_PX / 2, 0, CROP_PX - PATCH_PX).astype(int).tolist()
    over = crop.copy()
    over[row : row + PATCH_PX, col : col + PATCH_PX] = np.median(crop, axis=(0, 1))
    return over


def test_each_part_of_a_crop_is_covered() -> None:
    covered = np.zeros((CROP_PX, CROP_PX), bool)
    for row, col in patch_starts().tolist():
        covered[row : row + PATCH_PX, col : col + PATCH_PX] = True
    assert covered.all()


def test_a_coat_of_arms_painted_over_where_it_lies_is_seen_no_more(reader: Reader, shown: tuple[Image, Ints]) -> None:
    crops, twins = shown
    places = places_of_coats(reader.classifier, crops, twins)
    assert len(crops) == 5
    np.testing.assert_allclose(places.sum(axis=(1, 2)), 1)
    middles = [middle_of(place) for place in places]
    there = np.stack([painted(crop, middle) for crop, middle in zip(crops, middles, strict=True)])
    elsewhere = np.stack([painted(crop, 1 - middle) for crop, middle in zip(crops, middles, strict=True)])
    before, hidden, seen = (odds_of(reader, pictures, twins) for pictures in (crops, there, elsewhere))
    assert (before > 2).all()
    assert (hidden < before / 2).all()
    assert (seen > hidden).all()


def test_the_place_turns_with_the_tile(reader: Reader, shown: tuple[Image, Ints]) -> None:
    crops, twins = shown
    turned = turned_classes(tuple(reader.classifier.metadata["classes"]), 1)
    upright = places_of_coats(reader.classifier, crops, twins)
    own = np.ascontiguousarray(np.rot90(crops, -1, axes=(1, 2)))
    for place, other in zip(upright, places_of_coats(reader.classifier, own, turned[twins]), strict=True):
        row, col = middle_of(place)
        np.testing.assert_allclose(middle_of(other), (col, 1 - row), atol=0.15)
