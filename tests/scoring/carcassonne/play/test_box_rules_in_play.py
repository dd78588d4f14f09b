"""Boxes whose rules are not played lend their tiles to a game, and nothing else."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scoring.carcassonne.board.box_rules import BoxRules
from scoring.carcassonne.board.notation import parse_notation, parse_tile
from scoring.carcassonne.play.game import Game, Setup
from scoring.carcassonne.record.record import Record
from scoring.carcassonne.record.text import format_record, parse_record
from scoring.errors import RecordError
from tests.scoring.carcassonne.play.turns import move, play, refused

BOXES = ("base", "inns", "traders", "abbot")


def start(*off: str, tile: str = "D1") -> Game:
    rules = BoxRules(off=frozenset(off))
    return Game(Setup(("red", "blue"), BOXES, start=parse_tile(tile), box_rules=rules))


def points(game: Game, words: str) -> list[tuple[str, int, str]]:
    return [(entry.player, entry.points, entry.rule) for entry in play(game, words).entries]


@pytest.mark.parametrize(("off", "brought"), [((), 6), (("traders",), 6), (("inns",), 3)])
def test_a_finished_road_with_an_inn_brings_what_the_rules_played_say(off: tuple[str, ...], brought: int) -> None:
    game = start(*off, tile="A1")
    play(game, "(IC/RFr.iG)0@0,-1 rE")
    assert points(game, "A3@0,-2") == [("red", brought, "road.finished")]


def test_a_big_meeple_without_its_rules_counts_as_one_in_a_game() -> None:
    game = start("inns")
    play(game, "U1@-1,0 big:rN")
    (road,) = [feature for feature in game.features() if feature.pieces]
    assert [piece.kind for piece in road.pieces] == ["big"]
    assert game.board().box_rules == game.setup.box_rules


def test_a_builder_and_a_pig_are_not_set_without_their_rules() -> None:
    game = start("traders")
    play(game, "U1@-1,0 rN", "B0@0,-1")
    assert refused(game, "U1@-2,0 builder:rN") == "no_piece_left"
    assert game.free_features(move(game, "U1@-2,0").tile, kind="builder") == []
    assert start().to_set("red")["builder"] == 1
    assert {*start("traders").to_set("red")} == {"meeple", "big", "abbot"}


def test_a_builder_as_found_gives_no_second_turn_without_its_rules() -> None:
    board = parse_notation("U0U0 red^0,0=rE red.builder^0,1=rE")
    for off, again in ((frozenset[str](), True), (frozenset({"traders"}), False)):
        found = replace(board, box_rules=BoxRules(off=off))
        game = Game(Setup(("red", "blue"), BOXES, start_board=found))
        assert game.setup.box_rules == BoxRules(off=off)
        assert play(game, "U0@0,2").again is again


def test_goods_are_not_taken_without_their_rules() -> None:
    for off, taken in (((), {"grain": 1}), (("traders",), {})):
        game = Game(
            Setup(("red", "blue"), BOXES, start=parse_tile("(TB/CRc.g)0"), box_rules=BoxRules(off=frozenset(off)))
        )
        play(game, "E1@0,-1")
        assert dict(play(game, "E3@0,1").goods) == taken


def test_an_abbot_is_neither_set_nor_taken_back_without_its_rules() -> None:
    board = replace(parse_notation("B0B0 red.abbot^0,0=M"), box_rules=BoxRules(off=frozenset({"abbot"})))
    game = Game(Setup(("red", "blue"), BOXES, start_board=board))
    assert refused(game, "B0@1,0 recalls:abbot") == "no_abbot_out"
    assert refused(game, "B0@1,0 abbot:M") == "no_piece_left"


def test_a_record_keeps_which_rules_were_played() -> None:
    for rules in (BoxRules(), BoxRules.of({"inns": False, "traders": True})):
        game = Game(Setup(("red", "blue"), BOXES, start=parse_tile("A1"), box_rules=rules))
        play(game, "(IC/RFr.iG)0@0,-1 rE")
        text = format_record(Record.of(game))
        assert ("rules C3 inns=off,traders=on\n" in text) == bool(rules)
        assert parse_record(text) == Record.of(game)
        assert parse_record(text).replay().setup.box_rules == rules
    with pytest.raises(RecordError) as error:
        parse_record(text.replace("inns=off", "inns=maybe"))
    assert (error.value.code, error.value.line) == ("bad_box_rules", 4)
