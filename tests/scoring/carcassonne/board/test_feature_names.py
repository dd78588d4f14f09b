"""Names of features: by their first square, independent of tiles elsewhere, so that two readings agree."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.carcassonne.board.board import Board, PlacedMeeple
from scoring.carcassonne.board.features import Feature, build_feature_map
from scoring.carcassonne.board.notation import parse_notation
from scoring.carcassonne.board.places import find_segment
from scoring.carcassonne.board.square_names import number_square
from scoring.carcassonne.tiles.geometry import SIDES, Square
from scoring.carcassonne.wonders.catalogue import load_wonder_catalogue
from tests.api.tables_read import dealt
from tests.scoring.laid import laid, wonder


def first_square(feature: Feature) -> Square:
    return min(square for square, _ in feature.members)


@pytest.mark.parametrize("seed", range(12))
def test_every_feature_has_a_unique_name_of_its_first_square(seed: int) -> None:
    board = dealt(seed)
    features = build_feature_map(board)
    labels = [feature.label for feature in features]
    assert len({*labels, *(feature.id for feature in features)}) == 2 * len(labels)
    for feature in features:
        row, col = number_square(first_square(feature), board.origin)
        assert feature.label.rstrip("abcdefgh") == f"{feature.id[0]}{row}.{col}"
        assert features.find(feature.label.lower()) is features.find(f" {feature.id} ") is feature


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000), st.data())
def test_changes_elsewhere_rename_no_other_feature(seed: int, data: st.DataObject) -> None:
    """A tile unknown to another reading renames features confined to it; missing pieces rename nothing."""
    board = dealt(seed)
    rows, cols = zip(*board.tiles, strict=True)
    inner = [at for at in board.tiles if at[0] > min(rows) and at[1] > min(cols)]
    lost = data.draw(st.sampled_from(inner or [*board.tiles]))
    other = replace(board, tiles={**board.tiles, lost: None}, meeples=())
    names = {member: feature.label for feature in build_feature_map(other) for member in feature.members}
    for feature in build_feature_map(board):
        if not any(square == lost for square, _ in feature.members):
            assert {names[member] for member in feature.members} == {feature.label}


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 4))
def test_rows_and_columns_added_at_the_far_sides_change_no_name(seed: int, cut: int) -> None:
    """A first reading without the last rows or columns gives the same names to features that lie in the others."""
    board = dealt(seed)
    last = max(row for row, _ in board.tiles) - cut
    part = {at: placement for at, placement in board.tiles.items() if at[0] <= last}
    if not part or Board(part).origin != board.origin:
        return
    names = {member: feature.label for feature in build_feature_map(Board(part)) for member in feature.members}
    for feature in build_feature_map(board):
        if all(square[0] <= last for square, _ in feature.members):
            assert {names[member] for member in feature.members} == {feature.label}


@given(st.integers(-50, 50), st.integers(-50, 50))
def test_the_frame_in_which_a_reading_numbers_squares_does_not_matter(row: int, col: int) -> None:
    here = build_feature_map(parse_notation("V3V0/V2V1 red^0,0=rE"))
    there = build_feature_map(parse_notation(f"@{row},{col} V3V0/V2V1"))
    assert [feature.label for feature in here] == [feature.label for feature in there]


@pytest.mark.parametrize("turns", range(4))
def test_parts_of_one_tile_are_lettered_clockwise_in_its_turn(turns: int) -> None:
    """A crossing of four roads: from the north round to the west, for any turn of the tile."""
    board = parse_notation(f"X{turns}")
    features, placement = build_feature_map(board), board.tiles[0, 0]
    assert placement is not None
    for letter, side in zip("abcd", SIDES, strict=True):
        index = find_segment(placement.layout, turns, f"road:{side}")
        assert index is not None
        assert features.at((0, 0), index).label == f"R1.1{letter}"


def test_a_wonder_has_its_own_name() -> None:
    board = laid("E0", (wonder("alhambra", (0, 4)), "red"))
    (feature,) = [feature for feature in build_feature_map(board) if feature.kind == "wonder"]
    assert (feature.name, feature.label[0]) == ("Alhambra", "W")


@pytest.mark.parametrize("turns", range(4))
def test_a_wonder_is_named_by_its_first_square_wherever_its_middle_is(turns: int) -> None:
    for id in load_wonder_catalogue():
        placed = wonder(id.removeprefix("WH/"), (5, 9), turns)
        board = laid("E0", (placed, "red"))
        (feature,) = [feature for feature in build_feature_map(board) if feature.kind == "wonder"]
        row, col = number_square(min(placed.squares), board.origin)
        assert feature.label == f"W{row}.{col}"


def test_pieces_do_not_affect_names_of_features() -> None:
    board = parse_notation("D1 red^0,0=rN")
    other = replace(board, meeples=(PlacedMeeple("blue", (0, 0), 0),))
    assert [f.label for f in build_feature_map(board)] == [f.label for f in build_feature_map(other)]
