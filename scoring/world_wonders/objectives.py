"""Public objectives of Advanced Play: each player's count for a card, and its points.

The rule text leaves 2 cases open. Here, a player with a count of 0 does not fulfil a card and wins no place. Covered
water does not count as adjacent, just like covered natural resources.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from scoring.score_entry import ScoreEntry, Values
from scoring.spots.game import Area
from scoring.world_wonders.areas import Areas
from scoring.world_wonders.board import Piece, Table
from scoring.world_wonders.components import Components, Objectives
from scoring.world_wonders.kinds import BUILDINGS
from scoring.world_wonders.terrain import Square

TIED_SECOND_POINTS = 1
"""By the rules: points of each player tied for second place."""
SECTIONS = {
    "objective.first": "world-objectives",
    "objective.first-shared": "world-objectives-first",
    "objective.second": "world-objectives",
    "objective.second-shared": "world-objectives-second",
    "objective.every-district": "world-objectives-tenth",
}
"""Section of the rule text for each rule of an entry, as named by `explain-section-*` of `api/i18n`."""


@dataclass(frozen=True, slots=True)
class Fulfilled:
    """A player's count for a card (None if unknown), with its squares or other spots."""

    count: int | None
    squares: tuple[Square, ...] = ()
    spots: tuple[str, ...] = ()


def evaluate_objective(card: str, table: Table, areas: Areas) -> Fulfilled:
    """Return a player's result for a card (one of `scoring.world_wonders.places.CARDS`).

    By number in the rules' list: (1) squares of the largest enclosed green area, (2) of the longest road, (3)
    monuments, building tiles (4) by natural resources, (5) by water, (6) of a type, (8) of a type side by side, (9) by
    the edge, (7) space on a track, (10) types of building tiles with a district.
    """
    board = areas.board
    what, _, named = card.partition("-")
    if what == "highest":
        spot = f"resource.{board.player}.{named}"
        return Fulfilled(table.tracks[board.player].get(named), spots=(spot,))
    if card == "green-area":
        return _count_longest(green.squares for green in areas.green if green.enclosed)
    if card == "longest-road":
        return _count_longest(areas.roads)
    if card == "every-district":
        return _count_pieces(areas.districts, len({piece.kind for piece in areas.districts}))
    if what == "group":
        largest = max(areas.groups(named), key=len, default=())
        return _count_pieces(largest)
    if what == "most":
        return _count_pieces(piece for piece in board.buildings if piece.kind == named)
    beside = {"by-natural-resources": areas.by_natural_resources, "by-water": areas.by_water, "by-edge": areas.by_edge}
    return _count_pieces(beside.get(card, board.monuments))


def score_objectives(
    components: Components, table: Table, areas: Mapping[str, Areas]
) -> Iterator[tuple[ScoreEntry | None, Area]]:
    """Yield each player's area and points, if any, for each card on the table.

    A card scores for no player while any player's marker is unknown.
    """
    for number, card in sorted(table.objectives.items()):
        if card is None:
            continue
        results = {player: evaluate_objective(card, table, areas[player]) for player in table.players}
        counts = {player: result.count for player, result in results.items() if result.count is not None}
        entries = _build_entries(components.objectives, number, card, counts) if len(counts) == len(results) else {}
        for player, result in results.items():
            spots = areas[player].board.spots(result.squares) + result.spots
            name, size = _name_feature(player, number), result.count or 0
            yield (
                entries.get(player),
                Area(name, "objective", spots, size, player in entries, {player: size}, result.squares),
            )


def _build_entries(rings: Objectives, number: int, card: str, counts: Mapping[str, int]) -> dict[str, ScoreEntry]:
    if card == "every-district":
        all_of_them = [player for player, count in counts.items() if count == len(BUILDINGS)]
        each = _share_points(rings.shared, len(all_of_them))
        return {player: _build_entry(player, each, number, card, "every-district", counts) for player in all_of_them}
    first = _find_best(counts, ())
    if len(first) > 1:
        each = _share_points(rings.first + rings.second, len(first))
        return {player: _build_entry(player, each, number, card, "first-shared", counts) for player in first}
    second = _find_best(counts, first)
    each, rule = (rings.second, "second") if len(second) == 1 else (TIED_SECOND_POINTS, "second-shared")
    won = {player: _build_entry(player, rings.first, number, card, "first", counts) for player in first}
    return won | {player: _build_entry(player, each, number, card, rule, counts) for player in second}


def _find_best(counts: Mapping[str, int], before: Iterable[str]) -> list[str]:
    """Return the players with the highest positive count who have no better place."""
    left = {player: count for player, count in counts.items() if count > 0 and player not in before}
    return [player for player, count in left.items() if count == max(left.values())]


def _share_points(points: int, players: int) -> int:
    """Return an equal share of points, rounded up; 0 without players."""
    return -(-points // players) if players else 0


def _build_entry(player: str, points: int, number: int, card: str, rule: str, counts: Mapping[str, int]) -> ScoreEntry:
    text = f"{card.replace('-', ' ')}: {counts[player]}"
    values: Values = {"value": card, "count": counts[player]}
    return ScoreEntry(player, points, _name_feature(player, number), f"objective.{rule}", text, values)


def _name_feature(player: str, number: int) -> str:
    return f"{player}.objective-{number}"


def _count_longest(areas: Iterable[tuple[Square, ...]]) -> Fulfilled:
    squares = max(areas, key=len, default=())
    return Fulfilled(len(squares), squares)


def _count_pieces(pieces: Iterable[Piece], count: int | None = None) -> Fulfilled:
    counted_pieces = tuple(pieces)
    squares = tuple(square for piece in counted_pieces for square in piece.squares)
    return Fulfilled(len(counted_pieces) if count is None else count, squares)
