"""Questions to a person about a reading: the doubts that can change points, each with ready answers.

Questions on the score board come first, since laps outweigh everything else; then the border where the picture cuts the
board; then squares with unknown tiles, whose effect cannot be computed, after any wonder that may lie there; then
assumptions about the table, which no photo shows; then the other doubts by the expected change of points. An answer is
certain from then on, and the remaining questions are ordered again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from api.carcassonne.corrections.apply import Review
from api.carcassonne.questions import pieces, tiles
from api.carcassonne.questions.asker import AnyKind, Asker
from api.carcassonne.questions.table import BORDER, BY_FACT, TRACK, list_doubtful_spaces, list_open_squares
from api.carcassonne.questions.tiles import UNKNOWN_TILE
from api.documents.question import Question
from api.documents.report import Square
from api.i18n import load_words
from scoring.carcassonne.doubt.alternatives import MIN_ASKED_PROBABILITY
from scoring.carcassonne.doubt.kinds.base import Alternative, Subject
from scoring.carcassonne.doubt.kinds.wonder import FurtherWonder

MAX_QUESTIONS = 20
"""Maximum number of questions about a reading. A guess."""

BY_ALTERNATIVE: Mapping[type[Alternative], AnyKind] = {**tiles.KINDS, **pieces.KINDS}
"""Kind of doubt of each type of alternative."""

Points = frozenset[tuple[str, int]]


class AskedDoubt(NamedTuple):
    """A question and the kind of its doubt."""

    kind: AnyKind
    question: Question


def build_questions(review: Review, language: str = "en") -> list[Question]:
    """Build the questions, most important first; empty if no doubt can change a player's points."""
    return [entry.question for entry in ask_doubts(review, language)]


def ask_doubts(review: Review, language: str = "en") -> list[AskedDoubt]:
    """Build the questions, each with its kind, most important first."""
    return [*_Order(review, Asker(review, load_words(language))).list_asked()][:MAX_QUESTIONS]


@dataclass(frozen=True, eq=False)
class _Order:
    review: Review
    asker: Asker

    def list_asked(self) -> Iterator[AskedDoubt]:
        settled = self.review.state.amended.settled
        unknown = [square for square in self.review.doubts.unknown if square not in settled]
        subjects = {square: self._find_further_wonder(square) for square in unknown}
        wonders = list(dict.fromkeys(subject for subject in subjects.values() if subject))
        yield from (self._ask(TRACK, space) for space in list_doubtful_spaces(self.review))
        if open_squares := list_open_squares(self.review):
            yield self._ask(BORDER, open_squares)
        yield from map(self._ask_alternatives, wonders)
        yield from (self._ask(UNKNOWN_TILE, square) for square, subject in subjects.items() if subject is None)
        yield from (self._ask(BY_FACT[one.fact], one) for one in self.review.doubts.assumptions)
        yield from self._list_doubted(wonders)

    def _ask(self, kind: AnyKind, doubted: object) -> AskedDoubt:
        return AskedDoubt(kind, kind.ask(self.asker, doubted))

    def _ask_alternatives(self, subject: Subject) -> AskedDoubt:
        others: Sequence[Alternative] = [other for other in self.asker.alternatives if other.subject == subject]
        return self._ask(BY_ALTERNATIVE[type(others[0])], others)

    def _find_further_wonder(self, square: Square) -> Subject | None:
        """Return the doubt whether a wonder lies on an unknown square, which is asked about before its tile."""
        further = (other for other in self.asker.alternatives if isinstance(other, FurtherWonder))
        return next((other.subject for other in further if square in other.squares), None)

    def _list_doubted(self, before: Collection[Subject]) -> list[AskedDoubt]:
        """Return the questions on the report's doubts, each with all alternatives of its subject.

        Subjects asked `before` are left out.
        """
        to_review = self.review.doubts.to_review
        doubted = (subject for change in to_review for subject in change.subjects)
        subjects = dict.fromkeys(subject for subject in doubted if subject not in before)
        needed = {subject for change in self.review.doubts.mending for subject in change.subjects}
        needed |= {subject for change in to_review if change.also for subject in change.subjects}
        doubts = {subject: self._ask_alternatives(subject) for subject in subjects}
        relevant = [
            doubt
            for subject, doubt in doubts.items()
            if subject in needed or self._compute_doubt(doubt.question) >= MIN_ASKED_PROBABILITY
        ]
        return sorted(relevant, key=lambda doubt: self._compute_stake(doubt.question), reverse=True)

    def _compute_doubt(self, question: Question) -> float:
        """Return the probability that the players' points differ from those read."""
        read = _freeze_points(self.asker.now)
        return sum(likely for points, likely in _share_points(question).items() if points != read)

    def _compute_stake(self, question: Question) -> float:
        """Return the expected change of points by the answer, summed over all players."""
        return sum(likely * self._count_changed(points) for points, likely in _share_points(question).items())

    def _count_changed(self, points: Points) -> int:
        totals, now = dict(points), self.asker.now
        return sum(abs(totals.get(player, 0) - now.get(player, 0)) for player in {*totals, *now})


def _share_points(question: Question) -> dict[Points, float]:
    """Return the probability of each final scoring over a question's answers, which exclude each other."""
    shares: dict[Points, float] = defaultdict(float)
    for choice in question.choices:
        if choice.probability is not None:
            shares[_freeze_points(choice.final_scoring or {})] += choice.probability
    return shares


def _freeze_points(totals: Mapping[str, int]) -> Points:
    return frozenset((player, points) for player, points in totals.items() if points)
