"""The score track: the players' points, and the meeple pairs beside it that bring a wonder."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from scoring.score_entry import ScoreEntry

FIRST_PAIRS_POINTS, PAIRS_STEP_POINTS, LAST_PAIRS_POINTS = 10, 5, 25
"""By the rules: first space of the meeple pairs, their step, and their last space, in points."""
SECOND_WONDER_POINTS = 50
"""By the rules: points at which a player may take a second wonder."""


@dataclass(frozen=True)
class ScoreTrack:
    """Points and numbers of wonders by player in order of play, and the space of the meeple pairs.

    `wonders_each` is the maximum number of wonders per player.

    See "3. Scoring a feature and getting a wonder tile" and "Receive the second wonder tile".
    """

    points: Mapping[str, int]
    wonder_counts: Mapping[str, int]
    wonders_each: int
    pairs_at: int = FIRST_PAIRS_POINTS

    @classmethod
    def at_start(cls, players: tuple[str, ...], wonders_each: int) -> ScoreTrack:
        """Return a track with all players at 0 and all pairs at 10."""
        return cls(dict.fromkeys(players, 0), dict.fromkeys(players, 0), wonders_each)

    def scored(self, entries: Iterable[ScoreEntry]) -> ScoreTrack:
        """Return the track with the points of the entries added."""
        points = dict(self.points)
        for entry in entries:
            points[entry.player] += entry.points
        return replace(self, points=points)

    def claimants(self) -> tuple[str, ...]:
        """Return the players entitled to a further wonder: at the pairs' space, or at 50 with one wonder taken."""
        return tuple(player for player in self.points if self._may_take(player))

    def took(self, player: str) -> ScoreTrack:
        """Return the track after a player takes a wonder.

        A player's first wonder moves the remaining pairs ahead by 5, never beyond 25.
        """
        wonder_counts = {**self.wonder_counts, player: self.wonder_counts[player] + 1}
        pairs = (
            min(self.pairs_at + PAIRS_STEP_POINTS, LAST_PAIRS_POINTS)
            if not self.wonder_counts[player]
            else self.pairs_at
        )
        return replace(self, wonder_counts=wonder_counts, pairs_at=pairs)

    def _may_take(self, player: str) -> bool:
        if self.wonder_counts[player] >= self.wonders_each:
            return False
        return self.points[player] >= (SECOND_WONDER_POINTS if self.wonder_counts[player] else self.pairs_at)
