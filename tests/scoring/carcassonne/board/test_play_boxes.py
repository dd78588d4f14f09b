"""Inns & Cathedrals, Traders & Builders and the Abbot in play, and their treatment by the wonders' rule texts."""

from __future__ import annotations

import pytest

from scoring.carcassonne.board.board import Placement
from scoring.carcassonne.board.notation import parse_tile
from scoring.carcassonne.play.game import Game, Move, Setup, Stand
from scoring.carcassonne.play.placement import find_tile_violation
from scoring.carcassonne.record.record import Record
from scoring.carcassonne.record.text import format_record, parse_record
from scoring.carcassonne.tiles.geometry import Square
from scoring.carcassonne.wonders.catalogue import load_wonder_catalogue
from scoring.carcassonne.wonders.tiles import WONDERS
from scoring.errors import PlayError
from tests.scoring.carcassonne.play.turns import bonuses, give, lay_wonder, play, refused, set_scores
from tests.scoring.games import find_feature, list_wonder_places

BOXES = ("base", "inns", "traders", "abbot")


def game_of(*, start: str = "D1", wonders: bool = True) -> Game:
    return Game(Setup(("red", "blue"), BOXES, tuple(WONDERS) if wonders else (), start=parse_tile(start)))


def points(game: Game, words: str) -> list[tuple[str, int, str]]:
    return [(entry.player, entry.points, entry.rule) for entry in play(game, words).entries]


# The River


@pytest.mark.parametrize(
    ("course", "refusal"),
    [
        ({(0, 1): "IFI 0", (0, 2): "IFI 0"}, ""),
        ({(0, 1): "IFI 0", (0, 2): "II 0", (1, 2): "II 2"}, ""),
        ({(0, 1): "IFI 0", (0, 2): "II 0", (1, 2): "II 1"}, "river_turns_back"),
        ({(0, 1): "IFI 0", (1, 1): "II 0"}, "river_not_continued"),
    ],
    ids=["straight on", "a bend and back", "straight back", "beside"],
)
def test_a_river_may_go_straight_on_but_not_straight_back(course: dict[Square, str], refusal: str) -> None:
    *lie, (square, last) = [(at, river_tile(words)) for at, words in course.items()]
    tiles = {(0, 0): Placement("RI/s"), **dict(lie)}
    assert find_tile_violation({square: last}, tiles) == refusal


def river_tile(words: str) -> Placement:
    name, turns = words.split()
    return Placement(f"RI.1/{name}", int(turns))


# Inns & Cathedrals


def test_inns_a_complete_road_with_an_inn_scores_2_per_tile() -> None:
    game = game_of(start="A1")
    play(game, "(IC/RFr.iG)0@0,-1 rE")
    assert points(game, "A3@0,-2") == [("red", 3 * 2, "road.finished")]


def test_cathedrals_a_complete_city_with_a_cathedral_scores_3_per_tile() -> None:
    game = game_of(start="E2", wonders=False)
    play(game, "(IC/Cccc.c)0@1,0 cN", "E3@1,1", "E1@1,-1")
    assert points(game, "E0@2,0") == [("red", 5 * 3, "city.finished")]


def test_big_meeple_counts_as_two_and_returns() -> None:
    game = game_of(start="E1", wonders=False)
    play(game, "F0@0,1 cW", "B0@-1,1", "B0@-1,2", "B0@-1,3", "B0@-1,0", "E3@0,3 big:cW")
    assert game.hands["blue"]["big"] == 0
    assert points(game, "G0@0,2") == [("blue", (4 + 1) * 2, "city.finished")]
    assert game.hands["blue"]["big"] == 1


# Traders & Builders: the builder


def with_builder(wonders: bool = True) -> Game:
    """Return a game in which red, on turn, has a meeple and a builder on a road from (-2, 0) to the start and on."""
    game = game_of(wonders=wonders)
    play(game, "U1@-1,0 rN", "B0@0,-1", "U1@-2,0 builder:rN", "B0@-1,-1")
    return game


def test_builder_gives_one_extra_move_when_its_road_is_extended() -> None:
    game = with_builder()
    assert game.on_turn == "red"
    assert play(game, "U1@1,0").again
    assert (game.on_turn, game.is_second_half) == ("red", True)
    assert not play(game, "U1@2,0 fWL").again, "the second half may set a meeple, and brings no third"
    assert game.on_turn == "blue"
    assert not play(game, "U1@3,0").again, "it is red's builder"


def test_builder_gives_no_move_when_placed_or_beside_its_road() -> None:
    game = game_of()
    play(game, "U1@-1,0 rN", "B0@0,-1")
    assert not play(game, "U1@-2,0 builder:rN").again
    play(game, "B0@-1,-1")
    assert not play(game, "B0@-2,-1").again


