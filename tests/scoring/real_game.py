"""A game that was recorded move by move."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from scoring.carcassonne.board.board import Placement
from scoring.carcassonne.board.places import find_segment
from scoring.carcassonne.play.game import Move, PlacedTile, Stand
from tests.scoring.outside import SHARED


@cache
def log() -> dict[str, Any]:
    """Return the players' record."""
    content: dict[str, Any] = json.loads((SHARED / "games" / "t3k14.json").read_text(encoding="utf-8"))
    return content


def move_of(entry: dict[str, Any]) -> Move:
    placement, square = Placement(entry["tile"], entry["turns"]), (-entry["y"], entry["x"])
    stands: tuple[Stand, ...] = ()
    if entry["meeple"]:
        segment = find_segment(placement.layout, placement.turns, entry["meeple"])
        assert segment is not None
        stands = (Stand(square, segment),)
    return Move(entry["player"], PlacedTile(placement, square), stands)
