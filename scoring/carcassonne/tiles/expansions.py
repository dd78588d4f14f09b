"""The expansions that are not scored here, with the ids and names of their tiles and pieces.

A tile or a piece of one of them may be on a board; it scores nothing, and `find_problems` reports it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from scoring.errors import BoardError

_ID = re.compile(r"(?P<box>[^/\s()]+)/[^\s()@#]+")


@dataclass(frozen=True, slots=True)
class Expansion:
    """An expansion, with the prefixes of its tiles' ids (`boxes`) and its kinds of pieces (`pieces`).

    `neutral` are further kinds of pieces, which belong to no player, whatever their colour.
    """

    name: str
    boxes: tuple[str, ...] = ()
    pieces: tuple[str, ...] = ()
    neutral: tuple[str, ...] = ()


EXPANSIONS = (
    Expansion("The Princess & the Dragon", ("DG",), neutral=("dragon", "fairy")),
    Expansion("The Tower", ("TO",), neutral=("tower",)),
    Expansion("Abbey & Mayor", ("AM",), ("mayor", "wagon", "barn")),
    Expansion("Count, King & Robber", ("CO", "KR", "CU"), neutral=("count",)),
    Expansion("The Catapult", neutral=("catapult",)),
    Expansion("Bridges, Castles & Bazaars", ("BB",), ("bridge", "castle")),
    Expansion("Hills & Sheep", ("HS",), ("shepherd",), ("sheep",)),
    Expansion("Under the Big Top", ("BT", "ubtc1"), ("ringmaster", "acrobat"), ("big-top",)),
    Expansion("The Wheel of Fortune", neutral=("wheel-pig",)),
    Expansion("The Flying Machines", ("FL",)),
    Expansion("The Festival", ("FE",)),
    Expansion("Special monasteries", ("MO",)),
    Expansion("German Cathedrals"),
    Expansion("The Watchtowers", ("WT",)),
    Expansion("20th Anniversary Expansion"),
    Expansion("The Peasant Revolts"),
    Expansion("The Tollkeepers", pieces=("tollhouse",)),
    Expansion("The Plague", neutral=("plague",)),
    Expansion("Little Buildings", pieces=("shed", "house", "little-tower")),
    Expansion("Darmstadt Promo", ("DA",)),
    Expansion("Russian Promos", ("RU",)),
    Expansion("Crop Circles", ("CC.1", "CC.2")),
    Expansion("The Ferries", ("FR",), neutral=("ferry",)),
    Expansion("The Gold Mines", ("GO",), neutral=("gold",)),
    Expansion("Games Quarterly 11", ("GQ",)),
    Expansion("The Labyrinth", ("LA",)),
    Expansion("Mage & Witch", ("MW",), neutral=("mage", "witch")),
    Expansion("The Phantom", pieces=("phantom",)),
    Expansion("The Robbers", pieces=("robber",)),
    Expansion("Spiel Doch", ("SD",)),
    Expansion("The Siege", ("SI.BE", "SI.CA")),
    Expansion("The Tunnel", ("TU",), ("tunnel",)),
    Expansion("Winter Edition", ("WI",)),
    Expansion("The Wind Roses", ("WR",)),
)
"""Expansions named in the rule texts of the wonders, in their order, then others whose tiles are known by an id."""

_BOXES = {box: expansion for expansion in EXPANSIONS for box in expansion.boxes}
_PIECES = {piece: expansion for expansion in EXPANSIONS for piece in (*expansion.pieces, *expansion.neutral)}
NEUTRAL_PIECES = frozenset(piece for expansion in EXPANSIONS for piece in expansion.neutral)


@dataclass(frozen=True, slots=True)
class ForeignTile:
    """A tile of an expansion that is not scored here, by its id and turns; any other id raises BoardError."""

    tile: str
    turns: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "turns", self.turns % 4)
        if find_tile_expansion(self.tile) is None:
            raise BoardError("unknown_tile", f"no tile is called {self.tile!r}", tile=self.tile)


def find_tile_expansion(tile: str) -> str | None:
    """Return the name of the expansion of a tile's id (`DG/CRFR`); None if it is not in EXPANSIONS."""
    match = _ID.fullmatch(tile)
    expansion = _BOXES.get(match["box"]) if match else None
    return expansion.name if expansion else None


def find_piece_expansion(kind: str) -> str | None:
    """Return the name of the expansion of a kind of piece; None if it is not in EXPANSIONS."""
    expansion = _PIECES.get(kind)
    return expansion.name if expansion else None
