"""Comparison of readings with labels: a row per photo and totals, as a table, as CSV and as JSON.

`print_evaluation(evaluate_photos(labels, photos, out))` does all of this.
"""

from __future__ import annotations

import filecmp
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from statistics import median
from typing import Any

from rich.console import Console
from rich.table import Table

from scoring.percent import format_percent
from vision.errors import InputError, PhotoError, ReadingError
from vision.evaluation.breakdown import FinalsGroup, group_finals, write_errors
from vision.evaluation.interview import Interviewer
from vision.evaluation.judge import Verdict, judge_interview, judge_reading, judge_unread
from vision.evaluation.labels import Truth, load_truth
from vision.evaluation.outcomes import Outcome
from vision.evaluation.output import compute_median_times, format_points, open_figures_folder, write_figures
from vision.evaluation.reliability import (
    Said,
    compute_share,
    compute_wilson_interval,
    format_share,
    summarise_reliability,
)
from vision.evaluation.timing import ReadsTables, measure_stage_times
from vision.photo.decoding import Photo

PLAIN_WIDTH = 100
"""Characters per line if the output is not a terminal. A guess."""
SUMS = (
    *("squares", "squares_found", "invented", "tiles", "tiles_exact", "doubtful_tiles", "doubtful_tiles_exact"),
    *("board_exact", "meeples", "meeples_found", "meeples_colour", "meeples_place", "meeples_pose", "meeples_extra"),
    *("meeples_kind", "sure_wrong"),
)
"""The fields of a verdict that are summed to totals."""
KINDS = ("tile", "meeple")
FOLDED = ("photo", "final")
"""Columns that wrap to further lines if a terminal is narrow."""
MEEPLE_SUMS = ("meeples", "meeples_found", "meeples_place", "meeples_extra")


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The verdict on every photo, in the order of the labels."""

    verdicts: tuple[Verdict, ...]

    def totals(self) -> dict[str, Any]:
        """Return sums, shares and medians over all photos; finals count if the truth has points to score."""
        sums: dict[str, Any] = {name: sum(getattr(v, name) for v in self.verdicts) for name in SUMS}
        scored = [verdict for verdict in self.verdicts if verdict.final_true]
        confidences = [confidence for verdict in self.verdicts for confidence in verdict.wrong_confidences]
        return {
            "photos": len(self.verdicts),
            "unread": sum(bool(verdict.error) for verdict in self.verdicts),
            **sums,
            "questions": self._count_questions(),
            "tiles_share": compute_share(sums["tiles_exact"], sums["tiles"]),
            "tiles_interval_95": compute_wilson_interval(sums["tiles_exact"], sums["tiles"]),
            "by_art": {art: self._share_of(art) for art in sorted({v.art for v in self.verdicts})},
            "finals": len(scored),
            "finals_exact": sum(verdict.final_exact for verdict in scored),
            "finals_sure": sum(verdict.final_sure for verdict in scored),
            "finals_sure_wrong": sum(verdict.final_sure_wrong for verdict in self.verdicts),
            "wrong_confidence": _median(confidences),
            "reliability": {
                name: summarise_reliability(statements) for name, statements in self._collect_statements().items()
            },
            "groups": [group.summarise() for group in group_finals(self.verdicts)],
            "times_ms": compute_median_times(verdict.times_ms for verdict in self.verdicts),
            "decode_ratio": _median([v.decode_ratio for v in self.verdicts if v.decode_ratio is not None]),
        }

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        """Every tile and meeple of all photos."""
        return tuple(outcome for verdict in self.verdicts for outcome in verdict.outcomes)

    def _count_questions(self) -> int | None:
        counts = [verdict.questions for verdict in self.verdicts if verdict.questions is not None]
        return sum(counts) if counts else None

    def _collect_statements(self) -> dict[str, list[Said]]:
        """Return the statements about tiles and meeples, including invented ones, and final scorings."""
        read = [o for o in self.outcomes if o.confidence is not None]
        statements = {f"{k}s": [Said(o.confidence, o.doubtful, o.right) for o in read if o.kind == k] for k in KINDS}
        finals = [v for v in self.verdicts if not v.error]
        return {**statements, "finals": [Said(v.final_confidence, not v.final_sure, v.final_exact) for v in finals]}

    def _share_of(self, art: str) -> dict[str, Any]:
        """Return the tiles and meeples of the photos in one art."""
        mine = [verdict for verdict in self.verdicts if verdict.art == art]
        sums = {name: sum(getattr(v, name) for v in mine) for name in ("tiles", "tiles_exact", *MEEPLE_SUMS)}
        return {"photos": len(mine), **sums, "tiles_share": compute_share(sums["tiles_exact"], sums["tiles"])}


def evaluate_photos(
    labels: Sequence[Path],
    photos: Path,
    out: Path,
    reader: ReadsTables | None = None,
    interviewer: Interviewer | None = None,
) -> Evaluation:
    """Read every label's photo, found under `photos`, with one reader; an interviewer asks its questions as well.

    Writes evaluation.csv, evaluation.json, and the breakdown of errors (`vision.evaluation.breakdown`). A photo that
    shows no board, or is damaged, counts as unread. Raises InputError, LabelError, or PhotoError for a missing photo,
    before anything is read.
    """
    truths = [load_truth(label) for label in labels]
    paths = [find_photo(truth.photo, photos, label) for truth, label in zip(truths, labels, strict=True)]
    reader = reader or _reader()
    pairs = zip(paths, truths, strict=True)
    evaluation = Evaluation(tuple(_verdict(reader, path, truth, interviewer) for path, truth in pairs))
    _write(evaluation, out)
    return evaluation


def find_photo(photo: str, photos: Path, label: Path | None = None) -> Path:
    """Find a label's photo under `photos` or beside it: at its path, then beside the label, then anywhere by its name.

    Raises PhotoError, and InputError if several different photos have that name.
    """
    beside = [label.parent / Path(photo).name] if label else []
    for place in (photos / photo, photos.parent / photo, photos / Path(photo).name, *beside):
        if place.is_file():
            return place
    anywhere = sorted(photos.rglob(Path(photo).name))
    if not anywhere:
        raise PhotoError("photo_not_found", f"There is no {photo} under {photos}.", {"file": photo})
    first, *others = anywhere
    if any(not filecmp.cmp(first, other, shallow=False) for other in others):
        matches = [str(path.relative_to(photos)) for path in anywhere]
        raise InputError("photo_ambiguous", details={"file": photo, "found": matches})
    return first


def print_evaluation(evaluation: Evaluation, console: Console | None = None) -> None:
    """Print a row per photo, then one for each series and photographer, then totals, in the width of the terminal."""
    console = console or Console(width=None if sys.stdout.isatty() else PLAIN_WIDTH)
    totals = evaluation.totals()
    table = Table(box=None, pad_edge=False, show_footer=True)
    rows = [_cells(_fields(v)) for v in evaluation.verdicts]
    foot = _cells({**totals, "photo": f"{totals['photos']} photos"}, total=True)
    for name in foot:
        fold = name in FOLDED
        table.add_column(name, foot[name], justify="left" if fold else "right", overflow="fold", no_wrap=not fold)
    for row in rows:
        table.add_row(*row.values())
    console.print(table)
    groups = group_finals(evaluation.verdicts)
    if any(verdict.right_after for verdict in evaluation.verdicts):
        console.print(_tabulate_groups(groups))
    for line in _summary(totals):
        console.print(line, highlight=False)


def _tabulate_groups(groups: Sequence[FinalsGroup]) -> Table:
    """Tabulate the final scorings right after some answers of an oracle, a row per group."""
    table = Table(box=None, pad_edge=False, title="final scorings right after answers", title_justify="left")
    for name in ("series", "by", "n", "0", "1", "2", "3", "all", "asked", "not asked", "sure wrong", "never right"):
        table.add_column(name, justify="left" if name in ("series", "by") else "right", no_wrap=True)
    for group in groups:
        counts = (group.n, *group.right_after)
        questions = _number(group.questions_each, 1, 1)
        others = (str(group.unasked), f"{group.sure_wrong}/{group.sure}", str(group.wrong_whatever))
        table.add_row(group.series or "all", group.photographer or "all", *map(str, counts), questions, *others)
    return table


def _reader() -> ReadsTables:
    from vision.reader import Reader

    return Reader()


def _verdict(reader: ReadsTables, path: Path, truth: Truth, interviewer: Interviewer | None) -> Verdict:
    try:
        photo = Photo.from_path(path)
        joined = reader.join([reader.survey(photo)])
    except (PhotoError, ReadingError) as error:
        return judge_unread(truth, error.code)
    reading = joined.views[0].reading
    verdict = judge_reading(reading, truth, measure_stage_times(photo, reading))
    return verdict if interviewer is None else judge_interview(verdict, interviewer(joined, truth))


def _median(values: Sequence[float]) -> float | None:
    return median(values) if values else None


def _fields(verdict: Verdict) -> dict[str, Any]:
    """Return a verdict as a row: its own fields without the single outcomes, and derived values."""
    fields = asdict(replace(verdict, outcomes=()))
    del fields["outcomes"]
    return {
        **fields,
        "questions": verdict.questions,
        "tiles_share": compute_share(verdict.tiles_exact, verdict.tiles),
        "wrong_confidence": verdict.wrong_confidence,
        "decode_ratio": verdict.decode_ratio,
    }


def _cells(row: Mapping[str, Any], total: bool = False) -> dict[str, str]:
    """Return one line of the table, by column."""
    final = f"{row['finals_exact']}/{row['finals']}" if total else _final(row)
    return {
        "photo": row["photo"] if total or not row["error"] else f"{row['photo']} {row['error']}",
        "tiles": f"{row['tiles_exact']}/{row['tiles']}",
        "pieces": f"{row['meeples_found']}/{row['meeples']}",
        "placed": str(row["meeples_place"]),
        "colour": str(row["meeples_colour"]),
        "extra": str(row["meeples_extra"]),
        "final": final,
        "sure": f"{row['finals_sure']}/{row['finals']}" if total else _number(row["final_confidence"], 1, 2),
        "asked": _number(row["questions"], 1, 0),
        "decodes": _number(row["decode_ratio"], 1, 1),
    }


def _final(row: Mapping[str, Any]) -> str:
    if row["error"] or not (row["final_true"] or row["final_read"]):
        return "-"
    if row["final_exact"]:
        return "yes"
    read, true = row["final_read"], row["final_true"]
    others = [player for player in sorted({*read, *true}) if read.get(player, 0) != true.get(player, 0)]
    return ", ".join(f"{player} {read.get(player, 0)} for {true.get(player, 0)}" for player in others)


def _number(value: float | None, factor: float, digits: int) -> str:
    return "-" if value is None else f"{value * factor:.{digits}f}"


def _summary(totals: Mapping[str, Any]) -> Iterable[str]:
    if totals["tiles_interval_95"]:
        low, high = (format_percent(bound, 2) for bound in totals["tiles_interval_95"])
        yield f"tiles exact: {format_percent(totals['tiles_share'], 2)} (95 % interval {low} to {high})"
    if totals["meeples"]:
        yield f"meeples found: {format_share(totals['meeples_found'], totals['meeples'])}"
        yield f"meeples on the right feature: {format_share(totals['meeples_place'], totals['meeples'])}"
    if len(totals["by_art"]) > 1:
        for art, sums in totals["by_art"].items():
            yield f"tiles exact in {art or 'unnamed art'}: {format_share(sums['tiles_exact'], sums['tiles'])}"
    if totals["finals"]:
        yield f"final scorings right: {format_share(totals['finals_exact'], totals['finals'])}"
        yield f"final scorings without a doubt: {format_share(totals['finals_sure'], totals['finals'])}"
    yield from _trust(totals["reliability"])
    yield from _bin_lines(totals["reliability"]["finals"])
    yield f"wrong but sure: {totals['sure_wrong']} tiles, {totals['finals_sure_wrong']} final scorings"
    yield "median ms: " + ", ".join(f"{stage} {spent:.0f}" for stage, spent in totals["times_ms"].items())


def _trust(kinds: Mapping[str, Any]) -> Iterable[str]:
    """Yield the calibration of the readings, a line for each kind of statement."""
    for kind, summary in kinds.items():
        name = "final scorings" if kind == "finals" else kind
        sure, marked = summary["undoubted"], summary["doubtful"]
        if marked["n"]:
            error = _number(summary["calibration_error"], 100, 2)
            yield (
                f"{name} not marked doubtful: right {format_share(sure['part'], sure['n'])}; "
                f"marked: {format_share(marked['part'], marked['n'])}; calibration error {error} %"
            )


def _bin_lines(finals: Mapping[str, Any]) -> Iterable[str]:
    """Yield the share of right final scorings for each bin of confidence, a line per bin."""
    for one in finals["bins"]:
        band = f"{format_percent(one['low'], 0)} to {format_percent(one['high'], 0)}"
        yield f"final scorings said to be {band} likely: right {format_share(one['part'], one['n'])}"


def _write(evaluation: Evaluation, out: Path) -> None:
    document = {"totals": evaluation.totals(), "photos": [_fields(v) for v in evaluation.verdicts]}
    with open_figures_folder(out):
        write_figures(out, document, [_flat(verdict) for verdict in evaluation.verdicts])
        write_errors(evaluation.outcomes, out)


def _flat(verdict: Verdict) -> dict[str, Any]:
    """Return a row of the CSV: points as words, times as one column per stage."""
    row = _fields(verdict)
    times = row.pop("times_ms")
    del row["wrong_confidences"]
    row["right_after"] = " ".join("yes" if right else "no" for right in row["right_after"])
    row |= {name: format_points(row[name]) for name in ("final_true", "final_read")}
    return row | {f"ms_{stage}": round(spent, 1) for stage, spent in times.items()}
