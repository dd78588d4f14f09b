"""Accounts that settle a dispute, and the reasons why pieces score nothing."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings

from scoring.carcassonne.board.board import Board
from scoring.carcassonne.board.features import build_feature_map
from scoring.carcassonne.board.notation import parse_notation
from scoring.carcassonne.deal.boards import EXPANSIONS, deal_random_board, mix_expansions
from scoring.carcassonne.final.explain import explain_feature
from scoring.carcassonne.final.majority import Shortfall, find_shortfalls, list_holdings
from scoring.carcassonne.final.rulesets import TODAY, Ruleset, get_ruleset
from scoring.carcassonne.final.scoring import compute_final_scoring
from scoring.carcassonne.final.sheet import list_rule_sections
from scoring.carcassonne.final.table import Table
from tests.scoring.boards import wide_boards
from tests.scoring.laid import laid, wonder


def test_an_open_end_states_what_lies_across() -> None:
    """Nothing, an unknown tile, the area beyond the picture, or another kind of edge."""
    for text, across in (
        ("U0", ["empty", "empty"]),
        ("U0??/.E0", ["unknown", "empty"]),
        (".U0E0", ["field", "unseen"]),
    ):
        board = parse_notation(text)
        account = explain_feature(board, build_feature_map(board), "R1")
        assert sorted(end.across for end in account.open_ends) == sorted(across), text
        assert account.marks == ()


def test_a_road_over_a_wonder_is_listed_square_by_square() -> None:
    placed = wonder("tikal", (0, 1))
    board = laid("U0", (placed, "red"))
    account = explain_feature(board, build_feature_map(board), "R1")
    assert account.squares == ((0, 0), (0, 1), (0, 2), (1, 2))


@pytest.mark.parametrize(
    ("name", "line", "table", "points", "counted"),
    [
        pytest.param("alhambra", "E0 red_0,0=fSL blue^0,0=cN", Table(), 5, ["red"]),
        pytest.param("alhambra", "E0 blue^0,0=cN", Table(tiles_in_play=120), 0, [], id="nothing"),
        pytest.param("circus-maximus", "E0 blue^0,0=cN", Table(player_count=3), 3, ["blue"]),
        pytest.param("stonehenge", "E0", Table(), None, []),
        pytest.param("terracotta-army", "U1/U1/U1/U1/U1/U1/U1", Table(), 2, []),
    ],
)
def test_the_account_of_a_wonder_lists_what_it_pays_for(
    name: str, line: str, table: Table, points: int | None, counted: list[str]
) -> None:
    board = laid(line, (wonder(name, (0, 20)), "red"))
    account = explain_feature(board, build_feature_map(board), "W1", table=table)
    assert account.wonder is not None
    assert (account.wonder.owner, account.points) == ("red", points)
    assert [piece.colour for piece in account.wonder.counted] == counted
    assert (account.wonder.lack == "in_play") == (points is None)
    sheet = compute_final_scoring(board, table=table)
    assert points == next((entry.points for entry in sheet.entries if entry.feature == "W1"), None)


def test_the_account_of_an_unowned_wonder_states_its_possible_points() -> None:
    marked = laid("E0 red_0,0=fSL blue^0,0=cN", (wonder("alhambra", (0, 20)), "red"))
    board = Board(marked.tiles, tuple(piece for piece in marked.meeples if piece.pose != "upside_down"))
    account = explain_feature(board, build_feature_map(board), "W1")
    assert account.points is None
    assert account.wonder is not None
    assert (account.wonder.lack, account.wonder.would) == ("unmarked", {"blue": 0, "red": 5})


def test_a_road_that_a_broken_wonder_leaves_unconnected_keeps_its_squares() -> None:
    placed = wonder("tikal", (0, 0))
    board = Board({**placed.placements, (0, 1): None})
    features = build_feature_map(board)
    assert explain_feature(board, features, "R1").squares == features["R1"].squares == ((0, 0), (1, 1))


def test_an_entry_cites_another_box_only_if_it_makes_the_points() -> None:
    """A plain road cites neither Inns & Cathedrals nor a pig."""
    for text, rule, sections in (
        ("U0 red^0,0=rE", "road.unfinished", ("base-final-roads",)),
        ("(IC/RFr.i)0 red^0,0=rE", "road.unfinished", ("base-final-roads", "inns-inns")),
        ("E2/E0 red^0,0=cS", "city.finished", ("base-city",)),
        ("E2/E0 red_0,0=fWL", "field.farm", ("base-final-farms",)),
        ("E2/E0 red_0,0=fWL red.pig_0,0=fWL", "field.farm", ("base-final-farms", "traders-pig")),
    ):
        (entry,) = compute_final_scoring(parse_notation(text)).entries
        assert (entry.rule, list_rule_sections(entry.rule, entry.values)) == (rule, sections), text


def test_every_cited_box_contains_what_makes_the_points() -> None:
    """Across all boxes: an inn, a cathedral, a pig herd is cited if the feature has one, and never otherwise."""
    cited = set()
    catalogue = mix_expansions(tuple(EXPANSIONS))
    for seed in range(12):
        board = deal_random_board(random.Random(seed), 60, catalogue=catalogue)
        features = build_feature_map(board)
        for entry in compute_final_scoring(board, features).entries:
            sections = set(list_rule_sections(entry.rule, entry.values))
            if not entry.feature or entry.rule.startswith("wonder."):
                continue
            feature = features[entry.feature]
            pigs = any(piece.kind == "pig" and piece.colour == entry.player for piece in feature.pieces)
            assert ("inns-inns" in sections) == (feature.kind == "road" and feature.has_inn)
            assert ("inns-cathedrals" in sections) == (feature.kind == "city" and feature.has_cathedral)
            assert ("traders-pig" in sections) == (feature.kind == "field" and pigs)
            assert ("river-herd" in sections) == (feature.kind == "field" and feature.pig_herds > 0)
            cited |= sections
    assert cited >= {"inns-inns", "inns-cathedrals", "base-final-roads", "base-final-cities", "base-final-farms"}


@given(wide_boards())
@settings(max_examples=40)
def test_every_feature_has_an_account_of_all_its_squares(board: Board) -> None:
    features = build_feature_map(board)
    for feature in features:
        account = explain_feature(board, features, feature.id)
        assert sorted(account.squares) == sorted(feature.squares)
        if feature.kind in ("road", "city") and feature.complete:
            assert account.open_ends == ()


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
def test_players_who_score_nothing_get_a_reason(text: str, told: list[tuple[str, str, str, dict[str, object]]]) -> None:
    found = shortfalls(parse_notation(text))
    assert [(one.player, one.feature, one.reason, dict(one.values)) for one in found] == told


def test_a_big_meeple_counts_two_and_a_builder_nothing() -> None:
    board = parse_notation("U0U0U0 red^0,0=rE red.big^0,1=rE red.builder^0,2=rE")
    (holding,) = list_holdings(build_feature_map(board)["R1"])
    assert (holding.player, dict(holding.pieces), holding.strength) == ("red", {"big": 1, "builder": 1, "meeple": 1}, 3)


@settings(max_examples=40, deadline=None)
@given(wide_boards())
@pytest.mark.parametrize("name", ["C3", "C1-first", "C1-second"])
def test_every_piece_scores_or_has_a_reason_not_to(name: str, board: Board) -> None:
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
