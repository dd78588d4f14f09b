"""Which doubts matter: alternatives to what was read that change a player's points."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import prod

from scoring.calibration import load_shares, load_weights
from scoring.carcassonne.board.board import Board, Problem
from scoring.carcassonne.board.features import Feature, FeatureMap, Member, build_feature_map, find_cut_features
from scoring.carcassonne.board.missing_tiles import may_lack_tiles
from scoring.carcassonne.board.problems import find_edge_mismatches, find_impossible
from scoring.carcassonne.doubt.alternatives import MIN_ASKED_PROBABILITY, Alternative, Subject, apply_both
from scoring.carcassonne.doubt.local_scoring import LocalScorer
from scoring.carcassonne.final.assumptions import Assumption, find_assumptions
from scoring.carcassonne.final.rulesets import TODAY, Ruleset
from scoring.carcassonne.final.table import Table
from scoring.carcassonne.tiles.geometry import Square
from scoring.confidence import compute_confidence, select_changes_to_review

CONFIDENCE_SURE = 0.98
"""Where it is less likely than this that no alternative is so, a person is asked. It is higher than
`scoring.confidence` has it: of the 662 tables of `models.calibration.doubt`, which prints such thresholds, 441 were
surer than this, 439 of them right; of the 487 surer than 0.96 three were wrong."""
NONE_OVERLOOKED_PROBABILITY = 0.3
"""How likely a board that lacks a few tiles of a whole game, or falls apart, is all that lies there, the rules having
set these aside or somebody having lost or moved them. A guess: the tables of `models.calibration.doubt` all hold whole
games and cannot tell."""


MAX_PAIRS = 100
"""So many pairs at most are looked at, the likeliest ones: each is a scoring."""


@dataclass(frozen=True)
class ScoreChange:
    """An alternative that matters, by itself or where another (`also`) is so too, and the totals it would give."""

    alternative: Alternative
    totals: Mapping[str, int]
    also: Alternative | None = None

    @property
    def probability(self) -> float:
        """How likely it is so."""
        return self.alternative.probability * (self.also.probability if self.also else 1.0)

    @property
    def subjects(self) -> tuple[Subject, ...]:
        """What is in doubt: one thing, or two."""
        return (self.alternative.subject, self.also.subject) if self.also else (self.alternative.subject,)

    def split(self, subject: Subject) -> tuple[Alternative, Alternative]:
        """Return the alternative of a subject, and the other one that must be so too; ValueError without any."""
        if self.also is None:
            raise ValueError("it matters by itself")
        first, other = self.alternative, self.also
        return (first, other) if first.subject == subject else (other, first)

    def on(self, board: Board) -> Board:
        """Return the board if it were so."""
        both = apply_both(self.alternative, self.also, board) if self.also else self.alternative.on(board)
        return board if both is None else both


def find_score_changes(scorer: LocalScorer, alternatives: Iterable[Alternative]) -> tuple[ScoreChange, ...]:
    """Return those alternatives of a board, each taken alone, under which some player's points differ; likeliest
    first."""
    now = _drop_zeros(scorer.totals)
    totals = ((alternative, scorer.compute_totals(alternative.on(scorer.board))) for alternative in alternatives)
    changes = [ScoreChange(alternative, new) for alternative, new in totals if _drop_zeros(new) != now]
    return tuple(sorted(changes, key=lambda change: -change.alternative.probability))


def find_joint_changes(scorer: LocalScorer, harmless: Sequence[Alternative]) -> tuple[ScoreChange, ...]:
    """Return the pairs of alternatives that change no points by themselves but do so together; likeliest first.

    Pairs that are less likely than `MIN_ASKED_PROBABILITY` are not looked at, nor more than `MAX_PAIRS`.
    """
    now = _drop_zeros(scorer.totals)
    likely = [alternative for alternative in harmless if alternative.probability >= MIN_ASKED_PROBABILITY]
    pairs = (pair for pair in combinations(likely, 2) if _multiply(pair) >= MIN_ASKED_PROBABILITY)
    changes = []
    for one, other in sorted(pairs, key=_multiply, reverse=True)[:MAX_PAIRS]:
        both = apply_both(one, other, scorer.board)
        totals = {} if both is None else scorer.compute_totals(both)
        if both is not None and _drop_zeros(totals) != now:
            changes.append(ScoreChange(one, totals, other))
    return tuple(changes)


def _multiply(pair: tuple[Alternative, Alternative]) -> float:
    return pair[0].probability * pair[1].probability


@dataclass(frozen=True)
class ScoreDoubts:
    """What may be otherwise and change some player's points: `changes`, alone or two together, the likeliest first.

    `confidence` is how likely none of them is so, no tile is overlooked and nothing contradicts the board; `unknown`
    are squares whose tile nobody knows and that may matter. The board `is_cut_off` where it may go on beyond the
    picture, and then nobody can tell how likely its points are right. `contradictions` are problems that a true board
    does not have, and `mending` the changes that make them less. `assumptions` are what was taken for granted of the
    table and would give other points if it were otherwise.
    """

    changes: tuple[ScoreChange, ...]
    confidence: float
    unknown: tuple[Square, ...]
    is_cut_off: bool = False
    contradictions: tuple[Problem, ...] = ()
    mending: tuple[ScoreChange, ...] = ()
    assumptions: tuple[Assumption, ...] = ()

    @property
    def doubtful(self) -> bool:
        """Whether a person should be asked."""
        never_sure = bool(self.unknown) or self.is_cut_off or bool(self.contradictions) or bool(self.assumptions)
        return never_sure or self.confidence < CONFIDENCE_SURE

    @property
    def stated_confidence(self) -> float | None:
        """How likely the points are right; None where unknown tiles, the border or what nobody said leave that open."""
        return None if self.unknown or self.is_cut_off or self.assumptions else self.confidence

    @property
    def to_review(self) -> tuple[ScoreChange, ...]:
        """The changes that a person should look at: none where it is likely enough that none of them is so.

        However unlikely they are by themselves, those that mend what cannot be are among them.
        """
        likely = select_changes_to_review(
            self.changes, lambda change: change.probability, compute_score_confidence, CONFIDENCE_SURE
        )
        return (*likely, *(change for change in self.mending if change not in likely))


def assess_score_doubts(
    board: Board, alternatives: Iterable[Alternative], rules: Ruleset = TODAY, table: Table | None = None
) -> ScoreDoubts:
    """Return which of the alternatives matter, how likely none is so, and what else keeps the points from being sure.

    A person who said how many tiles are in `table.tiles_in_play`, and that all of them lie there, has looked beyond
    the picture as well.
    """
    table = table or Table()
    doubted = list(alternatives)
    scorer = LocalScorer(board, rules, table)
    alone = find_score_changes(scorer, doubted)
    harmful = {id(change.alternative) for change in alone}
    harmless = [alternative for alternative in doubted if id(alternative) not in harmful]
    joint = find_joint_changes(scorer, harmless)
    changes = tuple(sorted((*alone, *joint), key=lambda change: -change.probability))
    board_doubts = _assess_board(board, scorer.features, rules, table)
    confidence = board_doubts.confidence * compute_score_confidence(changes)
    if may_lack_tiles(board, table.tiles_in_play, table.base_games):
        confidence *= NONE_OVERLOOKED_PROBABILITY
    mending = tuple(_list_mending(board, changes, table)) if board_doubts.contradictions else ()
    return replace(board_doubts, changes=changes, confidence=confidence, mending=mending)


def assess_given_board(board: Board, rules: Ruleset = TODAY, table: Table | None = None) -> ScoreDoubts:
    """Return what keeps the points of a board from being sure whose tiles and pieces are taken as they are given."""
    return _assess_board(board, build_feature_map(board), rules, table or Table())


def _assess_board(board: Board, features: FeatureMap, rules: Ruleset, table: Table) -> ScoreDoubts:
    """What keeps a board's points from being sure, whose features are known."""
    contradictions = tuple(find_contradictions(board, table))
    assumptions = find_assumptions(board, features, rules, table)
    return ScoreDoubts(
        changes=(),
        confidence=load_shares("carcassonne")["right_though_contradicted"] if contradictions else 1.0,
        unknown=tuple(find_relevant_unknowns(board, features)),
        is_cut_off=bool(board.unseen) and table.tiles_in_play != len(board.tiles),
        contradictions=contradictions,
        assumptions=tuple(assumption for assumption in assumptions if assumption.is_open),
    )


