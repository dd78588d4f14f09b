"""The wonder tiles agree with the rule texts, and so must a person's own file."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shapely import Point

from scoring.carcassonne.tiles.geometry import SIDES
from scoring.carcassonne.tiles.layout import find_side_stretches
from scoring.carcassonne.wonders.catalogue import load_custom_wonders, load_wonder_catalogue
from scoring.carcassonne.wonders.files import parse_wonder
from scoring.carcassonne.wonders.tiles import WONDERS, WonderLayout, WonderPart
from scoring.carcassonne.wonders.validation import STATED
from scoring.errors import CatalogueError
from tests.scoring.outside import needs_shared, wonder_facts

WONDER_LIST = [pytest.param(wonder, id=wonder.name) for wonder in load_wonder_catalogue().values()]
HALL = """
id = "WH/alhambra"
squares = [[0, 0], [1, 0], [2, 0], [2, 1], [2, 2]]
wonder = "M 120 220 L 190 220 L 210 230 L 210 270 L 120 270 Z"
marker = [150, 250]
cities = ["M 0 0 L 100 0 L 80 40 L 80 260 L 20 260 L 20 40 Z"]
roads = ["M 150 200 L 150 240", "M 300 250 L 205 250"]
"""
"""An Alhambra that opens to the north alone, as a person may draw it."""

turns = st.integers(0, 3)
squares = st.tuples(st.integers(-9, 9), st.integers(-9, 9))


def parts(wonder: WonderLayout, kind: str) -> list[WonderPart]:
    return [part for part in wonder.parts if part.kind == kind]


def cells(wonder: WonderLayout, part: WonderPart) -> set[tuple[int, int]]:
    return {wonder.squares[square] for square in part.squares}


@needs_shared
@pytest.mark.parametrize("wonder", WONDER_LIST)
def test_squares_of_roads_and_cities_match_the_captions(wonder: WonderLayout) -> None:
    fact = wonder_facts()[wonder.name]
    assert set(wonder.squares) == {tuple(cell) for cell in fact["cells"]}
    for kind in ("road", "city"):
        stated = [{tuple(cell) for cell in f["cells"]} for f in fact["features"] if f["kind"] == kind]
        cell_lists = [cells(wonder, part) for part in parts(wonder, kind)]
        assert sorted(map(sorted, cell_lists)) == sorted(map(sorted, stated))


@needs_shared
@pytest.mark.parametrize("wonder", WONDER_LIST)
def test_open_ends_fields_and_monasteries_match_the_rule_text(wonder: WonderLayout) -> None:
    fact = wonder_facts()[wonder.name]
    for road in (f for f in fact["features"] if f["kind"] == "road" and "open_ends" in f):
        same = [part for part in parts(wonder, "road") if cells(wonder, part) == {tuple(c) for c in road["cells"]}]
        assert [part.open_ends for part in same] == [road["open_ends"]]
    assert len(parts(wonder, "field")) == fact["fields"]["count"]
    monasteries = parts(wonder, "monastery")
    if fact["monasteries"]:
        assert [cells(wonder, part) for part in monasteries] == [{tuple(fact["monasteries"]["cell"])}]
    else:
        assert monasteries == []
    assert sum(len(set(SIDES) - set(cell.inside)) for cell in wonder.cells) == fact["outer_edge_count"]


@pytest.mark.parametrize("wonder", WONDER_LIST)
def test_the_numbers_of_the_rule_text_hold(wonder: WonderLayout) -> None:
    stated = STATED[wonder.id]
    assert len(parts(wonder, "field")) == stated.fields
    assert sorted(len(part.squares) for part in parts(wonder, "city")) == sorted(stated.cities)


def test_the_city_of_notre_dame_covers_two_squares_not_four() -> None:
    assert [len(part.squares) for part in parts(load_wonder_catalogue()["WH/notre-dame"], "city")] == [2]


def test_the_stone_circle_of_stonehenge_separates_four_fields() -> None:
    assert len(parts(load_wonder_catalogue()["WH/stonehenge"], "field")) == 4


@pytest.mark.parametrize(
    ("name", "least"), [("WH/notre-dame", (0, 1)), ("WH/circus-maximus", (2, 2)), ("WH/alhambra", (2, 2))]
)
def test_one_field_between_two_roads_touches_only_the_wonder(name: str, least: tuple[int, int]) -> None:
    wonder = load_wonder_catalogue()[name]
    without_city = [part for part in parts(wonder, "field") if not part.cities and part.open_ends]
    assert len(without_city) == 1
    assert least in cells(wonder, without_city[0])


def test_the_upper_road_of_notre_dame_encloses_a_field() -> None:
    wonder = load_wonder_catalogue()["WH/notre-dame"]
    assert [part.open_ends for part in parts(wonder, "field")].count(0) == 1


@pytest.mark.parametrize("wonder", WONDER_LIST)
def test_five_squares_are_filled_without_overlap(wonder: WonderLayout) -> None:
    for cell in wonder.cells:
        assert sum(s.geometry.area for s in cell.segments if s.kind != "road") == pytest.approx(1)
        for side in SIDES:
            met = [
                (index, part)
                for index, part in find_side_stretches(cell, 0, side)
                if cell.segments[index].kind != "road"
            ]
            covered = sum(high - low for _, (low, high) in met)
            assert covered == pytest.approx(0 if side in cell.inside else 1)


@pytest.mark.parametrize("wonder", WONDER_LIST)
def test_the_marker_stands_on_the_wonder_in_the_middle(wonder: WonderLayout) -> None:
    x, y = wonder.marker
    row, col = int(y), int(x)
    cell = wonder.cells[wonder.squares.index((row, col))]
    on = [s.kind for s in cell.segments if s.kind != "road" and s.geometry.contains(Point(x - col, y - row))]
    assert on == ["wonder"]
    assert wonder.inferred


@given(st.sampled_from(sorted(WONDERS)), squares, turns)
def test_placing_a_wonder_has_an_inverse(name: str, anchor: tuple[int, int], turned: int) -> None:
    wonder = load_wonder_catalogue()[name]
    placed = wonder.placed(anchor, turned)
    assert len(set(placed)) == 5
    assert {wonder.anchor(square, cell, turned) for cell, square in enumerate(placed)} == {anchor}


def test_an_own_file_replaces_one_wonder(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(HALL, encoding="utf-8")
    wonders = load_custom_wonders(file)
    assert wonders.keys() == load_wonder_catalogue().keys()
    assert wonders["WH/tikal"] is load_wonder_catalogue()["WH/tikal"]
    assert [part.open_ends for part in parts(wonders["WH/alhambra"], "city")] == [1]
    assert wonders["WH/alhambra"].inferred == ()


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        pytest.param("marker", "marker =", "bad_toml", id="no TOML"),
        pytest.param("marker = [150, 250]", "", "missing_key", id="no marker"),
        pytest.param("roads", "streets", "unknown_key", id="a key that means nothing"),
        pytest.param("marker = [150, 250]", "marker = 150", "bad_value", id="a spot that is a number"),
        pytest.param("[150, 250]", "[150]", "bad_value", id="half a spot"),
        pytest.param("alhambra", "eiffel-tower", "unknown_wonder", id="no such wonder"),
        pytest.param(", [2, 2]]", "]", "bad_squares", id="four squares"),
        pytest.param("[2, 2]]", "[2, 1]]", "bad_squares", id="a square twice"),
        pytest.param("[2, 2]]", "[3, 2]]", "bad_squares", id="squares that meet at a corner"),
        pytest.param("M 150 200 L", "M 150 200 Q", "bad_path", id="a command that is not known"),
        pytest.param("M 150 200 L 150 240", "nowhere", "bad_path", id="no path at all"),
        pytest.param("L 20 260 L 20 40", "L 90 100 L 20 40", "bad_path", id="an outline that crosses itself"),
        pytest.param("L 205 250", "L 205 190", "beyond_the_squares", id="a road off the tile"),
        pytest.param("L 80 260 L 20 260", "L 80 230 L 130 230 L 130 260 L 20 260", "overlap", id="city over wonder"),
        pytest.param("L 80 260", "L 100 210 L 100 260", "on_the_border", id="a wall between two squares"),
        pytest.param("L 100 0 L", "L 90 0 L", "bad_edge", id="a city along a part of an edge"),
        pytest.param("M 150 200", "M 140 200", "bad_edge", id="a road beside the middle"),
        pytest.param("M 150 200 L 150 240", "M 50 0 L 50 20", "bad_edge", id="road and city at one edge"),
        pytest.param("M 150 200", "M 150 205", "no_way_out", id="a road that leads nowhere"),
        pytest.param("roads", 'monastery = "M 110 205 L 110 285 L 60 285 Z"\nroads', "overlap", id="built twice"),
        pytest.param(
            "roads", 'monastery = "M 190 275 L 190 295 L 215 295 Z"\nroads', "bad_monastery", id="on two squares"
        ),
        pytest.param("[150, 250]", "[250, 220]", "bad_marker", id="a marker beside the wonder"),
        pytest.param("L 80 260 L 20 260", "L 80 160 L 20 160", "contradicts_the_rules", id="a city of two squares"),
        pytest.param(', "M 300 250 L 205 250"', "", "contradicts_the_rules", id="a road too few"),
        pytest.param(
            "L 205 250", "L 205 250 M 250 250 L 250 200", "contradicts_the_rules", id="a road with two open ends"
        ),
        pytest.param(
            "roads", 'monastery = "M 230 275 L 230 295 L 215 295 Z"\nroads', "contradicts_the_rules", id="a monastery"
        ),
    ],
)
def test_each_error_in_a_file_has_its_code(old: str, new: str, code: str) -> None:
    assert old in HALL
    with pytest.raises(CatalogueError) as caught:
        parse_wonder(HALL.replace(old, new, 1))
    assert caught.value.code == code


DOCUMENTATION = Path(__file__).parents[4] / "docs" / "wonder-files.md"


def test_the_documentation_s_example_is_a_wonder_and_its_table_holds_every_code() -> None:
    text = DOCUMENTATION.read_text(encoding="utf-8")
    example = text.split("```toml\n")[1].split("```")[0]
    assert parse_wonder(example).id == "WH/alhambra"
    codes = (parse_wonder.__doc__ or "").split("CatalogueError: ")[1].rstrip(".\n ")
    assert set(re.split(r",\s+", codes)) == set(re.findall(r"`([a-z_]+)`", text.split("| code |")[1]))
    assert set(WONDERS) <= set(re.findall(r"`(WH/[a-z-]+)`", text))
