"""The final scoring, by hand and against the referee, and facts that may change it."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.carcassonne.board.board import Board, PlacedMeeple, Placement
from scoring.carcassonne.board.features import build_feature_map
from scoring.carcassonne.board.label import read_label, write_label
from scoring.carcassonne.board.notation import format_notation, parse_notation
from scoring.carcassonne.deal.boards import COLOURS, deal_random_board
from scoring.carcassonne.doubt.kinds.meeple import OtherPlace
from scoring.carcassonne.doubt.kinds.tile import OtherTile
from scoring.carcassonne.doubt.local_scoring import LocalScorer
from scoring.carcassonne.doubt.relevance import find_score_changes
from scoring.carcassonne.final.rulesets import RULESETS, get_ruleset
from scoring.carcassonne.final.scoring import compute_feature_worth, compute_final_scoring
from scoring.carcassonne.final.sheet import list_rule_sections
from scoring.carcassonne.final.table import Table
from scoring.carcassonne.final.wonders import find_long_lines
from scoring.carcassonne.tiles.catalogue import Catalogue, load_catalogue
from scoring.carcassonne.tiles.other_boxes import load_whole_catalogue
from scoring.errors import ScoringError
from tests.scoring.boards import wide_boards
from tests.scoring.outside import LABELS, label, needs_shared, referee


@pytest.mark.parametrize(
    ("text", "totals", "rule", "words"),
    [
        pytest.param("U0U0 red^0,0=rE", {"red": 2}, "road.unfinished", "2 tiles x 1", id="open road"),
        pytest.param("A3A1 red^0,0=rE", {"red": 2}, "road.finished", "2 tiles x 1", id="road never scored"),
        pytest.param("U0 red^0,0=rE blue^0,0=rW", {"blue": 1, "red": 1}, "road.unfinished", "1 tile x 1", id="shared"),
        pytest.param(
            "U0U0 red^0,0=rE red^0,1=rE blue^0,1=rE",
            {"blue": 0, "red": 2},
            "road.unfinished",
            "2 tiles x 1",
            id="majority takes all",
        ),
        pytest.param("M0 red^0,0=cN", {"red": 2}, "city.unfinished", "(1 tile + 1 coat of arms) x 1", id="open city"),
        pytest.param("E1E3 red^0,0=cE", {"red": 4}, "city.finished", "2 tiles x 2", id="city never scored"),
        pytest.param("B0U0 red^0,0=M", {"red": 2}, "monastery.unfinished", "1 + 1 tile around", id="monastery"),
        pytest.param("E1E3 red_0,0=fSL", {"red": 3}, "field.farm", "1 finished city x 3", id="farm"),
        pytest.param("E2B0/E0B0 red_0,0=fNL", {"red": 3}, "field.farm", "1 finished city x 3", id="touched twice"),
        pytest.param("E0 red_0,0=fSL", {"red": 0}, "field.farm", "0 finished cities x 3", id="farm without a city"),
        pytest.param(
            "U0U0 red.big^0,0=rE blue^0,1=rE",
            {"blue": 0, "red": 2},
            "road.unfinished",
            "2 tiles x 1",
            id="a big meeple counts two",
        ),
        pytest.param("(IC/RFr.i)0 red^0,0=rE", {"red": 0}, "road.unfinished", "1 tile x 0 (inn)", id="open inn"),
        pytest.param(
            "A3(IC/RFr.i)0A1 red^0,0=rE", {"red": 6}, "road.finished", "3 tiles x 2 (inn)", id="a road with an inn"
        ),
        pytest.param(
            "(IC/Cccc.c)0 red^0,0=cN", {"red": 0}, "city.unfinished", "1 tile x 0 (cathedral)", id="open cathedral"
        ),
        pytest.param(
            "-E2/E1(IC/Cccc.c)0E3/-E0 red^0,1=cS",
            {"red": 15},
            "city.finished",
            "5 tiles x 3 (cathedral)",
            id="a city with a cathedral",
        ),
        pytest.param(
            "(BA/CG)0U0 red.abbot^0,0=G",
            {"red": 2},
            "garden.unfinished",
            "1 + 1 tile around",
            id="an abbot in a garden",
        ),
        pytest.param("B0U0 red.abbot^0,0=M", {"red": 2}, "monastery.unfinished", "1 + 1 tile around", id="an abbot"),
        pytest.param(
            "E1E3 red_0,0=fSL red.pig*0,0=fSL blue_0,0=fSL",
            {"blue": 3, "red": 4},
            "field.farm",
            None,
            id="a pig helps its own farmer",
        ),
        pytest.param(
            "E1E3 red_0,0=fSL red_0,0=fSL blue_0,0=fSL blue.pig*0,0=fSL",
            {"blue": 0, "red": 3},
            "field.farm",
            "1 finished city x 3",
            id="a pig wins no farm",
        ),
        pytest.param(
            "E1E3 red^0,0=cE red.builder^0,0=cE blue^0,1=cW",
            {"blue": 4, "red": 4},
            "city.finished",
            "2 tiles x 2",
            id="a builder is no knight",
        ),
        pytest.param(
            "E1E3/-(RI.2/II+)0 red_0,1=fSL", {"red": 4}, "field.farm", "1 finished city x 4", id="a printed pig herd"
        ),
    ],
)
def test_scores_match_those_computed_by_hand(text: str, totals: dict[str, int], rule: str, words: str | None) -> None:
    sheet = compute_final_scoring(parse_notation(text))
    assert sheet.totals == totals
    assert {entry.rule for entry in sheet.entries} == {rule}
    assert words is None or {entry.text for entry in sheet.entries} == {words}
    assert all(list_rule_sections(entry.rule, entry.values) for entry in sheet.entries)


@pytest.mark.parametrize(
    ("text", "scores"),
    [
        pytest.param("E1E3 red^0,0=cE", {"C3": 4, "C1-third": 4, "C1-second": 2, "C1-first": 2}, id="city of two"),
        pytest.param("E1H1E3 red^0,0=cE", {"C3": 4, "C1-second": 2}, id="two cities of two"),
        pytest.param("E1G0E3 red^0,0=cE", {"C3": 6, "C1-first": 6}, id="a city of three"),
        pytest.param("E1E3 red_0,0=fSL", {"C3": 3, "C1-third": 3, "C1-second": 3, "C1-first": 4}, id="a farm"),
        pytest.param(
            "E1G0E3 red_0,1=fNL red_0,1=fSL", {"C3": 6, "C1-third": 6, "C1-second": 3, "C1-first": 4}, id="two farms"
        ),
        pytest.param(
            "E1G0E3 red_0,1=fNL red_0,1=fSL blue_0,1=fSL blue_0,1=fSL",
            {"C3": 3, "C1-second": 3, "C1-first": 4},
            id="farms counted for the city",
        ),
    ],
)
def test_rule_sets_differ_in_the_disputed_cases(text: str, scores: dict[str, int]) -> None:
    board = parse_notation(text)
    assert {name: compute_final_scoring(board, rules=get_ruleset(name)).totals["red"] for name in scores} == scores


def test_each_city_counts_once_per_player_and_more_with_a_pig() -> None:
    board = parse_notation("E1G0E3 red_0,1=fNL red_0,1=fSL red.pig*0,1=fSL")
    sheet = compute_final_scoring(board, rules=get_ruleset("C1-second"))
    assert [(entry.points, entry.text) for entry in sheet.entries] == [
        (0, "0 finished cities x 3, 1 counted before"),
        (4, "1 finished city x 4 (pig)"),
    ]


def test_an_unknown_rule_set_is_refused() -> None:
    with pytest.raises(ScoringError, match="unknown_rules"):
        get_ruleset("C4")
    assert all(get_ruleset(name).name == name for name in RULESETS)


def test_goods_score_for_the_player_with_most_of_a_kind() -> None:
    goods = {"wine": {"red": 3, "blue": 3, "green": 1}, "grain": {"green": 2, "red": 0}, "cloth": {"red": 0}}
    sheet = compute_final_scoring(Board(), table=Table(goods=goods))
    assert sheet.totals == {"blue": 10, "green": 10, "red": 10}
    assert [(entry.player, entry.text) for entry in sheet.entries] == [
        ("green", "most grain: 2 tokens"),
        ("blue", "most wine: 3 tokens"),
        ("red", "most wine: 3 tokens"),
    ]


def test_a_player_with_nothing_on_the_board_has_no_points() -> None:
    assert compute_final_scoring(Board(), table=Table(players=("red", "blue"))).totals == {"blue": 0, "red": 0}


@given(wide_boards(), st.permutations(["red", "blue", "purple", "wood", "clear"]), st.sampled_from(sorted(RULESETS)))
def test_exchanging_colours_exchanges_the_totals(board: Board, colours: list[str], name: str) -> None:
    seats = dict(zip(sorted(colours), colours, strict=True))
    moved = replace(board, meeples=tuple(replace(meeple, colour=seats[meeple.colour]) for meeple in board.meeples))
    totals = compute_final_scoring(board, rules=get_ruleset(name)).totals
    assert compute_final_scoring(moved, rules=get_ruleset(name)).totals == {
        seats[player]: points for player, points in totals.items()
    }


@given(st.data())
def test_the_worth_of_a_feature_equals_the_points_of_its_only_meeple(data: st.DataObject) -> None:
    board = deal_random_board(Random(data.draw(st.integers(0, 2**32))), tiles=16)
    features = build_feature_map(board)
    feature = data.draw(st.sampled_from(features.features))
    square, segment = feature.members[0]
    alone = Board(board.tiles, (PlacedMeeple("red", square, segment),))
    assert compute_final_scoring(alone).totals["red"] == compute_feature_worth(feature)[0]


@given(wide_boards(), st.sampled_from(sorted(RULESETS)))
def test_every_point_belongs_to_one_entry(board: Board, name: str) -> None:
    sheet = compute_final_scoring(board, rules=get_ruleset(name))
    points = Counter(dict.fromkeys(board.players, 0))
    for entry in sheet.entries:
        points[entry.player] += entry.points
    assert points == sheet.totals
    assert len({(entry.player, entry.feature, entry.rule) for entry in sheet.entries}) == len(sheet.entries)


def test_a_meeple_on_no_feature_scores_nothing() -> None:
    assert compute_final_scoring(parse_notation("?? red^0,0=?")).totals == {"red": 0}


@needs_shared
@pytest.mark.parametrize("path", LABELS, ids=lambda path: path.stem)
def test_agrees_with_the_referee_on_real_tables(path: Path) -> None:
    """The referee counts no unreadable tile towards a monastery, knows all boxes, and lets a builder that stands alone
    score, which is no follower: all three are levelled here.
    """
    content = label(path)
    board = read_label(content)
    scored_label = {**content, **write_label(replace(board, foreign={})), "meeples": _on_known_tiles(content, board)}
    assert _points_without_monasteries(board) == _referee_without_monasteries(scored_label)
    if all(placement for placement in board.tiles.values()):
        assert compute_final_scoring(board).totals == referee().Board(content).final()[0]


@needs_shared
@pytest.mark.parametrize("path", LABELS, ids=lambda path: path.stem)
def test_agrees_with_the_referee_on_real_tables_with_their_river(path: Path) -> None:
    content = label(path)
    board = read_label(content, load_whole_catalogue())
    if all(placement for placement in board.tiles.values()):
        points = dict.fromkeys(board.players, 0) | referee().Board(content).final()[0]
        assert compute_final_scoring(board).totals == points
    assert parse_notation(format_notation(board)) == board


@needs_shared
def test_reproduces_the_real_result_of_a_whole_game() -> None:
    content = next(label(path) for path in LABELS if path.stem == "t3k14_spielende")
    assert compute_final_scoring(read_label(content)).totals == {"blue": 35, "yellow": 52}


@needs_shared
@pytest.mark.parametrize("names", [("base",), ("base", "river1", "river2", "inns")], ids="+".join)
def test_agrees_with_the_referee_on_random_boards(names: tuple[str, ...]) -> None:
    """100 boards of each kind; the variable REFEREE_BOARDS asks for more. The referee knows no pig herd."""
    herdless = [layout for layout in load_catalogue(*names) if not any(segment.pig_herd for segment in layout.segments)]
    catalogue = Catalogue(tuple(layout for layout in herdless if layout.id in referee().TILES))
    rng = Random(2000)
    for number in range(int(os.environ.get("REFEREE_BOARDS", "100"))):
        board = deal_random_board(rng, tiles=rng.choice((4, 12, 24, 40, 72)), catalogue=catalogue)
        meeples = _anywhere(board, rng) if number % 2 else board.meeples
        board = Board(board.tiles, tuple(meeple for meeple in meeples if _has_name(board, meeple)))
        content = write_label(board)
        for meeple in content["meeples"]:
            meeple["weight"] = 2 if meeple["kind"] == "big" else 1
        oracle = referee().Board(content)
        points = dict.fromkeys(board.players, 0) | oracle.final()[0]
        assert compute_final_scoring(board).totals == points, format_notation(board)
        roads = Counter((f.size, f.complete) for f in build_feature_map(board) if f.kind == "road")
        assert roads == Counter((size, done) for size, done, _ in oracle.roads()), format_notation(board)
        assert len(find_long_lines(board)) == oracle.runs(), format_notation(board)


def test_only_doubts_that_change_points_are_named_the_most_likely_first() -> None:
    board = parse_notation("E1E3B0 red^0,0=cE blue^0,2=M")
    turned_away = OtherTile((0, 1), Placement("E", 1), 0.2)
    same_score = OtherTile((0, 1), Placement("K", 3), 0.5)
    no_tile = OtherTile((0, 2), None, 0.3, empty=True)
    farmer = OtherPlace(1, replace(board.meeples[1], segment=1, pose="lying"), 0.1)
    gone = OtherPlace(1, None, 0.05)
    changes = find_score_changes(LocalScorer(board), [turned_away, same_score, no_tile, farmer, gone])
    assert [(change.alternative, change.totals) for change in changes] == [
        (no_tile, {"blue": 0, "red": 4}),
        (turned_away, {"blue": 2, "red": 1}),
        (farmer, {"blue": 3, "red": 4}),
        (gone, {"red": 4}),
    ]


def test_a_meeple_moves_to_the_corresponding_part_of_another_tile() -> None:
    board = parse_notation("D0 red^0,0=rE blue_0,0=fSL green^0,0=cN")
    assert format_notation(OtherTile((0, 0), Placement("U"), 0.5).on(board)) == "U0 green^0,0=? red^0,0=rE blue_0,0=fER"
    assert format_notation(OtherTile((0, 0), None, 0.5).on(board)) == "?? blue_0,0=? green^0,0=? red^0,0=?"


def _anywhere(board: Board, rng: Random) -> list[PlacedMeeple]:
    """Meeples wherever there is a segment, on complete features too."""
    places = [(square, index) for square, p in board.known for index in range(len(p.layout.segments))]
    chosen = rng.choices(places, k=rng.randint(0, 30))
    kinds = ("meeple", "meeple", "big")
    return [PlacedMeeple(rng.choice(COLOURS), square, index, kind=rng.choice(kinds)) for square, index in chosen]


def _has_name(board: Board, meeple: PlacedMeeple) -> bool:
    """The referee has no name for a field that meets no edge."""
    placement = board.tiles[meeple.square]
    assert placement is not None
    assert meeple.segment is not None
    part = placement.layout.segments[meeple.segment]
    return bool(part.edges) or part.kind == "monastery"


def _on_known_tiles(content: dict[str, Any], board: Board) -> list[Any]:
    return [meeple for meeple in content["meeples"] if board.tiles[tuple(meeple["cell"])]]


def _points_without_monasteries(board: Board) -> Counter[str]:
    points: Counter[str] = Counter()
    for entry in compute_final_scoring(board).entries:
        points[entry.player] += 0 if entry.rule.startswith("monastery") else entry.points
    return points


def _referee_without_monasteries(content: dict[str, Any]) -> Counter[str]:
    points: Counter[str] = Counter()
    for what, strengths, winners, each in referee().Board(content).final()[1]:
        for winner in winners if any(strengths.values()) else ():
            points[winner] += 0 if what.startswith("monastery") else each
    return points
