"""Wonder files that list the edges of each feature, and the shapes drawn from them."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import event, given
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from datasets.scene.varied_wonders import vary_wonder
from scoring.carcassonne.tiles.geometry import SIDES, Square
from scoring.carcassonne.wonders import sketch
from scoring.carcassonne.wonders.catalogue import load_custom_wonders, load_wonder_catalogue
from scoring.carcassonne.wonders.drawing import build_cell_layouts
from scoring.carcassonne.wonders.files import build_bare_wonder, build_wonder, draw_plan, parse_plan, read_wonder
from scoring.carcassonne.wonders.plans import (
    TARGETS,
    PlannedCity,
    PlannedRoad,
    WonderPlan,
    plan_layout,
    read_plan,
    write_plan,
)
from scoring.carcassonne.wonders.sketch import sketch_wonder
from scoring.carcassonne.wonders.tiles import WONDERS, WonderLayout, find_inner_sides
from scoring.carcassonne.wonders.validation import (
    Contradiction,
    count_layout,
    count_plan,
    find_other_fields,
    list_contradictions,
    refuse_impossible_drawing,
)
from scoring.errors import CatalogueError

DOCUMENTATION = Path(__file__).parents[4] / "docs" / "wonder-files.md"
SQUARES = ((0, 0), (1, 0), (2, 0), (2, 1), (2, 2))
ALHAMBRA: dict[str, Any] = {
    "id": "WH/alhambra",
    "squares": [list(square) for square in SQUARES],
    "wonder": [[2, 1], [2, 0], [2, 2]],
    "cities": [{"edges": ["0,0 N", "1,0 W", "2,0 S"], "walled": True}],
    "roads": [{"edges": ["2,1 N"]}, {"edges": ["2,2 E"]}],
}


@pytest.fixture(params=sorted(WONDERS))
def inferred(request: pytest.FixtureRequest) -> WonderLayout:
    return load_wonder_catalogue()[request.param]


def plan_like(layout: WonderLayout) -> WonderPlan:
    """Return the plan of a layout that is drawn with paths."""
    ground = next(part.squares for part in layout.parts if part.kind == "wonder")
    first = layout.marked[0]
    cities, roads, monastery = list[PlannedCity](), list[PlannedRoad](), None
    for index, part in enumerate(layout.parts):
        covered = tuple(sorted(set(part.squares)))
        ends = tuple((c, side) for c, s in layout.members(index) for side in layout.cells[c].segments[s].edges)
        church = layout.id == "WH/notre-dame" and len(covered) == 2
        if part.kind == "city":
            cities.append(PlannedCity(covered, ends, 0, len(covered) > 1))
        elif part.kind == "road":
            roads.append(PlannedRoad(covered, ends, TARGETS[: 1 + church], church))
        elif part.kind == "monastery":
            monastery = covered[0]
    wonder = (first, *sorted(set(ground) - {first}))
    return WonderPlan(layout.id, layout.squares, wonder, tuple(cities), tuple(roads), monastery)


def count_parts(layout: WonderLayout) -> list[tuple[str, tuple[int, ...], int]]:
    """Return roads, cities and the monastery with their squares and open ends."""
    built = [part for part in layout.parts if part.kind in ("road", "city", "monastery")]
    return sorted((part.kind, tuple(sorted(set(part.squares))), part.open_ends) for part in built)


def test_a_plan_of_an_inferred_wonder_has_its_features_and_edges(inferred: WonderLayout) -> None:
    planned = read_wonder(write_plan(plan_like(inferred)))
    assert count_parts(planned) == count_parts(inferred)
    for drawn, sketched in zip(inferred.cells, planned.cells, strict=True):
        assert sketched.inside == drawn.inside
        for side in set(SIDES) - set(drawn.inside):
            kinds = [
                {segment.kind for segment in cell.segments if side in segment.edges and segment.kind != "field"}
                for cell in (drawn, sketched)
            ]
            assert kinds[0] == kinds[1], side


@pytest.mark.parametrize("id", sorted(set(WONDERS) - {"WH/tikal"}))
def test_a_planned_wonder_has_the_stated_number_of_fields(id: str) -> None:
    inferred = load_wonder_catalogue()[id]
    planned = read_wonder(write_plan(plan_like(inferred)))
    fields = [sorted(len(part.cities) for part in w.parts if part.kind == "field") for w in (planned, inferred)]
    assert fields[0] == fields[1]


def test_the_documented_example_has_the_stated_features(tmp_path: Path) -> None:
    blocks = re.findall(r"```toml\n(.*?)```", DOCUMENTATION.read_text(encoding="utf-8"), flags=re.DOTALL)
    file = tmp_path / "alhambra.toml"
    file.write_text(next(block for block in blocks if "edges" in block), encoding="utf-8")
    layout = load_custom_wonders(file)["WH/alhambra"]
    assert layout.entry == ALHAMBRA
    assert sum(part.kind == "field" for part in layout.parts) == 5
    assert layout.marked[0] == 3
    city = next(part for part in layout.parts if part.kind == "city")
    assert (sorted(city.squares), city.open_ends) == ([0, 1, 2], 3)


def test_coats_of_arms_of_a_plan_lie_in_their_city() -> None:
    layout = read_wonder({**ALHAMBRA, "cities": [{**ALHAMBRA["cities"][0], "coats": 2}]})
    shields = [segment.shields for cell in layout.cells for segment in cell.segments if segment.kind == "city"]
    assert shields == [1, 1, 0]


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"wonder": []}, "bad_value"),
        ({"wonder": [[0, 1]]}, "bad_squares"),
        ({"wonder": [[2, 1], [2, 1]]}, "bad_squares"),
        ({"wonder": [[0, 0], [2, 1]]}, "cannot_be_drawn"),
        ({"marker": [10, 10]}, "unknown_key"),
        ({"roads": ["M 0 0 L 1 1"]}, "bad_value"),
        ({"roads": [{"edges": []}]}, "no_way_out"),
        ({"roads": [{"edges": ["2,1"]}]}, "bad_edge"),
        ({"roads": [{"edges": ["2,1 W"]}]}, "bad_edge"),
        ({"roads": [{"edges": ["2,1 N"]}, {"edges": ["2,1 N"]}]}, "bad_edge"),
        ({"roads": [{"edges": ["2,1 N"], "into": ["castle"]}]}, "bad_value"),
        ({"roads": [{"edges": ["2,1 N"], "closed": 1}]}, "bad_value"),
        ({"roads": [{"edge": ["2,1 N"]}]}, "unknown_key"),
        ({"roads": [{"edges": ["2,1 N"]}]}, "contradicts_the_rules"),
        ({"roads": [{"edges": ["0,0 E"]}, {"edges": ["2,2 E"]}], "wonder": [[2, 2]]}, "cannot_be_drawn"),
        ({"cities": [{"edges": ["0,0 N", "1,0 W", "2,0 S"], "coats": 4}]}, "bad_value"),
        ({"cities": [{"edges": ["0,0 N", "1,0 W", "2,0 S"], "coats": True}]}, "bad_value"),
        ({"cities": [{"edges": ["0,0 N"]}]}, "contradicts_the_rules"),
        ({"monastery": [1, 1]}, "bad_squares"),
        ({"monastery": [2, 2]}, "overlap"),
    ],
)
def test_impossible_layouts_are_refused(change: dict[str, Any], code: str) -> None:
    with pytest.raises(CatalogueError) as error:
        read_wonder({**ALHAMBRA, **change})
    assert error.value.code == code


@st.composite
def plans(draw: DrawFn) -> WonderPlan:
    """Draw any plan that a file can hold, drawable or not."""
    edges = [(i, side) for i, square in enumerate(SQUARES) for side in outer_sides(square)]
    ends = draw(st.permutations(edges))
    sizes = draw(st.lists(st.integers(1, 3), max_size=4))
    features = [tuple(ends[sum(sizes[:i]) : sum(sizes[: i + 1])]) for i in range(len(sizes))]
    more = st.sets(st.integers(0, 4), max_size=2)
    cities, roads = list[PlannedCity](), list[PlannedRoad]()
    for feature in features:
        covered = tuple(sorted({*(i for i, _ in feature), *draw(more)}))
        if draw(st.booleans()):
            cities.append(PlannedCity(covered, feature, draw(st.integers(0, len(covered))), draw(st.booleans())))
        else:
            into = draw(st.sampled_from([(), TARGETS[:1], TARGETS[1:], TARGETS]))
            roads.append(PlannedRoad(covered, feature, into, draw(st.booleans())))
    wonder = tuple(draw(st.permutations(range(5)))[: draw(st.integers(1, 5))])
    monastery = draw(st.none() | st.integers(0, 4))
    return WonderPlan("WH/alhambra", SQUARES, wonder, tuple(cities), tuple(roads), monastery)


def outer_sides(square: Square) -> list[str]:
    return [side for side in SIDES if side not in find_inner_sides(SQUARES, square)]


@given(plans())
def test_reading_is_the_inverse_of_writing(plan: WonderPlan) -> None:
    assert read_plan(write_plan(plan), SQUARES) == plan


@given(plans())
def test_any_plan_is_drawn_exactly_or_gives_one_clear_error(plan: WonderPlan) -> None:
    try:
        drawing = sketch_wonder(plan)
        refuse_impossible_drawing(drawing)
    except CatalogueError as error:
        event(error.code)
        return
    event("drawn")
    cells = build_cell_layouts(drawing)
    for kind, features in (("city", plan.cities), ("road", plan.roads)):
        drawn = {(i, side) for i, cell in enumerate(cells) for s in cell.segments if s.kind == kind for side in s.edges}
        assert drawn == {end for feature in features for end in feature.ends}


@pytest.mark.parametrize(
    ("name", "value"), [("GRID", 25), ("BULGE_TILES", 0.13), ("BENT_TILES", 0.015), ("NEAR_COST", 3.0)]
)
def test_a_layout_does_not_depend_on_how_its_sketch_is_drawn(
    inferred: WonderLayout, name: str, value: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = read_wonder(write_plan(plan_like(inferred)))
    monkeypatch.setattr(sketch, name, value)
    draw_plan.cache_clear()
    after = read_wonder(write_plan(plan_like(inferred)))
    draw_plan.cache_clear()
    fields = [sorted(len(part.cities) for part in w.parts if part.kind == "field") for w in (before, after)]
    assert count_parts(after) == count_parts(before)
    assert fields[0] == fields[1]


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
def test_the_plan_of_a_drawn_layout_matches_its_drawing(id: str) -> None:
    layout = load_wonder_catalogue()[id]
    assert isinstance(layout.entry["wonder"], str)
    assert describe(read_wonder(write_plan(plan_layout(layout)))) == describe(layout)


@pytest.mark.parametrize("id", WONDERS)
def test_a_planned_layout_returns_its_plan(id: str) -> None:
    layout = vary_wonder(id, np.random.default_rng(6))
    assert plan_layout(layout) == read_plan(layout.entry, layout.squares)


def test_the_plan_of_a_bare_wonder_holds_only_its_squares() -> None:
    layout = build_bare_wonder("WH/tikal", load_wonder_catalogue()["WH/tikal"].squares)
    plan = plan_layout(layout)
    assert (plan.wonder, plan.cities, plan.roads, plan.monastery) == ((0, 1, 2, 3, 4), (), (), None)


def test_no_shipped_layout_contradicts_the_rules() -> None:
    for id, layout in load_wonder_catalogue().items():
        assert list(list_contradictions(id, count_layout(layout))) == []
        assert find_other_fields(layout) is None


def test_contradictions_of_undrawable_plans_are_also_listed() -> None:
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


def test_another_number_of_fields_is_reported_but_not_refused() -> None:
    entry = write_plan(plan_layout(load_wonder_catalogue()["WH/alhambra"]))
    layout = read_wonder({**entry, "cities": [{"edges": entry["cities"][0]["edges"]}]})
    other = find_other_fields(layout)
    assert other is not None
    assert (other.about, other.stated) == ("fields", (5,))
    assert other.found != other.stated
