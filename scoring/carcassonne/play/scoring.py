"""Points of a turn: the wonders that score during the game, and the completed features."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping

from scoring.carcassonne.board.board import PlacedMeeple
from scoring.carcassonne.board.features import Feature
from scoring.carcassonne.board.pieces import get_piece_strength
from scoring.carcassonne.final.rulesets import Ruleset
from scoring.carcassonne.final.scoring import compute_feature_worth
from scoring.carcassonne.play.running_features import Laying
from scoring.counts import format_count
from scoring.score_entry import ScoreEntry

NOTRE_DAME, STONEHENGE, TIKAL = "WH/notre-dame", "WH/stonehenge", "WH/tikal"
BONUS_POINTS = 3
"""By the rules: points of Notre-Dame and Stonehenge."""
KNIGHT_POINTS, MIN_CITY_SQUARES = 2, 3
"""By the rules: Tikal's points for each meeple, and the minimum size of a city that triggers them."""

Owner = Callable[[str], str | None]
"""Owner of a wonder that is in effect, by its id."""


def score_notre_dame(laying: Laying, stood: Iterable[PlacedMeeple], owner: Owner) -> Iterator[ScoreEntry]:
    """Yield the points of Notre-Dame in a turn ("Scoring during the game: Notre-Dame").

    Its owner sets a meeple beside a monastery (on one of the 8 squares around, with a monk or without): 3 points,
    however many monasteries there are. Each meeple set counts separately, on its own square.
    """
    for meeple in stood:
        if (
            meeple.colour == owner(NOTRE_DAME)
            and get_piece_strength(meeple.kind)
            and laying.beside_monastery(meeple.square)
        ):
            row, col = meeple.square
            yield ScoreEntry(
                meeple.colour, BONUS_POINTS, f"tile@{row},{col}", "wonder.notre-dame", "beside a monastery"
            )


def score_stonehenge(completed: Iterable[Feature], player: str, owner: Owner) -> Iterator[ScoreEntry]:
    """Yield the points of Stonehenge in a turn.

    "Scoring during the game: Stonehenge" and the publisher's answer of 3/2024. Its owner completes roads occupied by
    any player, even in this very turn: 3 points for each, before it is scored.
    """
    if owner(STONEHENGE) == player:
        for feature in completed:
            if feature.kind == "road" and feature.strengths:
                yield ScoreEntry(player, BONUS_POINTS, feature.id, "wonder.stonehenge", "an occupied road completed")


def score_tikal(completed: Iterable[Feature], knights: Iterable[PlacedMeeple], owner: Owner) -> Iterator[ScoreEntry]:
    """Yield the points of Tikal in a turn ("Scoring during the game: Tikal").

    When a city of at least 3 squares is scored in which its owner has a meeple, with or without the majority, the owner
    gets 2 points for each own meeple in any city, including the scored one. `knights` are all pieces in cities; cities
    completed in one turn are scored before any knight goes home.
    """
    player = owner(TIKAL)
    if player is None:
        return
    knight_count = sum(knight.colour == player and get_piece_strength(knight.kind) > 0 for knight in knights)
    for feature in completed:
        if feature.kind == "city" and feature.size >= MIN_CITY_SQUARES and player in feature.strengths:
            text = f"{format_count(knight_count, 'meeple')} in cities x {KNIGHT_POINTS}"
            values = {"meeples": knight_count, "each": KNIGHT_POINTS}
            yield ScoreEntry(player, knight_count * KNIGHT_POINTS, feature.id, "wonder.tikal", text, values)


def score_recalled_abbot(feature: Feature, player: str, rules: Ruleset) -> ScoreEntry:
    """Return the worth of the abbot's monastery or garden if the game ended now.

    The Abbot, "Taking the abbot back". The wonders' rules assume this.
    """
    points, _, text, values = compute_feature_worth(feature, rules)
    return ScoreEntry(player, points, feature.id, "abbot.recalled", text, values)


def count_goods(completed: Iterable[Feature]) -> Mapping[str, int]:
    """Return the number of tokens from completed cities: one for each symbol in them, occupied or not.

    Traders & Builders, "Goods". The wonders' rules assume this.
    """
    goods = (segment.goods for feature in completed for segment in feature.ruled_segments)
    return Counter(kind for kind in goods if kind)


def score_completed_features(completed: Iterable[Feature], rules: Ruleset) -> Iterator[ScoreEntry]:
    """Yield the points of completed features, in full for each player with the majority.

    Base game, "Scoring a feature".
    """
    for feature in completed:
        brings = compute_feature_worth(feature, rules)
        yield from (brings.entry(player, feature.id) for player in feature.leaders)
