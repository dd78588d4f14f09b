"""The final scoring: what stands on the board when the game ends, under today's rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from scoring.carcassonne.board import Board
from scoring.carcassonne.features import Feature, FeatureMap, features

POINTS_A_CITY_OF_A_FARM = 3


@dataclass(frozen=True, slots=True)
class ScoreEntry:
    """Points of one player for one feature: the rule as a code, and in words how they come about."""

    player: str
    points: int
    feature: str
    rule: str
    text: str


@dataclass(frozen=True)
class ScoreSheet:
    """All entries, in the order of the features; `totals` holds every colour on the board, in alphabetical order."""

    entries: tuple[ScoreEntry, ...]
    totals: Mapping[str, int]


def final_scoring(board: Board, found: FeatureMap | None = None) -> ScoreSheet:
    """What each player scores for the meeples on a board. `found` are its features where they are known already.

    A complete road or city that still holds meeples (it was never scored) counts as complete.
    """
    entries = tuple(entry for feature in found or features(board) for entry in _entries(feature))
    totals = dict.fromkeys(board.players, 0)
    for entry in entries:
        totals[entry.player] += entry.points
    return ScoreSheet(entries, totals)


def majority(feature: Feature) -> tuple[str, ...]:
    """The players with the most meeples on a feature: each of them scores it in full."""
    most = max(feature.meeples.values(), default=0)
    return tuple(player for player, count in feature.meeples.items() if count == most)


def worth(feature: Feature) -> tuple[int, str, str]:
    """What a feature scores: points, the rule's code, and the sum in words."""
    state = "finished" if feature.complete else "unfinished"
    if feature.kind == "field":
        cities = len(feature.cities)
        text = f"{_count(cities, 'finished city', 'finished cities')} x {POINTS_A_CITY_OF_A_FARM}"
        return POINTS_A_CITY_OF_A_FARM * cities, "field.farm", text
    if feature.kind == "monastery":
        around = _count(feature.size - 1, "tile")
        return feature.size, f"monastery.{state}", f"1 + {around} around"
    each = 2 if feature.kind == "city" and feature.complete else 1
    tiles, shields = _count(feature.size, "tile"), feature.shields
    counted = f"({tiles} + {_count(shields, 'coat of arms', 'coats of arms')})" if shields else tiles
    return each * (feature.size + shields), f"{feature.kind}.{state}", f"{counted} x {each}"


def _entries(feature: Feature) -> Iterator[ScoreEntry]:
    points, rule, text = worth(feature)
    for player in majority(feature):
        yield ScoreEntry(player, points, feature.id, rule, text)


def _count(number: int, one: str, many: str | None = None) -> str:
    return f"{number} {one if number == 1 else many or one + 's'}"
