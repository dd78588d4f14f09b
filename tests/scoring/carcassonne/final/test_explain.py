"""Accounts that settle a dispute."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from scoring.carcassonne.board.board import Board
from scoring.carcassonne.board.features import build_feature_map
from scoring.carcassonne.board.notation import parse_notation
from scoring.carcassonne.final.explain import explain_feature, explain_lines, explain_player
from scoring.carcassonne.final.scoring import compute_final_scoring
from tests.scoring.boards import wide_boards
from tests.scoring.laid import laid, wonder


@pytest.mark.parametrize(
    ("text", "feature", "words"),
    [
        pytest.param(
            "U0U0A1 red^0,0=rE",
            "R1",
            [
                "road R1: 3 tiles: 0,0 0,1 0,2",
                "open to the west of 0,0: no tile lies there",
                "red: 1 piece",
                "worth 3: 3 tiles x 1",
            ],
            id="a road with an open end",
        ),
        pytest.param(
            "V3V0/V2V1", "R1", ["road R1: 4 tiles: 0,0 0,1 1,1 1,0", "worth 4: 4 tiles x 1"], id="a round road"
        ),
        pytest.param(
            "U0??/.E0",
            "R1",
            [
                "road R1: 1 tile: 0,0",
                "open to the east of 0,0: the tile there is not known",
                "open to the west of 0,0: no tile lies there",
                "worth 1: 1 tile x 1",
            ],
            id="a road beside an unknown tile",
        ),
        pytest.param(
            ".U0E0",
            "R1",
            [
                "road R1: 1 tile: 0,1",
                "open to the east of 0,1: a field lies there",
                "open to the west of 0,1: beyond the picture",
                "worth 1: 1 tile x 1",
            ],
            id="a road that ends at a field and at the picture's border",
        ),
        pytest.param(
            "(IC/RFr.i)0",
            "R1",
            [
                "road R1: 1 tile: 0,0",
                "inn at 0,0",
                "open to the east of 0,0: no tile lies there",
                "open to the west of 0,0: no tile lies there",
                "worth 0: 1 tile x 0 (inn)",
            ],
            id="an inn",
        ),
        pytest.param(
            "E1(TB/Cc.w)3",
            "C1",
            [
                "city C1: 2 tiles: 0,0 0,1",
                "wine at 0,1",
                "open to the south of 0,1: no tile lies there",
                "worth 2: 2 tiles x 1",
            ],
            id="goods in a city",
        ),
        pytest.param(
            "E1H1 blue_0,1=fNL",
            "F2",
            ["farm F2: 1 tile: 0,1", "touches city C1 (complete)", "touches city C2 (not complete)", "blue: 1 piece"],
            id="a farm",
        ),
        pytest.param(
            "B0U0 red^0,0=M", "M1", ["monastery M1: 2 tiles: 0,0 0,1", "red: 1 piece", "worth 2: 1 + 1 tile around"]
        ),
    ],
)
def test_an_account_says_what_counts(text: str, feature: str, words: list[str]) -> None:
    board = parse_notation(text)
    assert list(explain_feature(board, build_feature_map(board), feature).text) == words


def test_a_road_over_a_wonder_is_walked_square_by_square() -> None:
    placed = wonder("tikal", (0, 1))
    board = laid("U0", (placed, "red"))
    account = explain_feature(board, build_feature_map(board), "R1")
    assert account.squares == ((0, 0), (0, 1), (0, 2), (1, 2))
    assert explain_feature(board, build_feature_map(board), "W1").text[-1] == "red: 1 piece"


def test_a_road_that_a_broken_wonder_leaves_unconnected_keeps_its_squares() -> None:
    placed = wonder("tikal", (0, 0))
    board = Board({**placed.placements, (0, 1): None})
    features = build_feature_map(board)
    assert explain_feature(board, features, "R1").squares == features["R1"].squares == ((0, 0), (1, 1))


def test_lines_are_told_with_their_runs() -> None:
    assert explain_lines(parse_notation("U0U0-U0")) == (
        "row 0: 0 to 1 (2 tiles), 3 to 3 (1 tile)",
        "column 0: 0 to 0 (1 tile)",
        "column 1: 0 to 0 (1 tile)",
        "column 3: 0 to 0 (1 tile)",
    )


def test_a_player_s_points_are_told_line_by_line_with_the_section() -> None:
    sheet = compute_final_scoring(laid("E0 red_0,0=fSL blue^0,0=cN", (wonder("alhambra"), "red")))
    account = explain_player(sheet, "red")
    assert account.text == (
        "5 W1: 1 farmer x 5 [The Wonders of Humanity, 3. Scoring a wonder, Scoring after the game: Alhambra]",
        "0 F1: 0 finished cities x 3 [Base game, final scoring: farms; Traders & Builders, pig]",
        "5 red",
    )
    with pytest.raises(KeyError):
        explain_player(sheet, "green")


@given(wide_boards())
@settings(max_examples=40)
def test_every_feature_has_an_account_of_all_its_squares(board: Board) -> None:
    features = build_feature_map(board)
    for feature in features:
        account = explain_feature(board, features, feature.id)
        assert sorted(account.squares) == sorted(feature.squares)
        assert len(account.text) >= 1
        if feature.kind in ("road", "city") and feature.complete:
            assert account.open_ends == ()
