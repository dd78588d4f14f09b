"""The spots of a table: possible and impossible contents, and the text that reads back."""

from __future__ import annotations

import re

import pytest
from hypothesis import given

from scoring.errors import BoardError
from scoring.spots.game import Value
from scoring.spots.text import SpotTable, format_table, parse_table
from scoring.world_wonders.game import GAME
from scoring.world_wonders.kinds import Numbered, parse_piece_name
from scoring.world_wonders.terrain import Terrain
from tests.scoring.world_wonders.cities import cities, city, convert_to_spots, on, printed

LANE = printed("......", "......")


def choices(spot: str, values: dict[str, Value]) -> tuple[Value, ...]:
    return {table_spot.id: table_spot.choices for table_spot in GAME.spots(LANE, ("red", "blue"), values)}[spot]


def test_every_spot_has_its_name() -> None:
    spots = GAME.spots(LANE, ("red", "blue"), {})
    assert all(re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*", spot.id) for spot in spots)
    assert len({spot.id for spot in spots}) == len(spots) == 2 * (12 + 4 + 1) + 3
    assert {spot.kind for spot in spots} == {"square", "resource", "loan", "objective"}


def test_an_empty_map_offers_nothing_and_one_new_piece_of_each_kind() -> None:
    first = choices("map.red.0.0", {})
    assert first[:4] == ("-", "road#1", "bridge#1", "library#1")
    assert {"monument#1", "giza#1", "moai#1", "tower#1"} <= {*first}
    assert len(first) == 1 + 9 + 21


def test_a_square_may_join_a_piece_near_it_or_begin_another() -> None:
    values = city("red", "r4 . . . . ./. . . . . L2")
    near = choices("map.red.0.1", values)
    assert near[:2] == ("-", "road#4")
    assert {"road#4", "road#5", "library#3"} <= {*near}
    assert not {"library#2", "road#1"} & {*near}
    assert "library#2" in choices("map.red.0.4", values)
    assert "road#4" not in choices("map.blue.0.1", values)


def test_a_square_offers_its_present_contents() -> None:
    assert "road#77" in choices("map.red.0.0", {"map.red.0.0": "road#77"})
    assert choices("map.red.0.3", {"map.red.0.0": "giza#1"}).count("giza#1") == 1


def test_tracks_offer_all_their_spaces_and_cards_are_typed() -> None:
    assert choices("resource.red.population", {}) == tuple(range(13))
    assert choices("objective.2", {})[:2] == ("-", "green-area")
    typed = {spot.kind for spot in GAME.spots(LANE, ("red", "blue"), {}) if spot.typed}
    assert typed == {"loan", "objective"}


def test_alone_one_plays_against_the_automaton_and_without_objectives() -> None:
    kinds = [spot.kind for spot in GAME.spots(LANE, ("red",), {}) if spot.typed]
    assert kinds == ["loan", "solo_mode"], "the automaton's cards are asked for where they count"
    kinds = [spot.kind for spot in GAME.spots(LANE, ("red",), {"solo.mode": "hard"}) if spot.typed]
    assert kinds == ["loan", "solo_mode", "solo_monuments"]
    kinds = [spot.kind for spot in GAME.spots(LANE, ("red",), {"solo.mode": "easy"}) if spot.typed]
    assert kinds == ["loan", "solo_mode"]


@pytest.mark.parametrize(
    ("spot", "value"),
    [
        ("map.red.0.0", "castle#1"),
        ("map.red.0.0", "road"),
        ("map.red.0.0", "road#0"),
        ("map.red.0.0", 3),
        ("map.red.2.0", "-"),
        ("map.green.0.0", "-"),
        ("resource.red.food", 16),
        ("resource.red.gold", 1),
        ("loan.red", "perhaps"),
        ("solo.mode", "easy"),
        ("objective.4", "-"),
    ],
)
def test_impossible_contents_are_refused(spot: str, value: Value) -> None:
    with pytest.raises(BoardError) as raised:
        GAME.score(LANE, ("red", "blue"), {spot: value})
    assert raised.value.code == "strange_spot"
    assert raised.value.details == {"spot": spot, "value": value}


@pytest.mark.parametrize("players", [(), ("red", "red"), ("red", "purple")])
def test_players_have_colours_of_the_game(players: tuple[str, ...]) -> None:
    with pytest.raises(BoardError) as raised:
        GAME.spots(LANE, players, {})
    assert raised.value.code == "bad_players"


@given(cities())
def test_a_map_reads_back_from_its_line_of_text(city_map: tuple[Terrain, dict[str, Value]]) -> None:
    terrain, values = city_map
    board = on(terrain, values)
    assert convert_to_spots(board) == values
    table = SpotTable(GAME.name, ("red",), values)
    assert parse_table(format_table(table)) == table


def test_a_piece_reads_back_from_its_value() -> None:
    assert parse_piece_name(Numbered("great-wall", 2).value) == ("great-wall", 2)
    assert parse_piece_name("-") is None
