"""The kinds of features: one row for each, with every fact about a kind that no board changes.

Notation, names, scoring, pictures and the page read this table, and none has a second one
(`tests/scoring/carcassonne/tiles/test_kinds.py`). A new kind is one more row and one more name in `Kind`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, cast

Kind = Literal["road", "city", "field", "monastery", "garden", "wonder"]
Edges = Literal["sides", "halves", "none"]
Symbol = Literal["line", "land", "area", "house"]


@dataclass(frozen=True, slots=True)
class FeatureKind:
    """The facts about a kind of feature.

    `letter` begins a feature's name (`R3.4`); in the notation it is a small letter if the kind meets edges. `layer` is
    the drawing order on a tile, from the ground up. `fill` and `outline` are colours of drawn tiles, `tint` is the
    share of the owner's colour over a photo. `symbol` is how it is drawn: a `line`, the `land` beneath everything, an
    `area`, or an area with a `house`. `edges` are those that it meets: sides of a tile, half-sides or none. A kind that
    `counts_surroundings` is scored by its square and the 8 around it, and complete with all 9. A kind that is `endless`
    is never complete. Meeples may be placed on one that is `for_meeples`. `sections` are the sections of the rule texts
    that score it, finished and unfinished.
    """

    name: Kind
    letter: str
    layer: int
    fill: str
    outline: str
    tint: float
    symbol: Symbol
    edges: Edges = "none"
    counts_surroundings: bool = False
    endless: bool = False
    for_meeples: bool = True
    sections: tuple[str, ...] = ()

    @property
    def sign(self) -> str:
        """Return the letter of its places in the notation: `cW`, `M`."""
        return self.letter if self.edges == "none" else self.letter.lower()

    @property
    def rgb(self) -> tuple[int, int, int]:
        """Return the fill as red, green and blue, 0 to 255."""
        red, green, blue = bytes.fromhex(self.fill.removeprefix("#"))
        return red, green, blue

    @property
    def tint_layer(self) -> tuple[bool, int]:
        """Return the order over a photo: that on a tile, but lines last, which are too narrow to lie beneath."""
        return self.symbol == "line", self.layer


_WALL = "#5f3d1c"
_ROWS = (
    FeatureKind(
        name="road",
        letter="R",
        layer=4,
        fill="#fbf6e9",
        outline="#6b675c",
        tint=0.9,
        symbol="line",
        edges="sides",
        sections=("base-road", "base-final-roads"),
    ),
    FeatureKind(
        name="city",
        letter="C",
        layer=1,
        fill="#c99a5b",
        outline=_WALL,
        tint=0.5,
        symbol="area",
        edges="sides",
        sections=("base-city", "base-final-cities"),
    ),
    FeatureKind(
        name="field",
        letter="F",
        layer=0,
        fill="#93b858",
        outline="#4d5a33",
        tint=0.42,
        symbol="land",
        edges="halves",
        endless=True,
    ),
    FeatureKind(
        name="monastery",
        letter="M",
        layer=5,
        fill="#b5452f",
        outline=_WALL,
        tint=0.55,
        symbol="house",
        counts_surroundings=True,
        sections=("base-monastery", "base-final-monasteries"),
    ),
    FeatureKind(
        name="garden",
        letter="G",
        layer=3,
        fill="#4f8f3a",
        outline="#f3b7c9",
        tint=0.55,
        symbol="area",
        counts_surroundings=True,
        for_meeples=False,
        sections=("abbot-garden", "abbot-final"),
    ),
    FeatureKind(
        name="wonder",
        letter="W",
        layer=2,
        fill="#b9a6d6",
        outline=_WALL,
        tint=0.55,
        symbol="area",
        endless=True,
        for_meeples=False,
    ),
)
KINDS: Mapping[Kind, FeatureKind] = {row.name: row for row in _ROWS}
"""Every kind by its name, in the order in which a board's features are listed."""


def get_feature_kind(name: str) -> FeatureKind:
    """Return the facts about a kind that a text names."""
    return KINDS[cast("Kind", name)]


def counts_surroundings(kind: str) -> bool:
    """Return whether a kind is scored by its square and the 8 around it, like a monastery."""
    return kind in _SURROUNDED


def find_kinds(fits: Callable[[FeatureKind], bool]) -> tuple[Kind, ...]:
    """Return the kinds of which something is true, in the order of the table."""
    return tuple(name for name, row in KINDS.items() if fits(row))


def join_kinds(edges: Edges | None = None) -> str:
    """Return an alternation of a regular expression that matches every kind, or those that meet such edges."""
    return "|".join(find_kinds(lambda row: edges in (None, row.edges)))


_SURROUNDED = frozenset(find_kinds(lambda row: row.counts_surroundings))
HOUSES = find_kinds(lambda row: row.symbol == "house")
"""The kinds that are buildings in a field, drawn in a box's file under their own name."""
ENDLESS = find_kinds(lambda row: row.endless)
"""The kinds that are never complete."""