def test_builder_joins_a_follower_of_its_own_colour() -> None:
    game = game_of()
    assert refused(game, "U1@-1,0 builder:rN") == "no_follower_there"
    play(game, "U1@-1,0 rN")
    assert refused(game, "U1@-2,0 builder:rS") == "no_follower_there"
    play(game, "B0@0,-1")
    assert refused(game, "B0@-1,-1 builder:fNL") == "wrong_place"
    play(game, "U1@-2,0 builder:rS")
    assert game.hands["red"]["builder"] == 0
    play(game, "B0@-1,-1")
    assert refused(game, "U1@1,0 builder:rN") == "no_piece_left"


def test_builder_returns_with_its_road_and_still_gives_an_extra_move() -> None:
    game = with_builder()
    play(game, "A0@-3,0", "B0@-2,-1", "B0@-3,-1")
    turn = play(game, "A2@1,0")
    assert [(e.player, e.points, e.rule) for e in turn.entries] == [("red", 5, "road.finished")]
    assert turn.again
    assert sorted(piece.kind for piece in turn.returned) == ["builder", "meeple"]
    assert game.hands["red"]["builder"] == 1


def test_builder_does_not_count_in_a_majority() -> None:
    game = with_builder()
    holding = find_feature(game, (0, 0), 1)
    assert sorted(piece.kind for piece in holding.pieces) == ["builder", "meeple"]
    (entry,) = [e for e in game.final().entries if e.player == "red"]
    assert (entry.points, entry.rule) == (3, "road.unfinished")


def test_builder_a_wonder_waits_until_after_a_double_turn() -> None:
    """The German text lays a wonder at the beginning of a turn."""
    game = with_builder()
    set_scores(game, red=9)
    give(game, "red", "stonehenge")
    game.in_front["red"] = ()
    play(game, "U1@1,0")
    game.in_front["red"] = ("WH/stonehenge",)
    assert not game.waiting
    assert refused(game, "(WH/stonehenge)0@0,5") == "wonder_not_yet"
    play(game, "U1@2,0", "B0@-2,-1")
    assert game.waiting == ("WH/stonehenge",)
    assert refused(game, "U1@3,0") == "wonder_waits"


def test_builder_a_record_holds_a_double_turn_as_two_moves() -> None:
    game = with_builder(wonders=False)
    play(game, "U1@1,0", "U1@2,0", "U1@3,0")
    text = format_record(Record.of(game))
    assert [line.split()[1] for line in text.splitlines()[-3:]] == ["red", "red", "blue"]
    assert parse_record(text).replay().board() == game.board()


# Traders & Builders: goods and the pig


def test_goods_go_to_the_player_who_completes_any_city() -> None:
    game = game_of(start="E1")
    play(game, "(TB/CFc.w)0@0,1 cW")
    turn = play(game, "E3@0,2")
    assert turn.goods == {"wine": 1}
    assert [(e.player, e.points) for e in turn.entries] == [("red", 3 * 2)]
    assert game.goods == {"wine": {"blue": 1}}
    game = game_of(start="E1")
    play(game, "(TB/CFc.w)0@0,1")
    assert play(game, "E3@0,2").goods == {"wine": 1}


def test_goods_score_10_points_at_the_end() -> None:
    game = game_of(start="E1")
    play(game, "(TB/CFc.w)0@0,1", "E3@0,2")
    assert game.final().totals == {"blue": 10, "red": 0}
    assert game.totals() == {"red": 0, "blue": 10}


def test_pig_joins_a_farmer_of_its_own_and_stays_to_the_end() -> None:
    game = game_of(start="E1")
    assert refused(game, "E3@0,1 pig:fNL") == "no_follower_there"
    play(game, "E3@0,1 fNL", "B0@1,0")
    play(game, "B0@1,1 pig:fNL", "B0@2,0")
    assert game.hands["red"]["pig"] == 0
    assert [(e.points, e.rule) for e in game.final().entries if e.player == "red"] == [(4, "field.farm")]
    assert refused(game, "B0@2,1 pig:fNL") == "no_piece_left"


# The Abbot


def test_abbot_stands_on_a_monastery_or_garden_and_others_on_no_garden() -> None:
    game = game_of(start="E1")
    assert refused(game, "(BA/CG)3@0,1 G") == "wrong_place"
    assert refused(game, "(BA/CG)3@0,1 abbot:cW") == "wrong_place"
    play(game, "(BA/CG)3@0,1 abbot:G", "B0@1,0 abbot:M")
    assert refused(game, "B0@1,1 abbot:M") == "no_piece_left"
    assert sorted(m.kind for m in game.board().meeples) == ["abbot", "abbot"]


def test_abbot_a_garden_with_eight_tiles_around_scores_9_points() -> None:
    game = game_of(start="E3", wonders=False)
    play(game, "(BA/CG)1@0,-1 abbot:G")
    around = ["B0@1,-1", "B0@1,0", "B0@1,-2", "B0@-1,-1", "E0@-1,0", "E0@-1,-2"]
    for words in around:
        play(game, words)
    assert points(game, "E3@0,-2") == [("red", 9, "garden.finished")]
    assert game.hands["red"]["abbot"] == 1


