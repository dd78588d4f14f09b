"""The totals of a game in photos: its likeliest points with the final scoring of the last board."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import reduce

from api.carcassonne.report.moves_schema import Range, Totals
from api.documents.report import Entry
from scoring.carcassonne.board.board import Board
from scoring.carcassonne.final.rulesets import Ruleset
from scoring.carcassonne.final.scoring import compute_final_scoring
from scoring.carcassonne.final.table import Table
from scoring.carcassonne.reconstruct.course import Course
from scoring.carcassonne.reconstruct.ledger import Ranges


def build_totals(course: Course, board: Board, rules: Ruleset) -> Totals:
    """Build the totals of a game that ends with a board."""
    table = Table(course.players, len(board.tiles), course.count_goods(), len(course.players))
    sheet = compute_final_scoring(board, rules=rules, table=table)
    final = {player: sheet.totals.get(player, 0) for player in course.players}
    total = {player: points + final[player] for player, points in course.likeliest[-1].items()}
    ranges = None
    if (last := course.points[-1]) is not None:
        ranges = {player: (low + final[player], high + final[player]) for player, (low, high) in last.items()}
    winners = [player for player in course.players if total[player] == max(total.values())]
    return Totals(
        final_scoring=final,
        entries=[Entry.copy_of(entry) for entry in sheet.entries if entry.player in final],
        total=total,
        ranges=ranges,
        winners=winners,
        settled=ranges is not None and _are_settled(winners, ranges),
    )


def widen_totals(totals: Totals, others: Iterable[Totals]) -> Totals:
    """Return the totals with the ranges that others allow as well."""
    if totals.ranges is None:
        return totals
    known: list[Ranges] = [one.ranges for one in (totals, *others) if one.ranges is not None]
    ranges = reduce(join_ranges, known)
    return totals.model_copy(update={"ranges": dict(ranges), "settled": _are_settled(totals.winners, ranges)})


def join_ranges(first: Ranges, second: Ranges) -> Ranges:
    """Return the range of each player's points that spans both."""
    return {
        player: (min(low, second[player][0]), max(high, second[player][1])) for player, (low, high) in first.items()
    }


def _are_settled(winners: Collection[str], ranges: Mapping[str, Range]) -> bool:
    """Return whether no points within the ranges change who wins."""
    least = min(ranges[player][0] for player in winners)
    others = [high for player, (_, high) in ranges.items() if player not in winners]
    is_exact = all(low == high for low, high in (ranges[player] for player in winners))
    return all(high < least for high in others) and (is_exact or len(winners) == 1)
