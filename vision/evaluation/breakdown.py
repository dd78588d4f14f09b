"""Errors of readings by the conditions of photo, square and piece, which show the data that is missing.

Writes errors.md for people, errors.csv (a row per group) and errors.json (with the confusions) for programs.
"""

from __future__ import annotations

import csv
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from scoring.percent import round_share
from vision.evaluation.judge import Verdict
from vision.evaluation.outcomes import NOTHING, Outcome
from vision.evaluation.reliability import compute_share, compute_wilson_interval, format_share, summarise_share

MAX_COUNTED_ANSWERS = 3
"""Finals are counted after each number of answers up to this one, then after all. A guess."""


@dataclass(frozen=True, slots=True)
class GroupErrors:
    """Tiles or meeples of one group (`by` elevation, `group` "35 to 45"): n on the table, right, read wrongly, missed.

    `invented` ones are read but not there; `without_doubt` are all wrong, missed and invented ones without a doubt in
    the reading. `interval_95` is that of the share right.
    """

    kind: str
    by: str
    group: str
    n: int
    right: int
    wrong: int
    missed: int
    invented: int
    without_doubt: int
    interval_95: tuple[float, float] | None


@dataclass(frozen=True, slots=True)
class Confusion:
    """One thing read as another: its count, the mean confidence, and the count without a doubt."""

    kind: str
    true: str
    read: str
    count: int
    without_doubt: int
    confidence: float | None


def group_errors(outcomes: Iterable[Outcome]) -> list[GroupErrors]:
    """Return a row for all of a kind, then one for each group that anything is counted under."""
    rows: dict[tuple[str, str, str], list[Outcome]] = defaultdict(list)
    for outcome in outcomes:
        rows[outcome.kind, "", "all"].append(outcome)
        for by, group in outcome.groups.items():
            rows[outcome.kind, by, group].append(outcome)
    return [_counts(*key, rows[key]) for key in sorted(rows, key=_order)]


def count_confusions(outcomes: Iterable[Outcome]) -> list[Confusion]:
    """Count each confusion, the most frequent of each kind first."""
    pairs: dict[tuple[str, str, str], list[Outcome]] = defaultdict(list)
    for outcome in outcomes:
        if not outcome.right:
            pairs[outcome.kind, outcome.true, outcome.read].append(outcome)
    return [_confusion(*key, pairs[key]) for key in sorted(pairs, key=lambda k: (k[0] != "tile", -len(pairs[k]), k))]


def write_errors(outcomes: Sequence[Outcome], out: Path) -> None:
    """Write errors.md, errors.csv and errors.json into a folder that exists."""
    rows, mixed = group_errors(outcomes), count_confusions(outcomes)
    document = {"groups": [asdict(row) for row in rows], "confusions": [asdict(one) for one in mixed]}
    (out / "errors.json").write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    (out / "errors.md").write_text("\n".join(_in_words(rows, mixed)) + "\n", encoding="utf-8")
    with (out / "errors.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow([f.name for f in fields(GroupErrors)[:-1]] + ["low_95", "high_95"])
        writer.writerows([*list(asdict(row).values())[:-1], *(row.interval_95 or ("", ""))] for row in rows)


def _order(key: tuple[str, str, str]) -> tuple[bool, str, float, str]:
    """Return the sort key of a row: tiles before meeples, bands of numbers in order."""
    kind, by, group = key
    words = group.split()
    lowest = -1e9 if words[0] == "under" else next((float(w) for w in words if _is_number(w)), 0.0)
    return kind != "tile", by, lowest, group


def _is_number(word: str) -> bool:
    return word.lstrip("-").replace(".", "", 1).isdigit()


def _counts(kind: str, by: str, group: str, outcomes: Sequence[Outcome]) -> GroupErrors:
    there = [outcome for outcome in outcomes if outcome.true != NOTHING]
    right = sum(outcome.right for outcome in there)
    missed = sum(outcome.read == NOTHING for outcome in there)
    return GroupErrors(
        kind=kind,
        by=by,
        group=group,
        n=len(there),
        right=right,
        wrong=len(there) - right - missed,
        missed=missed,
        invented=len(outcomes) - len(there),
        without_doubt=sum(not outcome.right and not outcome.doubtful for outcome in outcomes),
        interval_95=compute_wilson_interval(right, len(there)),
    )


def _confusion(kind: str, true: str, read: str, outcomes: Sequence[Outcome]) -> Confusion:
    confidences = [outcome.confidence for outcome in outcomes if outcome.confidence is not None]
    sure = sum(not outcome.doubtful for outcome in outcomes)
    return Confusion(
        kind, true, read, len(outcomes), sure, sum(confidences) / len(confidences) if confidences else None
    )


def _in_words(rows: Sequence[GroupErrors], mixed: Sequence[Confusion]) -> Iterator[str]:
    yield "# Where readings go wrong"
    head = ("right (95 % interval)", "wrong", "missed", "invented", "of these without a doubt")
    for kind in dict.fromkeys(row.kind for row in rows):
        for by in dict.fromkeys(row.by for row in rows if row.kind == kind):
            yield f"\n## {kind.capitalize()}s{f' by {by}' if by else ''}\n"
            yield from _table([by or "", *head], [_cells(r) for r in rows if (r.kind, r.by) == (kind, by)])
        yield f"\n## What {kind}s are taken for\n"
        confusions = [one for one in mixed if one.kind == kind]
        yield from _table(
            ["truth", "read", "count", "without a doubt", "mean confidence"], [_said(o) for o in confusions]
        )


def _cells(row: GroupErrors) -> list[str]:
    counts = (row.wrong, row.missed, row.invented, row.without_doubt)
    return [row.group, format_share(row.right, row.n), *map(str, counts)]


def _said(one: Confusion) -> list[str]:
    confidence = "" if one.confidence is None else f"{round_share(one.confidence, 2):.2f}"
    return [one.true, one.read, str(one.count), str(one.without_doubt), confidence]


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    for row in (head, ["---"] * len(head), *rows):
        yield f"| {' | '.join(row)} |"


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
