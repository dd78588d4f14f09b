"""Oracle that answers the questions about a reading truthfully, from the table's label.

It sees the same questions as a person and answers with corrections, as the page does. An evaluation measures with it
how many answers a reading needs until its points are right, and which points stay wrong.
"""

from __future__ import annotations

from contextlib import suppress

from api.carcassonne.corrections.apply import Review, build_review
from api.carcassonne.questions.builder import MAX_QUESTIONS, ask_doubts
from api.carcassonne.questions.labelled_table import LabelledTable
from api.carcassonne.report.snapshot import build_snapshot
from api.documents.corrections import Correction
from api.documents.question import Question
from api.errors import CorrectionError
from vision.evaluation.interview import Interview
from vision.evaluation.labels import Truth
from vision.multiview.reading import JoinedReading


def interview_oracle(joined: JoinedReading, truth: Truth) -> Interview:
    """Ask a reading's questions one by one, most important first, and answer each from the label.

    After each answer the reading is reviewed and the questions are built again, as on the page; no question is asked
    twice, and the page's maximum applies.
    """
    snapshot, table = build_snapshot(joined), LabelledTable(joined.views[0].reading, truth)
    review, corrections, done = build_review(snapshot), list[Correction](), set[object]()
    finals = [_get_points(review)]
    while len(done) < MAX_QUESTIONS and (answer := _answer_next_question(review, table, done)) is not None:
        with suppress(CorrectionError):  # an answer that contradicts the board leaves it unchanged
            review = build_review(snapshot, [*corrections, answer])
            corrections.append(answer)
        finals.append(_get_points(review))
    return Interview(tuple(finals), settled=not review.report.doubtful)


def _answer_next_question(review: Review, table: LabelledTable, done: set[object]) -> Correction | None:
    """Answer the most important question that the label covers and that was not asked before, and mark it as asked."""
    for kind, question in ask_doubts(review):
        identity = _identify_question(question)
        if identity not in done and (answer := kind.find_truth(question, table, review)) is not None:
            done.add(identity)
            return answer
    return None


def _identify_question(question: Question) -> object:
    first = question.choices[0].correction.model_dump(include={"kind", "piece"})
    return question.about, question.square, question.meeple, *first.items()


def _get_points(review: Review) -> dict[str, int]:
    return {player: points for player, points in sorted(review.report.scores.final_scoring.items()) if points}
