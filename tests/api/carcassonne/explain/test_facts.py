"""The contents of a feature, line by line: the facts that settle a road's length, and a farm's cities."""

from __future__ import annotations

import pytest

from api.carcassonne.explain.accounts import build_explanation
from api.carcassonne.explain.source import Source
from api.carcassonne.report.builder import build_board_report
from api.documents.table_options import Question
from scoring.carcassonne.board.notation import parse_notation
from scoring.carcassonne.final.rulesets import TODAY
from tests.api.carcassonne.explain.accounts import account_of


@pytest.mark.parametrize(
    ("text", "feature", "facts"),
    [
        pytest.param(
            "U0U0A1 red^0,0=rE",
            "R1",
            [
                "Road R1.1: 3 tiles: row 1, column 1; row 1, column 2; row 1, column 3",
                "Open to the west of row 1, column 1: no tile lies there",
            ],
            id="a road with an open end",
        ),
        pytest.param(
            "V3V0/V2V1",
            "R1",
            ["Road R1.1: 4 tiles: row 1, column 1; row 1, column 2; row 2, column 2; row 2, column 1"],
            id="a round road",
        ),
        pytest.param(
            "U0??/.E0",
            "R1",
            [
                "Road R1.1: 1 tile: row 1, column 1",
                "Open to the east of row 1, column 1: the tile there is not known",
                "Open to the west of row 1, column 1: no tile lies there",
            ],
            id="a road beside an unknown tile",
        ),
        pytest.param(
            ".U0E0",
            "R1",
            [
                "Road R1.1: 1 tile: row 1, column 1",
                "Open to the east of row 1, column 1: a field lies there",
                "Open to the west of row 1, column 1: the photo does not show it",
            ],
            id="a road that ends at a field and at the picture's border",
        ),
        pytest.param(
            "(IC/RFr.i)0",
            "R1",
            [
                "Road R1.1: 1 tile: row 1, column 1",
                "Inn: row 1, column 1",
                "Open to the east of row 1, column 1: no tile lies there",
                "Open to the west of row 1, column 1: no tile lies there",
            ],
            id="an inn",
        ),
        pytest.param(
            "E1(TB/Cc.w)3",
            "C1",
            [
                "City C1.1: 2 tiles: row 1, column 1; row 1, column 2",
                "Wine: row 1, column 2",
                "Open to the south of row 1, column 2: no tile lies there",
            ],
            id="goods in a city",
        ),
        pytest.param(
            "E1H1 blue_0,1=fNL",
            "F2",
            [
                "Field F1.2: 1 tile: row 1, column 2",
                "Touches the finished city C1.1",
                "Touches the unfinished city C1.2a",
            ],
            id="a farm",
        ),
        pytest.param("B0U0 red^0,0=M", "M1", ["Monastery M1.1: 2 tiles: row 1, column 1; row 1, column 2"]),
    ],
)
def test_facts_say_what_lies_there(text: str, feature: str, facts: list[str]) -> None:
    account = account_of(text, feature)
    assert account.text == [*facts, *account.sentences]


def test_lines_are_told_with_their_runs() -> None:
    board = parse_notation("U0U0-U0")
    explanation, _ = build_explanation(Source(board, build_board_report(board), TODAY), Question(lines=True))
    assert [line.text for line in explanation.lines] == [
        "Row 1: columns 1 to 2 (2 tiles), columns 4 to 4 (1 tile)",
        "Column 1: rows 1 to 1 (1 tile)",
        "Column 2: rows 1 to 1 (1 tile)",
        "Column 4: rows 1 to 1 (1 tile)",
    ]
