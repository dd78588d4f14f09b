"""The areas of a map, compared with flood fill and under turns."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given

from scoring.spots.game import Value
from scoring.world_wonders.areas import Areas
from scoring.world_wonders.board import Board
from scoring.world_wonders.terrain import Terrain
from tests.scoring.world_wonders import flood
from tests.scoring.world_wonders.cities import board, cities, on

City = tuple[Terrain, dict[str, Value]]


@given(cities())
def test_areas_equal_those_of_a_flood_fill(city_map: City) -> None:
    board = on(*city_map)
    areas = Areas(board)
    assert {piece.name.value for piece in areas.districts} == flood.districts(board)
    assert {*areas.natural_resources} == flood.natural_resources(board)
    assert {frozenset(green.squares) for green in areas.green if green.enclosed} == flood.enclosed_green(board)
    assert {frozenset(squares) for squares in areas.roads} == flood.roads(board)


@given(cities())
def test_buildings_beside_something_equal_those_of_a_flood_fill(city_map: City) -> None:
    board = on(*city_map)
    areas, rows = Areas(board), board.terrain.rows
    naturals = flood.buildings_by(board, lambda place: flood.letter(board, place) == "*")
    water = flood.buildings_by(board, lambda place: flood.letter(board, place) == "~")
    edge = flood.buildings_by(board, lambda place: flood.letter(board, place) == " " and place[0] < rows)
    assert {piece.name.value for piece in areas.by_natural_resources} == naturals
    assert {piece.name.value for piece in areas.by_water} == water
    assert {piece.name.value for piece in areas.by_edge} == edge


@pytest.mark.parametrize(
    "turn",
    [
        pytest.param(lambda rows: [list(line) for line in zip(*rows[::-1], strict=True)], id="a quarter turn"),
        pytest.param(lambda rows: [line[::-1] for line in rows], id="mirrored"),
        pytest.param(lambda rows: rows[::-1], id="upside down"),
    ],
)
@given(city_map=cities())
def test_turning_a_map_changes_no_area(turn: Callable[[list[list[str]]], list[list[str]]], city_map: City) -> None:
    """The Sidewalk's neighbours are the exception: they stay in place."""
    terrain, spot_values = city_map
    values = [
        [str(spot_values.get(f"map.red.{row}.{col}", "")) for col in range(terrain.columns)]
        for row in range(terrain.rows)
    ]
    turned = Terrain(tuple("".join(line) for line in turn([list(line) for line in terrain.lines])))
    spots = {(row, col): value for row, line in enumerate(turn(values)) for col, value in enumerate(line) if value}
    other = on(turned, {f"map.red.{row}.{col}": value for (row, col), value in spots.items()})
    assert _sizes(on(terrain, spot_values)) == _sizes(other)


@given(cities(unknown=False))
def test_another_road_takes_no_natural_resource_but_one_that_it_covers(city_map: City) -> None:
    terrain, values = city_map
    before = {*Areas(on(terrain, values)).natural_resources}
    for square in terrain.squares:
        spot = f"map.red.{square[0]}.{square[1]}"
        if values[spot] == "-":
            after = Areas(on(terrain, values | {spot: "road#9"})).natural_resources
            assert before - {square} <= {*after}


def test_squares_that_meet_at_a_corner_are_not_connected() -> None:
    areas = Areas(board("r1 . ./. r2 r2/r3 . r2"))
    assert [len(squares) for squares in areas.roads] == [1, 3, 1]


def test_green_that_meets_at_a_corner_is_two_areas() -> None:
    text = "r1 r1 r1 r1/r1 . r1 r1/r1 r1 . r1/r1 r1 r1 r1"
    assert [green.squares for green in Areas(board(text)).green] == [((1, 1),), ((2, 2),)]


def test_green_at_the_edge_or_the_sidewalk_is_not_enclosed() -> None:
    assert not any(green.enclosed for green in Areas(board(". r1 ./r1 r1 r1/. r1 .")).green)


def test_an_unknown_square_ends_no_district_and_encloses_no_green() -> None:
    areas = Areas(board("r1 r1 r1/r1 . ?/r1 L1 r1"))
    assert not areas.green[0].enclosed
    assert Areas(board("r1 L1 ?")).districts == ()
    assert len(Areas(board("r1 L1 ?", "..~")).districts) == 1, "water is no green space, whatever lies on it"


def test_only_buildings_of_one_type_form_a_group() -> None:
    areas = Areas(board("L1 L1 L2 F1 L3/. . . . L4"))
    assert [[piece.name.value for piece in group] for group in areas.groups("library")] == [
        ["library#1", "library#2"],
        ["library#3", "library#4"],
    ]


def _sizes(board: Board) -> list[object]:
    areas = Areas(board)
    return [
        len(areas.districts),
        len(areas.natural_resources),
        sorted((len(green.squares), green.enclosed) for green in areas.green),
        sorted(map(len, areas.roads)),
        sorted(map(len, areas.groups("library"))),
        len(areas.by_natural_resources),
        len(areas.by_water),
    ]
