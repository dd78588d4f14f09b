"""Explanations in full sentences: who has the majority with what strength, who scores, and why a player does not."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from api.carcassonne.explain.accounts import build_explanation
from api.carcassonne.explain.source import Source
from api.carcassonne.report.builder import build_board_report
from api.documents.explanation import FeatureAccount
from api.documents.report import Report
from api.documents.table_options import Question
from api.languages import LANGUAGES
from scoring.carcassonne.board.board import Board
from scoring.carcassonne.board.notation import parse_notation
from scoring.carcassonne.final.rulesets import TODAY
from tests.api.carcassonne.explain.accounts import FARM, account_of, accounts
from tests.scoring.boards import wide_boards


def _explain(report: Report, language: str) -> list[FeatureAccount]:
    return build_explanation(Source.from_report(report), Question(), language)[0].features


def test_a_big_meeple_wins_and_the_other_is_told_why_it_gets_nothing() -> None:
    account = account_of("U0U0U0 red^0,0=rE blue.big^0,1=rE red.builder^0,2=rE", "R1")
    assert account.majority == ["blue"]
    assert {one.player: one.strength for one in account.holdings} == {"blue": 2, "red": 1}
    assert account.sentences == [
        "Blue has 1 big meeple here, with a strength of 2. A big meeple counts as two.",
        "Red has 1 meeple here.",
        "Red's builder is no follower and does not count towards the majority.",
        "Blue has the majority, 2 to 1.",
        "Blue scores 3 points: 3 tiles × 1.",
        "Red gets nothing, with 1 against 2 (blue).",
    ]
    assert account.text[-6:] == account.sentences


def test_a_tie_scores_for_all() -> None:
    account = account_of("U0U0 red^0,0=rE blue^0,1=rE", "R1")
    assert account.majority == ["blue", "red"]
    assert "Blue and red are tied with 1 each: all of them score in full." in account.sentences
    assert sum("2 points" in sentence for sentence in account.sentences) == 2


@pytest.mark.parametrize(
    ("language", "tie", "outvoted"),
    [
        ("en", "anna and Bob are tied with 1 each: ", "({} and Cleo)."),
        ("de", "anna und Bob haben gleich viel, je 1: ", "({} und Cleo)."),
        ("ro", "anna și Bob sunt la egalitate, cu câte 1: ", "({} și Cleo)."),
    ],
)
def test_names_are_told_as_typed_and_listed_as_a_sentence_has_it(language: str, tie: str, outvoted: str) -> None:
    """A name keeps its small letter, even at the beginning of a sentence."""
    report = build_board_report(parse_notation("U0U0 red^0,0=rE blue^0,1=rE"), TODAY)
    report.names = {"blue": "anna", "red": "Bob"}
    (road,) = (one for one in _explain(report, language) if one.kind == "road")
    assert any(sentence.startswith(tie) for sentence in road.sentences)
    assert any(sentence.startswith("anna ") for sentence in road.sentences)
    board = "U0U0U0U0U0 red^0,0=rE blue^0,1=rE red^0,2=rE blue^0,3=rE green^0,4=rE"
    report = build_board_report(parse_notation(board), TODAY)
    report.names = {"blue": "anna", "red": "Cleo", "green": "dan"}
    (road,) = (one for one in _explain(report, language) if one.kind == "road")
    assert any(s.startswith("dan ") and s.endswith(outvoted.format("anna")) for s in road.sentences)


def test_nobody_scores_where_nobody_counts_but_its_worth_is_told() -> None:
    assert account_of("U0U0", "R1").sentences == [
        "Nobody has a follower here, so nobody scores.",
        "The player with the majority would score 2 points: 2 tiles × 1.",
    ]


def test_a_farm_with_a_pig_names_it_and_what_each_city_brings() -> None:
    fields = {one.majority[0]: one for one in accounts(parse_notation(FARM)) if one.kind == "field" and one.majority}
    assert any("red's pig" in sentence and "4 points" in sentence for sentence in fields["red"].sentences)
    assert "Red scores 4 points: 1 finished city × 4 (pig)." in fields["red"].sentences
    assert "One finished city counts for the farm: C1.1." in fields["blue"].sentences
    assert "Blue scores 3 points: 1 finished city × 3." in fields["blue"].sentences
    assert not any("pig" in sentence for sentence in fields["blue"].sentences)
    assert fields["red"].text[0].startswith("Field F")


@pytest.mark.parametrize("language", LANGUAGES)
@settings(max_examples=15, deadline=None)
@given(board=wide_boards())
def test_every_language_says_it_all(language: str, board: Board) -> None:
    for rules in (TODAY.name, "C1-first"):
        for account in accounts(board, rules, language):
            if account.kind != "wonder":
                assert account.sentences
            for sentence in account.sentences:
                assert sentence.endswith((".", "!"))
                assert "{" not in sentence
                assert not sentence[0].islower()
