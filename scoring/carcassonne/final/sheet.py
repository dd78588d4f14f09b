"""The score sheet: every point with the rule it comes from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from scoring.score_entry import ScoreEntry, Values

_WONDERS = "The Wonders of Humanity, 3. Scoring a wonder, Scoring after the game"
_IN_PLAY = "The Wonders of Humanity, 3. Scoring a wonder, Scoring during the game"
SECTIONS = {
    "road.finished": "Base game, scoring a road; Inns & Cathedrals, inns",
    "road.unfinished": "Base game, final scoring: roads; Inns & Cathedrals, inns",
    "city.finished": "Base game, scoring a city; Inns & Cathedrals, cathedrals",
    "city.unfinished": "Base game, final scoring: cities; Inns & Cathedrals, cathedrals",
    "monastery.finished": "Base game, scoring a monastery",
    "monastery.unfinished": "Base game, final scoring: monasteries",
    "garden.finished": "The Abbot, scoring a garden",
    "garden.unfinished": "The Abbot, final scoring",
    "abbot.recalled": "The Abbot, taking the abbot back",
    "field.farm": "Base game, final scoring: farms; Traders & Builders, pig",
    "field.city": "Base game of the first edition, final scoring: farms; Traders & Builders, pig",
    "goods.majority": "Traders & Builders, final scoring: goods",
    "wonder.circus-maximus": f"{_WONDERS}: Circus Maximus",
    "wonder.alhambra": f"{_WONDERS}: Alhambra",
    "wonder.angkor-wat": f"{_WONDERS}: Angkor Wat",
    "wonder.terracotta-army": f"{_WONDERS}: Terracotta Army",
    "wonder.notre-dame": f"{_IN_PLAY}: Notre-Dame",
    "wonder.stonehenge": f"{_IN_PLAY}: Stonehenge",
    "wonder.tikal": f"{_IN_PLAY}: Tikal",
}
"""The section of the rule text that each rule of an entry stands in."""


class Worth(NamedTuple):
    """What something brings: points, the rule's code, the sum in words, and what the words name."""

    points: int
    rule: str
    text: str
    values: Values

    def entry(self, player: str, feature: str) -> ScoreEntry:
        """Return these points as an entry of a player for a feature."""
        return ScoreEntry(player, self.points, feature, self.rule, self.text, self.values)


def get_rule_section(entry: ScoreEntry) -> str:
    """Return the section of the rule text that an entry goes by."""
    return SECTIONS[entry.rule]


@dataclass(frozen=True)
class ScoreSheet:
    """All entries: wonders first, then features in their order, then goods.

    `totals` holds every player, in alphabetical order.
    """

    entries: tuple[ScoreEntry, ...]
    totals: Mapping[str, int]
