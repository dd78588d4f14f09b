"""Coats of arms that a photo shows on a wonder's squares belong to its cities."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from datasets.scene.varied_wonders import vary_wonder
from scoring.carcassonne.board.board import PlacedWonder
from scoring.carcassonne.tiles.catalogue import list_layout_turns
from scoring.carcassonne.tiles.geometry import Square, turn_point
from scoring.carcassonne.wonders.files import change_coats, read_wonder
from scoring.carcassonne.wonders.tiles import COATS_UNSEEN, WonderLayout
from tests.readers import reader, survey_example
from vision.board.wonders.coats import (
    PATCH_PX,
    CoatMatcher,
    FoundCoat,
    compute_chances,
    convert_to_square,
    find_likest,
    settle_cities,
    settle_other,
)
from vision.evaluation.labels import load_truth
from vision.photo.crops import CROP_PX
from vision.reader import Reader
from vision.survey.survey import PlacedSurvey

NOWHERE = (0.5, 0.5)
EXAMPLES = Path(__file__).parents[4] / "datasets" / "examples"
TABLE = EXAMPLES / "table.jpg"


@cache
def unseen_copy(id: str, seed: int = 3) -> WonderLayout:
    """Return a copy without coats of arms, for which it is unknown whether its cities have any."""
    entry = dict(vary_wonder(id, np.random.default_rng(seed)).entry)
    cities = [{key: value for key, value in city.items() if key != "coats"} for city in entry["cities"]]
    return read_wonder({**entry, "cities": cities, "inferred": [COATS_UNSEEN]})


def place(id: str, turns: int = 0) -> PlacedWonder:
    return PlacedWonder(unseen_copy(id), (7, 7), turns)


def list_cities(layout: WonderLayout) -> list[int]:
    return [number for number, part in enumerate(layout.parts) if part.kind == "city"]


def find_nothing(placed: PlacedWonder) -> dict[Square, FoundCoat]:
    return {square: FoundCoat(-6.0, NOWHERE) for square in placed.squares}


def find_on(placed: PlacedWonder, city: int, nats: float) -> dict[Square, FoundCoat]:
    """Return the evidence for a coat of arms in the middle of one of the city's squares."""
    layout = change_coats(placed.layout, city, 1)
    (cell, spot) = next((cell, spots.coat_spots[0]) for cell, spots in enumerate(layout.cells) if spots.coat_spots)
    at = turn_point(spot, placed.turns)
    return {**find_nothing(placed), placed.squares[cell]: FoundCoat(nats, at)}


@pytest.mark.parametrize("turns", range(4))
@pytest.mark.parametrize("id", ["WH/alhambra", "WH/abu-simbel", "WH/stonehenge"])
def test_a_coat_of_arms_belongs_to_the_city_where_it_lies(id: str, turns: int) -> None:
    placed = place(id, turns)
    cities = list_cities(placed.layout)
    for city in cities:
        read, coats = settle_cities(placed, find_on(placed, city, 9.0))
        assert [read.layout.count_coats(other) for other in cities] == [int(other == city) for other in cities]
        assert [coat.city for coat in coats] == cities
        assert all(abs(coat.coats - read.layout.count_coats(coat.city)) == 1 for coat in coats)
        assert all(coat.probability < 0.05 for coat in coats)
        assert read.layout.inferred == placed.layout.inferred


@pytest.mark.parametrize("id", ["WH/alhambra", "WH/abu-simbel", "WH/stonehenge"])
def test_an_unseen_coat_of_arms_of_another_printing_stays_possible(id: str) -> None:
    read, coats = settle_cities(place(id), find_nothing(place(id)))
    assert read == place(id)
    for coat in coats:
        assert coat.coats == 1
        assert 0.01 < coat.probability < 0.1


def test_weak_evidence_for_a_coat_of_arms_is_a_doubt() -> None:
    placed = place("WH/stonehenge")
    (city,) = list_cities(placed.layout)
    read, (coat,) = settle_cities(placed, find_on(placed, city, 1.4))
    assert 0.2 < coat.probability < 0.5
    assert coat.coats == 1 - read.layout.count_coats(city)


