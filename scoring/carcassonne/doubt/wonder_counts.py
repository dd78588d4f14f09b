"""Sums over features and pieces that decide what wonders and holdings pay; similar boards differ in few of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import TypeVar

from scoring.carcassonne.board.board import Board
from scoring.carcassonne.board.features import Feature, FeatureMap
from scoring.carcassonne.board.pieces import get_piece_strength
from scoring.carcassonne.final.holdings import count_finished, score_holdings
from scoring.carcassonne.final.rulesets import Ruleset
from scoring.carcassonne.final.table import Table
from scoring.carcassonne.final.wonders import (
    LINE_POINTS,
    ROAD_POINTS,
    find_long_lines,
    get_circus_points,
    get_farmer_points,
    is_long_road,
)

Key = TypeVar("Key")


@dataclass(frozen=True)
class WonderCounts:
    """Number of copies of each wonder that a player holds (`holders`, by wonder id and player), followers of each
    player in unfinished cities, number of long roads, and numbers of finished cities and roads.

    Each is a sum over features, so counts of parts of a board can be added and subtracted.
    """

    holders: Counter[tuple[str, str]] = field(default_factory=Counter)
    in_open_cities: Counter[str] = field(default_factory=Counter)
    long_roads: int = 0
    finished: Counter[str] = field(default_factory=Counter)

    @classmethod
    def of_features(cls, features: Collection[Feature] | FeatureMap) -> WonderCounts:
        """Count over the given features."""
        holders, in_open_cities, long_roads = Counter[tuple[str, str]](), Counter[str](), 0
        for feature in features:
            if feature.kind == "wonder" and feature.owner is not None:
                holders[feature.placements[0].tile, feature.owner] += 1
            elif feature.kind == "city" and not feature.complete:
                in_open_cities.update(p.colour for p in feature.pieces if get_piece_strength(p.kind) > 0)
            elif feature.kind == "road":
                long_roads += is_long_road(feature)
        return cls(holders, in_open_cities, long_roads, count_finished(features))

    def exchange(self, before: WonderCounts, after: WonderCounts) -> WonderCounts:
        """Return these counts with the part of the board `before` replaced by the part `after`."""
        return WonderCounts(
            _exchange_counts(self.holders, before.holders, after.holders),
            _exchange_counts(self.in_open_cities, before.in_open_cities, after.in_open_cities),
            self.long_roads - before.long_roads + after.long_roads,
            _exchange_counts(self.finished, before.finished, after.finished),
        )

    def score(self, board: Board, rules: Ruleset, table: Table) -> Iterator[tuple[str, int]]:
        """Yield a player and points for each counted wonder, 0 if it pays only during play, and for each holding."""
        for (wonder, owner), copies in self.holders.items():
            yield owner, copies * self._price_wonder(wonder, owner, board, rules, table)
        for entry in score_holdings(table, self.finished, board.box_rules):
            yield entry.player, entry.points

    def _price_wonder(self, wonder: str, owner: str, board: Board, rules: Ruleset, table: Table) -> int:
        if wonder == "WH/circus-maximus":
            others = self.in_open_cities.total() - self.in_open_cities[owner]
            return others * get_circus_points(table.count_players(board))
        if wonder == "WH/alhambra":
            return _count_farmers(board, owner) * get_farmer_points(table.count_tiles(board), rules)
        if wonder == "WH/angkor-wat":
            return ROAD_POINTS * self.long_roads
        return LINE_POINTS * len(find_long_lines(board)) if wonder == "WH/terracotta-army" else 0


def _exchange_counts(counts: Counter[Key], before: Counter[Key], after: Counter[Key]) -> Counter[Key]:
    exchanged = counts.copy()
    exchanged.subtract(before)
    exchanged.update(after)
    return +exchanged


def _count_farmers(board: Board, player: str) -> int:
    return sum(
        meeple.colour == player and get_piece_strength(meeple.kind) > 0 and board.find_kind_below(meeple) == "field"
        for meeple in board.meeples
    )
