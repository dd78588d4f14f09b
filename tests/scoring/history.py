"""Boards recorded from played games, with the points at each."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any

from scoring.carcassonne.board.board import Board, Placement
from scoring.carcassonne.board.places import find_segment
from scoring.carcassonne.play.game import Game, Move, PlacedTile, Setup, Stand
from scoring.carcassonne.reconstruct.course import Course
from scoring.carcassonne.reconstruct.moves import Points
from tests.scoring.games import random_move
from tests.scoring.outside import SHARED


@dataclass(frozen=True)
class History:
    """Boards of one game, the player on turn at each, and the points in alphabetical order of the players."""

    boards: tuple[Board, ...]
    on_turn: tuple[str, ...]
    points: tuple[Points, ...]

    def every(self, step: int, first: int = 0) -> History:
        """Return every n-th of them."""
        return History(self.boards[first::step], self.on_turn[first::step], self.points[first::step])

    def gains(self, number: int) -> Points:
        """Return the points scored from one board to the next."""
        before, after = self.points[number], self.points[number + 1]
        return tuple(b - a for a, b in zip(before, after, strict=True))

    def since_first(self, number: int) -> Points:
        """Return the points scored from the first board to another."""
        return tuple(b - a for a, b in zip(self.points[0], self.points[number], strict=True))


def record_history(setup: Setup, seed: int, moves: int) -> History:
    """Record the board before and after each of the first moves of a random game."""
    game, rng = Game(setup), Random(seed)
    records = [(game.board(), game.on_turn, points_of(game))]
    while len(records) <= moves and (move := random_move(game, rng)) is not None:
        game.play(move)
        records.append((game.board(), game.on_turn, points_of(game)))
    boards, on_turn, points = zip(*records, strict=True)
    return History(boards, on_turn, points)


def points_of(game: Game) -> Points:
    """Return the points in alphabetical order of the players."""
    return tuple(points for _, points in sorted(game.scores.items()))


def find_wrongly_settled(course: Course, history: History) -> list[int]:
    """Return the stretches whose true gains are not among those reported, or that are reported as impossible."""
    wrong = []
    for number, stretch in enumerate(course.stretches):
        excused = [problem.code for problem in stretch.problems] == ["too_much_played"]
        since = course.points[number + 1]
        inside = since is None or all(
            low <= true <= high
            for true, (low, high) in zip(history.since_first(number + 1), since.values(), strict=True)
        )
        if not inside or not (excused or history.gains(number) in stretch.ways):
            wrong.append(number)
    return wrong


@cache
def log() -> dict[str, Any]:
    """Return the players' record."""
    content: dict[str, Any] = json.loads((SHARED / "games" / "t3k14.json").read_text(encoding="utf-8"))
    return content


def move_of(entry: dict[str, Any]) -> Move:
    placement, square = Placement(entry["tile"], entry["turns"]), (-entry["y"], entry["x"])
    stands: tuple[Stand, ...] = ()
    if entry["meeple"]:
        segment = find_segment(placement.layout, placement.turns, entry["meeple"])
        assert segment is not None
        stands = (Stand(square, segment),)
    return Move(entry["player"], PlacedTile(placement, square), stands)
