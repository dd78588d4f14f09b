"""The score sheet: every point with its rule."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from scoring.carcassonne.tiles.kinds import KINDS
from scoring.score_entry import ScoreEntry, Values

SECTIONS = {
    **{
        f"{kind}.{state}": section
        for kind, row in KINDS.items()
        for state, section in zip(("finished", "unfinished"), row.sections, strict=False)
    },
    "abbot.recalled": "abbot-back",
    "field.farm": "base-final-farms",
    "field.city": "first-final-farms",
    "field.barn": "abbey-barn",
    "monastery.abbot": "monasteries-abbot",
    "goods.majority": "traders-goods",
    "gold.bars": "gold-bars",
    "king.cities": "king-final",
    "baron.roads": "king-final",
    "other.points": "entered",
    "wonder.circus-maximus": "wonders-circus-maximus",
    "wonder.alhambra": "wonders-alhambra",
    "wonder.angkor-wat": "wonders-angkor-wat",
    "wonder.terracotta-army": "wonders-terracotta-army",
    "wonder.notre-dame": "wonders-notre-dame",
    "wonder.stonehenge": "wonders-stonehenge",
    "wonder.tikal": "wonders-tikal",
}
"""Section of the rule texts for each rule of an entry, as named by `explain-section-*` of `api/i18n`."""
_FURTHER_SECTIONS = {
    "inn": "inns-inns",
    "cathedral": "inns-cathedrals",
    "pig": "traders-pig",
    "herds": "river-herd",
    "siege": "siege-cities",
    "besieged": "siege-farmers",
    "vineyards": "hills-vineyards",
}
"""Further section that applies to an entry if one of its values is above zero, by the value's name."""


class Worth(NamedTuple):
    """The worth of something: points, the rule's code, the sum in words, and the values named in the words."""

    points: int
    rule: str
    text: str
    values: Values

    def entry(self, player: str, feature: str) -> ScoreEntry:
        """Return these points as a player's entry for a feature."""
        return ScoreEntry(player, self.points, feature, self.rule, self.text, self.values)


def list_rule_sections(rule: str, values: Values) -> tuple[str, ...]:
    """Return the sections of the rule texts that apply to an entry: its own first, then those of other boxes."""
    return (SECTIONS[rule], *(section for value, section in _FURTHER_SECTIONS.items() if values.get(value)))


@dataclass(frozen=True)
class ScoreSheet:
    """All entries: wonders first, then features in their order, then goods.

    `totals` holds every player in alphabetical order.
    """

    entries: tuple[ScoreEntry, ...]
    totals: Mapping[str, int]
