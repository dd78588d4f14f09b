"""The expansions beyond the drawn boxes, with the ids and names of their tiles and pieces.

The land of their tiles counts as any other (`scoring.carcassonne.tiles.other_boxes`). Whether their own rules pay
something at the end, and whether those are scored here, is in `at_end`; `find_problems` reports what is not.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from scoring.errors import BoardError

_ID = re.compile(r"(?P<box>[^/\s()]+)/[^\s()@#]+")


@dataclass(frozen=True, slots=True)
class Expansion:
    """An expansion, with the prefixes of its tiles' ids (`boxes`) and its kinds of pieces (`pieces`).

    `neutral` are further kinds of pieces, which belong to no player, whatever their colour. `at_end` states what its
    tiles add to the final scoring beyond their land: `nothing`, something that is `scored` here, or something that is
    `unscored`. `rules` is the name of its rules among those that players may leave out
    (`scoring.carcassonne.board.box_rules`). `holdings` are what it pays for in front of players, which is typed.
    """

    name: str
    boxes: tuple[str, ...] = ()
    pieces: tuple[str, ...] = ()
    neutral: tuple[str, ...] = ()
    at_end: Literal["nothing", "scored", "unscored"] = "nothing"
    rules: str = ""
    holdings: tuple[str, ...] = ()


EXPANSIONS = (
    Expansion("The Princess & the Dragon", ("DG", "DF"), neutral=("dragon", "fairy")),
    Expansion("The Tower", ("TO",), neutral=("tower",)),
    Expansion("Abbey & Mayor", ("AM",), at_end="scored", rules="abbey"),
    Expansion("The Count of Carcassonne", ("CO",), neutral=("count",), at_end="unscored"),
    Expansion("King & Robber Baron", ("KR",), at_end="scored", holdings=("king", "baron")),
    Expansion("The Cult", ("CU",), at_end="scored"),
    Expansion("The Catapult", ("CA",), neutral=("catapult",)),
    Expansion("Bridges, Castles & Bazaars", ("BB",), ("bridge", "castle")),
    Expansion("Hills & Sheep", ("HS",), ("shepherd",), ("sheep",), at_end="scored", rules="hills"),
    Expansion("Under the Big Top", ("BT", "ubtc1"), ("ringmaster", "acrobat"), ("big-top",), at_end="unscored"),
    Expansion("The Wheel of Fortune", ("WF",), neutral=("wheel-pig",), at_end="unscored"),
    Expansion("The Flying Machines", ("FL",)),
    Expansion("The Festival", ("FE",)),
    Expansion("Special monasteries", ("MO", "MB", "JP"), at_end="scored", rules="monasteries"),
    Expansion("German Cathedrals", ("GC",), at_end="unscored"),
    Expansion("The Watchtowers", ("WT",), at_end="unscored"),
    Expansion("20th Anniversary Expansion"),
    Expansion("The Peasant Revolts", ("PR",), at_end="unscored"),
    Expansion("The Tollkeepers", ("TK",), ("tollhouse",), at_end="unscored"),
    Expansion("The Plague", ("PL",), neutral=("plague",), at_end="unscored"),
    Expansion("Little Buildings", pieces=("shed", "house", "little-tower")),
    Expansion("Darmstadt Promo", ("DA",), at_end="unscored"),
    Expansion("Russian Promos", ("RU",), at_end="unscored"),
    Expansion("The River III", ("R3",), at_end="scored", rules="hills"),
    Expansion("Crop Circles", ("CC.1", "CC.2", "WC")),
    Expansion("The Ferries", ("FR",), neutral=("ferry",), at_end="unscored"),
    Expansion("The Gold Mines", ("GO",), neutral=("gold",), at_end="scored", holdings=("gold",)),
    Expansion("Games Quarterly 11", ("GQ",)),
    Expansion("The Labyrinth", ("LA",), at_end="unscored"),
    Expansion("Mage & Witch", ("MW",), neutral=("mage", "witch")),
    Expansion("The Phantom", pieces=("phantom",)),
    Expansion("The Robbers", ("RO",), ("robber",)),
    Expansion("Spiel Doch", ("SD",)),
    Expansion("The Siege", ("SI.BE", "SI.CA"), at_end="scored", rules="siege"),
    Expansion("The Tunnel", ("TU",), ("tunnel",), at_end="unscored"),
    Expansion("Winter Edition", ("WI",)),
    Expansion("The Gingerbread Man", ("GB",), at_end="unscored"),
    Expansion("The Fruit-Bearing Trees", ("FT",)),
    Expansion("The Barber-Surgeons", ("BS",), at_end="unscored"),
    Expansion("The Fortune Teller", ("FO",), at_end="unscored"),
    Expansion("Easter in Carcassonne", ("EA",), at_end="unscored"),
    Expansion("Essen Spiel promos", ("SP",), at_end="unscored"),
    Expansion("La Porxada", ("PX",), at_end="unscored"),
    Expansion("The Wind Roses", ("WR",)),
)
"""Expansions named in the rule texts of the wonders, in their order, then others whose tiles are known by an id."""

_BOXES = {box: expansion for expansion in EXPANSIONS for box in expansion.boxes}
_PIECES = {piece: expansion for expansion in EXPANSIONS for piece in (*expansion.pieces, *expansion.neutral)}
NEUTRAL_PIECES = frozenset(piece for expansion in EXPANSIONS for piece in expansion.neutral)


@dataclass(frozen=True, slots=True)
class ForeignTile:
    """A tile of one of these expansions, by its id and turns, whose layout is unknown; an id of no such expansion
    raises BoardError.
    """

    tile: str
    turns: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "turns", self.turns % 4)
        if find_tile_expansion(self.tile) is None:
            raise BoardError("unknown_tile", f"no tile is called {self.tile!r}", tile=self.tile)


def find_tile_expansion(tile: str) -> str | None:
    """Return the name of the expansion of a tile's id (`DG/CRFR`); None if it is not in EXPANSIONS."""
    expansion = _find_expansion(tile)
    return expansion.name if expansion else None


def find_tile_rules(tile: str) -> str | None:
    """Return the rules of a tile's expansion that players may leave out; None if it has none."""
    expansion = _find_expansion(tile)
    return (expansion.rules or None) if expansion else None


def is_scored_in_part(tile: str) -> bool:
    """Return whether a tile's expansion adds something at the end that is not scored here."""
    expansion = _find_expansion(tile)
    return expansion is not None and expansion.at_end == "unscored"


def find_piece_expansion(kind: str) -> str | None:
    """Return the name of the expansion of a kind of piece; None if it is not in EXPANSIONS."""
    expansion = _PIECES.get(kind)
    return expansion.name if expansion else None


def _find_expansion(tile: str) -> Expansion | None:
    match = _ID.fullmatch(tile)
    return _BOXES.get(match["box"]) if match else None
