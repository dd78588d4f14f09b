"""Violations of the rules ("Placing Pieces on the Map", "Monuments", "Administrating Resources"), and doubts."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from scoring.confidence import CONFIDENCE_SURE
from scoring.spots.doubts import SpotDoubts, assess_spot_doubts
from scoring.spots.game import Trouble, Value
from scoring.spots.table import Settled, group_adjacent_spots, settle_table
from scoring.world_wonders.board import build_table
from scoring.world_wonders.game import GAME
from scoring.world_wonders.problems import find_problems
from scoring.world_wonders.terrain import Terrain
from tests.scoring.world_wonders.cities import beside, board, cities, city, convert_to_spots, no_cards, printed
from tests.scoring.world_wonders.lawful import beside as lawful_beside
from tests.scoring.world_wonders.lawful import lawful_cities

RIVER = ("....", ".~~.", "....", "....")
SHAPES = """
[[buildings.shapes]]
shape = "##/#."
tiles = {library = 1}
[[buildings.shapes]]
shape = "#"
"""


def found(text: str, *rows: str, more: str = "", beside: dict[str, Value] | None = None) -> list[Trouble]:
    lines = rows or tuple("." * len(line.split()) for line in text.split("/"))
    components = printed(*lines, more=more)
    return list(find_problems(components, build_table(components, ("red",), city("red", text) | (beside or {}))))


def codes(text: str, *rows: str, more: str = "", beside: dict[str, Value] | None = None) -> list[str]:
    return [trouble.code for trouble in found(text, *rows, more=more, beside=beside)]


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        pytest.param(". . . ./. . . ./r1 r1 L1 L1", (), id="a road at the Sidewalk, a building beside it"),
        pytest.param(". . . ./F1 L1 L2 ./r1 r1 L2 .", (), id="beside its own type"),
        pytest.param("r3 . . ./r3 t1 . ./r1 . . .", (), id="a road at a road"),
        pytest.param(". . r2 r2/. . t1 ./r1 r1 L1 .", (), id="a road at a tower, a tower at a building"),
        pytest.param("b1 L1 . ./b1 . . ./b1 . . ./b1 . . .", (".", "~", "~", "."), id="a bridge"),
        pytest.param(". . . ./r1 r1 r1 r1/r2 . . .", ("....", ".**.", "...."), id="over natural resources"),
        pytest.param("r1 giza1 giza1 .", ("..~~",), id="a monument of which nothing is known"),
        pytest.param("r1 moai1 . moai1 r2 moai1", (), id="a monument of three components"),
    ],
)
def test_legal_cities_are_no_problem(text: str, rows: tuple[str, ...]) -> None:
    lines = tuple(line * 4 for line in rows) if rows and len(rows[0]) == 1 else rows
    assert codes(text, *lines) == []


@pytest.mark.parametrize(
    ("text", "rows", "code"),
    [
        pytest.param("r2 . . ./. . . ./. . r1 r1", (), "lonely_road", id="a road alone"),
        pytest.param(". L1 . ./. . . ./r1 r1 . .", (), "lonely_building", id="a building alone"),
        pytest.param(". L1 . ./. F1 . ./. r1 . .", (), "lonely_building", id="beside another type"),
        pytest.param(". t1 . ./. . . ./r1 r1 . .", (), "lonely_tower", id="a tower alone"),
        pytest.param("r1 L1 . ./. . . .", (), "no_first_road", id="no road at the Sidewalk"),
        pytest.param(". r2 t1 ./. . . ./r1 r1 . .", (), "placed_in_no_order", id="a road and a tower alone"),
        pytest.param("L1 L2 . ./. . . ./r1 r1 . .", (), "placed_in_no_order", id="two of a type alone"),
        pytest.param(". . . ./r1 r1 r1 .", (), "wrong_shape", id="a road of three"),
        pytest.param("r1 . . ./r1 r1 r1 .", (), "wrong_shape", id="a bent road"),
        pytest.param(". L1 . L1/r1 r1 r1 r1", (), "broken_piece", id="a tile in two places"),
        pytest.param("r2 r2 . ./r1 . . .", ("..~.", "...."), None, id="a road on land"),
        pytest.param(". r2 r2 ./. r1 . .", (".~~.", "...."), "on_water", id="a road on water"),
        pytest.param(". L1 . ./. r1 . .", (".~..", "...."), "on_water", id="a building on water"),
        pytest.param(". t1 . ./. r1 . .", (".~..", "...."), "on_water", id="a tower on water"),
        pytest.param("b1 b1 b1 b1", ("..~~",), "bridge_end_on_water", id="a bridge that ends on water"),
        pytest.param("b1 b1 b1 b1", ("....",), "bridge_over_land", id="a bridge over land"),
        pytest.param("b1 b1 . .", (".~..",), "wrong_shape", id="a short bridge"),
    ],
)
def test_violations_of_the_rules_are_problems(text: str, rows: tuple[str, ...], code: str | None) -> None:
    assert codes(text, *rows) == ([code] if code else [])


def test_a_problem_names_its_squares_and_pieces() -> None:
    (trouble,) = found(". L1 L1 ./. . . ./r1 r1 . .")
    assert trouble.spots == ("map.red.0.1", "map.red.0.2")
    assert trouble.values == {"colour": "red", "value": "library", "number": 1}


def test_unseen_squares_may_hold_the_component_that_a_piece_needs() -> None:
    assert codes(". L1 ? ./. . . ./r1 r1 . .") == []
    assert codes("r1 ? . ./? ? ? ?") == []
    assert codes("r1 r1 r1 ?") == [], "a road that may go on"


def test_tiles_have_the_shapes_of_the_stacks_turned_but_not_mirrored() -> None:
    assert codes("L1 L1 ./L1 r1 r1", more=SHAPES) == []
    assert codes(". L1 ./L1 L1 ./. r1 .", more=SHAPES) == []
    assert codes("L1 L1 L1/r1 r1 .", more=SHAPES) == ["wrong_shape"]
    bent = '[[buildings.shapes]]\nshape = "###/#.."'
    assert codes("L1 L1 L1/L1 r1 .", more=bent) == []
    assert codes("L1 L1 L1/. r1 L1", more=bent) == ["wrong_shape"]


def test_more_tiles_of_a_type_than_in_the_stack_are_a_problem() -> None:
    assert codes("L1 L1 . L2/L1 r1 L2 L2", more=SHAPES) == ["too_many_tiles"]
    assert codes("F1 F1 . ./F1 r1 . .", more=SHAPES) == ["too_many_tiles"], "none of that type"


def test_more_monuments_or_towers_than_in_the_box_are_a_problem() -> None:
    components = printed("....")
    values = city("red", "r1 giza1 giza1 .") | city("blue", "r1 giza1 . .")
    (trouble,) = find_problems(components, build_table(components, ("red", "blue"), values))
    assert (trouble.code, trouble.values) == ("too_many_pieces", {"number": 2, "value": "giza", "held": 1})
    towers = "r1 " + " ".join(f"t{number}" for number in range(1, 12))
    (trouble,) = found(towers)
    assert trouble.values == {"number": 11, "value": "tower", "held": 10}


@pytest.mark.parametrize(
    ("length", "box_count"), [pytest.param(1, 20, id="1"), pytest.param(2, 40, id="2"), pytest.param(4, 35, id="4")]
)
def test_more_roads_of_a_length_than_in_the_box_are_a_problem(length: int, box_count: int) -> None:
    def all_of(number: int) -> str:
        return " ".join(f"r{road}" for road in range(1, number + 1) for _ in range(length))

    assert codes(all_of(box_count)) == []
    assert codes(all_of(box_count + 1)) == ["too_many_roads"]


class TestMonuments:
    """The worked examples of "Monuments", with cards as a person may have them."""

    def test_a_monument_on_water_needs_its_road_and_library(self) -> None:
        card = '[monuments.carthage]\nfootprint = ["??/??"]\nwater = 1\nadjacent = ["road", "library"]'
        whole = "carthage1 carthage1 L1 ./carthage1 carthage1 L1 ./. r1 r1 ."
        assert codes(whole, "....", "~...", "....", more=card) == []
        assert codes(whole, "~~..", "~~..", "....", more=card) == [], "it can be placed entirely on water"
        assert codes(whole, "....", "....", "....", more=card) == ["monument_terrain"]
        alone = whole.replace("L1", ".")
        (trouble,) = found(alone, "....", "~...", "....", more=card)
        assert (trouble.code, trouble.values["beside"]) == ("monument_not_beside", "library")

    def test_one_of_the_required_neighbours_is_enough(self) -> None:
        card = '[monuments.moai]\nfootprint = ["#", "#", "#"]\nadjacent = ["road", "natural-resource"]'
        assert codes(". moai1 moai1 moai1/r1 r1 . .", "*...", "....", more=card) == []
        assert codes(". moai1 moai1 moai1/r1 r1 . .", "....", "....", more=card) == ["monument_not_beside"]

    @pytest.mark.parametrize(
        ("text", "right"),
        [
            pytest.param(". . . ./moai1 moai1 . ./r1 moai1 . .", True, id="as the player sees fit"),
            pytest.param(". . . ./moai1 . moai1 ./r1 . . moai1", False, id="apart"),
        ],
    )
    def test_components_are_adjacent_to_one_another(self, text: str, right: bool) -> None:
        card = '[monuments.moai]\nfootprint = ["#", "#", "#"]\napart = false'
        assert codes(text, more=card) == ([] if right else ["broken_piece"])
        assert codes(text, more=card.replace("false", "true")) == []

    def test_a_bridge_monument_starts_and_ends_on_land(self) -> None:
        card = '[monuments.roman-bridge]\nfootprint = ["#~~#"]'
        assert codes("r1 " + "roman-bridge1 " * 4, "..~~.", more=card) == []
        assert codes("r1 " + "roman-bridge1 " * 4, ".~~..", more=card) == ["monument_terrain"]
        assert codes("r1 " + "roman-bridge1 " * 3 + ".", "..~~.", more=card) == ["wrong_shape"]

    def test_an_aqueduct_is_adjacent_to_water_on_every_copy(self) -> None:
        assert codes("r1 aqueduct1 . .", "..~.") == []
        assert codes("r1 aqueduct1 . .", "....") == ["monument_not_beside"]
        assert codes("r1 aqueduct1 r2 .", "..~.") == ["on_water"], "the water may have been covered later"

    def test_the_colosseum_has_two_by_three_squares_on_every_copy(self) -> None:
        three = "colosseum1 colosseum1 ./" * 2 + "colosseum1 colosseum1 r1"
        assert codes(three) == []
        assert codes("colosseum1 colosseum1 r1/colosseum1 colosseum1 r1") == ["wrong_shape"]

    def test_a_component_required_twice_must_be_present_twice(self) -> None:
        card = '[monuments.petra]\nadjacent = ["farm", "farm"]'
        assert codes("r1 F1 petra1 F1/. r2 . F1", more=card)[-1] == "monument_not_beside"
        assert codes("F1 petra1 F2/r2 . r3", more=card) == []


@pytest.mark.parametrize(
    ("population", "resources", "right"),
    [(0, (1, 2, 3), True), (3, (2, 3, 4), True), (2, (2, 3, 4), False), (4, (2, 3, 4), False), (5, (5, 6, 4), True)],
)
def test_population_goes_up_with_the_symbols(population: int, resources: tuple[int, int, int], right: bool) -> None:
    troubles = codes("r1 .", beside=beside("red", population, resources))
    assert troubles == ([] if right else ["population_differs"])


def test_population_goes_up_with_monuments_and_stops_at_the_last_space() -> None:
    brings = "[monuments.giza]\npopulation = 9"
    assert codes("r1 giza1", more=brings, beside=beside("red", 9, (0, 0, 0))) == []
    assert codes("r1 giza1", more=brings, beside=beside("red", 12, (5, 6, 4))) == [], "12 is the last"
    assert codes("r1 giza1", beside=beside("red", 9, (0, 0, 0))) == [], "nobody knows what it brings"
    assert codes("r1 giza1", beside=beside("red", 1, (5, 6, 4))) == ["population_differs"], "5 at least"


def test_the_same_card_twice_is_a_problem() -> None:
    components = printed("..")
    values: dict[str, Value] = {"objective.1": "by-water", "objective.2": "by-water", "objective.3": "-"}
    (trouble,) = find_problems(components, build_table(components, ("red", "blue"), values))
    assert (trouble.code, trouble.spots) == ("same_objective", ("objective.1", "objective.2"))


@given(cities())
def test_problems_name_spots_of_the_table_and_an_empty_map_has_none(city_map: tuple[Terrain, dict[str, Value]]) -> None:
    terrain, values = city_map
    components = printed(*terrain.lines)
    for trouble in find_problems(components, build_table(components, ("red",), values)):
        assert {*trouble.spots} <= {*values}
    assert find_problems(components, build_table(components, ("red",), dict.fromkeys(values, "-"))) == ()


@settings(max_examples=60)
@given(lawful_cities())
def test_a_city_built_by_the_rules_has_no_problem(city_map: tuple[Terrain, dict[str, Value]]) -> None:
    terrain, values = city_map
    shapes = (
        '[[buildings.shapes]]\nshape = "##/#."\n[[buildings.shapes]]\nshape = "#"\n[[buildings.shapes]]\nshape = "##"'
    )
    components = printed(*terrain.lines, more=f"{shapes}\n[towers]\nsquares = 1")
    assert find_problems(components, build_table(components, ("red",), values)) == ()


@settings(max_examples=60)
@given(lawful_cities(), st.data())
def test_a_tile_moved_away_from_all_others_is_a_problem(
    city_map: tuple[Terrain, dict[str, Value]], data: st.DataObject
) -> None:
    terrain, values = city_map
    free = [
        (row, col)
        for row, col in terrain.squares
        if row < terrain.rows - 1
        and values[f"map.red.{row}.{col}"] == "-"
        and not any(values.get(f"map.red.{r}.{c}", "-") != "-" for r, c in lawful_beside([(row, col)]))
    ]
    assume(free)
    (row, col), kind = data.draw(st.sampled_from(free)), data.draw(st.sampled_from(["road", "library", "tower"]))
    components = printed(*terrain.lines)
    problems = find_problems(
        components, build_table(components, ("red",), values | {f"map.red.{row}.{col}": f"{kind}#99"})
    )
    lonely = "lonely_building" if kind == "library" else f"lonely_{kind}"
    assert [problem.spots for problem in problems if problem.code == lonely] == [(f"map.red.{row}.{col}",)]


def test_the_text_of_a_city_reads_back() -> None:
    assert convert_to_spots(board("r1 ./? L2")) == {
        "map.red.0.0": "road#1",
        "map.red.0.1": "-",
        "map.red.1.1": "library#2",
    }


KNOWN = printed("....", "....", "..*.", "....")
CITY = ". . . ./. . . ./L1 L1 . ./r1 r1 r1 r1"


def table(text: str = CITY) -> Settled:
    values = city("red", text) | city("blue", ". . . ./. . . ./. . . ./. . . .")
    markers = beside("red", 2, (3, 3, 3)) | beside("blue", 2, (3, 3, 3))
    return settle_table(GAME, KNOWN, ("red", "blue"), values | markers | no_cards())


def doubts(settled_table: Settled, others: Mapping[str, Mapping[str, float]]) -> SpotDoubts:
    alternatives: dict[str, list[tuple[Value, float]]] = {
        f"map.red.{at}": list(values.items()) for at, values in others.items()
    }
    return assess_spot_doubts(settled_table, settled_table.scored(), alternatives)


def test_a_piece_that_may_be_absent_is_one_doubt() -> None:
    settled_table = table("T1 T1 . ./T1 T1 . ./T1 T1 . ./r1 r1 . .")
    assessment = doubts(settled_table, {f"{row}.{col}": {"-": 0.1} for row in range(3) for col in range(2)})
    (change,) = assessment.changes
    assert len(change.spots) == 6
    assert len(change.parts) == 1
    assert assessment.confidence == pytest.approx(0.9), "it is one doubt, not six"
    assert change.totals == settled_table.scored_with(dict.fromkeys(change.spots, "-")).totals


def test_overlooked_pieces_on_adjacent_squares_are_one_doubt() -> None:
    assessment = doubts(table(), {"2.2": {"road#2": 0.1}, "2.3": {"road#2": 0.1}, "0.0": {"road#2": 0.08}})
    assert [change.spots for change in assessment.changes] == [("map.red.2.2", "map.red.2.3")]
    assert assessment.confidence < CONFIDENCE_SURE


def test_another_kind_without_effect_is_tried_for_part_of_a_piece() -> None:
    """A library that may be two is surrounded twice; it makes no difference which half is the other one."""
    settled_table = table("F1 F1 F1 F1/L1 L1 L1 L1/r1 r1 r1 r1/r2 r2 r2 r2")
    assessment = doubts(settled_table, {f"1.{col}": {"library#2": 0.2 if col < 2 else 0.1} for col in range(4)})
    (change,) = assessment.changes
    assert {frozenset(part) for part in change.parts} == {
        frozenset({"map.red.1.0", "map.red.1.1"}),
        frozenset({"map.red.1.2", "map.red.1.3"}),
    }
    assert change.probability == 0.2
    assert change.totals is not None
    assert change.totals["red"] == settled_table.scored().totals["red"] + 1


def test_alternatives_with_the_same_points_are_no_doubt() -> None:
    assert doubts(table(), {"2.0": {"market#1": 0.4}, "2.1": {"market#1": 0.4}}).changes == ()


def test_squares_are_connected_only_on_one_players_board() -> None:
    spots = {spot.id: spot for spot in table().spots}
    names = ["map.red.0.0", "map.red.0.1", "map.blue.0.2", "map.red.1.2", "resource.red.food", "map.blue.1.2"]
    groups = {frozenset(group) for group in group_adjacent_spots([spots[name] for name in names])}
    assert groups == {
        frozenset({"map.red.0.0", "map.red.0.1"}),
        frozenset({"map.blue.0.2", "map.blue.1.2"}),
        frozenset({"map.red.1.2"}),
        frozenset({"resource.red.food"}),
    }
