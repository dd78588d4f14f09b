"""Records of games of Tower of Babel: written, read back, replayed; with errors reported."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.errors import PlayError, RecordError
from scoring.tower_of_babel.board import COLOURS, KINDS, WONDERS
from scoring.tower_of_babel.components import Card
from scoring.tower_of_babel.play import Build, Disc, Offer, Pass
from scoring.tower_of_babel.record import Record, RecordedMove, compute_totals
from scoring.tower_of_babel.record_text import format_record, parse_record
from tests.scoring.tower_of_babel.played import PLAYERS, played
from tests.scoring.tower_of_babel.tables import COMPONENTS

kinds, colours = st.sampled_from(KINDS), st.sampled_from(COLOURS)
cards = st.dictionaries(kinds, st.integers(0, 6), max_size=4)
discs = st.dictionaries(kinds, st.integers(1, 6), min_size=1, max_size=2).map(lambda needs: Disc(tuple(needs.items())))
names = st.lists(colours, unique=True, max_size=3).map(tuple)
builds = st.builds(
    Build,
    st.sampled_from(PLAYERS),
    st.sampled_from(WONDERS),
    discs,
    st.dictionaries(colours, st.builds(Offer, cards, st.booleans()), max_size=3),
    names,
    cards,
    st.none() | kinds,
    names,
    st.none() | st.sampled_from(get_args(Card)),
    st.booleans(),
)
moves = builds | st.builds(Pass, st.sampled_from(PLAYERS), st.booleans())
points = st.tuples(*[st.integers(0, 300)] * len(PLAYERS))
"""Any move that can be written down, legal or not."""
starts = st.fixed_dictionaries({wonder: st.lists(discs, min_size=1, max_size=3).map(tuple) for wonder in WONDERS})
records = st.builds(
    Record,
    st.permutations(PLAYERS).map(tuple),
    starts,
    st.lists(st.builds(RecordedMove, moves, points), max_size=5).map(tuple),
    st.none() | points,
)


@given(records)
def test_written_values_read_back(record: Record) -> None:
    assert parse_record(format_record(record)) == record
    assert format_record(parse_record(format_record(record))) == format_record(record)


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10_000))
def test_a_game_that_was_played_replays_to_its_end(seed: int) -> None:
    play = played(seed)
    record = Record.of(play)
    again = parse_record(format_record(record)).replay(COMPONENTS)
    assert again.table() == play.table()
    assert again.turns == play.turns
    assert record.totals == compute_totals(again)
    assert record.totals is not None
    assert sum(record.totals) > 0


def test_the_recorded_points_obey_the_rules() -> None:
    record = Record.of(played(4))
    last = record.moves[-1]
    off = (*record.moves[:-1], replace(last, points=tuple(points + 1 for points in last.points)))
    with pytest.raises(RecordError) as caught:
        replace(record, moves=off).replay(COMPONENTS)
    assert (caught.value.code, caught.value.line) == ("score_differs", 9 + len(off))
    assert record.totals is not None
    with pytest.raises(RecordError) as caught:
        replace(record, totals=tuple(total + 1 for total in record.totals)).replay(COMPONENTS)
    assert (caught.value.code, caught.value.line) == ("total_differs", 10 + len(off))


def test_an_illegal_move_is_reported_with_its_line() -> None:
    record = Record.of(played(4))
    first = record.moves[0]
    wrong = replace(first, move=Pass(next(player for player in PLAYERS if player != first.move.player)))
    with pytest.raises(RecordError) as caught:
        replace(record, moves=(wrong, *record.moves[1:])).replay(COMPONENTS)
    assert (caught.value.code, caught.value.line) == ("not_your_turn", 10)
    with pytest.raises(RecordError) as caught:
        replace(record, discs={**record.discs, "giza": ()}).replay(COMPONENTS)
    assert (caught.value.code, caught.value.line) == ("bad_start", 9)


HEAD = format_record(Record(PLAYERS, {wonder: (Disc((("camel", 3),)),) for wonder in WONDERS}))


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("", "bad_head", 1),
        ("players red\ndiscs giza camel3\n", "bad_head", 3),
        (HEAD.replace("discs giza camel3", "discs giza cat3"), "bad_head", 2),
        (HEAD.replace("discs giza camel3", "discs giza camel3/camel1"), "bad_head", 2),
        (HEAD + "1 red passes\n", "bad_move", 10),
        (HEAD + "2 red passes = 0 0 0\n", "bad_number", 10),
        (HEAD + "1 red passes = 0 0\n", "bad_scores", 10),
        (HEAD + "1 red giza = 0 0 0\n", "bad_move", 10),
        (HEAD + "1 red giza camel3 dances = 0 0 0\n", "bad_move", 10),
        (HEAD + "1 red giza camel3 adds:camel1,camel2 = 0 0 0\n", "bad_move", 10),
        (HEAD + "1 red giza camel3 offers:blue:cat1 = 0 0 0\n", "bad_move", 10),
        (HEAD + "1 red giza camel3 offers:blue:- offers:blue:- = 0 0 0\n", "bad_move", 10),
        (HEAD + "1 red giza camel3 draws:luck = 0 0 0\n", "no_such_action_card", 10),
        (HEAD + "total 1 2\n", "bad_scores", 10),
    ],
)
def test_unreadable_text_is_reported_with_its_line(text: str, code: str, line: int) -> None:
    with pytest.raises(RecordError) as caught:
        parse_record(text)
    assert (caught.value.code, caught.value.line) == (code, line)


@given(st.text(max_size=200))
def test_any_text_is_a_record_or_an_error_with_a_code(text: str) -> None:
    for record_text in (text, HEAD + text):
        with suppress(RecordError, PlayError):
            parse_record(record_text).replay(COMPONENTS)
