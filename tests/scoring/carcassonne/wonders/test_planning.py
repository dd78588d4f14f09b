"""The plan of a layout agrees with its drawing, and contradictions to the rule texts come with their numbers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from datasets.scene.varied_wonders import vary_wonder
from scoring.carcassonne.wonders.catalogue import load_wonder_catalogue
from scoring.carcassonne.wonders.files import build_bare_wonder, build_wonder, parse_plan, read_wonder
from scoring.carcassonne.wonders.plan_files import read_plan, write_plan
from scoring.carcassonne.wonders.planning import plan_layout
from scoring.carcassonne.wonders.tiles import WONDERS, WonderLayout
from scoring.carcassonne.wonders.validation import (
    Contradiction,
    count_layout,
    count_plan,
    find_other_fields,
    list_contradictions,
)
from scoring.errors import CatalogueError


def describe(layout: WonderLayout) -> list[Any]:
    """Describe a layout: edges, roads, cities, monasteries, the cities that fields touch, the marked square."""
    built = [
        (part.kind, sorted({*part.squares}), part.open_ends, layout.count_coats(number))
        for number, part in enumerate(layout.parts)
        if part.kind in ("road", "city", "monastery")
    ]
    fields = sorted(len(part.cities) for part in layout.parts if part.kind == "field")
    edges = [[cell.edge(side) for side in "NESW"] for cell in layout.cells]
    return [*sorted(built), fields, edges, layout.marked[0]]


@pytest.mark.parametrize("id", WONDERS)
def test_a_drawn_layout_is_planned_as_it_is_drawn(id: str) -> None:
    layout = load_wonder_catalogue()[id]
    assert isinstance(layout.entry["wonder"], str)
    assert describe(read_wonder(write_plan(plan_layout(layout)))) == describe(layout)


@pytest.mark.parametrize("id", WONDERS)
def test_a_planned_layout_has_the_plan_it_was_made_from(id: str) -> None:
    layout = vary_wonder(id, np.random.default_rng(6))
    assert plan_layout(layout) == read_plan(layout.entry, layout.squares)


def test_of_a_bare_wonder_the_plan_holds_its_squares_alone() -> None:
    layout = build_bare_wonder("WH/tikal", load_wonder_catalogue()["WH/tikal"].squares)
    plan = plan_layout(layout)
    assert (plan.wonder, plan.cities, plan.roads, plan.monastery) == ((0, 1, 2, 3, 4), (), (), None)


def test_no_layout_that_is_shipped_contradicts_the_rules() -> None:
    for id, layout in load_wonder_catalogue().items():
        assert list(list_contradictions(id, count_layout(layout))) == []
        assert find_other_fields(layout) is None


def test_contradictions_are_told_of_plans_that_cannot_be_drawn_as_well() -> None:
    plan = plan_layout(load_wonder_catalogue()["WH/stonehenge"])
    fork, *others = plan.roads
    roads = (replace(fork, ends=fork.ends[:1]), *others)
    assert list(list_contradictions(plan.id, count_plan(replace(plan, roads=roads)))) == [
        Contradiction("road_ends", (1, 1, 2), (1, 1, 1))
    ]
    assert list(list_contradictions(plan.id, count_plan(replace(plan, cities=(), monastery=0)))) == [
        Contradiction("city_squares", (1,), ()),
        Contradiction("monasteries", (0,), (1,)),
    ]
    nowhere = {**write_plan(plan), "wonder": [[0, 2]]}
    with pytest.raises(CatalogueError, match="no way"):
        build_wonder(nowhere)
    assert list(list_contradictions(plan.id, count_plan(parse_plan(nowhere)))) == []


def test_another_number_of_fields_is_told_and_refused_by_nobody() -> None:
    entry = write_plan(plan_layout(load_wonder_catalogue()["WH/alhambra"]))
    layout = read_wonder({**entry, "cities": [{"edges": entry["cities"][0]["edges"]}]})
    other = find_other_fields(layout)
    assert other is not None
    assert (other.about, other.stated) == ("fields", (5,))
    assert other.found != other.stated
