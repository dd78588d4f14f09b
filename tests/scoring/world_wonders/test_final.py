"""The final scoring, with the worked examples of the rule text ("End of Game and Scoring")."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.spots.components import ComponentsError
from scoring.spots.game import Value
from scoring.world_wonders.final import SECTIONS
from scoring.world_wonders.game import GAME
from scoring.world_wonders.terrain import Terrain
from tests.scoring.world_wonders.cities import beside, cities, city, no_cards, points, printed, score

MEADOW = printed("....", "....", "....")
EMPTY = ". . . ./. . . ./. . . ."


def test_example_food_8_ceramics_9_and_gears_11_score_8_points() -> None:
    scored = score(MEADOW, city("red", EMPTY), beside("red", 0, (8, 9, 11)))
    assert points(scored, "red", "resource.least") == 8
    assert scored.totals == {"red": 8}


@pytest.mark.parametrize(("space", "rings"), [(0, 0), (1, 0), (2, 1), (3, 1), (4, 3), (7, 4), (11, 4), (12, 5)])
def test_population_scores_each_ring_reached_or_passed(space: int, rings: int) -> None:
    scored = score(MEADOW, city("red", EMPTY), beside("red", space, (0, 0, 0)))
    assert points(scored, "red", "population.rings") == rings


def test_a_monument_scores_the_rings_on_its_card() -> None:
    """Its pieces are one monument, wherever they stand; Giza has two rings on every copy."""
    scored = score(MEADOW, city("red", "giza1 . . ./. . . ./. . giza1 ."))
    assert points(scored, "red", "monument.rings") == 2


def test_a_natural_resource_scores_if_it_is_visible_and_beside_a_piece() -> None:
    components = printed("*.*.", ".*..", "*...")
    scored = score(components, city("red", ". r1 r1 ./. . . ./. t1 . ."))
    feature = [entry.feature for entry in scored.entries if entry.rule == "natural.adjacent"]
    assert feature == ["red.natural-0-0", "red.natural-1-1", "red.natural-2-0"], "(0, 2) is covered"


@pytest.mark.parametrize("piece", ["r2", "b1", "L2", "F1", "t1", "giza1"])
def test_a_district_may_be_surrounded_by_any_piece(piece: str) -> None:
    scored = score(printed("....", "...."), city("red", f". . r1 ./. {piece} L1 r1"))
    assert "red.library-1" in _districts(scored.entries)


@pytest.mark.parametrize(("letter", "surrounded"), [(".", False), ("~", True), ("*", True)])
def test_a_district_may_be_surrounded_by_water_and_natural_resources(letter: str, surrounded: bool) -> None:
    scored = score(printed("....", f".{letter}.."), city("red", ". . r1 ./. . L1 r1"))
    assert bool(_districts(scored.entries)) is surrounded


def test_a_district_may_be_surrounded_by_the_sidewalk_and_the_edges() -> None:
    assert _districts(score(printed("."), city("red", "L1")).entries) == ["red.library-1"]


def test_a_tile_with_one_green_side_does_not_form_a_district() -> None:
    scored = score(MEADOW, city("red", "r1 L1 L1 r1/r1 L1 . r1/r1 r1 r1 r1"))
    assert _districts(scored.entries) == []


def test_adjacent_tiles_are_separate_districts() -> None:
    scored = score(MEADOW, city("red", "L1 L1 F1 F1/T1 T1 M1 M1/H1 H1 H2 H2"))
    assert points(scored, "red", "district.surrounded") == 6


@pytest.mark.parametrize(("loan", "lost"), [(True, -2), (False, 0)])
def test_an_unpaid_loan_takes_two_points(loan: bool, lost: int) -> None:
    scored = score(MEADOW, city("red", EMPTY), beside("red", 0, (0, 0, 0), loan))
    assert scored.totals == {"red": lost}


def test_unknown_spots_count_nothing_and_are_named() -> None:
    scored = score(printed(".*"), {"map.red.0.0": "road#1", "resource.red.food": 8, "map.blue.0.0": "monument#1"})
    assert scored.totals == {"red": 0, "blue": 0}
    assert {"map.red.0.1", "resource.red.gears", "loan.red", "map.blue.0.0", "objective.1"} <= {*scored.unknown}
    assert not {"map.red.0.0", "resource.red.food"} & {*scored.unknown}


def test_a_tie_is_won_with_most_monuments() -> None:
    level = beside("red", 0, (2, 2, 2)) | beside("blue", 0, (0, 0, 0)) | beside("green", 0, (2, 2, 2))
    cities = city("red", EMPTY) | city("blue", "giza1 " + EMPTY[2:]) | city("green", EMPTY)
    scored = score(MEADOW, cities, level, no_cards())
    assert scored.totals == {"red": 2, "blue": 2, "green": 2}
    assert scored.winners == ("blue",)


def test_a_tie_in_monuments_as_well_is_shared() -> None:
    level = beside("red", 0, (0, 0, 0)) | beside("blue", 1, (0, 1, 0)) | no_cards()
    assert score(MEADOW, city("red", EMPTY), city("blue", EMPTY), level).winners == ("red", "blue")


def test_nobody_wins_while_something_is_unknown() -> None:
    scored = score(MEADOW, city("red", EMPTY), city("blue", EMPTY), no_cards(), beside("red", 9, (0, 0, 0)))
    assert scored.winners == ()


@pytest.mark.parametrize(
    ("more", "key"),
    [
        ("", "map.side"),
        ('[map]\nside = "A"', "map.A"),
        ('[map]\nside = "B"', "map.B.red"),
        ('[map]\nside = "A"\nnatural_resources = 0\nA = "."', "resources.side"),
        (
            '[map]\nside = "A"\nnatural_resources = 0\nA = "."\n[resources]\nside = "B"',
            "resources.B.population.last",
        ),
    ],
)
def test_a_score_that_needs_an_unpublished_fact_names_it(more: str, key: str) -> None:
    with pytest.raises(ComponentsError) as raised:
        GAME.score(GAME.components(more), ("red",), {})
    assert raised.value.code == "component_missing"
    assert raised.value.details["key"] == key


def test_rings_are_asked_for_if_a_score_needs_them() -> None:
    with pytest.raises(ComponentsError) as raised:
        score(MEADOW, city("red", "petra1 " + EMPTY[2:]))
    assert raised.value.details["key"] == "monuments.petra.rings"
    rest = '[map]\nside = "A"\nnatural_resources = 0\nA = "."\n[resources]\nside = "A"\n[resources.A]\n'
    tracks = "population.last = 9\nfood.last = 9\nceramics.last = 9\ngears.last = 9"
    with pytest.raises(ComponentsError) as raised:
        score(GAME.components(rest + tracks), {"map.red.0.0": "-", "resource.red.population": 3})
    assert raised.value.details["key"] == "resources.A.population.rings"


@given(cities(), st.integers(0, 12), st.tuples(*[st.integers(0, 15)] * 3), st.booleans())
def test_totals_are_sums_of_entries_with_a_section(
    city_map: tuple[Terrain, dict[str, Value]], population: int, resources: tuple[int, int, int], loan: bool
) -> None:
    terrain, values = city_map
    components = printed(*terrain.lines)
    scored = GAME.score(components, ("red", "blue"), values | beside("red", population, resources, loan))
    assert scored.totals == {"red": points(scored, "red", ""), "blue": points(scored, "blue", "")}
    assert all(entry.rule in GAME.sections for entry in scored.entries)
    ids = {area.id for area in scored.areas}
    assert all(entry.feature in ids for entry in scored.entries if entry.feature)
    assert len(ids) == len(scored.areas)


def _districts(entries: tuple[object, ...]) -> list[str]:
    return [entry.feature for entry in entries if entry.rule == "district.surrounded"]  # type: ignore[attr-defined]


MAP = printed("...")


@pytest.mark.parametrize(
    ("mode", "rings", "resources", "winner"),
    [
        ("easy", None, (1, 1, 1), ("red",)),
        ("easy", None, (2, 1, 1), ("automaton",)),
        ("easy", None, (1, 2, 3), ("automaton",)),
        ("hard", 0, (1, 1, 1), ("red",)),
        ("hard", 2, (1, 1, 1), ("automaton",)),
        ("hard", 3, (1, 1, 1), ("automaton",)),
    ],
)
def test_the_player_wins_with_more_points(
    mode: str, rings: int | None, resources: tuple[int, int, int], winner: tuple[str, ...]
) -> None:
    """Red has a ring of population, 2 of Giza, and the least resource."""
    solo: dict[str, Value] = {"solo.mode": mode} | ({} if rings is None else {"solo.monuments": rings})
    scored = score(MAP, city("red", "giza1 . ."), beside("red", 2, resources), solo)
    assert scored.totals == {"red": 1 + 2 + min(resources), "automaton": sum(resources) + (rings or 0)}
    assert scored.winners == winner


def test_the_sum_of_resources_is_cited_as_the_rule_of_both_modes() -> None:
    """The citation does not depend on the mode."""
    for mode in ("easy", "hard"):
        laid: dict[str, Value] = {"solo.mode": mode, "solo.monuments": 2}
        scored = score(MAP, city("red", ". . ."), beside("red", 4, (0, 0, 3)), laid)
        cited = [SECTIONS[entry.rule] for entry in scored.entries if entry.player == "automaton"]
        assert cited == ["world-solo-resources", *(["world-solo-hard"] if mode == "hard" else [])]


def test_an_equal_number_of_points_loses() -> None:
    scored = score(MAP, city("red", ". . ."), beside("red", 4, (0, 0, 3)), {"solo.mode": "easy"})
    assert scored.totals == {"red": 3, "automaton": 3}
    assert scored.winners == ("automaton",)


def test_without_the_automaton_nobody_wins() -> None:
    scored = score(MAP, city("red", ". . ."), beside("red", 4, (0, 0, 3)), {"solo.mode": "-"})
    assert (scored.totals, scored.winners, scored.unknown) == ({"red": 3}, (), ())


def test_unknown_facts_of_the_automaton_are_asked_for() -> None:
    scored = score(MAP, city("red", ". . ."), beside("red", 4, (0, 0, 3)))
    assert scored.unknown == ("solo.mode",)
    hard = score(MAP, city("red", ". . ."), beside("red", 4, (0, 0, 3)), {"solo.mode": "hard"})
    assert (hard.unknown, hard.winners) == (("solo.monuments",), ())
