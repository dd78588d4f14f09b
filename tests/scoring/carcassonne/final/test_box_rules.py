"""The rules of other boxes, played or not: compared with an independent scoring, and as one line of text."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import chain, combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.carcassonne.board.board import Board, PlacedMeeple, Placement
from scoring.carcassonne.board.box_rules import RULED_BOXES, BoxRules, format_box_rules, parse_box_rules
from scoring.carcassonne.board.features import FeatureMap, build_feature_map
from scoring.carcassonne.board.label import read_label, write_label
from scoring.carcassonne.board.notation import format_notation, parse_notation
from scoring.carcassonne.board.pieces import PIECES
from scoring.carcassonne.deal.boards import COLOURS, deal_random_board
from scoring.carcassonne.doubt.relevance import assess_given_board
from scoring.carcassonne.final.assumptions import NOT_PLAYED, PLAYED, Assumption, find_assumptions
from scoring.carcassonne.final.majority import find_shortfalls
from scoring.carcassonne.final.rulesets import TODAY
from scoring.carcassonne.final.scoring import ScoreEntry, compute_final_scoring
from scoring.carcassonne.final.table import HOLDINGS, Table
from scoring.carcassonne.tiles.catalogue import BOXES, Catalogue, find_tile_box, load_full_catalogue
from scoring.carcassonne.tiles.geometry import SIDES, get_neighbour
from scoring.carcassonne.tiles.other_boxes import load_other_catalogue
from scoring.carcassonne.wonders.catalogue import load_wonder_catalogue
from scoring.errors import LabelError, NotationError, RulesetError
from tests.scoring.boards import wide_boards
from tests.scoring.carcassonne.final.plain_scorer import Entry, PlainScorer

SEED = 59
SETTINGS = [*chain.from_iterable(combinations(RULED_BOXES, number) for number in range(len(RULED_BOXES) + 1))]
"""Every combination of boxes whose rules are not played."""
DRAWN_SETTINGS = 6
"""Combinations drawn for each board, beside none and each box alone."""
OTHERS = sorted({layout.box for layout in load_other_catalogue()})
INN = (
    "@-3,-1 (WH/alhambra#0)0/(WH/alhambra#1)0/(WH/alhambra#2)0(WH/alhambra#3)0(WH/alhambra#4)0/-(IC/RFr.i)0U0 "
    "blue~-1,0=W red^0,1=rE"
)
"""An unfinished road with an inn beside the Alhambra."""
box_rules = st.dictionaries(st.sampled_from(RULED_BOXES), st.booleans()).map(BoxRules.of)


def deal(rng: Random) -> Board:
    """Return a board with wonders, tiles of every box, gardens, and further pieces anywhere beside those played."""
    wonders = rng.sample([*load_wonder_catalogue().values()], rng.randint(1, 4))
    boxes = {*rng.sample(OTHERS, 3), *rng.sample(("HS", "SI.BE", "SI.CA", "MO", "AM"), 2)}
    others = [layout for layout in load_other_catalogue() if layout.box in boxes and layout.id != "AM/A"]
    catalogue = Catalogue((*load_full_catalogue(), *others), gardens=True)
    board = fill_holes(deal_random_board(rng, rng.choice((20, 36, 60)), catalogue=catalogue, wonders=wonders))
    tiles = {
        square: replace(tile, garden=True) if tile and tile.layout.garden and rng.random() < 0.5 else tile
        for square, tile in board.tiles.items()
    }
    places = [
        (square, index)
        for square, tile in tiles.items()
        for index, segment in enumerate(tile.layout.segments if tile else ())
        if segment.kind != "wonder"
    ]
    gardens = [place for place in places if is_kind(tiles[place[0]], place[1], "garden")]
    marked = [place for place in places if (tile := tiles[place[0]]) and {"special", "hill"} & {*tile.layout.marks}]
    chosen = rng.choices(places, k=24) + rng.sample(gardens, min(3, len(gardens)))
    chosen += rng.sample(marked, min(8, len(marked)))
    pieces = tuple(
        PlacedMeeple(rng.choice(COLOURS), *place, rng.choice(("standing", "lying")), rng.choice([*PIECES]))
        for place in chosen
    )
    return Board(tiles, (*board.meeples, *pieces))


def fill_holes(board: Board) -> Board:
    """Return the board with an abbey on each empty square between four tiles."""
    beside = {get_neighbour(square, side) for square in board.tiles for side in SIDES} - set(board.tiles)
    holes = [square for square in beside if all(get_neighbour(square, side) in board.tiles for side in SIDES)]
    return replace(board, tiles={**board.tiles, **dict.fromkeys(holes, Placement("AM/A"))})


def is_kind(tile: Placement | None, segment: int, kind: str) -> bool:
    return tile is not None and tile.layout.segments[segment].kind == kind


def describe(entry: ScoreEntry, features: FeatureMap) -> Entry:
    """Describe an entry by its subject, as the independent scoring names it."""
    held = str(entry.values.get("goods", entry.rule.partition(".")[0]))
    what = frozenset(features[entry.feature].members) if entry.feature else held
    return entry.player, entry.points, entry.rule, what


@pytest.mark.parametrize("boards", [60, pytest.param(300, marks=pytest.mark.soak)])
def test_agrees_with_an_independent_scoring_under_both_settings_of_every_box(boards: int) -> None:
    """All settings of all boxes on each board: all entries are equal, and every box changes some of them."""
    rng, changed, foreign = Random(SEED), Counter[str](), Counter[str]()
    for number in range(boards):
        board = deal(rng)
        goods = {kind: {who: rng.randint(0, 12) for who in COLOURS[:3]} for kind in HOLDINGS if rng.random() < 0.5}
        players = rng.choice((None, 2, 5, 6))
        table = Table(goods=goods, player_count=players, tiles_in_play=rng.choice((None, 119, 120)))
        features, entries = build_feature_map(board), {}
        foreign.update({tile.layout.box for _, tile in board.known})
        alone = [(), *((box,) for box in RULED_BOXES)]
        for off in dict.fromkeys([*alone, *rng.sample(SETTINGS, DRAWN_SETTINGS)]):
            rules = BoxRules(off=frozenset(off), on=frozenset(RULED_BOXES) - {*off} if number % 2 else frozenset())
            scored = replace(board, box_rules=rules)
            its = features.change_box_rules(rules)
            sheet = compute_final_scoring(scored, its, table=table)
            found = Counter(describe(entry, its) for entry in sheet.entries)
            counts = table.count_players(board), table.count_tiles(board)
            assert found == PlainScorer(board, off).score(goods, *counts), format_notation(scored)
            entries[off] = found
        again = replace(board, box_rules=BoxRules(off=frozenset(rng.choice(SETTINGS))))
        assert compute_final_scoring(again, table=table) == compute_final_scoring(
            again, features.change_box_rules(again.box_rules), table=table
        )
        changed.update(box for box in RULED_BOXES if entries[box,] != entries[()])
    assert min(changed[box] for box in RULED_BOXES) >= boards // 30, changed
    assert len(foreign.keys() & {*OTHERS}) >= min(boards // 2, len(OTHERS))


@pytest.mark.parametrize(("text", "red"), [("", 0), (" rules:inns=on", 0), (" rules:inns=off", 2)])
def test_an_inn_has_no_effect_without_its_rules(text: str, red: int) -> None:
    assert compute_final_scoring(parse_notation(INN + text)).totals == {"blue": 0, "red": red}


@pytest.mark.parametrize(
    ("text", "off", "on", "plain"),
    [
        ("U0U0 red.big^0,0=rE blue^0,1=rE", "inns", {"blue": 0, "red": 2}, {"blue": 2, "red": 2}),
        ("(IC/Cccc.c)0 red^0,0=cN", "inns", {"red": 0}, {"red": 1}),
        ("E1E3 red_0,0=fSL red.pig_0,0=fSL", "traders", {"red": 4}, {"red": 3}),
        ("E1E3 red_0,0=fSL red.pig_0,0=fSL", "inns", {"red": 4}, {"red": 4}),
        ("(BA/CG)0 red.abbot^0,0=G", "abbot", {"red": 1}, {"red": 0}),
        ("B0 red.abbot^0,0=M", "abbot", {"red": 1}, {"red": 1}),
        ("N0 red.mayor^0,0=cN blue^0,0=cN", "abbey", {"blue": 1, "red": 0}, {"blue": 1, "red": 1}),
        ("M0 red.mayor^0,0=cN blue^0,0=cN", "abbey", {"blue": 2, "red": 2}, {"blue": 2, "red": 2}),
        ("E1E3 red.barn^0,0=fSL", "abbey", {"red": 4}, {"red": 0}),
        ("(SI.CA/C)1E3 blue^0,0=cE red_0,1=fSL", "siege", {"blue": 2, "red": 6}, {"blue": 4, "red": 3}),
        ("U0(HS/RFR.h)1 red^0,0=rE blue^0,1=rW", "hills", {"blue": 2, "red": 0}, {"blue": 2, "red": 2}),
        ("B0(MO/M1)0B0B0 red_0,1=M", "monasteries", {"red": 4}, {"red": 3}),
    ],
)
def test_each_box_without_its_rules_counts_as_plain_tiles_and_pieces(
    text: str, off: str, on: dict[str, int], plain: dict[str, int]
) -> None:
    board = parse_notation(text)
    assert compute_final_scoring(board).totals == on
    assert compute_final_scoring(replace(board, box_rules=BoxRules(off=frozenset({off})))).totals == plain


def test_goods_count_only_with_the_rules_of_their_box() -> None:
    table = Table(goods={"wine": {"red": 2}})
    assert compute_final_scoring(parse_notation("U0"), table=table).totals == {"red": 10}
    assert compute_final_scoring(parse_notation("U0 rules:traders=off"), table=table).totals == {"red": 0}


def test_a_garden_without_its_rules_states_why_it_scores_nothing() -> None:
    board = parse_notation("(BA/CG)0 red.abbot^0,0=G rules:abbot=off")
    (shortfall,) = find_shortfalls(board, build_feature_map(board), compute_final_scoring(board))
    assert (shortfall.player, shortfall.reason, shortfall.values) == ("red", "box_rules", {"boxes": "abbot"})


def test_every_marked_tile_belongs_to_a_box_with_rules() -> None:
    for layout in load_full_catalogue():
        box = find_tile_box(layout.id)
        assert box in BOXES
        if any(part.inn or part.cathedral or part.goods or part.pig_herd for part in layout.segments):
            assert box in RULED_BOXES, layout.id


@given(box_rules)
def test_the_text_of_box_rules_reads_back(rules: BoxRules) -> None:
    assert parse_box_rules(format_box_rules(rules)) == rules
    assert BoxRules.of(rules.choices) == rules
    assert {*rules.choices} | {*rules.unsaid} == {*RULED_BOXES}


@given(wide_boards(), box_rules)
def test_a_notation_with_box_rules_reads_back(board: Board, rules: BoxRules) -> None:
    board = replace(board, box_rules=rules)
    assert parse_notation(format_notation(board)) == board


@given(box_rules)
def test_a_label_with_box_rules_reads_back(rules: BoxRules) -> None:
    board = replace(parse_notation("U0U0 red^0,0=rE"), box_rules=rules)
    assert read_label(write_label(board)) == board


@pytest.mark.parametrize(
    "text", ["inns", "inns=maybe", "base=off", "inns=on,inns=off", "inns=on,,", "=on", "inns=off;"]
)
def test_an_invalid_choice_of_a_box_is_an_error(text: str) -> None:
    with pytest.raises(RulesetError) as error:
        parse_box_rules(text)
    assert (error.value.code, error.value.details["boxes"]) == ("bad_box_rules", list(RULED_BOXES))
    with pytest.raises(NotationError) as in_notation:
        parse_notation(f"U0 rules:{text}")
    assert (in_notation.value.code, in_notation.value.position) == ("bad_box_rules", 3)


def test_the_error_for_a_box_named_twice_states_it() -> None:
    with pytest.raises(RulesetError, match="'inns=off' names inns a second time"):
        parse_box_rules("inns=on,traders=off,inns=off")


@pytest.mark.parametrize("choices", [{"inns": "off"}, {"base": False}, [True], {"inns": 1}])
def test_a_label_with_an_invalid_choice_is_an_error(choices: object) -> None:
    with pytest.raises(LabelError) as error:
        read_label({"rows": ["U0"], "box_rules": choices})
    assert error.value.code == "bad_box_rules"


def list_asked(board: Board, table: Table | None = None) -> list[Assumption]:
    found = find_assumptions(board, build_feature_map(board), TODAY, table or Table())
    return [one for one in found if one.fact == "box_rules"]


def test_box_rules_that_change_points_beside_a_wonder_are_doubtful_until_given() -> None:
    board = parse_notation(INN)
    (asked,) = list_asked(board)
    assert (asked.values, asked.squares) == ({"boxes": "inns"}, ((0, 0), (0, 1)))
    assert asked.totals == {PLAYED: {"blue": 0, "red": 0}, NOT_PLAYED: {"blue": 0, "red": 2}}
    assert "Inns & Cathedrals" in asked.text
    doubts = assess_given_board(board)
    assert (doubts.doubtful, doubts.stated_confidence) == (True, None)
    for said, red in (("on", 0), ("off", 2)):
        told = parse_notation(f"{INN} rules:inns={said}")
        assert list_asked(told) == []
        assert not assess_given_board(told).doubtful
        assert compute_final_scoring(told).totals["red"] == red


@pytest.mark.parametrize(
    "text",
    [
        "(IC/RFr.i)0U0 red^0,1=rE",
        f"{INN.removesuffix(' red^0,1=rE')}",
        INN.replace("(IC/RFr.i)0", "U0").replace("red^", "red.big^"),
    ],
    ids=["no wonder", "nobody on the road", "a big meeple alone"],
)
def test_box_rules_are_not_asked_without_a_wonder_or_an_effect_on_points(text: str) -> None:
    assert list_asked(parse_notation(text)) == []
    assert not assess_given_board(parse_notation(text)).doubtful


def test_the_former_common_name_of_both_rivers_is_still_accepted() -> None:
    played = BoxRules.of({"river2": False})
    assert parse_box_rules("rivers=off") == BoxRules.of({"rivers": False}) == played
    assert parse_notation(f"{INN} rules:rivers=off").box_rules == played
    with pytest.raises(RulesetError, match="bad_box_rules"):
        parse_box_rules("rivers=off,river2=on")


def test_each_box_whose_rules_matter_alone_is_asked_for_separately() -> None:
    board = parse_notation(f"{INN} green_0,1=fSR blue.pig_0,1=fSR")
    goods = Table(goods={"wine": {"green": 1}})
    asked = list_asked(board, goods)
    assert [one.values["boxes"] for one in asked] == ["inns", "traders"]
    assert asked[1].totals[PLAYED]["green"] == 10
    assert asked[1].totals[NOT_PLAYED]["green"] == 0
    assert list_asked(replace(board, box_rules=BoxRules.of({"inns": True})), goods) == asked[1:]


def test_boxes_whose_rules_matter_only_together_share_one_question() -> None:
    """A road with an inn of each of two boxes scores nothing while either of them counts."""
    with_inn = [layout for layout in load_full_catalogue() if any(part.inn for part in layout.segments)]
    river = next(layout for layout in with_inn if find_tile_box(layout.id) == "river2")
    road = next(index for index, part in enumerate(river.segments) if part.inn)
    alhambra = {square: tile for square, tile in parse_notation(INN).tiles.items() if tile and tile.wonder}
    sides = {"N": ((9, 0), 1), "E": ((10, 1), 0), "S": ((11, 0), 1), "W": ((10, -1), 0)}
    square, turns = next(where for side, where in sides.items() if side in river.segments[road].edges)
    tiles = {**alhambra, (10, 0): Placement(river.id), square: Placement("IC/RFr.i", turns)}
    board = Board(tiles, (PlacedMeeple("red", (10, 0), road),))
    (asked,) = list_asked(board)
    assert asked.values == {"boxes": "river2,inns"}
    assert asked.totals == {PLAYED: {"red": 0}, NOT_PLAYED: {"red": 2}}
    one_said = replace(board, box_rules=BoxRules.of({"river2": False}))
    assert [one.values["boxes"] for one in list_asked(one_said)] == ["inns"]
    assert list_asked(replace(board, box_rules=BoxRules.of({"river2": True}))) == []


@pytest.mark.parametrize("boards", [10, pytest.param(40, marks=pytest.mark.soak)])
def test_a_board_is_certain_only_if_no_box_rules_change_points(boards: int) -> None:
    """For any sequence of answers, the questions end exactly when no remaining choice changes points."""
    rng = Random(SEED + 1)
    for _ in range(boards):
        board = deal(rng)
        features, sheets = build_feature_map(board), {}
        for off in SETTINGS:
            chosen = BoxRules(off=frozenset(off))
            its = features.change_box_rules(chosen)
            sheets[off] = compute_final_scoring(replace(board, box_rules=chosen), its).totals
        assert bool(list_asked(board)) == any(totals != sheets[()] for totals in sheets.values())
        for asked in list_asked(board):
            off = tuple(str(asked.values["boxes"]).split(","))
            assert asked.totals == {PLAYED: sheets[()], NOT_PLAYED: sheets[off]}
