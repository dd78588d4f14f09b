"""Day and place of a table's game, for the title of its page and for file names."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from datetime import date
from urllib.parse import quote

from api.documents.forms import AnyReport
from api.i18n import Words
from api.i18n.report_text import label_player

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
    day = occasion.day.isoformat() if occasion.day else ""
    parts = [part for part in ("Wondertally", day, *occasion.list_places(words), ", ".join(players)) if part]
    name = re.sub(r'[\x00-\x1f\x7f/\\:*?"<>|]+', " ", " ".join(parts))
    return f"{' '.join(name.split())[:MAX_NAME_CHARACTERS].rstrip(' .,')}.{ending}"


def build_attachment_header(name: str) -> str:
    """Build the header that names a download (RFC 6266), in ASCII and in UTF-8."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode("ascii").replace('"', "")
    return f"attachment; filename=\"{' '.join(plain.split())}\"; filename*=UTF-8''{quote(name, safe='')}"
