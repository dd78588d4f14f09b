"""Points with the rule that they come from, for any game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

Values = Mapping[str, int | str]
"""Numbers and names by their meaning."""


@dataclass(frozen=True, slots=True)
class ScoreEntry:
    """Points of one player for one feature (its id; empty for goods): the rule as a code, and the sum in words.

    `values` are the numbers and names in these words, for other languages.
    """

    player: str
    points: int
    feature: str
    rule: str
    text: str
    values: Values = field(default_factory=dict, compare=False)
