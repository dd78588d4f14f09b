"""Standings of an event, computed from the scores of its tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import groupby
from typing import Literal, get_args

TieBreaker = Literal["wins", "points", "share"]
"""Criteria for ranking players: tables won, points, the share of their tables' points.

A shared win counts as a fraction for each winner; a table without its score track has no winner yet.
"""
TIE_BREAKERS: tuple[TieBreaker, ...] = get_args(TieBreaker)
"""Default order of the criteria."""
TIE_BREAKER_WORDS: Mapping[TieBreaker, str] = {
    "wins": "wins",
    "points": "points",
    "share": "share of the tables' points",
}


@dataclass(frozen=True, slots=True)
class TableScore:
    """Result of one table: points by the players' names; `whole` if they include the score track."""

    event: str
    points: Mapping[str, int]
    whole: bool
    doubtful: bool


@dataclass(frozen=True, slots=True)
class Standing:
    """A player's place in an event; players who are equal in every criterion share it.

    `final_only` counts tables without their score track, which therefore have no winner, `doubtful` tables with a
    doubtful reading.
    """

    event: str
    place: int
    player: str
    tables: int
    wins: Fraction
    points: int
    share: Fraction
    final_only: int
    doubtful: int

    def rank_by(self, order: Sequence[TieBreaker]) -> tuple[Fraction, ...]:
        """Return the values of the criteria in a chosen order, higher is better."""
        values = {"wins": self.wins, "points": Fraction(self.points), "share": self.share}
        return tuple(values[name] for name in order)


def compute_standings(tables: Iterable[TableScore], order: Sequence[TieBreaker] = TIE_BREAKERS) -> list[Standing]:
    """Compute every event's standings in an order of criteria, best players first."""
    events: dict[str, list[TableScore]] = {}
    for table in tables:
        events.setdefault(table.event, []).append(table)
    return [standing for event in sorted(events) for standing in _rank_players(event, events[event], order)]


def _rank_players(event: str, tables: Sequence[TableScore], order: Sequence[TieBreaker]) -> list[Standing]:
    players = sorted({player for table in tables for player in table.points})
    summed = [_sum_player(event, player, [table for table in tables if player in table.points]) for player in players]
    summed.sort(key=lambda standing: standing.rank_by(order), reverse=True)
    placed: list[Standing] = []
    for _, level in groupby(summed, key=lambda standing: standing.rank_by(order)):
        place = len(placed) + 1
        placed += [replace(standing, place=place) for standing in level]
    return placed


def _sum_player(event: str, player: str, tables: Sequence[TableScore]) -> Standing:
    points = sum(table.points[player] for table in tables)
    of_all = sum(sum(table.points.values()) for table in tables)
    return Standing(
        event=event,
        place=0,
        player=player,
        tables=len(tables),
        wins=sum((_compute_win_share(table, player) for table in tables), Fraction(0)),
        points=points,
        share=Fraction(points, of_all) if of_all else Fraction(0),
        final_only=sum(not table.whole for table in tables),
        doubtful=sum(table.doubtful for table in tables),
    )


def _compute_win_share(table: TableScore, player: str) -> Fraction:
    if not table.whole:
        return Fraction(0)
    best = max(table.points.values())
    winners = [name for name, points in table.points.items() if points == best]
    return Fraction(player in winners, len(winners))
