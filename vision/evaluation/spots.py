"""Comparison of readings of tables of spots with labels: a row per photo and totals, as a table, as CSV and as JSON.

`print_evaluation(evaluate_tables(game, components, reader, labels, photos, out))` does all of this.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from scoring.errors import LabelError
from scoring.spots.game import Game
from scoring.spots.text import parse_label
from vision.errors import InputError, PhotoError, ReadingError
from vision.evaluation.output import compute_median_times, format_points, open_figures_folder, write_figures
from vision.evaluation.reliability import Said, format_share, summarise_reliability, summarise_share
from vision.evaluation.spot_judge import (
    Figures,
    TableInterviewer,
    TableVerdict,
    Tally,
    Truth,
    count_nothing,
    judge_interview,
    judge_reading,
    judge_unread,
)
from vision.evaluation.tables import PLAIN_WIDTH, find_photo
from vision.flat_boards.reading import TableReader
from vision.photo.decoding import Photo

FEW_ANSWERS = 6
"""Maximum number of answers after which final scorings are counted. A guess."""
TALLIES = ("spots", "groups", "groups_amiss", "areas", "boards")
SAID_OF = {
    "spots": "read right",
    "groups": "with all spots right",
    "groups_amiss": "with a spot wrong and none marked doubtful",
    "areas": "right",
    "boards": "right on whole photos",
}


@dataclass(frozen=True, slots=True)
class TableEvaluation:
    """The verdict on every photo, in the order of the labels."""

    game: str
    verdicts: tuple[TableVerdict, ...]

    def totals(self) -> dict[str, Any]:
        """Return shares with their intervals over all photos, by kind; unread photos count as missed."""
        return {
            "game": self.game,
            "photos": len(self.verdicts),
            "unread": sum(bool(verdict.error) for verdict in self.verdicts),
            **{name: self._summarise_tallies(name) for name in (*TALLIES, "figures")},
            "invented": sum(verdict.invented for verdict in self.verdicts),
            "finals_exact": self._summarise_share(verdict.final_exact for verdict in self.verdicts),
            "finals_answered": self._summarise_share(verdict.final_answered for verdict in self.verdicts),
            "asked": any(verdict.right_after for verdict in self.verdicts),
            "answers": sum(verdict.answers for verdict in self.verdicts),
            "totals_exact": self._summarise_share(verdict.total_exact for verdict in self.verdicts),
            f"finals_after_{FEW_ANSWERS}": self._summarise_share(
                verdict.is_right_after(FEW_ANSWERS) for verdict in self.verdicts
            ),
            "settled_wrong": self._summarise_share(
                verdict.settled and not verdict.final_answered for verdict in self.verdicts
            ),
            "finals_sure": self._summarise_share(verdict.final_sure for verdict in self.verdicts),
            "finals_sure_wrong": self._summarise_share(verdict.final_sure_wrong for verdict in self.verdicts),
            "totals_sure_wrong": self._summarise_share(verdict.total_sure_wrong for verdict in self.verdicts),
            "reliability": {
                kind: summarise_reliability(statements) for kind, statements in self._collect_statements().items()
            },
            "times_ms": compute_median_times(verdict.times_ms for verdict in self.verdicts),
        }

    def _summarise_share(self, right: Iterable[bool]) -> dict[str, Any]:
        return summarise_share(sum(right), len(self.verdicts))

    def _summarise_tallies(self, name: str) -> dict[str, Any]:
        sums = _sum_tallies(getattr(verdict, name) for verdict in self.verdicts)
        order = sorted(sums) if name == "figures" else list(sums)
        return {kind: summarise_share(*sums[kind]) for kind in order}

    def _collect_statements(self) -> dict[str, list[Said]]:
        statements: dict[str, list[Said]] = {}
        for verdict in self.verdicts:
            for kind, kind_statements in verdict.said.items():
                statements.setdefault(kind, []).extend(kind_statements)
        return statements


def evaluate_tables(
    game: Game,
    components: Any,
    reader: TableReader,
    labels: Sequence[Path],
    photos: Path,
    out: Path,
    figures: Figures = count_nothing,
    interviewer: TableInterviewer | None = None,
) -> TableEvaluation:
    """Read every label's photo, found under `photos`, and write evaluation.csv and evaluation.json.

    `figures` computes the game's own counts; an `interviewer` asks each reading's questions as well. A photo that shows
    no board, or is damaged, counts as unread. Raises InputError, LabelError, BoardError for an impossible label,
    ComponentsError, or PhotoError for a missing photo, before anything is read.
    """
    truths = [_load_truth(label, game, components) for label in labels]
    paths = [find_photo(truth.label.photo, photos, label) for truth, label in zip(truths, labels, strict=True)]
    verdicts = tuple(
        _judge_photo(reader, path, truth, figures, interviewer) for path, truth in zip(paths, truths, strict=True)
    )
    evaluation = TableEvaluation(game.name, verdicts)
    _write_evaluation(evaluation, out)
    return evaluation


def print_evaluation(evaluation: TableEvaluation, console: Console | None = None) -> None:
    """Print the rows and the totals."""
    console = console or Console(width=None if sys.stdout.isatty() else PLAIN_WIDTH)
    table = Table(box=None, pad_edge=False)
    for name in ("photo", "spots", "areas", "final", "doubtful", "ms"):
        table.add_column(name, justify="left" if name in ("photo", "final") else "right", no_wrap=True)
    for verdict in evaluation.verdicts:
        name = f"{verdict.photo} {verdict.error}" if verdict.error else verdict.photo
        doubtful = "-" if verdict.error else "no" if verdict.final_sure else "yes"
        spent = f"{sum(verdict.times_ms.values()):.0f}" if verdict.times_ms else "-"
        table.add_row(
            name, _format_tally(verdict.spots), _format_tally(verdict.areas), _format_final(verdict), doubtful, spent
        )
    console.print(table)
    for line in _list_summary(evaluation.totals()):
        console.print(line, highlight=False)


def _load_truth(file: Path, game: Game, components: Any) -> Truth:
    try:
        label = parse_label(file.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise InputError("file_not_found", details={"file": str(file)}) from error
    except (OSError, UnicodeDecodeError) as error:
        raise LabelError("bad_label", f"The label cannot be opened: {error}", file=str(file)) from error
    if label.table.game != game.name:
        raise LabelError("bad_label", f"This is a label of {label.table.game}, not of {game.name}", file=str(file))
    return Truth.of(label, game, components)


def _judge_photo(
    reader: TableReader, path: Path, truth: Truth, figures: Figures, interviewer: TableInterviewer | None
) -> TableVerdict:
    try:
        photo = Photo.from_path(path)
        reading = reader.read([photo])
    except (PhotoError, ReadingError) as error:
        return judge_unread(truth, error.code, figures)
    verdict = judge_reading(reading, truth, photo.decode_ms, figures)
    return verdict if interviewer is None else judge_interview(verdict, interviewer(reading, truth))


def _list_summary(totals: Mapping[str, Any]) -> Iterator[str]:
    for name in TALLIES:
        for kind, share in totals[name].items():
            yield f"{name}, {kind}, {SAID_OF[name]}: {_format_sum(share)}"
    for name, share in totals["figures"].items():
        yield f"{name}: {_format_sum(share)}"
    if totals["invented"]:
        yield f"spots of players that nobody is: {totals['invented']}"
    yield f"final scorings right: {_format_sum(totals['finals_exact'])}"
    yield f"right with what was on the track: {_format_sum(totals['totals_exact'])}"
    if totals["asked"]:
        yield f"right after the questions: {_format_sum(totals['finals_answered'])}; {totals['answers']} answers in all"
        yield f"right after at most {FEW_ANSWERS} answers: {_format_sum(totals[f'finals_after_{FEW_ANSWERS}'])}"
        yield f"wrong and no doubt left after all answers: {_format_sum(totals['settled_wrong'])}"
    yield f"final scorings without a doubt: {_format_sum(totals['finals_sure'])}"
    yield f"wrong without a doubt: {_format_sum(totals['finals_sure_wrong'])}"
    yield f"wrong without a doubt, with what was on the track: {_format_sum(totals['totals_sure_wrong'])}"
    for kind, trust in totals["reliability"].items():
        error = trust["calibration_error"]
        percent = "-" if error is None else f"{error:.2%}"
        yield f"{kind} not marked doubtful, right: {_format_sum(trust['undoubted'])}; calibration error {percent}"
    yield "median ms: " + ", ".join(f"{stage} {spent:.0f}" for stage, spent in totals["times_ms"].items())


def _format_sum(share: Mapping[str, Any]) -> str:
    return format_share(share["part"], share["n"])


def _format_tally(tally: Tally) -> str:
    return f"{sum(right for right, _ in tally.values())}/{sum(all_ for _, all_ in tally.values())}"


def _format_final(verdict: TableVerdict) -> str:
    if verdict.error:
        return "-"
    return (
        "yes" if verdict.final_exact else f"{format_points(verdict.final_read)} for {format_points(verdict.final_true)}"
    )


def _sum_tallies(tallies: Iterable[Tally]) -> dict[str, tuple[int, int]]:
    summed: dict[str, tuple[int, int]] = {}
    for tally in tallies:
        for kind, (right, all_) in tally.items():
            before = summed.get(kind, (0, 0))
            summed[kind] = (before[0] + right, before[1] + all_)
    return summed


def _write_evaluation(evaluation: TableEvaluation, out: Path) -> None:
    photos = [asdict(replace(verdict, said={})) for verdict in evaluation.verdicts]
    for photo in photos:
        del photo["said"]
    document = {"totals": evaluation.totals(), "photos": photos}
    with open_figures_folder(out):
        write_figures(out, document, [_build_row(verdict) for verdict in evaluation.verdicts])


def _build_row(verdict: TableVerdict) -> dict[str, Any]:
    """Build a row of the CSV: for each tally the count and the total, points as words."""
    tallies = {
        f"{name} {kind} {what}": count
        for name in (*TALLIES, "figures")
        for kind, pair in getattr(verdict, name).items()
        for what, count in zip(("part", "all"), pair, strict=True)
    }
    return {
        "photo": verdict.photo,
        "error": verdict.error,
        **tallies,
        "invented": verdict.invented,
        "final_true": format_points(verdict.final_true),
        "final_read": format_points(verdict.final_read),
        "final_exact": verdict.final_exact,
        "final_answered": verdict.final_answered,
        "answers": verdict.answers,
        "total_exact": verdict.total_exact,
        "doubtful": not verdict.final_sure,
        "final_sure_wrong": verdict.final_sure_wrong,
        "total_sure_wrong": verdict.total_sure_wrong,
        "confidence": verdict.final_confidence,
        "right_after": " ".join("yes" if right else "no" for right in verdict.right_after),
        "wrong": " ".join(verdict.wrong),
        **{f"ms_{stage}": round(spent, 1) for stage, spent in verdict.times_ms.items()},
        **{f"about {key}": value for key, value in verdict.about.items()},
    }