def find_contradictions(board: Board, table: Table | None = None) -> Iterator[Problem]:
    """Yield the problems that a true board cannot have, so that something on it was misread or misplaced.

    These are a player with more pieces of a kind than the box holds or with more wonders than the rules give, more
    colours than played, a wonder with several markers, and edges that disagree beside a wonder, whose outline and edges
    are less surely known than those of any other tile.
    """
    yield from find_impossible(board, *((table.player_count, table.base_games) if table else ()))
    if board.wonders:
        yield from (problem for problem in find_edge_mismatches(board) if _touches_wonder(problem, board))


def _list_mending(board: Board, changes: Iterable[ScoreChange], table: Table) -> Iterator[ScoreChange]:
    """The changes under which less contradicts the rules and the box."""
    now = _weigh_contradictions(board, table)
    return (change for change in changes if _weigh_contradictions(change.on(board), table) < now)


def _weigh_contradictions(board: Board, table: Table) -> int:
    """How much contradicts the rules and the box: pieces too many each count."""
    problems = (dict(problem.values) for problem in find_contradictions(board, table))
    return sum(int(values.get("number", 1)) - int(values.get("most", 0)) for values in problems)


def _touches_wonder(problem: Problem, board: Board) -> bool:
    placements = (board.tiles[square] for square in problem.squares)
    return any(placement is not None and placement.wonder is not None for placement in placements)


