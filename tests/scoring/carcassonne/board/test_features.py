"""Features by geometry, and the lines of the board."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.carcassonne.board.board import Board, Placement
from scoring.carcassonne.board.features import Run, build_feature_map, list_lines, pair_segments
from scoring.carcassonne.board.notation import parse_notation
from scoring.carcassonne.deal.boards import deal_random_board
from scoring.carcassonne.final.scoring import compute_final_scoring
from scoring.carcassonne.tiles.catalogue import load_base_catalogue
from scoring.carcassonne.tiles.geometry import SIDES, get_opposite_side, turn_edge
from tests.scoring.boards import boards, placements, wide_boards

RING = "V3V0/V2V1"
"""Four curves that make a closed round road."""


def shape(text: str) -> list[tuple[str, int, bool]]:
    """Return id, size and completeness of every feature of a board."""
    return [(f.id, f.size, f.complete) for f in build_feature_map(parse_notation(text))]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("E0/E2", [("C1", 1, False), ("C2", 1, False)], id="two cities that look away"),
        pytest.param("-E0/E1", [("C1", 1, False), ("C2", 1, False)], id="diagonal neighbours do not touch"),
        pytest.param("E1E3", [("C1", 2, True)], id="a city of two tiles"),
        pytest.param("A3A1", [("R1", 2, True)], id="a road between two monasteries"),
        pytest.param("U0U0", [("R1", 2, False)], id="a road with open ends"),
        pytest.param("A3E0", [("R1", 1, False), ("C1", 1, False)], id="a road that runs into a field"),
        pytest.param("A3??", [("R1", 1, False)], id="a road that runs into an unknown tile"),
    ],
)
def test_roads_and_cities_join_across_edges(text: str, expected: list[tuple[str, int, bool]]) -> None:
    assert [row for row in shape(text) if row[0][0] in "RC"] == expected


def test_a_closed_loop_of_road_is_complete_and_separates_two_fields() -> None:
    assert shape(RING) == [("R1", 4, True), ("F1", 4, False), ("F2", 4, False)]


def test_a_monastery_counts_the_tiles_around_it_known_or_not() -> None:
    assert ("M1", 4, False) in shape("U0??/-B0/U0")
    assert ("M1", 9, True) in shape("??U0??/U0B0U0/U0U0??")


def test_a_field_knows_the_complete_cities_it_touches() -> None:
    features = build_feature_map(parse_notation("E1H1E3"))
    assert [f.cities for f in features if f.kind == "field"] == [("C1",), ("C1", "C2"), ("C2",)]


def test_a_field_lists_a_complete_city_once() -> None:
    features = build_feature_map(parse_notation("E2B0E1/E0B0"))
    assert [(f.size, f.cities) for f in features if f.kind == "field"] == [(5, ("C1",))]


def test_a_feature_is_found_by_id_by_segment_and_by_square() -> None:
    board = parse_notation("D0U0 red^0,0=cN blue^0,1=rE")
    features = build_feature_map(board)
    road = features["R1"]
    assert [features.under(meeple) for meeple in board.meeples] == [features["C1"], road]
    assert road.meeples == {"blue": 1}
    assert set(features.on((0, 1))) == {feature for feature in features if (0, 1) in feature.squares}


@given(placements, placements, st.sampled_from(SIDES), st.integers(0, 3))
def test_joining_is_the_same_from_both_sides_and_under_turns(
    one: Placement, other: Placement, side: str, turns: int
) -> None:
    pairs = pair_segments(one.layout, one.turns, side, other.layout, other.turns)
    back = pair_segments(other.layout, other.turns, get_opposite_side(side), one.layout, one.turns)
    assert sorted(back) == sorted((b, a) for a, b in pairs)
    around = turn_edge(side, turns)
    assert set(pairs) == set(
        pair_segments(one.layout, (one.turns + turns) % 4, around, other.layout, (other.turns + turns) % 4)
    )


@given(boards() | wide_boards())
@settings(max_examples=50)
def test_every_segment_belongs_to_one_feature(board: Board) -> None:
    features = build_feature_map(board)
    members = [member for feature in features for member in feature.members]
    assert len(members) == len(set(members)) == sum(len(p.layout.segments) for _, p in board.known)
    assert sum(sum(feature.meeples.values()) for feature in features) == sum(
        m.segment is not None for m in board.meeples
    )
    assert len({feature.id for feature in features}) == len(features)


def test_the_geometry_of_a_feature_is_connected_and_lies_on_its_squares() -> None:
    board = deal_random_board(Random(3))
    for feature in build_feature_map(board):
        assert feature.geometry.is_valid
        assert feature.geometry.geom_type in ("Polygon", "MultiPolygon")
        if feature.kind in ("road", "city"):
            assert feature.geometry.geom_type == "Polygon"
    faces = [feature.geometry.area for feature in build_feature_map(board) if feature.kind != "road"]
    assert sum(faces) == pytest.approx(len(board.tiles))


def test_lines_are_rows_then_columns_with_their_runs() -> None:
    lines = list_lines(parse_notation("U0U0-U0/-3??"))
    assert [(line.axis, line.index, line.runs) for line in lines] == [
        ("row", 0, (Run(0, 1), Run(3, 3))),
        ("row", 1, (Run(3, 3),)),
        ("column", 0, (Run(0, 0),)),
        ("column", 1, (Run(0, 0),)),
        ("column", 3, (Run(0, 1),)),
    ]
    assert lines[0].runs[0].length == 2


def test_ids_do_not_depend_on_the_order_of_tiles() -> None:
    board = deal_random_board(Random(4))
    shuffled = dict(sorted(board.tiles.items(), key=lambda item: hash(item[0])))
    one, other = build_feature_map(board), build_feature_map(Board(shuffled, board.meeples))
    assert [(f.id, f.members) for f in one] == [(f.id, f.members) for f in other]


@given(wide_boards(), st.integers(1, 3))
@settings(max_examples=40)
def test_turning_the_table_changes_no_feature_and_no_total(board: Board, turns: int) -> None:
    turned = _turned(board, turns)
    assert Counter((f.kind, f.size, f.complete) for f in build_feature_map(turned)) == Counter(
        (f.kind, f.size, f.complete) for f in build_feature_map(board)
    )
    assert compute_final_scoring(turned).totals == compute_final_scoring(board).totals


@given(st.integers(0, 2**32), st.data())
@settings(max_examples=20)
def test_an_additional_tile_never_shortens_a_road(seed: int, data: st.DataObject) -> None:
    board = deal_random_board(Random(seed), tiles=20)
    square = data.draw(st.sampled_from(sorted(board.tiles)))
    before = build_feature_map(Board({at: placement for at, placement in board.tiles.items() if at != square}))
    after = build_feature_map(board)
    for road in before:
        assert road.kind != "road" or after.at(*road.members[0]).size >= road.size


def _turned(board: Board, turns: int) -> Board:
    """Turn a board, as seen from another seat."""

    def at(square: tuple[int, int]) -> tuple[int, int]:
        row, col = square
        for _ in range(turns):
            row, col = col, -row
        return row, col

    tiles = {at(square): p and replace(p, turns=p.turns + turns) for square, p in board.tiles.items()}
    return Board(tiles, tuple(replace(meeple, square=at(meeple.square)) for meeple in board.meeples))


def test_any_two_tiles_join_at_matching_edges() -> None:
    for layout in load_base_catalogue():
        for side in SIDES:
            for other in load_base_catalogue():
                if layout.edge(side) == other.edge(get_opposite_side(side)):
                    assert pair_segments(layout, 0, side, other, 0)
