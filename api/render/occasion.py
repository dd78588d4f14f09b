"""When and where a table was played, for the title of its page and the names of files."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from datetime import date
from urllib.parse import quote

from api.i18n import Words
from api.i18n.report_text import label_player
from api.report.protocol import GameReport

MAX_NAME_CHARACTERS = 120


@dataclass(frozen=True, slots=True)
class Occasion:
    """The day of a table's photo, and its event, contest, round and table as far as it belongs to one."""

    day: date | None = None
    event: str = ""
    contest: str = ""
    round: str = ""
    table: str = ""

    def list_places(self, words: Words) -> list[str]:
        """List the event and where in it the table stands; a bare number of a round or a table says which it is."""
        contest = "" if self.contest == self.event else self.contest
        numbered = [
            words.say(f"sheet-{what}", number=name) if name.isdecimal() else name
            for what, name in (("round", self.round), ("table", self.table))
        ]
        return [name for name in (self.event, contest, *numbered) if name]


def rank_players(report: GameReport, winners: list[str]) -> dict[str, int]:
    """Rank the players by their totals, ties alike; empty where not all totals are known.

    Of those with the most points `winners` come first, where a game breaks ties.
    """
    totals = {player: report.scores.total.get(player) for player in report.scores.final_scoring}
    known = {player: total for player, total in totals.items() if total is not None}
    if not known or len(known) < len(totals):
        return {}
    places = {player: 1 + sum(other > total for other in known.values()) for player, total in known.items()}
    ahead = [player for player in winners if places.get(player) == 1]
    return {p: place + len(ahead) if place == 1 and ahead and p not in ahead else place for p, place in places.items()}


def build_file_name(report: GameReport, occasion: Occasion, words: Words, ending: str) -> str:
    """Build the name of a file about a table: its day, its place and its players, as people write them."""
    players = [label_player(words.language, player, report.names) for player in report.scores.final_scoring]
    day = occasion.day.isoformat() if occasion.day else ""
    parts = [part for part in ("Wondertally", day, *occasion.list_places(words), ", ".join(players)) if part]
    name = re.sub(r'[\x00-\x1f\x7f/\\:*?"<>|]+', " ", " ".join(parts))
    return f"{' '.join(name.split())[:MAX_NAME_CHARACTERS].rstrip(' .,')}.{ending}"


def build_attachment_header(name: str) -> str:
    """Build the header by which a browser names a file (RFC 6266): in ASCII, and as it is written."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode("ascii").replace('"', "")
    return f"attachment; filename=\"{' '.join(plain.split())}\"; filename*=UTF-8''{quote(name, safe='')}"
