"""The strength of each player on a feature, and the reason why a player there scores nothing."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from scoring.carcassonne.board.board import Board
from scoring.carcassonne.board.features import build_feature_map
from scoring.carcassonne.board.notation import parse_notation
from scoring.carcassonne.final.majority import Shortfall, find_shortfalls, list_holdings
from scoring.carcassonne.final.rulesets import TODAY, Ruleset, get_ruleset
from scoring.carcassonne.final.scoring import compute_final_scoring
from tests.scoring.boards import wide_boards


def shortfalls(board: Board, rules: Ruleset = TODAY) -> tuple[Shortfall, ...]:
    features = build_feature_map(board)
    return find_shortfalls(board, features, compute_final_scoring(board, features, rules))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("U0U0 red^0,0=rE blue.big^0,1=rE", [("red", "R1", "outvoted", {"mine": 1, "most": 2, "leaders": "blue"})]),
        ("U0 red_0,0=fWL", [("red", "F2", "no_city", {})]),
        ("U0U0 red^0,0=rE red.builder^0,1=rE", []),
        ("U0U0 red^0,0=rE blue.builder^0,1=rE", [("blue", "R1", "no_follower", {"piece": "builder"})]),
        ("(IC/RFr.i)0 red^0,0=rW", [("red", "R1", "inn", {})]),
    ],
    ids=["a big meeple counts two", "no city", "own builder", "builder alone", "inn"],
)
def test_who_scores_nothing_is_told_why(text: str, told: list[tuple[str, str, str, dict[str, object]]]) -> None:
    found = shortfalls(parse_notation(text))
    assert [(one.player, one.feature, one.reason, dict(one.values)) for one in found] == told


def test_a_big_meeple_counts_two_and_a_builder_nothing() -> None:
    board = parse_notation("U0U0U0 red^0,0=rE red.big^0,1=rE red.builder^0,2=rE")
    (holding,) = list_holdings(build_feature_map(board)["R1"])
    assert (holding.player, dict(holding.pieces), holding.strength) == ("red", {"big": 1, "builder": 1, "meeple": 1}, 3)


@settings(max_examples=40, deadline=None)
@given(wide_boards())
@pytest.mark.parametrize("name", ["C3", "C1-first", "C1-second"])
def test_every_piece_scores_or_is_told_why_not(name: str, board: Board) -> None:
    """Each player on each feature has points there, or a reason, and never both."""
    rules, features = get_ruleset(name), build_feature_map(board)
    sheet = compute_final_scoring(board, features, rules)
    without = {(one.player, one.feature) for one in find_shortfalls(board, features, sheet)}
    paid = {(entry.player, entry.feature) for entry in sheet.entries if entry.points}
    for feature in features:
        for player in feature.meeples:
            around = feature.kind == "field" and rules.farms == "by_city" and player in feature.strengths
            scores = (player, feature.id) in paid or (around and any((player, city) in paid for city in feature.cities))
            assert scores != ((player, feature.id) in without)
