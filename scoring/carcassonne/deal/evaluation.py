"""What players may hope for in a game under way: points that their meeples promise, and meeples to set later on."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from scoring.carcassonne.board.board import PlacedMeeple
from scoring.carcassonne.board.features import Member
from scoring.carcassonne.final.farms import find_leaders
from scoring.carcassonne.final.rulesets import TODAY
from scoring.carcassonne.final.scoring import compute_feature_worth
from scoring.carcassonne.play.running_features import Laying
from scoring.carcassonne.tiles.geometry import Square

EVEN_CHANCE_TILES = 60.0
"""With so many tiles left an open end is as likely to be closed as not. Few are, even so: each costs a turn, and a
player who hopes for more lets cities grow until nobody can close them."""
FARM_CITY_POINTS = 2.0
"""Points that a complete city promises a farmer; it pays three, but rivals come on to farms that pay."""
TURN_POINTS = 1.8
"""Points that meeples in hand promise for each turn to come, before they are weighed by their number."""
_MONASTERY_SQUARES = 9


@dataclass(frozen=True, slots=True)
class Outlook:
    """The points that a feature promises each of its `leaders`, and how likely (0 to 1) its `meeples` come home."""

    points: float
    comes_home: float
    leaders: tuple[str, ...]
    meeples: Mapping[str, int]


class Prospects:
    """How players stand before a turn, and how they would stand after a tile is laid.

    `hands` are the meeples in hand by player, `tiles_left` those that nobody has drawn yet.
    """

    def __init__(self, standing: Iterable[PlacedMeeple], hands: Mapping[str, int], tiles_left: int) -> None:
        self._standing, self._hands = tuple(standing), hands
        self._closes = tiles_left / (tiles_left + EVEN_CHANCE_TILES)
        self._of_hand = TURN_POINTS * tiles_left / len(hands)
        self._unchanged: dict[Member, Outlook] = {}

    def after(self, laying: Laying, stood: PlacedMeeple | None = None) -> dict[str, float]:
        """Return points by player: those at once, those that are likely, and what the hand is worth.

        `stood` is the meeple set, which stands in the laying already. A meeple that is likely to come home counts as
        so much of one in hand; the last one in hand is worth most, and all are worth nothing when no tile is left.
        """
        points, hands = dict.fromkeys(self._hands, 0.0), {player: float(count) for player, count in self._hands.items()}
        pieces = self._standing
        if stood is not None:
            pieces, hands[stood.colour] = (*pieces, stood), hands[stood.colour] - 1
        for root in dict.fromkeys(_get_root(laying, piece) for piece in pieces):
            outlook = self._outlook(laying, root)
            for player in outlook.leaders:
                points[player] += outlook.points
            for player, number in outlook.meeples.items():
                hands[player] += number * outlook.comes_home
        return {player: points[player] + self._of_hand * math.log1p(hands[player]) for player in points}

    def _outlook(self, laying: Laying, root: Member) -> Outlook:
        """Worked out once for what a tile laid elsewhere leaves as it was: roads and cities that it does not touch."""
        if root in laying.holdings or laying.holding(root).kind not in ("road", "city"):
            return self._worked_out(laying, root)
        if root not in self._unchanged:
            self._unchanged[root] = self._worked_out(laying, root)
        return self._unchanged[root]

    def _worked_out(self, laying: Laying, root: Member) -> Outlook:
        meeples = Counter(piece.colour for piece in laying.holding(root).pieces)
        kind = laying.holding(root).kind
        hope = self._of_farm if kind == "field" else self._of_monastery if kind == "monastery" else self._of_built
        points, comes_home = hope(laying, root)
        return Outlook(points, comes_home, find_leaders(meeples), meeples)

    def _of_farm(self, laying: Laying, root: Member) -> tuple[float, float]:
        """A farmer never comes home, and scores a city by how likely it is completed."""
        members = laying.holding(root).members
        touched = [(square, city) for square, index in members for city in _list_touching_cities(laying, square, index)]
        cities = dict.fromkeys(laying.root(city) for city in touched)
        return FARM_CITY_POINTS * sum(self._likely(laying.holding(city).open_ends) for city in cities), 0.0

    def _of_monastery(self, laying: Laying, root: Member) -> tuple[float, float]:
        now = laying.feature(root, complete=False).size
        likely = self._likely(_MONASTERY_SQUARES - now)
        return now + likely * (_MONASTERY_SQUARES - now), likely

    def _of_built(self, laying: Laying, root: Member) -> tuple[float, float]:
        """Return what a road or a city promises, and how likely it is completed."""
        likely = self._likely(laying.holding(root).open_ends)
        now, then = (compute_feature_worth(laying.feature(root, complete), TODAY).points for complete in (False, True))
        return now + likely * (then - now), likely

    def _likely(self, open_ends: int) -> float:
        """How likely so many open ends are all closed: surely where there is none."""
        return float(self._closes**open_ends)


def _get_root(laying: Laying, piece: PlacedMeeple) -> Member:
    assert piece.segment is not None
    return laying.root((piece.square, piece.segment))


def _list_touching_cities(laying: Laying, square: Square, field: int) -> tuple[int, ...]:
    """The segments of cities on a tile that one of its fields touches."""
    placement = laying.tile(square)
    assert placement is not None
    return placement.layout.segments[field].cities
