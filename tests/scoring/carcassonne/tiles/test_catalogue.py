"""The drawn layouts have the meaning of the printed tiles."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shapely import Point, unary_union

from datasets.other_boxes import has_pig_herd, list_marks
from scoring.carcassonne.tiles.catalogue import (
    BOXES,
    TileLayout,
    find_side_stretches,
    list_distinct_turns,
    list_layout_turns,
    load_base_catalogue,
    load_catalogue,
    load_full_catalogue,
)
from scoring.carcassonne.tiles.geometry import (
    SIDE_LINES,
    SIDES,
    UNIT,
    get_opposite_side,
    place_geometry,
    turn_edge,
    turn_geometry,
    unplace_geometry,
    unplace_point,
    unturn_geometry,
)
from scoring.carcassonne.tiles.other_boxes import load_other_catalogue
from scoring.errors import CatalogueError
from tests.scoring.outside import needs_shared, topology

CATALOGUE = load_base_catalogue()
LAYOUTS = [pytest.param(layout, id=layout.letter) for layout in CATALOGUE]
WHOLE = [pytest.param(layout, id=layout.id) for layout in load_full_catalogue()]
OTHERS = [pytest.param(layout, id=layout.id) for layout in load_other_catalogue()]
GARDENS = [pytest.param(layout, id=layout.aliases[0]) for layout in load_full_catalogue() if layout.garden]
FAMILIES = {
    "river1": ("RI", "RI.1", "C3RI"),
    "river2": ("RI", "RI.2"),
    "inns": ("IC", "C31IC"),
    "traders": ("TB", "C31TB"),
}
"""The expansion ids of each box, as the facts name them."""
PRINTINGS: dict[str, list[tuple[str, ...]]] = {
    "river1": [("river/1:1",), ("river/1:2",)],
    "river2": [("river/2:1",), ("river/2:2",)],
    "inns": [("inns-and-cathedrals:1",), ("inns-and-cathedrals:2",)],
    "traders": [("traders-and-builders:1",), ("traders-and-builders:2",)],
}
FIELDS = {
    "A": "NL NR EL ER SL SR WL WR",
    "B": "NL NR EL ER SL SR WL WR",
    "C": "",
    "D": "EL WR>0 / ER SL SR WL",
    "E": "EL ER SL SR WL WR>0",
    "F": "NL NR>0 / SL SR>0",
    "G": "NL NR>0 / SL SR>0",
    "H": "EL ER WL WR>0 1",
    "I": "EL ER SL SR>0 1",
    "J": "EL SR WL WR>0 / ER SL",
    "K": "EL ER SL WR>0 / SR WL",
    "L": "EL WR>0 / ER SL / SR WL",
    "M": "EL ER SL SR>0",
    "N": "EL ER SL SR>0",
    "O": "EL SR>0 / ER SL",
    "P": "EL SR>0 / ER SL",
    "Q": "SL SR>0",
    "R": "SL SR>0",
    "S": "SL>0 / SR>0",
    "T": "SL>0 / SR>0",
    "U": "NL NR EL WR / ER SL SR WL",
    "V": "NL NR EL ER SL WR / SR WL",
    "W": "NL NR EL WR / ER SL / SR WL",
    "X": "NL WR / NR EL / ER SL / SR WL",
}
"""The fields of each letter as a person reads them off the printed tile: half-edges, then the cities touched."""

squares = st.tuples(st.integers(-50, 50), st.integers(-50, 50))
points = st.builds(Point, st.floats(0, 1), st.floats(0, 1))


@pytest.mark.parametrize("layout", LAYOUTS)
def test_fields_are_those_that_a_person_sees_on_the_tile(layout: TileLayout) -> None:
    fields = [
        " ".join(s.edges) + (">" + " ".join(map(str, s.cities)) if s.cities else "")
        for s in layout.segments
        if s.kind == "field"
    ]
    assert " / ".join(fields) == FIELDS[layout.letter]


@pytest.mark.parametrize("layout", WHOLE)
def test_segments_fill_the_square_without_overlap(layout: TileLayout) -> None:
    faces = [s.geometry for s in layout.segments if s.kind != "road"]
    assert unary_union(faces).area == pytest.approx(1)
    assert sum(face.area for face in faces) == pytest.approx(1)
    assert all(segment.geometry.is_valid and UNIT.covers(segment.area) for segment in layout.segments)


@pytest.mark.parametrize("layout", WHOLE)
def test_a_turn_moves_every_edge(layout: TileLayout) -> None:
    for turns in range(4):
        assert all(layout.edge(turn_edge(side, turns), turns) == layout.edge(side) for side in SIDES)


@pytest.mark.parametrize("layout", WHOLE)
def test_stretches_of_segments_cover_each_side(layout: TileLayout) -> None:
    for side in SIDES:
        for turns in range(4):
            fields = sum(
                high - low
                for index, (low, high) in find_side_stretches(layout, turns, side)
                if layout.segments[index].kind in ("field", "city")
            )
            assert fields == pytest.approx(1)


@needs_shared
@pytest.mark.parametrize("layout", WHOLE)
def test_derived_topology_equals_the_facts(layout: TileLayout) -> None:
    for name in (layout.id, *layout.aliases):
        fact = topology()[name]
        assert {side: layout.edge(side) for side in SIDES} == fact["edges"]
        assert _derived(layout) == _stated(fact)
        assert (layout.monastery_spot is not None) == bool(fact["monastery"])
        assert layout.letter == (fact["letter"] or "")
        assert fact["garden"] == (name in layout.aliases)


@needs_shared
@pytest.mark.parametrize("layout", OTHERS)
def test_a_tile_of_another_box_has_the_topology_of_the_facts(layout: TileLayout) -> None:
    fact = topology()[layout.id]
    assert {side: layout.edge(side) for side in SIDES} == fact["edges"]
    own = {**fact, "fields": [{**field, "pig-herd": str(has_pig_herd(fact)).lower()} for field in fact["fields"]]}
    assert _derived(layout) == _stated(own)
    assert (layout.monastery_spot is not None) == bool(fact["monastery"])
    assert fact["garden"] == any(segment.kind == "garden" for segment in layout.segments)
    assert layout.count == max(fact["counts"].values(), default=1)
    assert layout.marks == tuple(list_marks(fact))


@needs_shared
def test_the_other_boxes_contain_every_tile_of_the_facts() -> None:
    known = {name for layout in load_full_catalogue() for name in (layout.id, *layout.aliases)}
    assert {layout.id for layout in load_other_catalogue()} == topology().keys() - known


@pytest.mark.parametrize("layout", OTHERS)
def test_parts_of_another_box_do_not_overlap(layout: TileLayout) -> None:
    faces = [segment.geometry for segment in layout.segments if segment.kind != "road"]
    assert unary_union(faces).area == pytest.approx(sum(face.area for face in faces))
    assert all(segment.geometry.is_valid and UNIT.covers(segment.area) for segment in layout.segments)
    for turns in range(4):
        assert all(layout.edge(turn_edge(side, turns), turns) == layout.edge(side) for side in SIDES)


@needs_shared
@pytest.mark.parametrize(("box", "families"), FAMILIES.items())
def test_a_box_contains_every_tile_of_the_facts(box: str, families: tuple[str, ...]) -> None:
    names = {name for layout in load_catalogue(box) for name in (layout.id, *layout.aliases)}
    assert names == {name for name in topology() if name.split("/")[0] in families}


@needs_shared
@pytest.mark.parametrize("box", FAMILIES)
def test_counts_of_a_box_are_the_maximum_over_printings(box: str) -> None:
    for layout in load_catalogue(box):
        facts = [topology()[name]["counts"] for name in (layout.id, *layout.aliases)]
        totals = [sum(fact.get(name, 0) for fact in facts for name in names) for names in PRINTINGS[box]]
        assert layout.count == (max(totals) or 1), layout.id


@pytest.mark.parametrize("layout", GARDENS)
def test_a_garden_does_not_change_the_other_segments(layout: TileLayout) -> None:
    assert layout.garden is not None
    *others, garden = layout.garden.segments
    assert garden.kind == "garden"
    assert [(s.kind, s.edges, s.cities) for s in others] == [(s.kind, s.edges, s.cities) for s in layout.segments]
    assert sum(s.geometry.area for s in layout.garden.segments if s.kind != "road") == pytest.approx(1)


def test_boxes_are_combined_by_name() -> None:
    assert tuple(load_catalogue("base")) == tuple(load_base_catalogue())
    assert [layout.id for layout in load_catalogue(*BOXES)] == [layout.id for layout in load_full_catalogue()]
    assert "IC/C!" not in load_base_catalogue()
    with pytest.raises(CatalogueError, match="unknown_box"):
        load_catalogue("abbey")


@needs_shared
def test_counts_equal_the_facts_of_both_printings() -> None:
    for printing in ("basic:1", "basic:2"):
        box: Counter[str] = Counter()
        for fact in topology().values():
            if printing in fact["counts"]:
                box[CATALOGUE[fact["id"]].letter] += fact["counts"][printing]
        assert box == {layout.letter: layout.count for layout in CATALOGUE}


def test_the_box_contains_72_tiles_in_24_layouts() -> None:
    assert len(CATALOGUE) == 24
    assert sum(layout.count for layout in CATALOGUE) == 72
    assert "".join(layout.letter for layout in CATALOGUE) == "ABCDEFGHIJKLMNOPQRSTUVWX"


def test_classes_are_the_layouts_and_turns_that_the_rules_distinguish() -> None:
    once = {layout.letter for layout in CATALOGUE if len(list_distinct_turns(layout)) == 1}
    twice = {layout.letter for layout in CATALOGUE if len(list_distinct_turns(layout)) == 2}
    assert once == set("BCX")
    assert twice == set("FGHU")
    assert len(list_layout_turns(CATALOGUE)) == 79
    assert list_layout_turns(CATALOGUE)[:5] == (("BA/LR", 0), ("BA/LR", 1), ("BA/LR", 2), ("BA/LR", 3), ("BA/L", 0))


def test_gardens_and_letters_name_the_plain_layout() -> None:
    assert CATALOGUE["BA/CG"] is CATALOGUE["BA/C"] is CATALOGUE["E"]
    assert "BA/RFrG" in CATALOGUE
    with pytest.raises(CatalogueError, match="unknown_tile"):
        CATALOGUE["RI/s"]


@given(points, st.integers(-9, 9), squares)
def test_turning_and_placing_have_inverses(point: Point, turns: int, square: tuple[int, int]) -> None:
    assert unturn_geometry(turn_geometry(point, turns), turns).distance(point) < 1e-12
    assert unplace_geometry(place_geometry(point, turns, square), turns, square).distance(point) < 1e-12
    assert Point(unplace_point((point.x, point.y), turns, square)).equals(unplace_geometry(point, turns, square))


def test_a_clockwise_turn_takes_north_to_east() -> None:
    assert turn_geometry(Point(0.5, 0), 1).equals(Point(1, 0.5))
    assert turn_edge("NL", 1) == "EL"
    assert get_opposite_side("E") == "W"


def _derived(layout: TileLayout) -> Counter[Any]:
    segments = layout.segments
    rows: list[Any] = [
        (s.kind, frozenset(s.edges), s.shields, s.inn, s.cathedral, s.goods)
        for s in segments
        if s.kind in ("city", "road")
    ]
    rows += [
        (s.kind, frozenset(s.edges), frozenset(frozenset(segments[c].edges) for c in s.cities), s.pig_herd)
        for s in segments
        if s.kind == "field"
    ]
    rows += [("river", side) for river in layout.rivers for side in SIDES if river.intersects(SIDE_LINES[side])]
    return Counter(rows)


def _stated(fact: dict[str, Any]) -> Counter[Any]:
    cities = [frozenset(city["edges"]) for city in fact["cities"]]
    rows: list[Any] = [
        ("city", frozenset(c["edges"]), c["shields"], False, c["cathedral"], c.get("resource", ""))
        for c in fact["cities"]
    ]
    rows += [("road", frozenset(road["edges"]), 0, road["inn"], False, "") for road in fact["roads"]]
    rows += [
        (
            "field",
            frozenset(f["half_edges"]),
            frozenset(cities[i] for i in f["touches_cities"]),
            f.get("pig-herd") == "true",
        )
        for f in fact["fields"]
    ]
    rows += [("river", side) for river in fact["rivers"] for side in river["edges"]]
    return Counter(rows)
