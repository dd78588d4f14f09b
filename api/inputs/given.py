"""A board without a photo, as any input gives it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from scoring.carcassonne.board.board import Board
from scoring.carcassonne.final.rulesets import TODAY
from scoring.carcassonne.final.table import Table


@dataclass(frozen=True)
class GivenBoard:
    """A board without a photo, its wonders marked, and the facts stated about its table.

    Reports and records of games include their rules and the points on the score track.
    """

    board: Board
    table: Table = field(default_factory=Table)
    rules: str = TODAY.name
    track: Mapping[str, int] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)
