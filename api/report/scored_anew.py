"""A report that is scored anew without its photo: what was not sure in the photo is no surer now."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from api.report.schema import Doubt, Problem, Report
from api.report.score_track import OPEN_CODES
from scoring.carcassonne.doubt.relevance import CONFIDENCE_SURE


def carry_doubts(report: Report, read: Report, typed: Collection[str]) -> Report:
    """Return a copy of a report of a board that has the doubts of the report that the board was `read` in.

    What the score board left open stays so for all whose points are not `typed`. Points of a doubt are told where the
    final scoring is what it was; by other rules or another table nobody has counted them.
    """
    points = {player: value for player, value in report.scores.final_scoring.items() if value or player not in typed}
    is_same = report.rules.edition == read.rules.edition and points.items() <= read.scores.final_scoring.items()
    problems = list(_list_open_problems(read, typed))
    confidence = read.scores.confidence
    is_unsure = bool(problems or read.doubts) or (confidence is not None and confidence < CONFIDENCE_SURE)
    doubts = read.doubts if is_same else [_drop_points(doubt) for doubt in read.doubts]
    return report.model_copy(
        update={
            "board": report.board.model_copy(update={"problems": [*report.board.problems, *problems]}),
            "scores": report.scores.model_copy(update={"confidence": confidence}),
            "doubts": doubts,
            "doubtful": report.doubtful or (read.doubtful and is_unsure),
            "set_aside": read.set_aside,
        }
    )


def _list_open_problems(read: Report, typed: Collection[str]) -> Iterator[Problem]:
    """List what only the photos told: points on a score board that are not sure, photos that were not joined."""
    apart = {photo.reason for photo in read.set_aside}
    for problem in read.board.problems:
        is_open = problem.code in OPEN_CODES and problem.values.get("player") not in typed
        if is_open or problem.code in apart:
            yield problem


def _drop_points(doubt: Doubt) -> Doubt:
    return doubt.model_copy(update={"final_scoring": None})
