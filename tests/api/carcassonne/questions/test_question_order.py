"""Questions with the most points at stake come first, and those that hardly ever change points are left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from scipy.special import expit, logit

from api.carcassonne.corrections.review import Review, build_review
from api.carcassonne.questions.builder import build_questions
from api.carcassonne.report.snapshot import build_snapshot
from api.documents.question import Question
from scoring.calibration import load_platt_scalings
from scoring.carcassonne.doubt.alternatives import MIN_ASKED_PROBABILITY
from scoring.carcassonne.doubt.relevance import CONFIDENCE_SURE
from tests.api.doubted import joined
from tests.vision.doubt.player_colours import find_table
from vision.reading.values import MeepleAlternative


def review_doubted(*others: Sequence[tuple[str | None, float]]) -> Review:
    """Review a reading, certain but for its standing pieces: each may have other colours, or be none, in order."""
    reading, _ = find_table()
    shares, meeples = iter(others), []
    for meeple in reading.meeples:
        offered = next(shares, ()) if meeple.pose == "standing" else ()
        alternatives = tuple(
            MeepleAlternative(None if colour is None else meeple.segment, likely, colour) for colour, likely in offered
        )
        meeples.append(replace(meeple, alternatives=alternatives))
    return build_review(build_snapshot(joined(replace(reading, meeples=tuple(meeples)))))


def count_expected_change(question: Question, read: Mapping[str, int]) -> float:
    """Return how many points the answers to a question are expected to move, by its own numbers."""
    return sum(
        (choice.probability or 0)
        * sum(abs(points - read.get(player, 0)) for player, points in choice.final_scoring.items())
        for choice in question.choices
        if choice.final_scoring is not None
    )


def test_where_most_points_are_at_stake_is_asked_first() -> None:
    """Seven points with a probability of one in five come before one that is nearly as likely as not."""
    review = review_doubted([("orange", 0.3)], [("orange", 0.2), ("pink", 0.2), ("white", 0.2)])
    assert len(review.doubts.to_review) == 4
    questions = build_questions(review)
    expected = [count_expected_change(question, review.report.scores.final_scoring) for question in questions]
    assert len(expected) == 2
    assert expected[0] > expected[1] > 0


def test_answers_below_one_percent_are_not_offered() -> None:
    review = review_doubted([("orange", 0.3), ("pink", MIN_ASKED_PROBABILITY / 4)])
    (question,) = build_questions(review)
    assert [choice.label for choice in question.choices] == [review.board.meeples[0].colour, "orange"]


def test_what_hardly_ever_changes_the_points_is_not_asked() -> None:
    """Many such doubts together still leave the points uncertain, and the report says so."""
    gone = load_platt_scalings("carcassonne")["gone"]
    rare, likelier = (
        review_doubted(*[[(None, float(expit((logit(honest) - gone.offset) / gone.slope)))]] * 99)
        for honest in (0.8 * MIN_ASKED_PROBABILITY, 1.5 * MIN_ASKED_PROBABILITY)
    )
    assert all(0 < change.alternative.probability < MIN_ASKED_PROBABILITY for change in rare.doubts.changes)
    for review, is_asked in ((rare, False), (likelier, True)):
        assert (review.report.scores.confidence or 0) < CONFIDENCE_SURE
        assert bool(build_questions(review)) == is_asked
