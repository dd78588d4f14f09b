"""What a report's players have points for as CSV (RFC 4180), for spreadsheets."""

from __future__ import annotations

import csv
import io
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from api.i18n import load_words
from api.i18n.report_text import label_player, translate_entry, translate_rule
from api.render.occasion import rank_players
from api.report.protocol import GameReport, list_feature_names

COLUMNS = (
    *("player", "colour", "place", "total", "feature", "rule", "rule_text", "sum", "points"),
    *("confidence", "open_doubts", "doubts"),
)
ON_TRACK = "on_track"
"""The rule of the points that a player had before the final scoring."""
MAX_CONFIDENCE = 0.999
"""No reading is told to be surer than this."""
_FORMULA = "=+-@|%"
"""What a formula begins with, in its plain form: spreadsheets take the full-width ones for the same."""


@dataclass(frozen=True, slots=True)
class Certainty:
    """How sure a report is, for the columns that say so: its confidence, the open doubts, and which are of what."""

    confidence: float | None = None
    open_doubts: int = 0
    by_feature: Mapping[str, Sequence[str]] = field(default_factory=dict)
    winners: Sequence[str] = ()


def format_report_csv(report: GameReport, language: str = "en", certainty: Certainty | None = None) -> str:
    """A row for whatever a player has points for, the score track among them: the points of a player add up.

    Where a game counts nothing before the end there is no row of a score track, and an empty one for who has nothing.
    A player's place and total, and how sure the table is, stand in each row. Texts that a spreadsheet would take for a
    formula begin with an apostrophe; numbers stay numbers. What is not known is an empty field.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for row in _rows(report, language, certainty or Certainty()):
        writer.writerow([escape_formula(cell) if isinstance(cell, str) else cell for cell in row])
    return text.getvalue()


def _rows(report: GameReport, language: str, certainty: Certainty) -> Iterator[tuple[str | float | None, ...]]:
    scores, words, places = report.scores, load_words(language), rank_players(report, list(certainty.winners))
    names = list_feature_names(report)
    confidence = None if certainty.confidence is None else min(round(certainty.confidence, 3), MAX_CONFIDENCE)
    for colour in scores.final_scoring:
        player = label_player(language, colour, report.names), colour, places.get(colour), scores.total.get(colour)
        sure = confidence, certainty.open_doubts
        entries = [entry for entry in scores.entries if entry.player == colour]
        for entry in entries:
            rule, reason = translate_rule(language, entry.rule), translate_entry(language, entry)
            doubts = " ".join(certainty.by_feature.get(entry.feature, ()))
            feature = names.get(entry.feature, entry.feature)
            yield *player, feature, entry.rule, rule, reason, entry.points, *sure, doubts
        if colour in scores.on_track:  # some games count nothing before the end
            yield *player, "", ON_TRACK, words.say("sheet-track"), "", scores.on_track[colour], *sure, ""
        elif not entries:
            yield *player, "", "", "", "", None, *sure, ""


def escape_formula(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula, whatever unseen signs it begins with."""
    letters = (letter for letter in text if not letter.isspace() and unicodedata.category(letter)[0] != "C")
    first = unicodedata.normalize("NFKC", next(letters, ""))
    return f"'{text}" if first.startswith(tuple(_FORMULA)) else text
