"""A report's entries and totals as CSV (RFC 4180), for spreadsheets."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

from api.i18n.report_text import label_player, translate_entry, translate_rule
from api.report.protocol import GameReport

COLUMNS = ("player", "colour", "feature", "rule", "rule_text", "sum", "points")
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "|", "%")


def format_report_csv(report: GameReport, language: str = "en") -> str:
    """A row for each entry, then for each player the final scoring, the score track and the total.

    Texts that a spreadsheet would take for a formula begin with an apostrophe; numbers stay numbers. An unknown
    number of points is an empty field.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for row in (*_entries(report, language), *_totals(report, language)):
        writer.writerow([escape_formula(field) if isinstance(field, str) else field for field in row])
    return text.getvalue()


def _entries(report: GameReport, language: str) -> Iterator[tuple[str | int | None, ...]]:
    for entry in report.scores.entries:
        player = label_player(language, entry.player, report.names)
        rule = translate_rule(language, entry.rule)
        yield player, entry.player, entry.feature, entry.rule, rule, translate_entry(language, entry), entry.points


def _totals(report: GameReport, language: str) -> Iterator[tuple[str | int | None, ...]]:
    scores = report.scores
    for colour, points in scores.final_scoring.items():
        player = label_player(language, colour, report.names)
        yield player, colour, "", "final_scoring", "", "", points
        yield player, colour, "", "on_track", "", "", scores.on_track.get(colour)
        yield player, colour, "", "total", "", "", scores.total.get(colour)


def escape_formula(text: str) -> str:
    """A text that no spreadsheet takes for a formula."""
    return f"'{text}" if text.lstrip().startswith(_FORMULA) else text
