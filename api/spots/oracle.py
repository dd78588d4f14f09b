"""Oracle that answers the questions about a table of spots truthfully, from the table's label.

Spots that no photo shows are typed before any question is asked, as on the page.
"""

from __future__ import annotations

from contextlib import suppress

from api.documents.corrections import Correction
from api.errors import CorrectionError
from api.spots.labelled_table import LabelledTable
from api.spots.questions import MAX_QUESTIONS, ask_doubts
from api.spots.review import build_table_review
from api.spots.snapshot import build_table_snapshot
from scoring.errors import ScoringError
from vision.evaluation.interview import Interview
from vision.evaluation.spot_judge import Truth
from vision.flat_boards.reading import TableReading


def interview_table(reading: TableReading, truth: Truth, components: str) -> Interview:
    """Ask a reading's questions one by one, most important first, and answer each from the label.

    After each answer the table is reviewed and the questions are built again, as on the page; no question is asked
    twice, and the page's maximum applies. `components` is the copy's TOML.
    """
    snapshot, table = build_table_snapshot(reading, truth.table.game.name, components), LabelledTable(truth)
    corrections: list[Correction] = [*table.list_typed(build_table_review(snapshot))]
    review, done = build_table_review(snapshot, corrections), set[tuple[str, ...]]()
    finals = [dict(review.scored.totals)]
    for _ in range(MAX_QUESTIONS):
        left = (one for one in ask_doubts(review) if (one.question.about, *one.question.spots) not in done)
        if (first := next(left, None)) is None:
            break
        kind, question = first
        done.add((question.about, *question.spots))
        answers = list(kind.find_truth(question, table, review))
        with suppress(CorrectionError, ScoringError):  # an answer that contradicts the table leaves it unchanged
            review = build_table_review(snapshot, [*corrections, *answers])
            corrections += answers
        finals.append(dict(review.scored.totals))
    return Interview(
        tuple({player: points for player, points in final.items() if points} for final in finals),
        settled=not review.report.doubtful,
    )
