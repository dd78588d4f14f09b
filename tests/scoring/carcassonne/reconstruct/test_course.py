"""Moves between boards: those of a real game, of random games, and ambiguous ones."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.carcassonne.board.board import Board, Placement
from scoring.carcassonne.board.notation import parse_notation
from scoring.carcassonne.play.game import Game, Setup, Stand
from scoring.carcassonne.reconstruct import moves as between
from scoring.carcassonne.reconstruct.course import Course, Facts, reconstruct_course
from scoring.carcassonne.reconstruct.ledger import Conflict, Ledger, Onward
from scoring.carcassonne.reconstruct.moves import Takings, Way, Ways
from scoring.carcassonne.reconstruct.state import State
from scoring.carcassonne.reconstruct.text import build_record, find_open_questions
from scoring.carcassonne.record.text import format_record, parse_record
from scoring.carcassonne.tiles.geometry import Square
from scoring.carcassonne.wonders.tiles import WONDERS
from scoring.errors import PlayError
from tests.scoring.games import SETUPS
from tests.scoring.history import find_wrongly_settled, log, move_of, record_history
from tests.scoring.outside import needs_shared

TWO = Setup(("blue", "red"))


def course(*boards: str, setup: Setup = TWO, on_turn: str | None = "blue", ordered: bool = True) -> Course:
    return reconstruct_course([parse_notation(board) for board in boards], setup, Facts(on_turn), ordered)


def find_line(stretches: Course) -> list[Way]:
    """Return the likeliest ways, all of which are known."""
    line = [way for way in stretches.line if way is not None]
    assert len(line) == len(stretches.stretches)
    return line


def codes(stretches: Course, number: int = 0) -> list[str]:
    return [problem.code for problem in find_open_questions(stretches.stretches[number], (0, 0))]


@needs_shared
@pytest.mark.parametrize("step", [1, 2])
def test_the_real_game_is_reconstructed_from_its_boards(step: int) -> None:
    game = Game(Setup(tuple(log()["players"]), start=Placement(log()["start"]["tile"], log()["start"]["turns"])))
    moves, boards, points = [move_of(entry) for entry in log()["moves"]], [game.board()], [game.scores]
    for move in moves:
        game.play(move)
        boards.append(game.board())
        points.append(game.scores)
    reconstruction = reconstruct_course(boards[::step], Setup(("blue", "yellow")), Facts("blue"))
    for number, (stretch, since) in enumerate(zip(reconstruction.stretches, reconstruction.points[1:], strict=True), 1):
        before, after = points[(number - 1) * step], points[number * step]
        assert tuple(after[player] - before[player] for player in reconstruction.players) in stretch.ways
        assert since is not None
        assert all(low <= after[player] <= high for player, (low, high) in since.items())
    assert reconstruction.likeliest[-1] == points[-1 - len(moves) % step]
    settled = [number for number, stretch in enumerate(reconstruction.stretches) if stretch.is_settled]
    assert len(settled) >= 0.7 * len(
        reconstruction.stretches
    )  # players often complete their own in the turn they stand there
    if step == 1:
        assert all(find_line(reconstruction)[number].turns[0].move == moves[number] for number in settled)
        record, end = build_record(reconstruction, boards[0], Setup(("blue", "yellow")))
        assert end == ()
        assert record.replay().board() == boards[-1]


@settings(max_examples=1)
@pytest.mark.parametrize("name", SETUPS)
@given(seed=st.integers(0, 2**32 - 1), step=st.integers(1, 3), is_turn_known=st.booleans())
def test_true_gains_are_always_among_the_reconstructed_ones(
    name: str, seed: int, step: int, is_turn_known: bool
) -> None:
    """From the start of a game, or from the middle, with an unknown player on turn."""
    history = record_history(SETUPS[name], seed, 24).every(step, first=0 if is_turn_known else 12)
    facts = Facts(history.on_turn[0] if is_turn_known else None)
    reconstruction = reconstruct_course(history.boards, SETUPS[name], facts)
    assert find_wrongly_settled(reconstruction, history) == []


@settings(max_examples=1)
@given(seed=st.integers(0, 2**32 - 1))
def test_players_of_unknown_order_are_reconstructed(seed: int) -> None:
    history = record_history(SETUPS["base"], seed, 20).every(1, first=12)
    reconstruction = reconstruct_course(history.boards, Setup(("blue", "green", "red")), ordered=False)
    assert find_wrongly_settled(reconstruction, history) == []
    assert any(order[0] == history.on_turn[0] for order in reconstruction.orders)


@settings(max_examples=1)
@pytest.mark.parametrize("name", ["base", "inns", "traders", "wonders"])
@given(seed=st.integers(0, 2**32 - 1))
def test_the_record_replays_as_far_as_it_is_known(name: str, seed: int) -> None:
    history = record_history(SETUPS[name], seed, 20)
    reconstruction = reconstruct_course(history.boards, SETUPS[name], Facts(history.on_turn[0]))
    record, _ = build_record(reconstruction, history.boards[0], SETUPS[name])
    assert parse_record(format_record(record)) == record
    game = record.replay()
    assert game.board() == history.boards[len(record.moves)]
    assert tuple(points for _, points in sorted(game.scores.items())) == history.points[len(record.moves)]


@pytest.mark.parametrize("seed", [2, 9, 10])
def test_points_at_the_first_board_show_who_may_have_laid_a_wonder(seed: int) -> None:
    setup, step, fewer = SETUPS["wonders"], 3, 0
    history = record_history(setup, seed, 42)
    players = sorted(setup.players)
    for first in range(len(history.boards) - step):
        before, after = history.boards[first], history.boards[first + step]
        if len(after.wonders) == len(before.wonders):
            continue
        points = dict(zip(players, history.points[first], strict=True))
        whatever = reconstruct_course([before, after], setup)
        by_points = reconstruct_course([before, after], setup, Facts(points={0: points}))
        ways = [{gains: w.number for gains, w in one.stretches[0].ways.items()} for one in (whatever, by_points)]
        assert history.every(step, first).gains(0) in ways[1]
        assert ways[1].keys() <= ways[0].keys()
        assert set(by_points.orders) <= set(whatever.orders)
        fewer += sum(ways[1].values()) < sum(ways[0].values())
    assert fewer > 0


def test_points_that_led_to_no_wonder_are_reported() -> None:
    setup, history = SETUPS["wonders"], record_history(SETUPS["wonders"], 2, 42)
    first = next(n for n, (a, b) in enumerate(pairwise(history.boards)) if len(b.wonders) > len(a.wonders))
    boards = history.boards[first : first + 2]
    course_by_points = reconstruct_course(boards, setup, Facts(points={0: dict.fromkeys(setup.players, 0)}))
    assert [problem.code for problem in course_by_points.stretches[0].problems] == ["points_too_few"]
    assert reconstruct_course(boards, setup).stretches[0].is_told


@settings(max_examples=2)
@given(seed=st.integers(0, 2**32 - 1), at=st.integers(2, 20))
def test_a_game_resumed_from_its_board_continues_as_played(seed: int, at: int) -> None:
    """From any board of a base game on, the reported moves are moves of the game continued from there."""
    history = record_history(SETUPS["base"], seed, 26)
    players = SETUPS["base"].players
    first = players.index(history.on_turn[at])
    setup = Setup(players[first:] + players[:first], start_board=history.boards[at])
    game = Game(setup)
    assert game.board() == history.boards[at]
    reconstruction = reconstruct_course(history.boards[at : at + 6], SETUPS["base"], Facts(history.on_turn[at]))
    for number, way in enumerate(find_line(reconstruction)):
        for turn in way.turns:
            game.play(turn.move)
        assert game.board() == history.boards[at + number + 1]


def test_a_finished_occupied_road_scores_for_its_owner() -> None:
    reconstruction = course("L0 blue^0,0=rS", "L0/X0", on_turn="red")
    (stretch,) = reconstruction.stretches
    assert stretch.gains == {"blue": (2, 2), "red": (0, 0)}
    (way,) = find_line(reconstruction)
    assert [turn.move.player for turn in way.turns] == ["red"]
    assert [entry.text for entry in way.turns[0].entries] == ["2 tiles x 1"]


def test_a_completed_road_without_a_known_owner_is_open() -> None:
    reconstruction = course("L0", "L0/X0")
    (stretch,) = reconstruction.stretches
    assert stretch.gains == {"blue": (0, 2), "red": (0, 0)}
    assert not stretch.is_settled
    assert codes(reconstruction) == ["unseen_piece"]
    assert "blue may have set a meeple on the road:N of row 2, column 1" in find_open_questions(stretch, (0, 0))[0].text


def test_a_player_takes_the_points_of_a_free_feature_unless_denied() -> None:
    reconstruction = course("L0", "L0/X0")
    assert reconstruction.likeliest[1:] == ({"blue": 2, "red": 0},)
    (way,) = find_line(reconstruction)
    (problem,) = find_open_questions(reconstruction.stretches[0], (0, 0), way)
    assert problem.code == "assumed_piece"
    assert "assumed: blue set a meeple on the road:N of row 2, column 1 and took it back for 2 points (" in problem.text
    record, end = build_record(reconstruction, parse_notation("L0"), TWO)
    assert end == ()
    assert format_record(record).endswith("\n1 blue X0@1,0 rN open = 2 0\n")
    assert parse_record(format_record(record)) == record
    boards = [parse_notation("L0"), parse_notation("L0/X0")]
    denied = reconstruct_course(boards, TWO, Facts("blue", takings=Takings(frozenset({(1, 0)}))))
    assert denied.is_settled
    assert denied.likeliest[1:] == ({"blue": 0, "red": 0},)
    photographed = reconstruct_course(boards, TWO, Facts("blue", takings=Takings(photographed=0.8)))
    assert photographed.points[1] == {"blue": (0, 2), "red": (0, 0)}
    assert photographed.likeliest[1:] == ({"blue": 0, "red": 0},)


def test_a_later_meeple_shows_whose_turn_it_was() -> None:
    reconstruction = course("L0", "L0/X0", "L0/X0/L2 blue^2,0=rE", on_turn=None)
    assert reconstruction.orders == (("red", "blue"),)
    assert reconstruction.stretches[0].gains == {"blue": (0, 0), "red": (0, 2)}


@pytest.mark.parametrize("marker", ["~", "^", ".big~", ".big^", ".pig^", ".abbot*"])
@pytest.mark.parametrize("square", ["3,1", "3,0"], ids=["in the middle", "elsewhere on it"])
def test_a_wonder_is_laid_with_its_later_marker(marker: str, square: str) -> None:
    before = "@0,0 E2"
    wonder = "(WH/alhambra#0)0/(WH/alhambra#1)0/(WH/alhambra#2)0(WH/alhambra#3)0(WH/alhambra#4)0"
    after = f"{before}/{wonder} blue{marker}{square}=W"
    later = f"@-1,0 E0/E2/{wonder} blue{marker}{square}=W"
    setup = Setup(("blue", "red"), ("base", "inns", "traders", "abbot"), tuple(WONDERS))
    reconstruction = course(before, after, later, on_turn="blue", setup=setup)
    assert reconstruction.is_settled
    assert codes(reconstruction) == []
    first, last = (turn for way in find_line(reconstruction) for turn in way.turns)
    assert first.move.player == "blue"
    assert (last.move.player, last.scores) == ("red", {"blue": 0, "red": 0})
    gone = course(after, f"{before}/{wonder}", setup=setup)
    assert codes(gone) == ["piece_gone_early"]


def test_two_tiles_in_either_order_are_settled() -> None:
    reconstruction = course("-X0", "V3X0V1")
    assert reconstruction.is_settled
    assert codes(reconstruction) == ["order"]


def test_a_builder_permits_two_moves() -> None:
    """Two tiles with blue's meeples are one double turn if the builder's road is extended first, and none otherwise."""
    setup = Setup(("blue", "red"), ("base", "traders"))
    pieces = "blue^0,1=rE blue.builder^0,1=rE"
    before, after = f"-X0 {pieces}", f"V3X0V1 {pieces} blue_0,0=fNL blue_0,2=fSL"
    assert course(before, after, setup=setup).is_settled
    assert [turn.again for turn in find_line(course(before, after, setup=setup))[0].turns] == [True, False]
    assert codes(course("-X0 blue^0,1=rE", after.replace("blue.builder^0,1=rE ", ""), setup=setup)) == ["no_way"]


@pytest.mark.parametrize(
    ("before", "after", "code", "squares"),
    [
        ("D0V0", "D0", "tiles_vanish", ((0, 1),)),
        ("D0V0", "D0V3", "tile_changed", ((0, 1),)),
        ("L0", "L0 blue^0,0=rS", "piece_on_old_tile", ((0, 0),)),
        ("L0 blue^0,0=rS", "L0", "piece_gone_early", ((0, 0),)),
        ("L0 blue^0,0=rS", "L0/X0 blue^0,0=rS", "piece_stays", ((0, 0),)),
        ("L0", "L0/X0 red_1,0=fNL", "no_way", ((1, 0),)),
    ],
)
def test_boards_without_a_possible_play_are_reported(
    before: str, after: str, code: str, squares: tuple[Square, ...]
) -> None:
    reconstruction = course(before, after)
    assert [(p.code, p.squares) for p in reconstruction.stretches[0].problems] == [(code, squares)]
    assert reconstruction.stretches[0].gains is None
    assert reconstruction.line == (None,)


def test_an_unknown_tile_is_reported() -> None:
    board = parse_notation("L0")
    reconstruction = reconstruct_course([board, Board({**board.tiles, (1, 0): None})], TWO)
    assert codes(reconstruction) == ["unknown_tile"]


def test_turns_go_on_in_order_after_moves_that_no_way_explains() -> None:
    """Blue was on turn, and a red piece stands on the tile that was laid; who is on turn then stays open."""
    boards = ["L0", "L0/X0 red_1,0=fNL", "L0/X0/X0 red_1,0=fNL", "L0/X0/X0/X0 red_1,0=fNL"]
    reconstruction = course(*boards, setup=Setup(("blue", "green", "red")))
    first, *others = reconstruction.line
    assert first is None
    assert [turn.move.player for way in others if way is not None for turn in way.turns] == ["green", "red"]
    assert codes(reconstruction, 1)[-1] == "order"


def test_the_course_continues_after_a_gap() -> None:
    reconstruction = course("L0 blue^0,0=rS", "L0", "L0/X0")
    assert [stretch.is_told for stretch in reconstruction.stretches] == [False, True]
    assert reconstruction.points[1:] == (None, None)
    assert reconstruction.stretches[1].gains == {"blue": (0, 2), "red": (0, 2)}


def test_a_search_that_exceeds_its_budget_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    history = record_history(SETUPS["base"], 1, 20)
    monkeypatch.setattr(between.Budget, "__init__", lambda self: setattr(self, "left", 50))
    reconstruction = reconstruct_course([history.boards[0], history.boards[20]], SETUPS["base"])
    assert codes(reconstruction) == ["too_much_played"]
    assert reconstruction.stretches[0].gains is None


@pytest.mark.parametrize("board", ["D0 green^0,0=cN", "D0 blue^0,0=?"])
def test_boards_that_cannot_start_a_game_are_refused(board: str) -> None:
    with pytest.raises(PlayError) as caught:
        course(board, board)
    assert caught.value.code == "bad_start"


def test_known_points_settle_the_ways_before_them() -> None:
    """Each player may have taken a road of two tiles; then blue is known to have 2 points, and red none."""
    boards = [parse_notation(board) for board in ("L0", "L0/X0", "L0/X0/L2")]
    free = reconstruct_course(boards, TWO, Facts("blue"))
    assert free.points[2] == {"blue": (0, 2), "red": (0, 2)}
    known = reconstruct_course(boards, TWO, Facts("blue", {0: {"blue": 0, "red": 0}, 2: {"blue": 2, "red": 0}}))
    assert known.points[1] == {"blue": (2, 2), "red": (0, 0)}
    assert known.points[2] == {"blue": (2, 2), "red": (0, 0)}
    assert known.likeliest[2] == {"blue": 2, "red": 0}
    assert [len(stretch.ways) for stretch in free.stretches] == [2, 2]
    assert known.is_settled
    assert not known.contradicted


@settings(max_examples=3)
@pytest.mark.parametrize("name", ["base", "wonders"])
@given(seed=st.integers(0, 2**32 - 1))
def test_known_points_agree_with_a_game(name: str, seed: int) -> None:
    """Points typed at the end, and those of one player in the middle, hold; the true points stay within the ranges."""
    history, setup = record_history(SETUPS[name], seed, 24), SETUPS[name]
    players = sorted(setup.players)
    true = [dict(zip(players, points, strict=True)) for points in history.points]
    points = {0: true[0], 12: {players[0]: true[12][players[0]]}, 24: true[24]}
    course = reconstruct_course(history.boards, setup, Facts(history.on_turn[0], points))
    assert find_wrongly_settled(course, history) == []
    assert not course.contradicted
    assert course.likeliest[24] == true[24]
    assert course.points[24] == {player: (number, number) for player, number in true[24].items()}
    assert course.likeliest[12][players[0]] == true[12][players[0]]


def test_points_that_no_way_gives_are_counted_on_from() -> None:
    boards = [parse_notation(board) for board in ("L0", "L0/X0", "@0,-1 -L0/V3X0")]
    course = reconstruct_course(boards, TWO, Facts("blue", {0: {"blue": 0, "red": 0}, 1: {"blue": 7, "red": 0}}))
    assert course.contradicted == {(1, "blue"): Conflict(0, 0, (0, 2))}
    assert course.points[1] == {"blue": (7, 7), "red": (0, 0)}
    assert course.likeliest[2]["blue"] == 7


def test_points_stated_after_a_gap_are_no_fewer_than_before() -> None:
    """A piece went home early, so no way is known between the second and the third board."""
    boards = [parse_notation(board) for board in ("L0", "L0/X0 red^0,0=rE", "L0/X0", "L0V1/X0")]
    stated = {0: {"blue": 5, "red": 9}, 3: {"blue": 4, "red": 9}}
    course = reconstruct_course(boards, TWO, Facts("blue", stated))
    assert [stretch.is_told for stretch in course.stretches].count(False) > 0
    assert course.contradicted.keys() == {(3, "blue")}
    assert course.contradicted[3, "blue"].or_more


def test_points_are_known_again_after_moves_without_an_explanation() -> None:
    boards = [parse_notation(board) for board in ("L0 blue^0,0=rS", "L0", "L0/X0", "@0,-1 -L0/V3X0")]
    course = reconstruct_course(boards, TWO, Facts("blue", {2: {"blue": 3, "red": 1}}))
    assert [points is None for points in course.points] == [False, True, False, False]
    assert course.likeliest[2] == {"blue": 3, "red": 1}
    assert course.line[0] is None
    assert course.line[1] is not None


def test_a_player_is_said_to_have_taken_points() -> None:
    boards = [parse_notation(board) for board in ("L0", "L0/X0")]
    for player, idle in (("blue", frozenset()), ("red", frozenset({(1, 0)}))):
        course = reconstruct_course(boards, TWO, Facts("blue", takings=Takings(made={(1, 0): player})))
        assert course.is_settled == (not idle)
        assert course.idle == idle
    denied = reconstruct_course(boards, TWO, Facts("blue", takings=Takings(frozenset({(0, 0)}))))
    assert denied.idle == {(0, 0)}


def test_points_go_on_by_what_was_finished_where_moves_have_no_explanation() -> None:
    """Red's meeple turns up on an old tile while blue's road is finished."""
    boards = [parse_notation(board) for board in ("L0 blue^0,0=rS", "L0/X0 red^0,0=rE", "@0,-1 -L0/V3X0 red^0,0=rE")]
    course = reconstruct_course(boards, TWO, Facts("red"))
    assert [problem.code for problem in course.stretches[0].problems] == ["piece_on_old_tile"]
    assert course.likeliest == ({"blue": 0, "red": 0}, {"blue": 2, "red": 0}, {"blue": 2, "red": 0})
    assert course.points[1:] == (None, None)


def test_points_of_a_strangers_piece_are_nobodys_where_moves_have_no_explanation() -> None:
    assert course("L0", "L0 green^0,0=rS", "L0/X0").likeliest[-1] == {"blue": 0, "red": 0}


def test_known_points_lead_to_no_state_from_which_the_boards_do_not_go_on() -> None:
    """Only the state with 4 points is a dead end, so the points are contradicted."""
    ways = Ways()
    ways.add([Way()], 1)
    start, lost, on, end = ("start",), ("lost",), ("on",), ("end",)
    layers: list[dict[State, Onward]] = [
        {start: {lost: {(4,): ways}, on: {(0,): ways}}},
        {lost: {}, on: {end: {(0,): ways}}},
        {end: {}},
    ]
    known = [{"blue": 0}, {"blue": 4}, {}]
    ledger = Ledger.fill(("blue",), known, [{}, {}, {}], 0, layers)
    assert ledger.contradicted.keys() == {(1, "blue")}
    first, passages = ledger.choose_line()
    assert (first, len(passages)) == (start, 2)


def test_each_of_two_assumed_pieces_has_its_own_points() -> None:
    """Both are set on the wonder that finishes two roads; together they bring 7 points, one of them 3."""
    one, other = Stand((0, 0), 1), Stand((1, 0), 2)
    single: dict[Stand, int] = {}
    assert between.share_gain(3, [one], single) == {one: 3}
    assert between.share_gain(7, [one, other], single) == {one: 3, other: 4}
    assert between.share_gain(0, [], single) == {}
