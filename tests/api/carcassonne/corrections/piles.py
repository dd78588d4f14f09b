"""Readings of pieces that hide one another."""

from __future__ import annotations

from dataclasses import replace

from api.carcassonne.corrections.apply import Review, build_review
from api.carcassonne.questions.builder import build_questions
from api.carcassonne.report.snapshot import build_snapshot
from api.documents.question import Question
from tests.api.doubted import joined
from tests.vision.evaluation.dealt import Frame, dealt, perfect
from vision.evaluation.labels import Truth
from vision.reading.values import MeepleAlternative, MeepleReading, Reading


def find_farmer() -> tuple[Truth, Reading, int]:
    """Return a table, a certain reading of it, and a farmer of a field decided by the number of a player's farmers."""
    for seed in range(200):
        truth = dealt(seed)
        reading = perfect(truth, Frame())
        for number, piece in enumerate(reading.meeples):
            if piece.pose == "lying" and len(set(map(str, count_points(reading, number)))) == 2:
                return truth, reading, number
    raise AssertionError


def count_points(reading: Reading, number: int) -> list[dict[str, int]]:
    """Return the points with one piece there, and with none."""
    rest = reading.meeples[:number] + reading.meeples[number + 1 :]
    return [
        dict(build_review(build_snapshot(joined(replace(reading, meeples=m)))).report.scores.final_scoring)
        for m in (reading.meeples, rest)
    ]


def heap(reading: Reading, number: int) -> Reading:
    """Return the reading with that piece hardly visible, and another one above it, hardly visible either."""
    low = replace(reading.meeples[number], confidence=0.6, doubtful=True, alternatives=(MeepleAlternative(None, 0.4),))
    high: MeepleReading = replace(low, at=(low.at[0], low.at[1] + 0.3), confidence=0.3, alternatives=())
    others = reading.meeples[:number] + reading.meeples[number + 1 :]
    return replace(reading, meeples=(*others, low), possible_meeples=(high,))


def list_doubts(review: Review) -> list[Question]:
    """Return the questions except those about the border of the picture."""
    return [question for question in build_questions(review) if question.about != "border"]
