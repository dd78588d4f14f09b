"""The play of Tower of Babel in the examples of its rule text: offers, builds, completed wonders, the end."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.errors import PlayError
from scoring.spots.components import ComponentsError
from scoring.tower_of_babel.board import KINDS, WONDERS
from scoring.tower_of_babel.game import GAME
from scoring.tower_of_babel.play import Build, Disc, Offer, Pass, Play
from tests.scoring.tower_of_babel.tables import COMPONENTS

SHIPS = Disc((("ship", 5),))
TWO = Disc((("camel", 2), ("mason", 3)))
PLAYERS = ("red", "yellow", "green", "blue")


def start(first: tuple[Disc, ...] = (SHIPS, TWO, Disc((("crane", 3),)))) -> Play:
    """Return a game with three discs of choice on the Tower of Babel, and 21 others of every kind."""
    others = [Disc(((kind, number),)) for number in (3, 4, 5, 5, 6) for kind in KINDS] + [Disc((("camel", 3),))]
    discs = {wonder: others[3 * at : 3 * at + 3] for at, wonder in enumerate(WONDERS[:7])}
    return Play(COMPONENTS, PLAYERS, {**discs, "babel": first})


def ships(number: int, trading: bool = False) -> Offer:
    return Offer({"ship": number}, trading)


def points(play: Play) -> dict[str, int]:
    return {player: number for player, number in play.points.items() if number}


def refused(play: Play, move: Build | Pass) -> str:
    """Return the code of a refusal, after which nothing has changed."""
    before = (play.table(), play.on_turn, dict(play.points), {p: dict(c) for p, c in play.cards.items()})
    with pytest.raises(PlayError) as caught:
        play.play(move)
    assert (play.table(), play.on_turn, dict(play.points), {p: dict(c) for p, c in play.cards.items()}) == before
    return caught.value.code


def test_red_selects_only_yellow_and_adds_four_ships() -> None:
    """Yellow places 1 part, red 4 and takes the disc; blue, who is not selected, scores 1."""
    play = start()
    turn = play.play(Build("red", "babel", SHIPS, {"yellow": ships(1), "blue": ships(1)}, ("yellow",), {"ship": 4}))
    assert (turn.fulfilled, turn.disc_to) == (True, "red")
    assert dict(play.parts["babel"]) == {"red": 4, "yellow": 1}
    assert play.held["red"] == {"ship": 1}
    assert points(play) == {"blue": 1}


def test_red_selects_yellow_and_green_with_a_trading_card() -> None:
    """Red adds 2 to the 3 offered: yellow places 1, red 4 (2 of them for green's), and green takes the disc."""
    play = start()
    offers = {"yellow": ships(1), "green": ships(2, trading=True)}
    turn = play.play(Build("red", "babel", SHIPS, offers, ("yellow", "green"), {"ship": 2}))
    assert turn.disc_to == "green"
    assert dict(play.parts["babel"]) == {"red": 4, "yellow": 1}
    assert (play.held["green"], play.held["red"]) == ({"ship": 1}, {})
    assert points(play) == {}


def test_cards_of_another_kind_score_nothing() -> None:
    play = start()
    offers = {"blue": Offer({"ship": 2, "camel": 1}, trading=True), "green": Offer({"mason": 3})}
    play.play(Build("red", "babel", SHIPS, offers, (), {"ship": 5}))
    assert points(play) == {"blue": 2}


def test_triple_bonus_scores_three_for_each_needed_card_of_a_rejected_offer() -> None:
    play = start()
    play.cards["blue"]["triple-bonus"] = 1
    play.play(Build("red", "babel", SHIPS, {"blue": Offer({"ship": 2, "camel": 1})}, (), {"ship": 5}, triple=("blue",)))
    assert points(play) == {"blue": 6}
    assert play.cards["blue"]["triple-bonus"] == 0


def test_an_unfulfilled_disc_stays_and_all_offering_players_score() -> None:
    """Selected offers also come back if nothing is built."""
    play = start()
    offers = {"yellow": ships(2), "blue": Offer({"ship": 1, "crane": 1})}
    turn = play.play(Build("red", "babel", SHIPS, offers, ("yellow",), {"ship": 2}))
    assert (turn.fulfilled, turn.disc_to) == (False, None)
    assert {entry.rule for entry in turn.entries} == {"offer.not-fulfilled"}
    assert points(play) == {"yellow": 2, "blue": 1}
    assert play.discs["babel"][0] == SHIPS
    assert not play.parts["babel"]
    assert play.on_turn == "yellow"


def test_a_two_coloured_disc_needs_both_kinds() -> None:
    """2 camels and 3 masons: a player who offers three camels cannot be selected, one who offers two can."""
    play = start()
    build = Build("red", "babel", TWO, {"blue": Offer({"camel": 3})}, ("blue",), {"mason": 3})
    assert refused(play, build) == "too_many_accepted"
    offers = {"blue": Offer({"camel": 2, "mason": 1}), "green": Offer({"camel": 1})}
    turn = play.play(Build("red", "babel", TWO, offers, ("blue",), {"mason": 2}))
    assert turn.fulfilled
    assert play.held["red"] == {("camel", "mason"): 1}
    assert dict(play.parts["babel"]) == {"red": 2, "blue": 3}
    assert points(play) == {"green": 1}


def test_a_joker_counts_as_two() -> None:
    play = start()
    assert refused(play, Build("red", "babel", SHIPS, adds={"ship": 3}, joker="ship")) == "no_such_action_card"
    play.cards["red"]["joker"] = 1
    assert refused(play, Build("red", "babel", SHIPS, adds={"ship": 4}, joker="ship")) == "too_many_added"
    play.play(Build("red", "babel", SHIPS, adds={"ship": 3}, joker="ship"))
    assert dict(play.parts["babel"]) == {"red": 5}
    assert play.cards["red"]["joker"] == 0


def alone(player: str, wonder: str, disc: Disc) -> Build:
    """Return a build without any help."""
    return Build(player, wonder, disc, adds=dict(disc.needs))


def test_a_completed_wonder_is_scored_by_the_markers_row_and_the_marker_moves_on() -> None:
    """8 and 4 for the first; parts go home, the active player draws an action card; the second by the next row."""
    play = start()
    for player, disc in zip(PLAYERS, play.discs["giza"][:2], strict=False):
        play.play(alone(player, "giza", disc))
    last = replace(alone("green", "giza", play.discs["giza"][0]), action_card="points")
    turn = play.play(last)
    assert turn.completed == "giza"
    worths = {"red": 3, "yellow": 3, "green": 3}
    assert {entry.player: entry.points for entry in turn.entries} == dict.fromkeys(worths, 4)
    assert (play.row, play.parts["giza"], play.cards["green"]["points"]) == (1, {}, 1)
    for player in ("blue", "red", "yellow"):
        turn = play.play(alone(player, "zeus", play.discs["zeus"][0]))
    assert {entry.values["row"] for entry in turn.entries} == {2}
    assert play.row == 2
    assert play.cards["yellow"] == {"unseen": 1}
    assert play.table().just_completed is None


def test_a_missing_row_is_asked_for_and_nothing_is_played() -> None:
    play = start()
    play.components = GAME.components(None)
    for player, wonder in zip((*PLAYERS, *PLAYERS)[:5], ("giza",) * 3 + ("zeus",) * 2, strict=True):
        play.play(alone(player, wonder, play.discs[wonder][0]))
    before = play.table()
    with pytest.raises(ComponentsError) as caught:
        play.play(alone("yellow", "zeus", play.discs["zeus"][0]))
    assert caught.value.details["key"] == "scoring_table.rows.2"
    assert play.table() == before


def test_the_last_disc_of_a_kind_ends_the_game_with_two_colours_counting_twice() -> None:
    play = start()
    masons = [(wonder, disc) for wonder, discs in play.discs.items() for disc in discs if disc.kind == "mason"]
    for at, (wonder, disc) in enumerate(masons):
        play.play(alone(PLAYERS[at % 4], wonder, disc))
    assert not play.used_up
    play.play(alone(play.on_turn, "babel", TWO))
    assert play.used_up == ("mason",)
    assert refused(play, Pass(play.on_turn)) == "game_over"


def test_after_the_end_incomplete_wonders_score_by_the_light_space() -> None:
    play = start()
    play.play(Build("red", "babel", SHIPS, {"yellow": ships(2)}, ("yellow",), {"ship": 3}))
    assert {(entry.player, entry.points) for entry in play.final()} == {("red", 9), ("yellow", 5)}
    assert play.table().track == {"red": 0, "yellow": 0, "green": 0, "blue": 0}


def test_double_turn_gives_the_same_player_another_turn() -> None:
    play = start()
    assert refused(play, Pass("red", again=True)) == "no_such_action_card"
    play.cards["red"]["unseen"] = 1
    play.play(Pass("red", again=True))
    assert (play.on_turn, play.cards["red"]["unseen"]) == ("red", 0)
    play.play(Pass("red"))
    assert play.on_turn == "yellow"


@pytest.mark.parametrize(
    ("move", "code"),
    [
        (Pass("blue"), "not_your_turn"),
        (Build("red", "giza", SHIPS), "no_such_disc"),
        (Build("red", "atlantis", SHIPS), "no_such_disc"),
        (Build("red", "babel", SHIPS, {"red": ships(1)}), "not_an_opponent"),
        (Build("red", "babel", SHIPS, {"black": ships(1)}), "not_an_opponent"),
        (Build("red", "babel", SHIPS, {"blue": ships(6)}), "offer_too_large"),
        (Build("red", "babel", SHIPS, {"blue": Offer({"ship": 4, "camel": 2})}), "offer_too_large"),
        (Build("red", "babel", SHIPS, {"blue": Offer({}, trading=True)}), "trading_card_alone"),
        (Build("red", "babel", SHIPS, {"blue": Offer({"boat": 1})}), "no_such_card"),
        (Build("red", "babel", SHIPS, {"blue": Offer({"ship": -1})}), "no_such_card"),
        (Build("red", "babel", SHIPS, {"blue": ships(1)}, ("green",)), "nothing_offered"),
        (Build("red", "babel", SHIPS, {"blue": Offer({"camel": 1})}, ("blue",)), "nothing_offered"),
        (Build("red", "babel", SHIPS, {"blue": ships(3), "green": ships(3)}, ("blue", "green")), "too_many_accepted"),
        (
            Build("red", "babel", SHIPS, {"blue": ships(1, True), "green": ships(1, True)}, ("blue", "green")),
            "two_trading_cards",
        ),
        (Build("red", "babel", SHIPS, {"blue": ships(2)}, ("blue",), {"ship": 4}), "too_many_added"),
        (Build("red", "babel", SHIPS, adds={"camel": 1}), "too_many_added"),
        (Build("red", "babel", SHIPS, adds={"ship": 5}, action_card="joker"), "no_such_action_card"),
        (Build("red", "babel", SHIPS, {"blue": ships(1)}, triple=("blue",)), "no_such_action_card"),
        (Build("red", "babel", SHIPS, {"blue": ships(1)}, ("blue",), triple=("blue",)), "nothing_offered"),
    ],
)
def test_illegal_moves_are_refused_and_change_nothing(move: Build | Pass, code: str) -> None:
    assert refused(start(), move) == code


def test_building_without_remaining_parts_is_refused() -> None:
    """Five of value 3 and fourteen of value 1: 2 on each of eight wonders is impossible."""
    play = start()
    for wonder in WONDERS:
        play.parts[wonder]["red"] = 2 if wonder != "babel" else 0
    assert refused(play, alone("red", "babel", SHIPS)) == "no_parts_left"


@pytest.mark.parametrize("players", [("red",), ("red", "red"), ("red", "pink")])
def test_a_game_that_cannot_begin_is_refused(players: tuple[str, ...]) -> None:
    with pytest.raises(PlayError) as caught:
        Play(COMPONENTS, players, start().discs)
    assert caught.value.code == "bad_start"


@given(st.lists(st.tuples(st.integers(0, 7), st.integers(0, 2), st.lists(st.integers(0, 3), min_size=3, max_size=3))))
def test_random_play_keeps_points_and_discs_consistent(
    moves: list[tuple[int, int, list[int]]],
) -> None:
    play = start()
    for wonder, at, offers in moves:
        disc = next(iter(play.discs[WONDERS[wonder]][at:]), None)
        others = [player for player in PLAYERS if player != play.on_turn]
        if play.used_up or disc is None:
            continue
        kind = disc.needs[0][0]
        made = {player: Offer({kind: number}) for player, number in zip(others, offers, strict=True)}
        adds: Mapping[str, int] = dict(disc.needs)
        with suppress(PlayError):  # if no player has parts left
            play.play(Build(play.on_turn, WONDERS[wonder], disc, made, (), adds))
    table = play.table()
    assert sum(table.discs_left.values()) + sum(n for counts in table.held.values() for n in counts.values()) == 24
    assert play.row == len(table.completed)
    earned = {p: sum(e.points for turn in play.turns for e in turn.entries if e.player == p) for p in PLAYERS}
    assert dict(play.points) == earned
