"""Worked examples and answers of the rule texts about final scoring, point by point; named after the passage.

The examples of wonders that score during play (Notre-Dame, Stonehenge, Abu Simbel, Tikal) belong to the play of a game.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from scoring.carcassonne.board.board import Board, PlacedMeeple
from scoring.carcassonne.board.features import build_feature_map
from scoring.carcassonne.board.notation import parse_notation
from scoring.carcassonne.board.problems import find_problems
from scoring.carcassonne.final.majority import find_shortfalls
from scoring.carcassonne.final.rulesets import get_ruleset
from scoring.carcassonne.final.scoring import compute_final_scoring
from scoring.carcassonne.final.sheet import ScoreSheet
from scoring.carcassonne.final.table import Table
from tests.scoring.laid import laid, on, part, wonder

KNIGHTS = "E0E0E0E0 yellow^0,0=cN yellow^0,1=cN blue^0,2=cN red^0,3=cN"


def wonder_points(sheet: ScoreSheet) -> list[tuple[str, int]]:
    return [(entry.player, entry.points) for entry in sheet.entries if entry.rule.startswith("wonder.")]


def test_example_circus_maximus_in_a_game_with_three_players() -> None:
    """Two yellow knights and a blue one bring 6 + 3 points; the owner's own brings none."""
    sheet = compute_final_scoring(laid(KNIGHTS, (wonder("circus-maximus"), "red")))
    assert wonder_points(sheet) == [("red", 2 * 3 + 1 * 3)]
    assert sheet.entries[0].text == "3 meeples of others in unfinished cities x 3"


@pytest.mark.parametrize(("players", "points"), [(2, 12), (3, 9), (4, 9), (5, 6), (6, 6)])
def test_circus_maximus_pays_by_the_number_of_players(players: int, points: int) -> None:
    text = KNIGHTS.replace("blue", "yellow")
    table = Table(players=("red", "yellow", "a", "b", "c", "d")[:players])
    assert wonder_points(compute_final_scoring(laid(text, (wonder("circus-maximus"), "red")), table=table)) == [
        ("red", points)
    ]


def test_circus_maximus_counts_a_big_meeple_once_and_no_complete_city() -> None:
    text = "E1E3E0 blue^0,0=cE blue.big^0,2=cN blue.builder^0,2=cN"
    assert wonder_points(compute_final_scoring(laid(text, (wonder("circus-maximus"), "red")))) == [("red", 4)]


def test_example_alhambra_two_farmers() -> None:
    """English and German text: 2 farmers x 5 = 10."""
    sheet = compute_final_scoring(laid("E0B0 red_0,0=fSL red_0,1=fSL", (wonder("alhambra"), "red")))
    assert wonder_points(sheet) == [("red", 2 * 5)]


def test_example_alhambra_two_farmers_before_2024_09() -> None:
    """Romanian text of 2024-09-08: 2 farmers x 4 = 8."""
    board = laid("E0B0 red_0,0=fSL red_0,1=fSL", (wonder("alhambra"), "red"))
    assert wonder_points(compute_final_scoring(board, rules=get_ruleset("C3-2023"))) == [("red", 2 * 4)]
    large = Table(tiles_in_play=120)
    assert wonder_points(compute_final_scoring(board, rules=get_ruleset("C3-2023"), table=large)) == [("red", 2 * 4)]


@pytest.mark.parametrize(("others", "points"), [(114, 5), (115, 6)])
def test_alhambra_pays_6_from_120_tiles_and_a_wonder_counts_as_five(others: int, points: int) -> None:
    board = laid("E0 red_0,0=fSL", (wonder("alhambra"), "red"))
    more = {(40 + number, 0): None for number in range(others - 1)}
    assert wonder_points(compute_final_scoring(Board({**board.tiles, **more}, board.meeples))) == [("red", points)]


def test_alhambra_pays_only_for_the_owners_farmers_even_without_points() -> None:
    text = "E0 red_0,0=fSL blue_0,0=fSL blue_0,0=fSR red.pig*0,0=fSL"
    sheet = compute_final_scoring(laid(text, (wonder("alhambra"), "red")))
    assert wonder_points(sheet) == [("red", 5)]
    assert sheet.totals == {"blue": 0, "red": 5}