def compute_score_confidence(changes: Iterable[ScoreChange]) -> float:
    """Return how likely none of the alternatives that change the points is so.

    Those of one square or meeple rule each other out; all but the likeliest count by a part of what independent ones
    would (`load_doubt_power`). Raises ScoringError `models_missing` where the calibration file is not there.
    """
    return compute_confidence(list_subject_probabilities(changes), load_doubt_power())


def load_doubt_power() -> float:
    """Return how much each doubt but the likeliest counts, from 0 to 1, as the calibration file has it.

    It is less than wholly where doubts go together, as where two twins may be swapped, or change the points back.
    `python -m models.calibration.doubt` fits it.
    """
    return load_weights("carcassonne", "confidence")["other_doubts"]["power"]


def list_subject_probabilities(changes: Iterable[ScoreChange]) -> Iterator[tuple[Subject, float]]:
    """Yield what is in doubt, with how likely each alternative is.

    Of those that matter only together, what is in most pairs is one doubt: it is so, and one at least of the others.
    """
    pairs = []
    for change in changes:
        if change.also is None:
            yield change.alternative.subject, change.alternative.probability
        else:
            pairs.append(change)
    while pairs:
        counts = Counter(subject for pair in pairs for subject in pair.subjects)
        shared = max(counts, key=lambda subject: counts[subject])
        mine = [pair.split(shared) for pair in pairs if shared in pair.subjects]
        pairs = [pair for pair in pairs if shared not in pair.subjects]
        partners: dict[Subject, float] = defaultdict(float)
        for partner in dict.fromkeys(partner for _, partner in mine):
            partners[partner.subject] += partner.probability
        none = prod(max(0.0, 1 - probability) for probability in partners.values())
        its = sum(alternative.probability for alternative in dict.fromkeys(alternative for alternative, _ in mine))
        yield ("together", shared), min(its, 1.0) * (1 - none)


def find_relevant_unknowns(board: Board, features: FeatureMap | None = None) -> Iterator[Square]:
    """Yield the squares of unknown tiles that can change points, by how much nobody can say.

    A tile changes none where nobody stands on it and neither a feature of somebody's reaches it nor a city that
    somebody's field touches. `features` are those of the board where they are known already.
    """
    features = features or build_feature_map(board)
    farmed = {
        member
        for field in features
        if field.kind == "field" and field.pieces
        for member in _list_touching_cities(field)
    }
    for square, cut in find_cut_features(board, features).items():
        stood_on = any(meeple.square == square for meeple in board.meeples)
        if stood_on or any(feature.pieces or farmed.intersection(feature.members) for feature in cut):
            yield square


def _list_touching_cities(field: Feature) -> Iterator[Member]:
    """The parts of cities that a field touches."""
    for (square, _), segment in zip(field.members, field.segments, strict=True):
        yield from ((square, city) for city in segment.cities)


def _drop_zeros(totals: Mapping[str, int]) -> dict[str, int]:
    return {player: points for player, points in totals.items() if points}
