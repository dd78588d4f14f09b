"""Coats of arms are recognised by those that the same photo clearly shows on tiles of other kinds."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.carcassonne.tiles.catalogue import list_layout_turns
from scoring.carcassonne.tiles.geometry import Square
from tests.readers import reader
from vision.board.wonders.coat_matching import (
    PATCH_PX,
    SQUARE_PX,
    CoatMatcher,
    convert_to_pixels,
    convert_to_square,
    find_likest,
)
from vision.evaluation.labels import load_truth
from vision.photo.decoding import Photo
from vision.reader import Reader
from vision.survey.survey import PlacedSurvey

EXAMPLES = Path(__file__).parents[4] / "datasets" / "examples"
TABLE = EXAMPLES / "table.jpg"


@cache
def read_table() -> tuple[Reader, PlacedSurvey]:
    """Return the project's own picture of a table."""
    own = reader()
    (placed,) = own.joiner.group([own.survey(Photo.from_path(TABLE))]).placed
    return own, placed


@cache
def match() -> CoatMatcher:
    reader, placed = read_table()
    return CoatMatcher(placed, [*placed.index], placed.logits.layouts, reader.square_reader.catalogue)


@cache
def list_true_coats() -> dict[Square, bool]:
    """Return whether each square of the table that shows a city has a coat of arms, by its label."""
    _, placed = read_table()
    squares = [*placed.index]
    middles = placed.quads(squares).mean(axis=1)
    coats = {}
    for tile in load_truth(TABLE.with_suffix(".json")).tiles:
        if tile.placement is not None and any(part.kind == "city" for part in tile.placement.layout.segments):
            nearest = int(np.linalg.norm(middles - tile.centre_px, axis=1).argmin())
            coats[squares[nearest]] = bool(tile.placement.layout.coat_spots)
    return coats


def test_the_label_has_tiles_of_both_kinds() -> None:
    coats = list_true_coats()
    assert json.loads(TABLE.with_suffix(".json").read_text())["rows"]
    assert sum(coats.values()) >= 4
    assert sum(not coat for coat in coats.values()) >= 10


def test_squares_with_a_coat_of_arms_look_more_like_the_others_that_have_one() -> None:
    coats = list_true_coats()
    found = match().weigh([*coats])
    assert found.keys() == coats.keys()
    right = [(found[square].nats > 0) == coat for square, coat in coats.items()]
    assert np.mean(right) > 0.9
    assert min(found[s].nats for s, coat in coats.items() if coat) > np.median(
        [found[s].nats for s, coat in coats.items() if not coat]
    )


def test_it_lies_where_the_tile_has_it() -> None:
    reader, placed = read_table()
    classes = list_layout_turns(reader.square_reader.catalogue)
    matcher = match()
    for square, spot in matcher.coats.items():
        (found,) = matcher.weigh([square]).values()
        tile, _ = classes[int(placed.logits.layouts[[*placed.index].index(square)].argmax())]
        assert reader.square_reader.catalogue[tile].coat_spots
        if found.nats > 2:
            assert np.linalg.norm(np.subtract(found.at, spot)) < 0.15


def test_squares_beyond_the_photo_tell_nothing() -> None:
    assert match().weigh([(999, 999)]) == {}


def test_where_no_coat_of_arms_is_sure_none_is_told() -> None:
    reader, placed = read_table()
    unsure = np.full_like(placed.logits.layouts, -np.log(placed.logits.layouts.shape[1]))
    matcher = CoatMatcher(placed, [*placed.index], unsure, reader.square_reader.catalogue)
    assert matcher.weigh([*placed.index]) == {}


@pytest.mark.parametrize("turns", range(4))
def test_a_patch_is_found_where_it_lies_however_it_is_turned(turns: int) -> None:
    rng = np.random.default_rng(5)
    crop = rng.integers(0, 256, (SQUARE_PX, SQUARE_PX, 3), np.uint8)
    patch = rng.integers(0, 256, (PATCH_PX, PATCH_PX, 3), np.uint8)
    crop[30 : 30 + PATCH_PX, 20 : 20 + PATCH_PX] = np.rot90(patch, turns)
    likest = find_likest([tuple(np.ascontiguousarray(np.rot90(patch, k)) for k in range(4))], crop)
    assert likest.value > 0.99
    middle = PATCH_PX // 2
    assert likest.at == pytest.approx((convert_to_square(20 + middle), convert_to_square(30 + middle)))


@given(st.floats(0, 1))
def test_a_place_in_a_crop_is_given_back(number: float) -> None:
    assert convert_to_square(convert_to_pixels(number)) == pytest.approx(number)
