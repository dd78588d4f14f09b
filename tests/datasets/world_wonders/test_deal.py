"""Random cities obey the rules, and the project's own copy fits the model of components."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from datasets.world_wonders.deal import deal_city, list_values
from datasets.world_wonders.own_copy import (
    COLOURS,
    COLS,
    GROUND,
    MONUMENTS,
    PIECES,
    RESOURCE,
    ROWS,
    SHAPES,
    WATER,
    build_land,
    turn_cells,
)
from datasets.world_wonders.own_copy import format_components as written
from scoring.world_wonders.board import build_table
from scoring.world_wonders.components import load_components
from scoring.world_wonders.problems import find_problems

PLACING_ASIDE = {"population_differs", "more_than_the_box"}
"""Markers are set by chance, and a city may be richer than one box."""


@settings(max_examples=25, deadline=None)
@given(st.sampled_from("AB"), st.sampled_from(COLOURS), st.integers(0, 45), st.integers(0, 2**32))
def test_cities_are_laid_by_the_rules(side: str, colour: str, turns: int, seed: int) -> None:
    city = deal_city(colour, build_land(side, colour), turns, np.random.default_rng(seed))
    values_by_spot = {f"map.{colour}.{row}.{col}": value for (row, col), value in list_values(city)}
    components = load_components(written(side))
    problems = find_problems(components, build_table(components, (colour,), values_by_spot))
    assert [problem for problem in problems if problem.code not in PLACING_ASIDE] == []


def test_pieces_are_numbered_row_by_row() -> None:
    city = deal_city("red", build_land("A", "red"), 40, np.random.default_rng(3))
    first: dict[str, int] = {}
    for _, value in list_values(city):
        kind, _, number = value.partition("#")
        if number:
            assert int(number) <= first.get(kind, 0) + 1
            first[kind] = max(first.get(kind, 0), int(number))
    monuments = {piece.kind for piece in city.pieces if piece.kind in MONUMENTS}
    others = [piece for piece in city.pieces if piece.kind not in MONUMENTS]
    assert sum(first.values()) == len(others) + len(monuments)


def test_monuments_of_several_pieces_and_those_on_water_are_laid() -> None:
    kinds = Counter[str]()
    wet = set()
    for seed in range(60):
        city = deal_city("red", build_land("A", "red"), 40, np.random.default_rng(seed))
        kinds.update(piece.kind for piece in city.pieces)
        wet |= {piece.kind for piece in city.pieces for cell in piece.cells if city.land.at(cell) == WATER}
        for name, count in PIECES.items():
            assert sum(piece.kind == name for piece in city.pieces) in (0, count)
    assert kinds.keys() >= MONUMENTS.keys()
    assert wet == {"bridge", *GROUND}


@pytest.mark.parametrize("side", ["A", "B"])
def test_maps_have_ten_natural_resources_and_water(side: str) -> None:
    lands = {build_land(side, colour) for colour in COLOURS}
    assert len(lands) == (1 if side == "A" else 5)
    for terrain in lands:
        assert len(terrain.rows) == ROWS
        assert {len(row) for row in terrain.rows} == {COLS}
        assert len(terrain.cells(RESOURCE)) == 10
        assert len(terrain.cells(WATER)) >= 5


@given(st.sampled_from(sorted(SHAPES)), st.integers(0, 3))
def test_four_quarter_turns_restore_a_shape(shape: str, turns: int) -> None:
    once = turn_cells(SHAPES[shape], turns)
    assert sorted(turn_cells(once, 4 - turns)) == sorted(SHAPES[shape])
