"""Accounts that settle a dispute."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from scoring.carcassonne.board.board import Board
from scoring.carcassonne.board.features import build_feature_map
from scoring.carcassonne.board.notation import parse_notation
from scoring.carcassonne.final.explain import explain_feature, explain_lines, explain_player
from scoring.carcassonne.final.scoring import compute_final_scoring
from scoring.carcassonne.final.table import Table
from tests.scoring.boards import wide_boards
from tests.scoring.laid import laid, wonder


@pytest.mark.parametrize(
    ("text", "feature", "words"),
    [
        pytest.param(
            "U0U0A1 red^0,0=rE",
            "R1",
            [
                "road R1.1: 3 tiles: row 1, column 1; row 1, column 2; row 1, column 3",
                "open to the west of row 1, column 1: no tile lies there",
                "red: 1 piece",
                "worth 3: 3 tiles x 1",
            ],
            id="a road with an open end",
        ),
        pytest.param(
            "V3V0/V2V1",
            "R1",
            [
                "road R1.1: 4 tiles: row 1, column 1; row 1, column 2; row 2, column 2; row 2, column 1",
                "worth 4: 4 tiles x 1",
            ],
            id="a round road",
        ),
        pytest.param(
            "U0??/.E0",
            "R1",
            [
                "road R1.1: 1 tile: row 1, column 1",
                "open to the east of row 1, column 1: the tile there is not known",
                "open to the west of row 1, column 1: no tile lies there",
                "worth 1: 1 tile x 1",
            ],
            id="a road beside an unknown tile",
        ),
        pytest.param(
            ".U0E0",
            "R1",
            [
                "road R1.1: 1 tile: row 1, column 1",
                "open to the east of row 1, column 1: a field lies there",
                "open to the west of row 1, column 1: beyond the picture",
                "worth 1: 1 tile x 1",
            ],
            id="a road that ends at a field and at the picture's border",
        ),
        pytest.param(
            "(IC/RFr.i)0",
            "R1",
            [
                "road R1.1: 1 tile: row 1, column 1",
                "inn at row 1, column 1",
                "open to the east of row 1, column 1: no tile lies there",
                "open to the west of row 1, column 1: no tile lies there",
                "worth 0: 1 tile x 0 (inn)",
            ],
            id="an inn",
        ),
        pytest.param(
            "E1(TB/Cc.w)3",
            "C1",
            [
                "city C1.1: 2 tiles: row 1, column 1; row 1, column 2",
                "wine at row 1, column 2",
                "open to the south of row 1, column 2: no tile lies there",
                "worth 2: 2 tiles x 1",
            ],
            id="goods in a city",
        ),
        pytest.param(
            "E1H1 blue_0,1=fNL",
            "F2",
            [
                "field F1.2: 1 tile: row 1, column 2",
                "touches city C1.1 (complete)",
                "touches city C1.2a (not complete)",
                "blue: 1 piece",
            ],
            id="a farm",
        ),
        pytest.param(
            "B0U0 red^0,0=M",
            "M1",
            ["monastery M1.1: 2 tiles: row 1, column 1; row 1, column 2", "red: 1 piece", "worth 2: 1 + 1 tile around"],
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
    assert "red: 1 piece" in explain_feature(board, build_feature_map(board), "W1").text


@pytest.mark.parametrize(
    ("name", "line", "table", "sentences"),
    [
        pytest.param(
            "alhambra",
            "E0 red_0,0=fSL blue^0,0=cN",
            Table(),
            (
                "red holds Alhambra and scores 5 points for it.",
                "In a game of fewer than 120 tiles (6 here) each farmer of the owner brings 5 points, and there is "
                "1 farmer (red in row 1, column 1).",
            ),
        ),
        pytest.param(
            "alhambra",
            "E0 blue^0,0=cN",
            Table(tiles_in_play=120),
            (
                "red holds Alhambra and scores 0 points for it.",
                "In a game of at least 120 tiles (120 here) each farmer of the owner brings 6 points, and there is no "
                "farmer.",
            ),
            id="nothing, and why",
        ),
        pytest.param(
            "circus-maximus",
            "E0 blue^0,0=cN",
            Table(player_count=3),
            (
                "red holds Circus Maximus and scores 3 points for it.",
                "With 3 players, each meeple of another player in an unfinished city brings 3 points, and there is "
                "1 meeple (blue in row 1, column 1).",
            ),
        ),
        pytest.param(
            "stonehenge",
            "E0",
            Table(),
            (
                "Stonehenge scores nothing at the end of the game, whoever holds it.",
                "It counts during the game alone: 3 points for each occupied road that its owner completes.",
            ),
        ),
        pytest.param(
            "terracotta-army",
            "U1/U1/U1/U1/U1/U1/U1",
            Table(),
            (
                "red holds Terracotta Army and scores 2 points for it.",
                "Each row and each column with at least 7 tiles side by side brings 2 points, and there are "
                "0 long rows and 1 long column (column 1).",
            ),
        ),
    ],
)
def test_a_wonder_says_what_it_scores_for_whom_and_why(
    name: str, line: str, table: Table, sentences: tuple[str, ...]
) -> None:
    board = laid(line, (wonder(name, (0, 20)), "red"))
    account = explain_feature(board, build_feature_map(board), "W1", table=table)
    assert account.text[-2:] == sentences
    sheet = compute_final_scoring(board, table=table)
    assert account.points == next((entry.points for entry in sheet.entries if entry.feature == "W1"), None)


def test_a_wonder_that_nobody_holds_says_what_it_would_bring() -> None:
    marked = laid("E0 red_0,0=fSL blue^0,0=cN", (wonder("alhambra", (0, 20)), "red"))
    board = Board(marked.tiles, tuple(piece for piece in marked.meeples if piece.pose != "upside_down"))
    account = explain_feature(board, build_feature_map(board), "W1")
    assert account.points is None
    assert account.text[-2:] == (
        "Alhambra scores for nobody: no marker is on it.",
        "As its owner each player would score: blue 0 points, red 5 points.",
    )


def test_a_road_that_a_broken_wonder_leaves_unconnected_keeps_its_squares() -> None:
    placed = wonder("tikal", (0, 0))
    board = Board({**placed.placements, (0, 1): None})
    features = build_feature_map(board)
    assert explain_feature(board, features, "R1").squares == features["R1"].squares == ((0, 0), (1, 1))


def test_lines_are_told_with_their_runs() -> None:
    assert explain_lines(parse_notation("U0U0-U0")) == (
        "row 1: 1 to 2 (2 tiles), 4 to 4 (1 tile)",
        "column 1: 1 to 1 (1 tile)",
        "column 2: 1 to 1 (1 tile)",
        "column 4: 1 to 1 (1 tile)",
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
