"""Which doubts matter: alternatives to what was read that change a player's points."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from math import prod

from scoring.carcassonne.alternatives import Alternative
from scoring.carcassonne.board import Board
from scoring.carcassonne.final import final_scoring
from scoring.carcassonne.rulesets import TODAY, Ruleset


@dataclass(frozen=True)
class ScoreChange:
    """An alternative that matters, and the totals it would give."""

    alternative: Alternative
    totals: Mapping[str, int]


def score_changing(
    board: Board, alternatives: Iterable[Alternative], rules: Ruleset = TODAY
) -> tuple[ScoreChange, ...]:
    """Those alternatives, each taken alone, under which some player's points differ; likeliest first."""
    now = _points(final_scoring(board, rules=rules).totals)
    totals = ((alternative, final_scoring(alternative.on(board), rules=rules).totals) for alternative in alternatives)
    changes = [ScoreChange(alternative, new) for alternative, new in totals if _points(new) != now]
    return tuple(sorted(changes, key=lambda change: -change.alternative.probability))


def unchanged(changes: Iterable[ScoreChange]) -> float:
    """How likely none of the alternatives that change the points is so.

    Those of one square or meeple rule each other out; others are taken for independent.
    """
    likely: dict[Hashable, float] = defaultdict(float)
    for change in changes:
        likely[change.alternative.subject] += change.alternative.probability
    return prod(max(0.0, 1 - p) for p in likely.values())


def _points(totals: Mapping[str, int]) -> dict[str, int]:
    return {player: points for player, points in totals.items() if points}
