"""What tells most about the points is asked first, and what hardly ever changes them is not asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from scipy.special import expit, logit

from api.corrections.commands import Review, build_review
from api.corrections.questions import build_questions
from api.report.snapshot import build_snapshot
from scoring.calibration import load_platt_scalings
from scoring.carcassonne.doubt.alternatives import MIN_ASKED_PROBABILITY
from scoring.carcassonne.doubt.relevance import CONFIDENCE_SURE
from tests.api.doubted import joined
from tests.vision.doubt.test_player_names import find_table
from vision.reading.values import MeepleAlternative


def review_doubted(*others: Sequence[tuple[str | None, float]]) -> Review:
    """A sure reading, but for its standing pieces: each may have other colours, or not be there, in their order."""
    reading, _ = find_table()
    shares, meeples = iter(others), []
    for meeple in reading.meeples:
        offered = next(shares, ()) if meeple.pose == "standing" else ()
        alternatives = tuple(
            MeepleAlternative(None if colour is None else meeple.segment, likely, colour) for colour, likely in offered
        )
        meeples.append(replace(meeple, alternatives=alternatives))
    return build_review(build_snapshot(joined(replace(reading, meeples=tuple(meeples)))))


def test_what_tells_most_about_the_points_is_asked_first() -> None:
    """One of several answers tells more than one of two, of which the other is likelier."""
    review = review_doubted([("orange", 0.3)], [("orange", 0.2), ("pink", 0.2), ("white", 0.2)])
    assert len(review.doubts.to_review) == 4
    likeliest = review.board.meeples[getattr(review.doubts.to_review[0].alternative, "meeple", 0)]
    questions = build_questions(review)
    assert [len(question.choices) for question in questions] == [4, 2]
    assert questions[1].square == likeliest.square


def test_what_hardly_ever_changes_the_points_is_not_asked() -> None:
    """Though many such doubts together leave the points unsure, and the report says so."""
    gone = load_platt_scalings("carcassonne")["gone"]
    rare, likelier = (
        review_doubted(*[[(None, float(expit((logit(honest) - gone.offset) / gone.slope)))]] * 99)
        for honest in (0.8 * MIN_ASKED_PROBABILITY, 1.5 * MIN_ASKED_PROBABILITY)
    )
    assert all(0 < change.alternative.probability < MIN_ASKED_PROBABILITY for change in rare.doubts.changes)
    for review, is_asked in ((rare, False), (likelier, True)):
        assert (review.report.scores.confidence or 0) < CONFIDENCE_SURE
        assert bool(build_questions(review)) == is_asked