def test_example_angkor_wat_two_relevant_roads() -> None:
    """An open road of five tiles without pieces, a complete one with other players'; one of four does not count."""
    text = "U0U0U0U0U0/A3U0U0U0A1/U0U0U0U0 blue^1,1=rE"
    sheet = compute_final_scoring(laid(text, (wonder("angkor-wat"), "red")))
    assert wonder_points(sheet) == [("red", 2 * 5)]
    assert sheet.entries[0].text == "2 long roads x 5: R1.1, R2.1"


def test_example_terracotta_army_one_row_and_one_column() -> None:
    text = "??" * 7 + "/??" * 6
    sheet = compute_final_scoring(laid(text, (wonder("terracotta-army"), "red")))
    assert wonder_points(sheet) == [("red", 2 * 2)]
    assert sheet.entries[0].text == "(1 long row + 1 long column) x 2: row 1, column 1"


def test_terracotta_army_scores_a_row_once_for_any_number_of_runs() -> None:
    text = "??" * 7 + "-" + "??" * 8
    assert wonder_points(compute_final_scoring(laid(text, (wonder("terracotta-army"), "red")))) == [("red", 2)]


def test_terracotta_army_counts_the_squares_of_a_wonder_and_no_gap() -> None:
    simbel = wonder("abu-simbel", (0, 0))
    army = (wonder("terracotta-army"), "red")
    assert wonder_points(compute_final_scoring(laid("-5????", (simbel, "blue"), army)))[-1] == ("red", 2)
    assert wonder_points(compute_final_scoring(laid("-6????", (simbel, "blue"), army)))[-1] == ("red", 0)


def test_example_stonehenge_yellow_s_four_points_for_the_road_itself() -> None:
    """The road of the example, if it had not been scored when it was completed."""
    assert compute_final_scoring(parse_notation("A3U0U0A1 yellow^0,1=rE")).totals == {"yellow": 4}


@pytest.mark.parametrize(
    ("name", "kind", "number", "size"),
    [
        ("stonehenge", "road", 0, 2),
        ("notre-dame", "road", 0, 2),
        ("abu-simbel", "road", 1, 2),
        ("angkor-wat", "road", 2, 2),
        ("terracotta-army", "road", 1, 2),
        ("tikal", "road", 0, 3),
        ("alhambra", "city", 0, 3),
        ("circus-maximus", "city", 0, 4),
        ("notre-dame", "city", 0, 2),
    ],
)
def test_important_each_wonder_tile_counts_as_five_tiles(name: str, kind: str, number: int, size: int) -> None:
    placed = wonder(name)
    board = laid("-", (placed, "red"), meeples=(on(placed, "blue", kind, number),))
    assert compute_final_scoring(board).totals["blue"] == size
    assert len(board.tiles) == 5


@pytest.mark.parametrize("name", ["tikal", "angkor-wat", "abu-simbel"])
def test_important_unconnected_cities(name: str) -> None:
    features = build_feature_map(laid("-", (wonder(name), "red")))
    assert [feature.size for feature in features if feature.kind == "city"] == [1, 1]


def test_answer_2024_03_the_city_of_notre_dame_spans_two_tiles() -> None:
    assert [f.size for f in build_feature_map(laid("-", (wonder("notre-dame"), "red"))) if f.kind == "city"] == [2]


def test_answer_2024_03_four_fields_on_stonehenge() -> None:
    assert sum(feature.kind == "field" for feature in build_feature_map(laid("-", (wonder("stonehenge"), "red")))) == 4


def test_answer_2024_03_the_field_between_two_roads_touches_only_the_wonder() -> None:
    placed = wonder("alhambra", (1, 1))
    fields = [index for index, segment in enumerate(placed.layout.parts) if segment.kind == "field"]
    between = next(number for number, index in enumerate(fields) if not placed.layout.parts[index].cities)
    farmers = tuple(on(placed, colour, "field", n) for colour, n in (("blue", between), ("green", (between + 1) % 5)))
    board = laid("-E2/-/E1-/-/-E0", (placed, "red"), meeples=farmers)
    city = next(feature for feature in build_feature_map(board) if feature.kind == "city" and feature.size > 1)
    assert (city.size, city.complete) == (6, True)
    totals = compute_final_scoring(board).totals
    assert (totals["blue"], totals["green"]) == (0, 3)


def test_answer_2023_10_wonders_may_lie_edge_to_edge() -> None:
    """Stonehenge in the corner of the Alhambra: a road of each becomes one."""
    board = laid("-", (wonder("alhambra", (0, 0)), "red"), (wonder("stonehenge", (1, 1), 3), "blue"))
    assert find_problems(board) == ()
    roads = [feature for feature in build_feature_map(board) if feature.kind == "road"]
    assert any({placement.tile for placement in road.placements} == {"WH/alhambra", "WH/stonehenge"} for road in roads)