def test_unseen_squares_keep_the_coats_of_arms_of_their_cities() -> None:
    placed = place("WH/stonehenge")
    _, (coat,) = settle_cities(placed, {})
    assert coat.probability == pytest.approx(0.2, abs=0.02)


def test_certain_coats_of_arms_of_another_copy_are_settled() -> None:
    placed = place("WH/stonehenge")
    (city,) = list_cities(placed.layout)
    sure = settle_other(placed, find_on(placed, city, 9.0))
    assert sure.layout.count_coats(city) == 1
    assert COATS_UNSEEN not in sure.layout.inferred
    unsure = settle_other(placed, find_on(placed, city, 1.4))
    assert COATS_UNSEEN in unsure.layout.inferred
    assert settle_other(placed, {}) == placed


@given(st.lists(st.floats(-8, 8), min_size=1, max_size=4))
def test_stronger_evidence_for_a_coat_of_arms_makes_it_more_likely(nats: list[float]) -> None:
    chances = compute_chances(nats)
    assert all(0 < chance < 1 for chance in chances)
    order = np.argsort(nats, kind="stable")
    assert np.all(np.diff(np.array(chances)[order]) >= -1e-12)


@cache
def read_table() -> tuple[Reader, PlacedSurvey]:
    """Return the project's own picture of a table."""
    (placed,) = reader().joiner.group([survey_example("table")]).placed
    return reader(), placed


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


def test_squares_with_a_coat_of_arms_resemble_other_squares_with_one() -> None:
    coats = list_true_coats()
    found = match().weigh([*coats])
    assert found.keys() == coats.keys()
    right = [(found[square].nats > 0) == coat for square, coat in coats.items()]
    assert np.mean(right) > 0.9
    assert min(found[s].nats for s, coat in coats.items() if coat) > np.median(
        [found[s].nats for s, coat in coats.items() if not coat]
    )


def test_a_coat_of_arms_is_found_at_its_place_on_the_tile() -> None:
    reader, placed = read_table()
    classes = list_layout_turns(reader.square_reader.catalogue)
    matcher = match()
    for square, spot in matcher.coats.items():
        (found,) = matcher.weigh([square]).values()
        tile, _ = classes[int(placed.logits.layouts[[*placed.index].index(square)].argmax())]
        assert reader.square_reader.catalogue[tile].coat_spots
        if found.nats > 2:
            assert np.linalg.norm(np.subtract(found.at, spot)) < 0.15


def test_squares_beyond_the_photo_give_no_evidence() -> None:
    assert match().weigh([(999, 999)]) == {}


def test_without_a_certain_coat_of_arms_there_is_no_evidence() -> None:
    reader, placed = read_table()
    unsure = np.full_like(placed.logits.layouts, -np.log(placed.logits.layouts.shape[1]))
    matcher = CoatMatcher(placed, [*placed.index], unsure, reader.square_reader.catalogue)
    assert matcher.weigh([*placed.index]) == {}


@pytest.mark.parametrize("turns", range(4))
def test_a_patch_is_found_at_its_place_in_any_turn(turns: int) -> None:
    rng = np.random.default_rng(5)
    crop = rng.integers(0, 256, (CROP_PX, CROP_PX, 3), np.uint8)
    patch = rng.integers(0, 256, (PATCH_PX, PATCH_PX, 3), np.uint8)
    crop[30 : 30 + PATCH_PX, 20 : 20 + PATCH_PX] = np.rot90(patch, turns)
    likest = find_likest([tuple(np.ascontiguousarray(np.rot90(patch, k)) for k in range(4))], crop)
    assert likest.value > 0.99
    middle = PATCH_PX // 2
    assert likest.at == pytest.approx((convert_to_square(20 + middle), convert_to_square(30 + middle)))
