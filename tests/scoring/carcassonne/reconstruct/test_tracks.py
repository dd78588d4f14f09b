"""Points that score tracks in photos show."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from scoring.carcassonne.board.notation import parse_notation
from scoring.carcassonne.play.setup import Setup
from scoring.carcassonne.reconstruct.course import Course, Facts, reconstruct_course
from scoring.carcassonne.reconstruct.ledger import MAX_ENTRIES, Ledger, Onward
from scoring.carcassonne.reconstruct.moves import Way, Ways
from scoring.carcassonne.reconstruct.state import State
from tests.scoring.games import SETUPS
from tests.scoring.history import find_wrongly_settled, record_history

TWO = Setup(("blue", "red"))
START = {0: {"blue": 0, "red": 0}}


def follow(*read: tuple[int, int]) -> Course:
    """Return the course of a game in which blue ends a free road, then red another; blue's piece is on some spaces."""
    boards = [parse_notation(board) for board in ("L0", "L0/X0", "L0/X0/L2", "@0,-1 -L0/-X0/V3L2")]
    shown = {number: {"blue": frozenset({points})} for number, points in read}
    return reconstruct_course(boards, TWO, Facts("blue", START, read=shown))


def test_a_track_settles_what_was_taken() -> None:
    assert follow((2, 0)).points[3] == {"blue": (0, 0), "red": (0, 2)}
    assert follow((2, 2)).points[3] == {"blue": (2, 2), "red": (0, 2)}
    assert follow((2, 0)).likeliest[3]["blue"] == 0


def test_a_piece_may_be_moved_after_the_photo_was_taken() -> None:
    course = follow((1, 0), (2, 2))
    assert course.points[1] == {"blue": (2, 2), "red": (0, 0)}
    assert not course.unheeded
    assert follow((1, 0)).points[1] == {"blue": (0, 2), "red": (0, 0)}


def test_a_track_that_no_way_agrees_with_is_reported_and_ignored() -> None:
    course = follow((2, 7))
    assert course.unheeded == {(2, "blue")}
    assert course.points == follow().points


def test_tracks_in_photos_of_a_whole_game_give_its_points() -> None:
    """Each photo shows the points before its last turn or after it; a lap more is possible."""
    history, setup = record_history(SETUPS["base"], 7, 30), SETUPS["base"]
    players = sorted(setup.players)
    shown = {
        number: {
            player: frozenset({points, points + 50})
            for player, points in zip(players, history.points[number - number % 2], strict=True)
        }
        for number in range(1, 31)
    }
    start = {0: dict(zip(players, history.points[0], strict=True))}
    course = reconstruct_course(history.boards, setup, Facts(history.on_turn[0], start, read=shown))
    assert find_wrongly_settled(course, history) == []
    assert not course.unheeded
    assert tuple(course.likeliest[30].values()) == history.points[30]


def test_points_known_at_the_end_alone_are_found_in_time() -> None:
    """Four players may have taken the points of every second turn, as in half of these they did."""
    players, rng, turns = ("blue", "green", "red", "yellow"), Random(1), 72
    layers: list[Mapping[State, Onward]] = []
    totals = [0] * len(players)
    for turn in range(turns):
        seat, gain = turn % len(players), rng.randint(2, 12)
        none, taken = (tuple(points * (other == seat) for other in range(len(players))) for points in (0, gain))
        scored = {points: Ways(1, [Way()]) for points in (none, taken)[: 1 + rng.randint(0, 1)]}
        totals[seat] += gain * (len(scored) > 1 and rng.randint(0, 1))
        layers.append({("at", turn): {("at", turn + 1): scored}})
    layers.append({("at", turns): {}})
    known = [dict.fromkeys(players, 0), *({} for _ in range(turns - 1)), dict(zip(players, totals, strict=True))]
    ledger = Ledger.fill(players, known, [{} for _ in known], 0, layers)
    assert max(map(len, ledger.pages)) <= MAX_ENTRIES
    assert not ledger.contradicted
    _, line = ledger.choose_line()
    assert [*ledger.add_up(line, {})][-1] == known[-1]
    assert [sum(gains) for gains in zip(*(passage.points for passage in line), strict=True)] == totals
