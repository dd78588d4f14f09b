"""Files of tables' results: results.csv, results.jsonl, standings.csv, and a batch's index.html.

The review desk exports with the same writers.
"""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from api.documents.forms import OPEN_CODES, AnyReport, is_track_open, is_whole, parse_report
from api.documents.report import BatchPlace
from api.errors import guard_writing
from api.render.csv_export import escape_formula
from api.tournament.listed_tables import ListedTable
from api.tournament.standings import TIE_BREAKER_WORDS, TIE_BREAKERS, Standing, TableScore, compute_standings
from scoring.carcassonne.board.box_rules import BoxRules, format_box_rules
from vision.enrolment.durable import sync

THUMBNAILS = "thumbnails"
"""Folder of a batch's thumbnails, among its results."""
COLUMNS = (
    "event", "round", "table", "photos", "status", "colour", "player", "final_scoring", "on_track", "total", "place",
    "confidence", "doubts", "problems", "error", "box_rules",
)  # fmt: skip
STANDING_COLUMNS = (
    "event", "place", "player", "tables", "wins", "points", "share", "without_score_track", "doubtful_tables",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Result:
    """Result of a table: its report or an error (both as JSON), and its photos that could not be opened.

    `checked` is set if a person has confirmed it. `shared` are its photos with the same content as a photo of another
    table, each with that photo's name.
    """

    table: ListedTable
    report: dict[str, Any] | None = None
    error: dict[str, Any] | None = None
    key: str = ""
    missing: tuple[tuple[str, dict[str, Any]], ...] = ()
    checked: bool = False
    shared: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Row:
    """Summary of a table: `status` is failed, doubtful, sure or checked; `scores` are colour, name, points, place.

    `problems` are sentences; for a doubtful table, they or the number of `doubts` give the reason. The place is None
    while a player's score track is unknown; the points are then those of the final scoring.
    """

    table: ListedTable
    status: str
    scores: tuple[tuple[str, str, int, int | None], ...] = ()
    whole: bool = False
    doubts: int = 0
    confidence: float | None = None
    problems: tuple[str, ...] = ()
    error: str = ""
    thumbnail: str = ""


@dataclass(slots=True)
class Summary:
    """Figures of a batch; `not_read` maps photos in no result to the code of the reason.

    `not_used` maps workers that got no work to the error code; `passed_over` are folders of other batches' thumbnails,
    `linked_folders` links to folders, which are not followed. `shared` maps photos with the same content as one of
    another table to that photo's name.
    """

    rows: list[Row] = field(default_factory=list)
    not_read: dict[str, str] = field(default_factory=dict)
    standings: list[Standing] = field(default_factory=list)
    not_used: dict[str, str] = field(default_factory=dict)
    passed_over: tuple[str, ...] = ()
    linked_folders: tuple[str, ...] = ()
    shared: dict[str, str] = field(default_factory=dict)

    def count(self, status: str) -> int:
        """Count the tables of a status."""
        return sum(row.status == status for row in self.rows)

    def to_json(self) -> str:
        """Format the figures as JSON, without the tables themselves."""
        counts = {status: self.count(status) for status in ("sure", "doubtful", "failed")}
        placed = [
            dict(zip(STANDING_COLUMNS, _build_standing_cells(standing), strict=True)) for standing in self.standings
        ]
        document = {"tables": counts, "not_read": self.not_read, "passed_over": self.passed_over, "standings": placed}
        document |= {"workers_not_used": self.not_used, "linked_folders": self.linked_folders}
        document |= {"same_photo_at_two_tables": self.shared}
        return json.dumps(document, ensure_ascii=False) + "\n"


def write_results(out: Path, results: Iterable[Result]) -> Summary:
    """Write all files; the same results give the same files. Raises InputError `cannot_write`."""
    summary, scores = Summary(), list[TableScore]()
    with _write_whole(out / "results.csv") as table, _write_whole(out / "results.jsonl") as lines:
        table.write(format_csv([COLUMNS]))
        for result in results:
            row = summarise_result(result, _find_thumbnail(result, out))
            summary.rows.append(row)
            summary.not_read |= _list_unread(result)
            summary.shared |= dict(result.shared)
            scores += extract_table_score(row)
            table.write(format_result_csv(result, row))
            lines.write(format_result_jsonl(result))
    summary.standings = compute_standings(scores)
    with _write_whole(out / "standings.csv") as table:
        table.write(format_standings_csv(summary.standings))
    with _write_whole(out / "index.html") as page:
        page.write(_render_page(summary))
    return summary


@contextmanager
def _write_whole(file: Path) -> Iterator[IO[str]]:
    """Write a file atomically: it is complete, or as it was before."""
    draft = file.with_name(f".{file.name}.draft")
    with guard_writing(file):
        with draft.open("w", encoding="utf-8", newline="") as opened:
            yield opened
        sync(draft)
        os.replace(draft, file)
        sync(file.parent)


def _find_thumbnail(result: Result, out: Path) -> str:
    thumbnail = f"{THUMBNAILS}/{result.key[:16]}.jpg"
    return thumbnail if result.key and (out / thumbnail).exists() else ""


def summarise_result(result: Result, thumbnail: str = "") -> Row:
    """Summarise a table."""
    if result.report is None:
        return Row(result.table, "failed", error=(result.error or {}).get("code", ""), thumbnail=thumbnail)
    report = parse_report(result.report)
    whole, problems = is_whole(report), tuple(list_problems(result, report))
    is_doubtful = report.doubtful or is_track_open(report) or bool(result.missing or result.shared)
    points = {
        c: (report.scores.total[c] or 0) if whole else final_points
        for c, final_points in report.scores.final_scoring.items()
    }
    ranked = sorted(points, key=lambda colour: (-points[colour], colour))
    places = {c: 1 + sum(other > points[c] for other in points.values()) for c in ranked}
    return Row(
        table=result.table,
        status="checked" if result.checked else "doubtful" if is_doubtful else "sure",
        scores=tuple((c, report.names.get(c, ""), points[c], places[c] if whole else None) for c in ranked),
        whole=whole,
        doubts=len(report.doubts),
        confidence=report.scores.confidence,
        problems=problems,
        thumbnail=thumbnail,
    )


def list_problems(result: Result, report: AnyReport) -> Iterator[str]:
    """Yield everything except doubts that keeps a table from being sure, as sentences."""
    yield from (problem.text for problem in report.board.problems)
    yield from (f"{name} could not be opened ({error['code']})" for name, error in result.missing)
    yield from (f"{name} is the same picture as {other}, which is of another table" for name, other in result.shared)
    if not report.scores.final_scoring:
        yield "nobody scores: no piece was found on the board"
    asked_about = {problem.values.get("player") for problem in report.board.problems if problem.code in OPEN_CODES}
    if missing := [c for c, total in report.scores.total.items() if total is None and c not in asked_about]:
        yield f"the points on the score track are not known: {', '.join(missing)}"
    yield from (assumed.text for assumed in report.scores.assumed if assumed.final_scoring)


def _list_unread(result: Result) -> dict[str, str]:
    codes = {name: error["code"] for name, error in result.missing}
    if result.report is None:
        return {name: (result.error or {}).get("code", "") for name in result.table.photos} | codes
    return codes | {
        photo["file"]: photo["reason"] for photo in result.report["set_aside"] if photo["reason"] != "same_photo"
    }


def extract_table_score(row: Row) -> Iterator[TableScore]:
    """Yield the score of a table that counts in the standings: one whose players all have names."""
    if row.scores and all(name for _, name, _, _ in row.scores):
        points = {name: player_points for _, name, player_points, _ in row.scores}
        yield TableScore(row.table.event, points, row.whole, row.status == "doubtful")


def format_csv(rows: Iterable[Iterable[object]]) -> str:
    """Format rows as lines of CSV."""
    text = io.StringIO(newline="")
    csv.writer(text).writerows(rows)
    return text.getvalue()


def format_result_csv(result: Result, row: Row) -> str:
    """Format a table's lines in results.csv."""
    return format_csv([cells.get(column, "") for column in COLUMNS] for cells in _build_cells(result, row))


def format_standings_csv(placed: Iterable[Standing]) -> str:
    """Format the whole of standings.csv."""
    return format_csv([STANDING_COLUMNS, *map(_build_standing_cells, placed)])


def _build_cells(result: Result, row: Row) -> Iterator[dict[str, object]]:
    """Yield a line for each player, or one for a table without points or without a reading."""
    about = {name: escape_formula(getattr(result.table, name)) for name in ("event", "round", "table")}
    whole: dict[str, object] = {**about, "photos": escape_formula(" ".join(result.table.photos)), "status": row.status}
    whole["error"] = row.error
    if result.report is None:
        yield whole
        return
    scores = result.report["scores"]
    whole |= {
        "confidence": scores["confidence"],
        "doubts": row.doubts,
        "problems": escape_formula("; ".join(row.problems)),
        "box_rules": format_box_rules(BoxRules.of(result.report["rules"].get("box_rules", {}))),
    }
    players = [
        {
            "colour": colour,
            "player": escape_formula(name),
            "final_scoring": scores["final_scoring"][colour],
            "on_track": scores["on_track"].get(colour),
            "total": scores["total"][colour],
            "place": place,
        }
        for colour, name, _, place in row.scores
    ]
    yield from (whole | player for player in players or [{}])


def _build_standing_cells(standing: Standing) -> tuple[object, ...]:
    wins, share = f"{float(standing.wins):g}", f"{float(standing.share):.4f}"
    return (
        escape_formula(standing.event), standing.place, escape_formula(standing.player), standing.tables, wins,
        standing.points, share, standing.final_only, standing.doubtful, )  # fmt: skip


def format_result_jsonl(result: Result) -> str:
    """Format a table's line in results.jsonl: the report, or the error, with its place in the batch."""
    table = result.table
    place = BatchPlace(event=table.event, round=table.round, table=table.table, photos=list(table.photos))
    document = result.report if result.report is not None else {"error": result.error}
    return json.dumps({**document, "batch": place.model_dump()}, ensure_ascii=False, separators=(",", ":")) + "\n"


def _render_page(summary: Summary) -> str:
    environment = Environment(
        loader=PackageLoader("api.tournament", "."), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
    order = ("failed", "doubtful", "sure")
    rows = sorted(summary.rows, key=lambda row: order.index(row.status))
    return environment.get_template("summary.html").render(
        summary=summary, rows=rows, order=order, tie_breakers=[TIE_BREAKER_WORDS[name] for name in TIE_BREAKERS]
    )
