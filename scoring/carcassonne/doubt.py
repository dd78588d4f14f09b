"""Which doubts matter: alternatives to what was read that change a player's points."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from scoring.carcassonne.alternatives import Alternative, Subject
from scoring.carcassonne.board import Board
from scoring.carcassonne.features import Feature, Member, cut_by_unknown, features
from scoring.carcassonne.final import final_scoring
from scoring.carcassonne.geometry import Square
from scoring.carcassonne.lacking import may_lack_tiles
from scoring.carcassonne.rulesets import TODAY, Ruleset
from scoring.carcassonne.table import Table
from scoring.doubting import none_is_so, worth_telling

CONFIDENCE_SURE = 0.98
"""Where it is less likely than this that no alternative is so, a person is asked. It is higher than
`scoring.doubting` has it: of 662 tables (`models.calibrate_doubt` at commit 5fbdd5c, before what it found was in
force) 441 were surer than this, 439 of them right; of the 487 surer than 0.96 three were wrong."""
TOGETHER = 0.5
"""How much each doubt but the likeliest counts: less than wholly where they go together, as where two twins may be
swapped, or change the points back. `python -m models.calibrate_doubt` fits it (0.33); from there to one hardly
differs."""
NONE_OVERLOOKED = 0.3
"""How likely a board that lacks a few tiles of a whole game, or falls apart, is all that lies there, the rules having
set these aside or somebody having lost or moved them. A guess: the tables of `models.calibrate_doubt` all hold whole
games and cannot tell."""


@dataclass(frozen=True)
class ScoreChange:
    """An alternative that matters, and the totals it would give."""

    alternative: Alternative
    totals: Mapping[str, int]


def score_changing(
    board: Board, alternatives: Iterable[Alternative], rules: Ruleset = TODAY, table: Table | None = None
) -> tuple[ScoreChange, ...]:
    """Those alternatives, each taken alone, under which some player's points differ; likeliest first."""
    now = _points(final_scoring(board, rules=rules, table=table).totals)
    totals = ((own, final_scoring(own.on(board), rules=rules, table=table).totals) for own in alternatives)
    changes = [ScoreChange(alternative, new) for alternative, new in totals if _points(new) != now]
    return tuple(sorted(changes, key=lambda change: -change.alternative.probability))


@dataclass(frozen=True)
class ScoreDoubts:
    """What may be otherwise and change some player's points: `changes`, each taken alone, the likeliest first.

    `confidence` is how likely none of them is so and no tile is overlooked; `unknown` are squares whose tile nobody
    knows and that may matter.
    """

    changes: tuple[ScoreChange, ...]
    confidence: float
    unknown: tuple[Square, ...]

    @property
    def doubtful(self) -> bool:
        """Whether a person should be asked."""
        return self.confidence < CONFIDENCE_SURE or bool(self.unknown)

    @property
    def told(self) -> tuple[ScoreChange, ...]:
        """The changes that a person should look at: none where it is likely enough that none of them is so."""
        return worth_telling(self.changes, lambda change: change.alternative.probability, unchanged, CONFIDENCE_SURE)


def score_doubts(
    board: Board, alternatives: Iterable[Alternative], rules: Ruleset = TODAY, table: Table | None = None
) -> ScoreDoubts:
    """Which of the alternatives matter, how likely none of them is so, and which unknown tiles may matter."""
    changes = score_changing(board, alternatives, rules, table)
    whole = NONE_OVERLOOKED if may_lack_tiles(board, table.tiles_in_play if table else None) else 1.0
    return ScoreDoubts(changes, whole * unchanged(changes), tuple(unknown_that_matter(board)))


def unchanged(changes: Iterable[ScoreChange]) -> float:
    """How likely none of the alternatives that change the points is so.

    Those of one square or meeple rule each other out; all but the likeliest count by `TOGETHER` of what independent
    ones would.
    """
    return none_is_so(by_subject(changes), TOGETHER)


def by_subject(changes: Iterable[ScoreChange]) -> Iterator[tuple[Subject, float]]:
    """What is in doubt, with how likely each alternative is."""
    for change in changes:
        yield change.alternative.subject, change.alternative.probability


def unknown_that_matter(board: Board) -> Iterator[Square]:
    """Squares of unknown tiles that can change points, by how much nobody can say.

    Not where nobody's feature reaches it, nor a city that somebody's field touches, and nobody stands on it.
    """
    found = features(board)
    farmed = {member for field in found if field.kind == "field" and field.pieces for member in _cities_at(field)}
    for square, cut in cut_by_unknown(board, found).items():
        stood_on = any(meeple.square == square for meeple in board.meeples)
        if stood_on or any(feature.pieces or farmed.intersection(feature.members) for feature in cut):
            yield square


def _cities_at(field: Feature) -> Iterator[Member]:
    """The parts of cities that a field touches."""
    for (square, _), segment in zip(field.members, field.segments, strict=True):
        yield from ((square, city) for city in segment.cities)


def _points(totals: Mapping[str, int]) -> dict[str, int]:
    return {player: points for player, points in totals.items() if points}
