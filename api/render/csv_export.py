"""A report's entries as CSV (RFC 4180), for spreadsheets."""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from urllib.parse import quote

from api.documents.forms import AnyReport, list_feature_names
from api.i18n import Words, load_words
from api.i18n.report_text import label_player, translate_entry, translate_rule

COLUMNS = (
    *("player", "colour", "place", "total", "feature", "rule", "rule_text", "sum", "points"),
    *("confidence", "open_doubts", "doubts"),
)
ON_TRACK = "on_track"
"""Rule of the points that a player had before the final scoring."""
MAX_CONFIDENCE = 0.999
"""Maximum confidence that is shown: no reading is certain. A guess."""
_FORMULA = "=+-@|%"
"""First characters of a formula in normalised form; spreadsheets also accept full-width variants."""


@dataclass(frozen=True, slots=True)
class Certainty:
    """Certainty of a report, for its CSV columns: the confidence, the open doubts, and their features."""

    confidence: float | None = None
    open_doubts: int = 0
    by_feature: Mapping[str, Sequence[str]] = field(default_factory=dict)
    winners: Sequence[str] = ()


def format_report_csv(report: AnyReport, language: str = "en", certainty: Certainty | None = None) -> str:
    """Format a row for each entry of a player, including the score track, so that a player's rows add up to the total.

    A game that counts nothing before the end has no row for a score track, and an empty row for a player without
    entries. Each row has the player's place and total and the table's certainty. Texts that a spreadsheet would treat
    as a formula get an apostrophe in front; numbers stay numbers. Unknown values are empty fields.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for row in _rows(report, language, certainty or Certainty()):
        writer.writerow([escape_formula(cell) if isinstance(cell, str) else cell for cell in row])
    return text.getvalue()


def _rows(report: AnyReport, language: str, certainty: Certainty) -> Iterator[tuple[str | float | None, ...]]:
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
    """Return a text that no spreadsheet treats as a formula, even after invisible leading characters."""
    letters = (letter for letter in text if not letter.isspace() and unicodedata.category(letter)[0] != "C")
    first = unicodedata.normalize("NFKC", next(letters, ""))
    return f"'{text}" if first.startswith(tuple(_FORMULA)) else text


MAX_NAME_CHARACTERS = 120
"""Maximum length of a file name without its suffix. A guess."""


@dataclass(frozen=True, slots=True)
class Occasion:
    """The day of a table's photo, and its event, contest, round and table if it belongs to one."""

    day: date | None = None
    event: str = ""
    contest: str = ""
    round: str = ""
    table: str = ""

    def list_places(self, words: Words) -> list[str]:
        """List the event and the table's place in it; a bare number of a round or a table gets the word before it."""
        contest = "" if self.contest == self.event else self.contest
        numbered = [
            words.say(f"sheet-{what}", number=name) if name.isdecimal() else name
            for what, name in (("round", self.round), ("table", self.table))
        ]
        return [name for name in (self.event, contest, *numbered) if name]


def rank_players(report: AnyReport, winners: list[str]) -> dict[str, int]:
    """Rank the players by their totals, ties sharing a place; empty unless all totals are known.

    If a game breaks ties, `winners` come first among the players with the most points.
    """
    totals = {player: report.scores.total.get(player) for player in report.scores.final_scoring}
    known = {player: total for player, total in totals.items() if total is not None}
    if not known or len(known) < len(totals):
        return {}
    places = {player: 1 + sum(other > total for other in known.values()) for player, total in known.items()}
    ahead = [player for player in winners if places.get(player) == 1]
    return {p: place + len(ahead) if place == 1 and ahead and p not in ahead else place for p, place in places.items()}


def build_file_name(report: AnyReport, occasion: Occasion, words: Words, ending: str) -> str:
    """Build the name of a file about a table from its day, place and players."""
    players = [label_player(words.language, player, report.names) for player in report.scores.final_scoring]
    return join_file_name(occasion.day, [*occasion.list_places(words), ", ".join(players)], ending)


def join_file_name(day: date | None, about: Iterable[str], ending: str) -> str:
    """Join the name of a file from the day, and from words about its contents."""
    parts = [part for part in ("Wondertally", day.isoformat() if day else "", *about) if part]
    name = re.sub(r'[\x00-\x1f\x7f/\\:*?"<>|]+', " ", " ".join(parts))
    return f"{' '.join(name.split())[:MAX_NAME_CHARACTERS].rstrip(' .,')}.{ending}"


def build_attachment_header(name: str) -> str:
    """Build the header that names a download (RFC 6266), in ASCII and in UTF-8."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode("ascii").replace('"', "")
    return f"attachment; filename=\"{' '.join(plain.split())}\"; filename*=UTF-8''{quote(name, safe='')}"
