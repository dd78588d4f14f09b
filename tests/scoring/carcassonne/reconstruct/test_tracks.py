"""Points that score tracks in photos show."""

from __future__ import annotations

from scoring.carcassonne.board.notation import parse_notation
from scoring.carcassonne.play.setup import Setup
from scoring.carcassonne.reconstruct.course import Course, Facts, reconstruct_course
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
