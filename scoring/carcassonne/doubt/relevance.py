"""Doubts that matter: alternative readings that change a player's points."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import prod

from scoring.calibration import load_shares, load_weights
from scoring.carcassonne.board.board import Board, Problem
from scoring.carcassonne.board.features import FeatureMap, build_feature_map, find_cut_features
from scoring.carcassonne.board.problems import find_edge_mismatches, find_impossible
from scoring.carcassonne.board.tile_counts import may_lack_tiles
from scoring.carcassonne.doubt.alternatives import MIN_ASKED_PROBABILITY, apply_both
from scoring.carcassonne.doubt.kinds.base import Alternative, Subject
from scoring.carcassonne.doubt.local_scoring import LocalScorer
from scoring.carcassonne.final.assumptions import Assumption, find_assumptions
from scoring.carcassonne.final.rulesets import TODAY, Ruleset
from scoring.carcassonne.final.table import Table
from scoring.carcassonne.tiles.geometry import Square
from scoring.confidence import compute_confidence, select_changes_to_review

CONFIDENCE_SURE = 0.98
"""Probability that no alternative holds below which the user is asked; stricter than in `scoring.confidence`.

Fitted by `python -m models.calibration.doubt`, which prints such thresholds: of its 662 tables, 441 were above this
confidence and 439 of them were right; of the 487 above 0.96, 3 were wrong.
"""
NONE_OVERLOOKED_PROBABILITY = 0.3
"""Probability that a board that lacks a few tiles of a whole game, or falls apart, is complete: the rules may set these
tiles aside, or players may have lost or moved them. A guess: the tables of `models.calibration.doubt` are all whole
games, so they give no evidence.
"""


MAX_PAIRS = 100
"""Maximum number of pairs examined, most likely first. Bounds time: each is a scoring."""


@dataclass(frozen=True)
class ScoreChange:
    """An alternative that matters, alone or together with another (`also`), and the totals it would give."""

    alternative: Alternative
    totals: Mapping[str, int]
    also: Alternative | None = None

    @property
    def probability(self) -> float:
        """Return the probability of the change."""
        return self.alternative.probability * (self.also.probability if self.also else 1.0)

    @property
    def subjects(self) -> tuple[Subject, ...]:
        """Return the subjects in doubt, one or two."""
        return (self.alternative.subject, self.also.subject) if self.also else (self.alternative.subject,)

    def split(self, subject: Subject) -> tuple[Alternative, Alternative]:
        """Return the alternative of a subject and the one it needs; raise ValueError if there is no second one."""
        if self.also is None:
            raise ValueError("it matters by itself")
        first, other = self.alternative, self.also
        return (first, other) if first.subject == subject else (other, first)

    def on(self, board: Board) -> Board:
        """Return the board under this change."""
        both = apply_both(self.alternative, self.also, board) if self.also else self.alternative.on(board)
        return board if both is None else both


def find_score_changes(scorer: LocalScorer, alternatives: Iterable[Alternative]) -> tuple[ScoreChange, ...]:
    """Return the alternatives that change some player's points when taken alone, most likely first."""
    now = _drop_zeros(scorer.totals)
    totals = ((alternative, scorer.compute_totals(alternative.on(scorer.board))) for alternative in alternatives)
    changes = [ScoreChange(alternative, new) for alternative, new in totals if _drop_zeros(new) != now]
    return tuple(sorted(changes, key=lambda change: -change.alternative.probability))


def find_joint_changes(scorer: LocalScorer, harmless: Sequence[Alternative]) -> tuple[ScoreChange, ...]:
    """Return the pairs of alternatives that change the points only in combination, most likely first.

    Pairs less likely than `MIN_ASKED_PROBABILITY` are left out, and at most `MAX_PAIRS` are examined.
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
    """Alternative readings that change some player's points (`changes`, alone or in pairs, most likely first), and
    other doubts.

    `confidence` is the probability that none of them holds, that no tile was overlooked and that nothing contradicts
    the board. `unknown` are squares of unknown tiles that may matter. If the board `is_cut_off`, it may continue beyond
    the picture, and no probability can be given for its points. `contradictions` are problems that a true board does
    not have, and `mending` the changes that reduce them. `assumptions` are facts about the table that were assumed and
    would change the points if false.
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
        """Return whether the user should be asked."""
        never_sure = bool(self.unknown) or self.is_cut_off or bool(self.contradictions) or bool(self.assumptions)
        return never_sure or self.confidence < CONFIDENCE_SURE

    @property
    def stated_confidence(self) -> float | None:
        """Return the probability that the points are right; None if unknown tiles, the border or unstated facts leave
        it open.
        """
        return None if self.unknown or self.is_cut_off or self.assumptions else self.confidence

    @property
    def to_review(self) -> tuple[ScoreChange, ...]:
        """Return the changes for the user to review: none if it is likely enough that none of them holds.

        Changes that resolve a contradiction are always included, however unlikely they are.
        """
        likely = select_changes_to_review(
            self.changes, lambda change: change.probability, compute_score_confidence, CONFIDENCE_SURE
        )
        return (*likely, *(change for change in self.mending if change not in likely))


