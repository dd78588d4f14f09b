"""Records of games: written, read back, replayed; with errors reported."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.carcassonne.board.board import POSES, Board, PlacedMeeple, PlacedWonder, Placement
from scoring.carcassonne.board.pieces import PIECES
from scoring.carcassonne.final.rulesets import RULESETS
from scoring.carcassonne.play.game import Game, Move, PlacedTile, Setup, Stand, Taking
from scoring.carcassonne.play.moves import USUAL_MARKER, Marker
from scoring.carcassonne.record.record import Record, RecordedMove
from scoring.carcassonne.record.text import format_record, parse_record
from scoring.carcassonne.tiles.catalogue import load_full_catalogue
from scoring.carcassonne.wonders.catalogue import load_wonder_catalogue
from scoring.carcassonne.wonders.tiles import WONDERS
from scoring.errors import RecordError
from tests.scoring.games import SETUPS, random_game

PLAYERS = ("red", "purple", "yellow")
grown = [layout for layout in load_full_catalogue() if layout.garden]
names = st.sampled_from([*(layout.id for layout in load_full_catalogue()), *(layout.aliases[0] for layout in grown)])
names_of_tiles = st.sampled_from([layout.id for layout in load_full_catalogue()])
squares = st.tuples(st.integers(-40, 40), st.integers(-40, 40))
plain = st.builds(PlacedTile, st.builds(Placement, names_of_tiles, st.integers(0, 3)), squares)
gardens = st.builds(
    PlacedTile,
    st.builds(Placement, st.sampled_from([layout.id for layout in grown]), st.integers(0, 3), st.just(True)),
    squares,
)
laid_wonders = st.builds(PlacedWonder, st.sampled_from([*load_wonder_catalogue().values()]), squares, st.integers(0, 3))
markers = st.builds(Marker, st.sampled_from([*PIECES, "shepherd"]), st.sampled_from(POSES), st.none() | squares)
takings = st.builds(Taking, st.sampled_from(PLAYERS), st.sampled_from([*WONDERS]))


@st.composite
def moves(draw: st.DrawFn) -> RecordedMove:
    """Draw any move that can be written down, legal or not."""
    tile = draw(plain | gardens | laid_wonders)
    members = [(at, index) for at, p in tile.placements.items() for index in range(len(p.layout.segments))]
    stand = st.builds(lambda at, kind: Stand(at[0], at[1], kind), st.sampled_from(members), st.sampled_from([*PIECES]))
    move = Move(
        draw(st.sampled_from(PLAYERS)),
        tile,
        tuple(draw(st.lists(stand, max_size=2))),
        tuple(draw(st.lists(takings, max_size=2))),
        tuple(draw(st.lists(names, max_size=2))),
        draw(st.none() | plain),
        draw(st.none() | names),
        draw(st.booleans()),
        draw(st.just(USUAL_MARKER) | markers),
    )
    return RecordedMove(move, tuple(draw(st.tuples(*[st.integers(0, 300)] * len(PLAYERS)))))


setups = st.builds(
    Setup,
    st.permutations(PLAYERS).map(tuple),
    st.sampled_from([("base",), ("base", "base", "river1"), ("base", "inns", "river2"), ("base", "traders", "abbot")]),
    st.just(()) | st.permutations(list(WONDERS)).map(tuple),
    st.just(1),
    st.sampled_from([*RULESETS.values()]),
    st.none() | st.builds(Placement, st.just("BA/RCr"), st.integers(0, 3)),
    further=st.lists(names | st.sampled_from(["AM/A", "GQ/RFI"]), max_size=2).map(tuple),
)


@st.composite
def taken_up(draw: st.DrawFn) -> Setup:
    """Return a game already under way when first seen, legal or not."""
    tiles = draw(
        st.dictionaries(squares, st.builds(Placement, names_of_tiles, st.integers(0, 3)), min_size=1, max_size=8)
    )
    places = [(at, index) for at, p in tiles.items() for index in range(len(p.layout.segments))]
    piece = st.builds(
        lambda colour, at, kind: PlacedMeeple(colour, at[0], at[1], kind=kind),
        st.sampled_from(PLAYERS),
        st.sampled_from(places),
        st.sampled_from([*PIECES]),
    )
    board = Board(tiles, tuple(draw(st.lists(piece, max_size=4))))
    points = draw(st.tuples(*[st.integers(0, 300)] * len(PLAYERS)))
    return replace(draw(setups), start=None, start_board=board, points=points)


records = st.builds(
    Record,
    setups | taken_up(),
    st.lists(moves(), max_size=6).map(tuple),
    st.none() | st.tuples(*[st.integers(0, 300)] * len(PLAYERS)),
)


@settings(max_examples=60)
@given(records)
def test_a_record_reads_back(record: Record) -> None:
    text = format_record(record)
    assert parse_record(text) == record
    assert format_record(parse_record(text)) == text


@settings(max_examples=1)
@pytest.mark.parametrize("name", SETUPS)
@given(seed=st.integers(0, 2**32 - 1))
def test_a_played_game_replays_from_its_text_to_the_same_totals(name: str, seed: int) -> None:
    game = random_game(SETUPS[name], seed)
    record = Record.of(game)
    assert parse_record(format_record(record)) == record
    again = parse_record(format_record(record)).replay()
    assert (again.scores, again.totals()) == (game.scores, game.totals())
    assert again.board() == game.board()


HEAD = "players red blue\nboxes base\nwonders -\nrules C3\nstart D1\n"


def test_a_record_is_printed_in_words() -> None:
    record = parse_record(HEAD + "1 red K3@0,1 cW = 4 0\n2 blue V1@1,1 rW = 4 0\n")
    assert record.replay().scores == {"red": 4, "blue": 0}


def test_a_record_of_two_base_games_is_printed_in_words() -> None:
    """There are nine tiles U, of which one game has eight; both bring meeples, and the second start tile is drawn."""
    two = HEAD.replace("boxes base", "boxes base base")
    setup = parse_record(two).setup
    assert (setup.base_games, setup.supply) == (2, {"meeple": 7 + 8})
    assert len(Game(setup).supply.stack) == 143
    assert parse_record(two + "1 red D3@1,0 = 0 0\n").replay().board().tiles.keys() == {(0, 0), (1, 0)}
    nine = two.replace("D1", f"board {'U0' * 9} = 0 0")
    record = parse_record(nine + "1 red U0@0,9 = 0 0\n")
    assert format_record(record).startswith(nine)
    assert len(record.replay().board().tiles) == 10
    with pytest.raises(RecordError, match="not_in_stack") as caught:
        parse_record(nine.replace("base base", "base")).replay()
    assert "base base" in caught.value.text


@pytest.mark.parametrize("boxes", ["base base inns inns", "inns", "base " * 6])
def test_a_record_with_unknown_boxes_is_refused(boxes: str) -> None:
    with pytest.raises(RecordError, match="unknown_box"):
        parse_record(HEAD.replace("boxes base", f"boxes {boxes}".strip()))


def test_a_game_resumed_from_a_board_is_printed_in_words() -> None:
    head = HEAD.replace("D1", "board @-1,0 D1/K3 red^-1,0=cE = 12 7")
    record = parse_record(head + "1 red V1@1,0 rW = 12 7\n")
    assert record.setup.points == (12, 7)
    assert format_record(record).splitlines()[4] == head.splitlines()[4]


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("", "bad_head", 1),
        (HEAD.replace("D1", "board D1"), "bad_scores", 5),
        (HEAD.replace("D1", "board D1 = 3"), "bad_scores", 5),
        (HEAD.replace("D1", "board D9 = 0 0"), "bad_turn", 5),
        (HEAD.replace("D1", "board D1 green^0,0=cE = 0 0"), "bad_start", 5),
        (HEAD.replace("boxes", "box"), "bad_head", 2),
        (HEAD.replace("red blue", "red red"), "bad_players", 1),
        (HEAD.replace("red blue", "red bleu"), "colour_unknown", 1),
        (HEAD.replace("base", "base towers"), "unknown_box", 2),
        (HEAD.replace("wonders -", "wonders 1 babel petra"), "unknown_wonder", 3),
        (HEAD.replace("wonders -", "wonders 1 tikal"), "too_few_wonders", 3),
        (HEAD.replace("wonders -", "wonders all"), "bad_head", 3),
        (HEAD.replace("C3", "C9"), "unknown_rules", 4),
        (HEAD.replace("D1", "D7"), "bad_turn", 5),
        (HEAD + "red K3@0,1 = 0 0\n", "bad_move", 6),
        (HEAD + "2 red K3@0,1 = 0 0\n", "bad_number", 6),
        (HEAD + "1 red K3@0,1 = 0\n", "bad_scores", 6),
        (HEAD + "1 red K3 = 0 0\n", "bad_tile", 6),
        (HEAD + "1 red -E = 0 0\n", "no_tile", 6),
        (HEAD + "1 red Z3@0,1 = 0 0\n", "unknown_letter", 6),
        (HEAD + "1 red K3@0,1 c! = 0 0\n", "bad_meeple", 6),
        (HEAD + "1 red K3@0,1 cE = 0 0\n", "no_such_place", 6),
        (HEAD + "total 1\n", "bad_scores", 6),
    ],
)
def test_an_invalid_record_is_refused_with_a_reason_and_line(text: str, code: str, line: int) -> None:
    with pytest.raises(RecordError) as caught:
        parse_record(text)
    assert (caught.value.code, caught.value.line) == (code, line)


@pytest.mark.parametrize(
    ("lines", "code", "line"),
    [
        ("1 red K3@0,1 cW = 3 0\n", "score_differs", 6),
        ("1 red K3@0,1 cW = 4 0\n2 blue K3@0,1 = 4 0\n", "square_taken", 7),
        ("1 blue K3@0,1 = 0 0\n", "not_your_turn", 6),
        ("1 red K3@0,1 cW = 4 0\ntotal 5 0\n", "total_differs", 7),
    ],
)
def test_an_unplayable_record_is_refused_with_a_reason_and_line(lines: str, code: str, line: int) -> None:
    with pytest.raises(RecordError) as caught:
        parse_record(HEAD + lines).replay()
    assert (caught.value.code, caught.value.line) == (code, line)
