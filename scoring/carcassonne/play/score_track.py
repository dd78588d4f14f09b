"""The score track: who stands where, and the meeple pairs beside it that bring a wonder."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from scoring.score_entry import ScoreEntry

FIRST_PAIRS_POINTS, PAIRS_STEP_POINTS, LAST_PAIRS_POINTS = 10, 5, 25
SECOND_WONDER_POINTS = 50


@dataclass(frozen=True)
class ScoreTrack:
    """Points and numbers of wonders by player, in the order of play, and the space of the meeple pairs.

    `wonders_each` is how many wonders each player may take.

    "3. Scoring a feature and getting a wonder tile"; "Receive the second wonder tile".
    """

    points: Mapping[str, int]
    wonder_counts: Mapping[str, int]
    wonders_each: int
    pairs_at: int = FIRST_PAIRS_POINTS

    @classmethod
    def at_start(cls, players: tuple[str, ...], wonders_each: int) -> ScoreTrack:
        """Return a track with everyone at 0 and all pairs at 10."""
        return cls(dict.fromkeys(players, 0), dict.fromkeys(players, 0), wonders_each)

    def scored(self, entries: Iterable[ScoreEntry]) -> ScoreTrack:
        """Return the track after some points more."""
        points = dict(self.points)
        for entry in entries:
            points[entry.player] += entry.points
        return replace(self, points=points)

    def claimants(self) -> tuple[str, ...]:
        """Return who has reached a wonder that they have not taken: the pairs' space, or 50 with one wonder taken."""
        return tuple(player for player in self.points if self._may_take(player))

    def took(self, player: str) -> ScoreTrack:
        """Return the track after a player takes a wonder.

        A first one moves the pairs that stay 5 on, never beyond 25.
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
