"""Assumptions of a final scoring about a table: listed if points rest on them, asked about if they may be wrong."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from scoring.carcassonne.board.board import Board, Placement, mark_wonders
from scoring.carcassonne.board.box_rules import BoxRules
from scoring.carcassonne.board.features import build_feature_map
from scoring.carcassonne.board.label import write_label
from scoring.carcassonne.board.problems import find_problems
from scoring.carcassonne.deal.boards import deal_random_board
from scoring.carcassonne.doubt.relevance import assess_given_board
from scoring.carcassonne.final.assumptions import USUAL_PLAYERS, Assumption, find_assumptions
from scoring.carcassonne.final.rulesets import TODAY, get_ruleset
from scoring.carcassonne.final.scoring import compute_final_scoring
from scoring.carcassonne.final.table import Table
from scoring.carcassonne.final.wonders import get_circus_points
from scoring.errors import BoardError
from tests.scoring.laid import laid, wonder
from tests.scoring.outside import needs_shared, referee

KNIGHTS = "E0E0E0E0 yellow^0,0=cN yellow^0,1=cN red^0,2=cN red^0,3=cN"
FARMERS = "E0B0 red_0,0=fSL red_0,1=fSL"


def circus(text: str = KNIGHTS, owner: str = "red") -> Board:
    return laid(text, (wonder("circus-maximus"), owner))


def list_assumptions(board: Board, table: Table | None = None, rules: str = TODAY.name) -> tuple[Assumption, ...]:
    return find_assumptions(board, build_feature_map(board), get_ruleset(rules), table or Table())


def test_circus_maximus_leaves_the_number_of_players_open() -> None:
    (assumption,) = list_assumptions(circus())
    assert (assumption.fact, assumption.values, assumption.is_open) == ("players", {"players": 2}, True)
    assert list(assumption.totals) == list(range(2, USUAL_PLAYERS + 1))
    assert [totals["red"] for totals in assumption.totals.values()] == [2 * n + 2 for n in (4, 3, 3, 2, 2)]
    assert {*assumption.squares} == {*wonder("circus-maximus").squares}
    assert "2 players" in assumption.text


@pytest.mark.parametrize("count", range(2, 8))
def test_assumed_totals_equal_those_scored_with_that_number(count: int) -> None:
    table = Table(player_count=count)
    totals = compute_final_scoring(circus(), table=table).totals
    assert totals["red"] == 2 * get_circus_points(count) + 2
    assert list_assumptions(circus(), table) == ()
    if count <= USUAL_PLAYERS:
        assert list_assumptions(circus())[0].totals[count] == totals


@pytest.mark.parametrize(
    "board",
    [
        circus("E0E0 red^0,0=cN red^0,1=cN"),
        circus("E2/E0 yellow^0,0=cS"),
        laid(KNIGHTS, (wonder("alhambra"), "blue")),
        mark_wonders(circus(), {"WH/circus-maximus": None}),
        circus("E0E0E0E0E0 yellow^0,0=cN blue^0,1=cN green^0,2=cN black^0,3=cN red^0,4=cN"),
    ],
    ids=["only its owner's", "finished city", "another wonder", "nobody's", "five colours"],
)
def test_the_player_count_is_not_asked_if_it_changes_no_points(board: Board) -> None:
    assert [one for one in list_assumptions(board) if one.fact == "players"] == []
    assert not assess_given_board(board).assumptions


def test_a_given_colour_counts_as_a_player_without_a_piece() -> None:
    (assumption,) = list_assumptions(circus(), Table(players=("blue",)))
    assert next(iter(assumption.totals)) == 3
    by_the_rules = replace(circus(), box_rules=BoxRules.of({"traders": True}))
    (assumption,) = list_assumptions(by_the_rules, Table(goods={"wine": {"green": 1}, "cloth": {"black": 1}}))
    assert next(iter(assumption.totals)) == 4


def test_an_unknown_number_of_players_leaves_the_points_in_doubt() -> None:
    board = laid("-", (wonder("circus-maximus", (0, 0)), "red"))
    standing = laid("E0 yellow^0,0=cN", (wonder("circus-maximus", (3, 0)), "red"))
    assert not assess_given_board(board).assumptions
    doubts = assess_given_board(standing)
    assert doubts.doubtful
    assert doubts.stated_confidence is None
    assert assess_given_board(standing, table=Table(player_count=2)).assumptions == ()


@pytest.mark.parametrize(
    ("tiles", "is_told", "is_open"), [(2, True, False), (110, True, False), (111, True, True), (115, False, False)]
)
def test_alhambra_counts_the_laid_tiles_and_asks_near_a_large_game(tiles: int, is_told: bool, is_open: bool) -> None:
    rows = "/".join("B0" * 10 for _ in range(tiles // 10)) + "/" + "B0" * (tiles % 10)
    text = f"{rows} red_0,0=fSL" if tiles > 2 else FARMERS
    board = laid(text, (wonder("alhambra", (40, 0)), "red"))
    assert len(board.tiles) == tiles + 5
    found = list_assumptions(board)
    assert [one.fact for one in found] == ["tiles_in_play"] * is_told
    assert [one.is_open for one in found] == [is_open] * is_told
    assert list_assumptions(board, Table(tiles_in_play=140)) == ()
    assert list_assumptions(board, rules="C3-2023") == (), "4 points a farmer, however many tiles"
    if is_open:
        now, large = found[0].totals.values()
        assert [*found[0].totals] == [tiles + 5, 120]
        assert large["red"] == now["red"] + 1


def test_goods_of_finished_cities_are_listed_until_their_owner_is_given() -> None:
    tiles = {(0, 0): Placement("BA/C", 1), (0, 1): Placement("TB/CRc.g", 0), (0, 2): Placement("BA/C", 3)}
    board = Board(tiles)
    (assumption,) = list_assumptions(board)
    assert (assumption.fact, assumption.values, assumption.is_open) == ("goods", {"tokens": 1}, False)
    assert not assess_given_board(board).doubtful, "who holds them no photo shows, and it is not asked"
    assert list_assumptions(board, Table(goods={"grain": {"red": 1}})) == ()
    del tiles[0, 2]
    assert list_assumptions(Board(tiles)) == (), "the city is not finished: nobody took any"


def test_more_colours_than_played_are_a_contradiction() -> None:
    board, table = circus(), Table(player_count=1)
    problems = [problem.code for problem in find_problems(board, players=1)]
    assert "too_many_players" in problems
    assert "too_many_players" in [problem.code for problem in assess_given_board(board, table=table).contradictions]
    assert "too_many_players" not in [problem.code for problem in find_problems(board, players=2)]
    assert compute_final_scoring(board, table=table).totals == compute_final_scoring(board).totals


def test_an_unmarked_wonder_scores_for_the_given_owner() -> None:
    board = mark_wonders(circus(), {"WH/circus-maximus": None})
    assert "unmarked_wonder" not in [problem.code for problem in find_problems(board)], "it was said that nobody does"
    assert [entry for entry in compute_final_scoring(board).entries if entry.rule.startswith("wonder")] == []
    marked = mark_wonders(board, {"WH/circus-maximus": "yellow"})
    assert "unmarked_wonder" not in [problem.code for problem in find_problems(marked)]
    (entry,) = [entry for entry in compute_final_scoring(marked).entries if entry.rule.startswith("wonder")]
    assert (entry.player, entry.points) == ("yellow", 2 * 4)
    with pytest.raises(BoardError) as caught:
        mark_wonders(board, {"WH/alhambra": "red"})
    assert caught.value.code == "wonder_not_there"


def test_one_player_may_hold_two_wonders_and_scores_both() -> None:
    board = laid(KNIGHTS + " red_0,0=fSL", (wonder("circus-maximus"), "red"), (wonder("alhambra", (30, 0)), "blue"))
    both = mark_wonders(board, {"WH/alhambra": "red"})
    assert "too_many_wonders" not in [problem.code for problem in find_problems(both)]
    entries = compute_final_scoring(both, table=Table(player_count=3)).entries
    points = {entry.rule: (entry.player, entry.points) for entry in entries if entry.rule.startswith("wonder")}
    assert points == {"wonder.circus-maximus": ("red", 2 * 3), "wonder.alhambra": ("red", 5)}


@needs_shared
@pytest.mark.parametrize("seed", range(30))
def test_wonders_that_count_people_agree_with_the_referee(seed: int) -> None:
    """The referee does not know wonders, but counts the meeples that they pay for, by features of its own."""
    base = deal_random_board(Random(seed), tiles=40, players=2 + seed % 4)
    owner = base.players[0]
    board = laid_beside(base, owner)
    judge = referee().Board(write_label(base))
    knights = farmers = 0
    for meeple in judge.meeples:
        feature = judge.feature_of(meeple)
        knights += feature[1] == "cities" and judge.open[feature] > 0 and meeple["colour"] != owner
        farmers += feature[1] == "fields" and meeple["colour"] == owner
    for count in range(len(base.players), 7):
        for tiles in (None, 130):
            totals = compute_final_scoring(board, table=Table(player_count=count, tiles_in_play=tiles)).totals
            wonders = knights * {2: 4, 3: 3, 4: 3}.get(count, 2) + farmers * (5 if tiles is None else 6)
            expected = dict.fromkeys(base.players, 0) | judge.final()[0]
            expected[owner] += wonders
            assert totals == expected


def laid_beside(base: Board, owner: str) -> Board:
    """Return the board with Circus Maximus and the Alhambra far away, both of them one player's: a two-wonder game."""
    wonders = laid("-", (wonder("circus-maximus", (90, 0)), owner), (wonder("alhambra", (90, 20)), owner))
    tiles = {square: placement for square, placement in wonders.tiles.items() if square not in base.tiles}
    return Board({**base.tiles, **tiles}, (*base.meeples, *wonders.meeples))
