"""Boards kept from games that were played, with the points at each."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from scoring.carcassonne.board.board import Board
from scoring.carcassonne.play.game import Game, Setup
from scoring.carcassonne.reconstruct.course import Course
from scoring.carcassonne.reconstruct.moves import Points
from tests.scoring.games import random_move


@dataclass(frozen=True)
class Kept:
    """Boards of one game, whose turn it was at each, and the points in alphabetical order of the players."""

    boards: tuple[Board, ...]
    on_turn: tuple[str, ...]
    points: tuple[Points, ...]

    def every(self, step: int, first: int = 0) -> Kept:
        """Every so many-th of them."""
        return Kept(self.boards[first::step], self.on_turn[first::step], self.points[first::step])

    def gains(self, number: int) -> Points:
        """What was scored from one board to the next."""
        before, after = self.points[number], self.points[number + 1]
        return tuple(b - a for a, b in zip(before, after, strict=True))

    def since_first(self, number: int) -> Points:
        """What was scored from the first board to another."""
        return tuple(b - a for a, b in zip(self.points[0], self.points[number], strict=True))


def kept_of(setup: Setup, seed: int, moves: int) -> Kept:
    """The board before and after each of the first moves of a random game."""
    game, rng = Game(setup), Random(seed)
    seen = [(game.board(), game.on_turn, points_of(game))]
    while len(seen) <= moves and (move := random_move(game, rng)) is not None:
        game.play(move)
        seen.append((game.board(), game.on_turn, points_of(game)))
    boards, on_turn, points = zip(*seen, strict=True)
    return Kept(boards, on_turn, points)


def points_of(game: Game) -> Points:
    """In alphabetical order of the players."""
    return tuple(points for _, points in sorted(game.scores.items()))


def wrongly_settled(course: Course, kept: Kept) -> list[int]:
    """The stretches whose true gains are none of those told, or that are said to have no way."""
    wrong = []
    for number, stretch in enumerate(course.stretches):
        excused = [problem.code for problem in stretch.problems] == ["too_much_played"]
        since = course.since[number]
        inside = since is None or all(
            low <= true <= high for true, (low, high) in zip(kept.since_first(number + 1), since.values(), strict=True)
        )
        if not inside or not (excused or kept.gains(number) in stretch.ways):
            wrong.append(number)
    return wrong
