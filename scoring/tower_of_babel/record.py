"""The record of a whole game of Tower of Babel: its setup, every move, and the points after each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from scoring.errors import PlayError, RecordError
from scoring.record_format import format_numbers
from scoring.tower_of_babel.board import WONDERS
from scoring.tower_of_babel.components import Components
from scoring.tower_of_babel.play import Disc, Move, Play

HEAD_LINES = 1 + len(WONDERS)
"""Number of lines in a record's text before the first move: the players, and the discs of each wonder."""


@dataclass(frozen=True)
class RecordedMove:
    """A move and the points on the track after it, in turn order."""

    move: Move
    points: tuple[int, ...]


@dataclass(frozen=True)
class Record:
    """A game; `discs` are those on each wonder at the start, by its name.

    `totals` are the points including the final scoring, in turn order, if the game was played to its end.
    """

    players: tuple[str, ...]
    discs: Mapping[str, tuple[Disc, ...]]
    moves: tuple[RecordedMove, ...] = ()
    totals: tuple[int, ...] | None = None

    @classmethod
    def of(cls, play: Play) -> Record:
        """Return the record of a game, with its totals if it is over.

        Raises ComponentsError for these.
        """
        points = dict.fromkeys(play.players, 0)
        moves = []
        for turn in play.turns:
            for entry in turn.entries:
                points[entry.player] += entry.points
            moves.append(RecordedMove(turn.move, tuple(points.values())))
        return cls(play.players, play.start, tuple(moves), compute_totals(play) if play.used_up else None)

    def replay(self, components: Components) -> Play:
        """Play the game again with a copy's components; raise RecordError or ComponentsError `component_missing`.

        The code of a RecordError is that of the violated rule, or score_differs or total_differs if the recorded
        numbers differ from those of the rules. Lines are those of the record's text.
        """
        try:
            play = Play(components, self.players, self.discs)
        except PlayError as error:
            raise RecordError(error.code, error.text, HEAD_LINES) from error
        for line, recorded in enumerate(self.moves, HEAD_LINES + 1):
            try:
                play.play(recorded.move)
            except PlayError as error:
                raise RecordError(error.code, error.text, line) from error
            if (points := tuple(play.points[player] for player in play.players)) != recorded.points:
                raise RecordError("score_differs", f"the points after this move are {format_numbers(points)}", line)
        if self.totals is not None and (totals := compute_totals(play)) != self.totals:
            line = HEAD_LINES + len(self.moves) + 1
            raise RecordError("total_differs", f"the totals are {format_numbers(totals)}", line)
        return play


def compute_totals(play: Play) -> tuple[int, ...]:
    """Return the points including the final scoring, in turn order; raise ComponentsError `component_missing`."""
    totals = {player: play.points[player] for player in play.players}
    for entry in play.final():
        totals[entry.player] += entry.points
    return tuple(totals.values())
