"""Points with the rule that they come from, of whatever game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

Values = Mapping[str, int | str]
"""Numbers and names by what they are."""


@dataclass(frozen=True, slots=True)
class ScoreEntry:
    """Points of one player for one feature (its id; empty for goods): the rule as a code, and the sum in words.

    `values` are what the words name, for those who say it in another language.
    """

    player: str
    points: int
    feature: str
    rule: str
    text: str
    values: Values = field(default_factory=dict, compare=False)