def test_answer_2023_10_wonders_may_lie_corner_to_corner() -> None:
    one, other = wonder("alhambra", (0, 0)), wonder("stonehenge", (-2, -3))
    assert {(0, 0), (-1, -1)} <= {*one.squares, *other.squares}
    board = laid("-", (one, "red"), (other, "blue"))
    assert {problem.code for problem in find_problems(board)} == {"island"}


def test_monasteries_count_each_square_of_a_wonder() -> None:
    """A monastery in the corner of the Alhambra has five of its squares around it."""
    board = laid("-/-B0 blue^1,1=M", (wonder("alhambra", (0, 0)), "red"))
    assert compute_final_scoring(board).totals["blue"] == 1 + 5


def test_the_monastery_of_notre_dame_counts_its_own_tile_s_squares() -> None:
    placed = wonder("notre-dame")
    board = laid("-", (placed, "red"), meeples=(on(placed, "blue", "monastery"),))
    assert compute_final_scoring(board).totals["blue"] == 2


def test_a_marker_is_not_a_follower_and_belongs_to_no_feature() -> None:
    board = laid("-", (wonder("circus-maximus"), "red"), (wonder("alhambra", (30, 0)), "blue"))
    sheet = compute_final_scoring(board)
    assert sheet.totals == {"blue": 0, "red": 0}
    assert {entry.rule for entry in sheet.entries} == {"wonder.circus-maximus", "wonder.alhambra"}
    assert not any(f.meeples for f in build_feature_map(board) if f.kind != "wonder")


def test_any_piece_may_be_the_marker() -> None:
    """Preparation: the large meeple or any other figure of that colour."""
    board = laid("E0 red_0,0=fSL", (wonder("alhambra"), "red"))
    big = tuple(replace(m, kind="big") if m.pose == "upside_down" else m for m in board.meeples)
    assert wonder_points(compute_final_scoring(Board(board.tiles, big))) == [("red", 5)]
    assert "impossible_meeple" not in {problem.code for problem in find_problems(Board(board.tiles, big))}


def test_a_neutral_figure_marks_no_wonder() -> None:
    """Preparation: "any other figure in that color"; a dragon or a fairy has none, whatever word a board gives it."""
    placed = wonder("alhambra")
    board = laid("E0 red_0,0=fSL", (placed, "red"))
    square, segment = part(placed, "wonder")
    dragon = PlacedMeeple("black", square, segment, kind="dragon")
    beside = Board(board.tiles, (*board.meeples, dragon))
    assert compute_final_scoring(beside) == compute_final_scoring(board)
    assert {problem.code for problem in find_problems(beside)} == {"island", "piece_not_scored"}
    alone = Board(board.tiles, (*board.meeples[:1], dragon))
    assert [meeple.pose for meeple in alone.meeples] == ["lying", "standing"]
    assert compute_final_scoring(alone).totals == {"red": 0}
    assert {problem.code for problem in find_problems(alone)} == {"island", "piece_not_scored", "unmarked_wonder"}
    features = build_feature_map(alone)
    assert {one.player for one in find_shortfalls(alone, features, compute_final_scoring(alone))} == {"red"}


def test_an_unmarked_wonder_scores_for_nobody_nor_does_one_with_two_owners() -> None:
    placed = wonder("terracotta-army", (0, 0))
    board = laid("-", (placed, "red"))
    square, segment = part(placed, "wonder")
    two = (*board.meeples, PlacedMeeple("blue", square, segment, "upside_down"))
    assert wonder_points(compute_final_scoring(Board(board.tiles))) == []
    assert wonder_points(compute_final_scoring(Board(board.tiles, two))) == []


def test_final_scoring_wonders_come_first() -> None:
    sheet = compute_final_scoring(
        laid(KNIGHTS, (wonder("circus-maximus"), "red")), table=Table(goods={"wine": {"red": 1}})
    )
    rules = [entry.rule.split(".")[0] for entry in sheet.entries]
    assert rules == ["wonder", "city", "city", "city", "city", "goods"]


def test_variant_two_wonders_have_the_effects_of_both() -> None:
    text = KNIGHTS + " red_0,0=fSL"
    sheet = compute_final_scoring(laid(text, (wonder("circus-maximus"), "red"), (wonder("alhambra", (30, 0)), "red")))
    assert sorted(wonder_points(sheet)) == [("red", 5), ("red", 9)]
