"""Public objectives ("Advanced Play"): the ten kinds, and their ties."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.spots.game import Scored, Value
from scoring.world_wonders.areas import Areas
from scoring.world_wonders.board import build_board, build_table
from scoring.world_wonders.objectives import evaluate_objective
from scoring.world_wonders.places import CARDS
from tests.scoring.world_wonders.cities import beside, city, points, printed, score

PLAYERS = ("red", "blue", "green", "white", "yellow")
FIELD = printed("......", "......")


def counted(card: str, text: str, *rows: str) -> int | None:
    """Return the city's count for a card, on land or on the rows."""
    lines = rows or tuple("." * len(line.split()) for line in text.split("/"))
    values = city("red", text) | beside("red", 0, (4, 5, 6))
    table = build_table(printed(*lines), ("red",), values)
    return evaluate_objective(card, table, Areas(table.boards["red"])).count


def ranked(*roads: int, card: str = "longest-road") -> Scored:
    """Rank the players with roads of these lengths, and one objective."""
    cities: dict[str, Value] = {}
    for player, length in zip(PLAYERS, roads, strict=False):
        words = ["r1"] * length + ["."] * (6 - length)
        cities |= city(player, " ".join(words) + "/. . . . . .")
    return score(FIELD, cities, {"objective.1": card, "objective.2": "-", "objective.3": "-"})


def test_the_ten_kinds_of_cards_cover_their_types_and_resources() -> None:
    assert len(CARDS) == 7 + 5 + 3 + 5


@pytest.mark.parametrize(
    ("rows", "squares"),
    [
        pytest.param(("......", "......", "......", "......"), 2, id="pieces alone"),
        pytest.param(("......", ".~....", "......", "......"), 1, id="water is not green"),
        pytest.param(("......", "......", "...*..", "......"), 2, id="a natural resource"),
    ],
)
def test_1_largest_green_area_that_is_surrounded(rows: tuple[str, ...], squares: int) -> None:
    text = "r1 r1 r1 r1 . ./r1 . . r1 . ./r1 r1 r1 . r1 ./. . . r1 . ."
    assert counted("green-area", text, *rows) == squares


def test_1_water_and_natural_resources_surround_and_edges_do_not() -> None:
    assert counted("green-area", "r1 . r1/. . ./. r1 .", "..*", "~.~", "...") == 0, "the edge is open"
    assert counted("green-area", "r1 r1 r1/. . ./. r1 .", "...", "~.*", "...") == 1


def test_2_longest_road_counts_connected_spaces_and_bridges() -> None:
    assert counted("longest-road", "r1 r1 b2 r3 . ./. . . r3 . r4") == 5
    assert counted("longest-road", "r1 r1 t1 r3 . .") == 2, "a tower is no road"


def test_3_monuments_count_once_each() -> None:
    assert counted("monuments", "moai1 . moai1 giza1 x1 .") == 3


def test_4_and_5_tiles_by_visible_natural_resources_and_water() -> None:
    text = "L1 L1 . F1/. . . r1/T1 . . M1"
    assert counted("by-natural-resources", text, "....", "*..*", "....") == 2, "(1, 3) is covered"
    assert counted("by-water", text, "....", "~..~", "....") == 2


def test_6_and_8_tiles_of_a_type_and_those_side_by_side() -> None:
    text = "L1 L1 L2 . L3 ./. . F1 . L4 L5"
    assert counted("most-library", text) == 5
    assert counted("group-library", text) == 3
    assert counted("most-temple", text) == counted("group-temple", text) == 0


def test_7_a_resource_s_track() -> None:
    assert [counted(f"highest-{name}", ". .") for name in ("food", "ceramics", "gears")] == [4, 5, 6]


def test_9_tiles_at_the_three_edges_but_not_at_the_sidewalk() -> None:
    assert counted("by-edge", "L1 . . ./. . . F1/. M1 . .") == 2


def test_10_a_district_for_each_type() -> None:
    assert counted("every-district", "L1 F1 H1 M1 T1") == 5
    assert counted("every-district", "L1 F1 H1 M1 T1/. r1 r1 r1 r1") == 4
    assert counted("every-district", "L1 F1 H1 M1 L2") == 4


@pytest.mark.parametrize(
    ("roads", "won"),
    [
        pytest.param((4, 2, 1), [3, 1, 0], id="first and second"),
        pytest.param((4, 4, 1), [2, 2, 0], id="two share both places"),
        pytest.param((4, 4, 4), [2, 2, 2], id="three share 4, rounded up"),
        pytest.param((4, 4, 4, 4), [1, 1, 1, 1], id="four share 4"),
        pytest.param((4, 4, 4, 4, 4), [1, 1, 1, 1, 1], id="five share 4, rounded up"),
        pytest.param((4, 2, 2), [3, 1, 1], id="two tie for second"),
        pytest.param((4, 2, 2, 2, 1), [3, 1, 1, 1, 0], id="three tie for second"),
        pytest.param((3, 0, 0), [3, 0, 0], id="who has nothing is not second"),
        pytest.param((0, 0), [0, 0], id="nobody has any"),
    ],
)
def test_places_share_their_rings_in_ties(roads: tuple[int, ...], won: list[int]) -> None:
    scored = ranked(*roads)
    assert [points(scored, player, "objective") for player in PLAYERS[: len(roads)]] == won


@pytest.mark.parametrize(("who", "each"), [(1, 4), (2, 2), (3, 2), (4, 1), (5, 1)])
def test_10_all_who_have_every_district_share_4(who: int, each: int) -> None:
    components = printed(".....")
    cities: dict[str, Value] = {}
    for player in PLAYERS[:who]:
        cities |= city(player, "L1 F1 H1 M1 T1")
    for player in PLAYERS[who:]:
        cities |= city(player, "L1 F1 H1 M1 .")
    scored = score(components, cities, {"objective.1": "every-district"})
    assert [points(scored, player, "objective") for player in PLAYERS] == [each] * who + [0] * (5 - who)


def test_a_card_is_not_scored_if_a_marker_is_unknown() -> None:
    scored = score(
        FIELD, {"map.red.0.0": "-", "map.blue.0.0": "-", "resource.red.food": 3}, {"objective.1": "highest-food"}
    )
    assert points(scored, "red", "objective") == 0
    assert "resource.blue.food" in scored.unknown


def test_a_card_has_an_area_for_each_player() -> None:
    areas = {area.id: area for area in ranked(4, 2).areas}
    assert areas["red.objective-1"].size == 4
    assert areas["red.objective-1"].squares == ((0, 0), (0, 1), (0, 2), (0, 3))
    assert areas["blue.objective-1"].complete
    assert not {area.id: area for area in ranked(4, 2, 1).areas}["green.objective-1"].complete


@given(st.lists(st.integers(0, 6), min_size=2, max_size=5))
def test_a_player_with_more_never_wins_fewer_rings(roads: list[int]) -> None:
    scored = ranked(*roads)
    won = [points(scored, player, "objective") for player in PLAYERS[: len(roads)]]
    assert sorted(won) == [rings for _, rings in sorted(zip(roads, won, strict=True))]
    assert all((rings > 0) <= (length > 0) for rings, length in zip(won, roads, strict=True))


@given(st.sampled_from(CARDS))
def test_an_empty_map_fulfils_no_card(card: str) -> None:
    table = build_table(FIELD, ("red",), beside("red", 0, (0, 0, 0)))
    assert evaluate_objective(card, table, Areas(build_board("red", FIELD.terrain("red"), {}))).count == 0
