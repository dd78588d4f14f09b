"""The score sheet: every point with the rule it comes from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from scoring.score_entry import ScoreEntry, Values

SECTIONS = {
    "road.finished": "base-road",
    "road.unfinished": "base-final-roads",
    "city.finished": "base-city",
    "city.unfinished": "base-final-cities",
    "monastery.finished": "base-monastery",
    "monastery.unfinished": "base-final-monasteries",
    "garden.finished": "abbot-garden",
    "garden.unfinished": "abbot-final",
    "abbot.recalled": "abbot-back",
    "field.farm": "base-final-farms",
    "field.city": "first-final-farms",
    "goods.majority": "traders-goods",
    "wonder.circus-maximus": "wonders-circus-maximus",
    "wonder.alhambra": "wonders-alhambra",
    "wonder.angkor-wat": "wonders-angkor-wat",
    "wonder.terracotta-army": "wonders-terracotta-army",
    "wonder.notre-dame": "wonders-notre-dame",
    "wonder.stonehenge": "wonders-stonehenge",
    "wonder.tikal": "wonders-tikal",
}
"""The section of the rule texts that each rule of an entry stands in, as `explain-section-*` of `api/i18n` names it."""
_FURTHER_SECTIONS = {"inn": "inns-inns", "cathedral": "inns-cathedrals", "pig": "traders-pig", "herds": "river-herd"}
"""The section that an entry goes by besides where a value of its own is more than nothing, by the value's name."""


class Worth(NamedTuple):
    """What something brings: points, the rule's code, the sum in words, and what the words name."""

    points: int
    rule: str
    text: str
    values: Values

    def entry(self, player: str, feature: str) -> ScoreEntry:
        """Return these points as an entry of a player for a feature."""
        return ScoreEntry(player, self.points, feature, self.rule, self.text, self.values)


def list_rule_sections(rule: str, values: Values) -> tuple[str, ...]:
    """Return the sections of the rule texts that an entry goes by: its own first, then those of other boxes."""
    return (SECTIONS[rule], *(section for value, section in _FURTHER_SECTIONS.items() if values.get(value)))


@dataclass(frozen=True)
class ScoreSheet:
    """All entries: wonders first, then features in their order, then goods.

    `totals` holds every player, in alphabetical order.
    """

    entries: tuple[ScoreEntry, ...]
    totals: Mapping[str, int]
