"""The record of a whole game: its setup, every move, and the scores after each."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from scoring.carcassonne.play.game import Game
from scoring.carcassonne.play.moves import Move
from scoring.carcassonne.play.setup import Setup
from scoring.errors import PlayError, RecordError

HEAD_KEYS = ("players", "boxes", "wonders", "rules", "start")
"""First words of the lines that precede the first move in a record's text."""
HEAD_LINES = len(HEAD_KEYS)


@dataclass(frozen=True)
class RecordedMove:
    """A move and the scores after it, in turn order; it is `open` if the photos leave points of its time open."""

    move: Move
    scores: tuple[int, ...]
    open: bool = False


@dataclass(frozen=True)
class Record:
    """A game; `totals` are the points including the final scoring, in turn order, if the game was played to its end."""

    setup: Setup
    moves: tuple[RecordedMove, ...] = ()
    totals: tuple[int, ...] | None = None

    @classmethod
    def of(cls, game: Game) -> Record:
        """Return the record of a game, with its totals if it is over."""
        moves = tuple(RecordedMove(turn.move, tuple(turn.scores.values())) for turn in game.turns)
        return cls(game.setup, moves, tuple(game.totals().values()) if game.is_over else None)

    def replay(self) -> Game:
        """Play the game again; raise RecordError if the record breaks the rules.

        Its code is that of the violated rule, or score_differs or total_differs if the recorded numbers differ from
        those of the rules. Lines are those of the record's text.
        """
        try:
            game = Game(self.setup)
        except PlayError as error:
            raise RecordError(error.code, error.text, HEAD_LINES) from error
        for line, recorded in enumerate(self.moves, HEAD_LINES + 1):
            try:
                turn = game.play(recorded.move)
            except PlayError as error:
                raise RecordError(error.code, error.text, line) from error
            if (scores := tuple(turn.scores.values())) != recorded.scores:
                raise RecordError("score_differs", f"the scores after this move are {format_numbers(scores)}", line)
        if self.totals is not None and (totals := tuple(game.totals().values())) != self.totals:
            line = HEAD_LINES + len(self.moves) + 1
            raise RecordError("total_differs", f"the totals are {format_numbers(totals)}", line)
        return game


def format_numbers(numbers: Iterable[int]) -> str:
    """Return the players' numbers as text, such as `12 7`."""
    return " ".join(str(number) for number in numbers)
