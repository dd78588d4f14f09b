"""Strengths of players on a feature, and the reasons why pieces score nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from scoring.carcassonne.board.board import Board
from scoring.carcassonne.board.features import Feature, FeatureMap
from scoring.carcassonne.final.sheet import ScoreSheet
from scoring.score_entry import Values

Reason = Literal[
    "nowhere",
    "no_follower",
    "outvoted",
    "no_city",
    "farmers_outvoted",
    "counted_before",
    "inn",
    "cathedral",
    "in_play",
    "wonder",
    "disputed",
    "box_rules",
]
"""Possible values of `Shortfall.reason`: why a player's pieces score nothing."""
DURING_THE_GAME = frozenset({"WH/notre-dame", "WH/stonehenge", "WH/abu-simbel", "WH/tikal"})
"""Wonders that score only during the game."""


@dataclass(frozen=True)
class Holding:
    """A player's `pieces` on a feature, counted by kind, and their total strength in the majority."""

    player: str
    pieces: Mapping[str, int]
    strength: int


@dataclass(frozen=True)
class Shortfall:
    """A player whose pieces on a feature (its id; empty if unknown) score nothing, and the reason.

    `values` are the values of the reason: if outvoted, the own strength, the highest strength, and its players.
    """

    player: str
    feature: str
    reason: Reason
    values: Values


def list_holdings(feature: Feature) -> tuple[Holding, ...]:
    """Return each player's holding on a feature, in alphabetical order of colours."""
    pieces = {player: Counter[str]() for player in feature.meeples}
    for piece in (piece for piece in feature.pieces if not piece.is_neutral):
        pieces[piece.colour][piece.kind] += 1
    return tuple(
        Holding(player, dict(sorted(kinds.items())), feature.strengths.get(player, 0))
        for player, kinds in pieces.items()
    )


def find_shortfalls(board: Board, features: FeatureMap, sheet: ScoreSheet) -> tuple[Shortfall, ...]:
    """Return the players whose pieces score nothing, in the order of the features; last those on no feature."""
    paid = {(entry.player, entry.feature) for entry in sheet.entries if entry.points}
    pieces = (piece for piece in board.meeples if not piece.is_neutral and features.under(piece) is None)
    homeless = dict.fromkeys(piece.colour for piece in pieces)
    by_city = {(entry.player, entry.feature) for entry in sheet.entries if entry.rule == "field.city"}
    return (
        *(
            _explain_shortfall(feature, player, by_city)
            for feature in features
            for player in feature.meeples
            if (player, feature.id) not in paid and not _is_paid_by_cities(feature, player, by_city)
        ),
        *(Shortfall(player, "", "nowhere", {}) for player in homeless),
    )


def _is_paid_by_cities(feature: Feature, player: str, by_city: set[tuple[str, str]]) -> bool:
    """Return whether a farmer scores around a city of the field, under rules that score cities instead of farms."""
    has_farmer = player in feature.strengths
    return feature.kind == "field" and has_farmer and any((player, city) in by_city for city in feature.cities)


def _explain_shortfall(feature: Feature, player: str, by_city: set[tuple[str, str]]) -> Shortfall:
    if feature.kind == "wonder":
        wonder = feature.placements[0].tile
        in_effect: Reason = "in_play" if wonder in DURING_THE_GAME else "wonder"
        return Shortfall(player, feature.id, in_effect if feature.owner else "disputed", {"wonder": wonder})
    if feature.kind == "garden" and feature.box_rules.ignores("abbot"):
        return Shortfall(player, feature.id, "box_rules", {"boxes": "abbot"})
    strength = feature.strengths.get(player, 0)
    if not strength:
        kind = next(piece.kind for piece in feature.pieces if piece.colour == player and not piece.is_neutral)
        if kind == "barn":
            return Shortfall(player, feature.id, "no_city", {})
        return Shortfall(player, feature.id, "no_follower", {"piece": kind})
    leaders = feature.leaders
    if player not in leaders:
        most = max(feature.strengths.values())
        return Shortfall(
            player, feature.id, "outvoted", {"mine": strength, "most": most, "leaders": ", ".join(leaders)}
        )
    if feature.kind == "field":
        is_contested = any(city in feature.cities for _, city in by_city)
        paid_elsewhere: Reason = "farmers_outvoted" if is_contested else "counted_before"
        return Shortfall(player, feature.id, paid_elsewhere if feature.cities else "no_city", {})
    return Shortfall(player, feature.id, "inn" if feature.kind == "road" else "cathedral", {})