def test_abbot_taken_back_scores_as_at_the_end() -> None:
    game = game_of(start="E1")
    play(game, "E3@0,1", "B0@1,0", "B0@1,1 abbot:M", "B0@2,0")
    assert points(game, "B0@2,1 recalls:abbot") == [("red", 1 + 5, "abbot.recalled")]
    assert game.hands["red"]["abbot"] == 1
    assert not any(m.kind == "abbot" for m in game.board().meeples)


def test_abbot_is_taken_back_instead_of_placing_a_piece() -> None:
    game = game_of(start="E1")
    assert refused(game, "E3@0,1 recalls:abbot") == "no_abbot_out"
    play(game, "E3@0,1", "B0@1,0", "B0@1,1 abbot:M", "B0@2,0")
    assert refused(game, "B0@2,1 M recalls:abbot") == "one_action"


def test_abbot_without_the_box_a_garden_counts_as_the_plain_tile() -> None:
    game = Game(Setup(("red", "blue"), start=parse_tile("E1")))
    play(game, "(BA/CG)3@0,1", "B0@1,0", "(BA/CG)2@2,0")
    assert game.supply.stack.phases[0]["BA/C"] == 5 - 1 - 2


def test_abbot_with_the_box_one_tile_of_a_kind_has_the_garden() -> None:
    game = game_of(start="E1")
    play(game, "(BA/CG)3@0,1", "B0@1,0")
    assert refused(game, "(BA/CG)2@2,0") == "not_in_stack"
    assert game.supply.stack.phases[0]["BA/C"] == 5 - 1 - 1


# Other expansions: The Abbot; Exp. 2 - Traders & Builders


def on_a_wonder(kinds: list[str], recalls: bool) -> str:
    """Return the code of the refusal of a turn that lays Notre-Dame and sets some pieces on it, or nothing."""
    game = game_of(start="E1")
    play(game, "E3@0,1", "B0@1,0", "B0@1,1 abbot:M", "B0@2,0")
    give(game, "red", "notre-dame")
    place = list_wonder_places(game, load_wonder_catalogue()["WH/notre-dame"])[0]
    members = [free[0] for free in game.free_features(place)]
    stands = tuple(Stand(*at, kind) for at, kind in zip(members, kinds, strict=False))
    try:
        game.play(Move("red", place, stands, recalls_abbot=recalls))
    except PlayError as error:
        return error.code
    return ""


@pytest.mark.parametrize(
    ("kinds", "recalls", "code"),
    [
        pytest.param(["meeple", "meeple"], False, "", id="two meeples"),
        pytest.param(["meeple", "big"], False, "", id="a big meeple is a meeple"),
        pytest.param(["meeple"], True, "one_action", id="the abbot is not taken back in place of a second meeple"),
        pytest.param([], True, "", id="the abbot may be taken back in place of both"),
        pytest.param(["meeple", "builder"], False, "one_action", id="no builder in place of a second meeple"),
        pytest.param(["meeple", "pig"], False, "one_action", id="no pig in place of a second meeple"),
    ],
)
def test_other_expansions_placing_meeples_on_a_wonder_is_one_action(kinds: list[str], recalls: bool, code: str) -> None:
    assert on_a_wonder(kinds, recalls) == code


def with_notre_dame(start: str) -> Game:
    """Return a game in which red has Notre-Dame, in effect from red's next turn on; it is blue's turn."""
    game = game_of(start=start)
    give(game, "red", "notre-dame")
    lay_wonder(game, "notre-dame")
    return game


def test_other_expansions_a_garden_does_not_trigger_notre_dame() -> None:
    game = with_notre_dame("E1")
    play(game, "(BA/CG)3@0,1")
    assert bonuses(play(game, "E0@-1,1 cN")) == []
    play(game, "B0@-1,0")
    assert bonuses(play(game, "B0@-2,0 M")) == [("red", 3, "wonder.notre-dame")], "beside a monastery it does"


def test_notre_dame_pays_for_an_abbot_and_not_for_a_builder() -> None:
    game = with_notre_dame("D1")
    play(game, "B0@0,-1", "U1@-1,0 rN", "B0@-1,-1")
    assert bonuses(play(game, "U1@-2,0 builder:rS")) == []
    play(game, "B0@-2,-1")
    assert bonuses(play(game, "B0@-3,-1 abbot:M")) == [("red", 3, "wonder.notre-dame")]


@pytest.mark.parametrize(("square", "again"), [((1, 0), True), ((0, 1), False)])
def test_builder_gives_a_move_when_a_wonder_extends_its_road(square: tuple[int, int], again: bool) -> None:
    game = with_builder()
    give(game, "red", "stonehenge")
    ends = {(1, 0), (-3, 0)} - {square}
    places = list_wonder_places(game, load_wonder_catalogue()["WH/stonehenge"])
    game.play(Move("red", next(p for p in places if square in p.squares and not ends.intersection(p.squares))))
    assert game.is_second_half == again
