"""The record of a whole game: how it was set up, every move, and the scores after it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from scoring.carcassonne.play.game import Game
from scoring.carcassonne.play.moves import Move
from scoring.carcassonne.play.setup import Setup
from scoring.carcassonne.wonders.tiles import WonderLayout
from scoring.errors import PlayError, RecordError
from scoring.record_format import format_numbers


@dataclass(frozen=True)
class RecordedMove:
    """A move and the scores after it, in turn order."""

    move: Move
    scores: tuple[int, ...]


@dataclass(frozen=True)
class Record:
    """A game; `totals` are the points with the final scoring, in turn order, where the game was played to its end."""

    setup: Setup
    moves: tuple[RecordedMove, ...] = ()
    totals: tuple[int, ...] | None = None

    @classmethod
    def of(cls, game: Game) -> Record:
        """The record of a game that was played, with its totals if it is over."""
        moves = tuple(RecordedMove(turn.move, tuple(turn.scores.values())) for turn in game.turns)
        return cls(game.setup, moves, tuple(game.totals().values()) if game.is_over else None)

    @classmethod
    def parse(cls, text: str, wonders: Mapping[str, WonderLayout] | None = None) -> Record:
        """The record that a text holds (see `scoring.carcassonne.record.text`); raises RecordError.

        `wonders` are the wonders' layouts by id where they are not the catalogue's own.
        """
        from scoring.carcassonne.record.text import parse_record

        return parse_record(text, wonders)

    def format(self) -> str:
        """The text of a record; the inverse of `parse`."""
        from scoring.carcassonne.record.text import format_record

        return format_record(self)

    def replay(self) -> Game:
        """Play the game again; raises RecordError.

        Its code is that of the rule which a move breaks, or score_differs or total_differs where the numbers written
        down are not those of the rules. Lines are those of the record's text.
        """
        from scoring.carcassonne.record.text import HEAD_LINES

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
