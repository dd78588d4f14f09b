"""Final scorings by series and photographer: right at once, right after answers, sure but wrong, and wrong after all
answers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from vision.evaluation.intervals import compute_share
from vision.evaluation.judge import Verdict
from vision.evaluation.reliability import summarise_share

MAX_COUNTED_ANSWERS = 3
"""Finals are counted after each number of answers up to this one, then after all. A guess."""


@dataclass(frozen=True, slots=True)
class FinalsGroup:
    """The final scorings of some photos that have points to score, in a `series` and by a `photographer` ("": any).

    `right_after` counts those right after up to 0, 1, 2 and 3 answers and after all; `questions` is the total number of
    questions, `unasked` the number of tables without one. `wrong_whatever` stay wrong after all answers.
    """

    series: str
    photographer: str
    n: int
    right_after: tuple[int, ...]
    questions: int
    unasked: int
    sure: int
    sure_wrong: int

    @property
    def wrong_whatever(self) -> int:
        """The number still wrong after all answers."""
        return self.n - self.right_after[-1]

    @property
    def questions_each(self) -> float | None:
        """The mean number of questions per table."""
        return compute_share(self.questions, self.n)

    def summarise(self) -> dict[str, Any]:
        """Return the group as in the JSON, each share with its 95 % interval."""
        names = [*(f"after_{answers}" for answers in range(MAX_COUNTED_ANSWERS + 1)), "after_all"]
        return {
            "series": self.series,
            "photographer": self.photographer,
            "n": self.n,
            "right": {
                name: summarise_share(right, self.n) for name, right in zip(names, self.right_after, strict=True)
            },
            "questions_each": self.questions_each,
            "without_question": summarise_share(self.unasked, self.n),
            "sure_but_wrong": summarise_share(self.sure_wrong, self.sure),
            "wrong_whatever_is_answered": summarise_share(self.wrong_whatever, self.n),
        }


def group_finals(verdicts: Iterable[Verdict]) -> list[FinalsGroup]:
    """Count the finals of each series, then of each photographer, and finally of all; an unread photo is wrong."""
    scored = [verdict for verdict in verdicts if verdict.final_true]
    series = sorted({verdict.series for verdict in scored} - {""})
    photographers = sorted({verdict.photographer for verdict in scored} - {""})
    groups = [*((name, "") for name in series), *(("", name) for name in photographers), ("", "")]
    return [_count_finals(scored, *group) for group in groups] if scored else []


def _count_finals(scored: Sequence[Verdict], series: str, photographer: str) -> FinalsGroup:
    verdicts = [one for one in scored if series in ("", one.series) and photographer in ("", one.photographer)]
    answers = (*range(MAX_COUNTED_ANSWERS + 1), None)
    return FinalsGroup(
        series=series,
        photographer=photographer,
        n=len(verdicts),
        right_after=tuple(sum(verdict.is_right_after(number) for verdict in verdicts) for number in answers),
        questions=sum(verdict.questions or 0 for verdict in verdicts),
        unasked=sum(verdict.questions == 0 for verdict in verdicts),
        sure=sum(verdict.final_sure for verdict in verdicts),
        sure_wrong=sum(verdict.final_sure_wrong for verdict in verdicts),
    )