def assess_score_doubts(
    board: Board,
    alternatives: Iterable[Alternative],
    rules: Ruleset = TODAY,
    table: Table | None = None,
    probability: float = 1.0,
) -> ScoreDoubts:
    """Return the alternatives that matter, the probability that none holds, and all other reasons for doubt.

    `probability` is that of a table of Carcassonne: no reading of another game is right. A user who states the number
    of tiles in `table.tiles_in_play`, and that all of them are there, has checked beyond the picture as well.
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
    confidence = probability * board_doubts.confidence * compute_score_confidence(changes)
    if may_lack_tiles(board, table.tiles_in_play):
        confidence *= NONE_OVERLOOKED_PROBABILITY
    mending = tuple(_list_mending(board, changes, table)) if board_doubts.contradictions else ()
    return replace(board_doubts, changes=changes, confidence=confidence, mending=mending)


def assess_given_board(board: Board, rules: Ruleset = TODAY, table: Table | None = None) -> ScoreDoubts:
    """Return the doubts about the points of a board whose tiles and pieces are taken as given."""
    return _assess_board(board, build_feature_map(board), rules, table or Table())


def _assess_board(board: Board, features: FeatureMap, rules: Ruleset, table: Table) -> ScoreDoubts:
    """Return the doubts about the points of a board with known features."""
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
    """Yield the problems that a true board cannot have, which show that something was misread or misplaced.

    These are a player with more pieces of a kind than the box holds or more wonders than the rules give, more colours
    than played, a wonder with several markers, and edges that disagree beside a wonder, because its outline and edges
    are less certain than those of any other tile.
    """
    yield from find_impossible(board, table.player_count if table else None)
    if board.wonders:
        squares = {square for square, tile in board.known if tile.wonder is not None}
        yield from (problem for problem in find_edge_mismatches(board) if not squares.isdisjoint(problem.squares))


def _list_mending(board: Board, changes: Iterable[ScoreChange], table: Table) -> Iterator[ScoreChange]:
    """Return the changes that reduce contradictions with the rules and the box."""
    now = _weigh_contradictions(board, table)
    return (change for change in changes if _weigh_contradictions(change.on(board), table) < now)


def _weigh_contradictions(board: Board, table: Table) -> int:
    """Return the number of contradictions with the rules and the box; each surplus piece counts."""
    problems = (dict(problem.values) for problem in find_contradictions(board, table))
    return sum(int(values.get("number", 1)) - int(values.get("most", 0)) for values in problems)


def compute_score_confidence(changes: Iterable[ScoreChange]) -> float:
    """Return the probability that none of the alternatives that change the points holds.

    Alternatives of one square or meeple exclude each other. All doubts but the most likely are weighted down relative
    to independent ones (`load_doubt_power`). Raises ScoringError `models_missing` if the calibration file is missing.
    """
    return compute_confidence(list_subject_probabilities(changes), load_doubt_power())


def load_doubt_power() -> float:
    """Return the weight, from 0 to 1, of each doubt but the most likely, from the calibration file.

    It is below 1 where doubts are correlated, as when 2 twins may be swapped, or cancel each other's points. `python -m
    models.calibration.doubt` fits it.
    """
    return load_weights("carcassonne", "confidence")["other_doubts"]["power"]


def list_subject_probabilities(changes: Iterable[ScoreChange]) -> Iterator[tuple[Subject, float]]:
    """Yield the subjects in doubt with the probability of each alternative.

    Among alternatives that matter only in combination, the one found in most pairs becomes a single doubt: it holds
    together with at least one of its partners.
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
    """Yield the squares of unknown tiles that can change points by an unknown amount.

    A tile changes none if no piece stands on it, no occupied feature reaches it, and no city touched by an occupied
    field does. Pass `features` of the board if they are already built.
    """
    features = features or build_feature_map(board)
    farms = [field for field in features if field.kind == "field" and field.pieces]
    farmed = {member for field in farms for member in field.touched_cities}
    for square, cut in find_cut_features(board, features).items():
        stood_on = any(meeple.square == square for meeple in board.meeples)
        if stood_on or any(feature.pieces or farmed.intersection(feature.members) for feature in cut):
            yield square


def _drop_zeros(totals: Mapping[str, int]) -> dict[str, int]:
    return {player: points for player, points in totals.items() if points}
