"""Expected value of a position: points that meeples on the board promise, and the worth of meeples in hand."""

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
from scoring.carcassonne.tiles.kinds import counts_surroundings

EVEN_CHANCE_TILES = 60.0
"""Number of tiles left at which an open end is as likely to be closed as not. A guess.

Few open ends are closed even then: each costs a turn, and more optimistic players let cities grow too large to close.
"""
FARM_CITY_POINTS = 2.0
"""Points that a complete city promises a farmer. It scores 3, but rivals join fields that pay. A guess."""
TURN_POINTS = 1.8
"""Points that meeples in hand promise for each turn to come, before weighting by their number. A guess."""
_MONASTERY_SQUARES = 9
"""By the rules: a monastery and the 8 squares around it."""


@dataclass(frozen=True, slots=True)
class Outlook:
    """Points that a feature promises each of its `leaders`, and the probability that its `meeples` come home."""

    points: float
    comes_home: float
    leaders: tuple[str, ...]
    meeples: Mapping[str, int]


class Prospects:
    """Value of each player's position before a turn, and after a tile is laid.

    `hands` are the meeples in hand by player; `tiles_left` is the number of tiles still to be drawn.
    """

    def __init__(self, standing: Iterable[PlacedMeeple], hands: Mapping[str, int], tiles_left: int) -> None:
        self._standing, self._hands = tuple(standing), hands
        self._closes = tiles_left / (tiles_left + EVEN_CHANCE_TILES)
        self._of_hand = TURN_POINTS * tiles_left / len(hands)
        self._unchanged: dict[Member, Outlook] = {}

    def after(self, laying: Laying, stood: PlacedMeeple | None = None) -> dict[str, float]:
        """Return points by player: immediate points, expected points and the worth of the hand.

        `stood` is the meeple just set; it already stands in the laying. A meeple on the board counts as a meeple in
        hand weighted by its probability of coming home. The last meeple in hand is worth most, and all are worthless
        when no tile is left.
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
        """Return the outlook of a feature, cached for roads and cities that the laid tile does not touch."""
        if root in laying.holdings or laying.holding(root).kind not in ("road", "city"):
            return self._worked_out(laying, root)
        if root not in self._unchanged:
            self._unchanged[root] = self._worked_out(laying, root)
        return self._unchanged[root]

    def _worked_out(self, laying: Laying, root: Member) -> Outlook:
        meeples = Counter(piece.colour for piece in laying.holding(root).pieces)
        kind = laying.holding(root).kind
        hope = (
            self._of_farm if kind == "field" else self._of_surrounded if counts_surroundings(kind) else self._of_built
        )
        points, comes_home = hope(laying, root)
        return Outlook(points, comes_home, find_leaders(meeples), meeples)

    def _of_farm(self, laying: Laying, root: Member) -> tuple[float, float]:
        """Return the expected points of a farm, each city weighted by its probability of completion, and 0: farmers
        never come home.
        """
        members = laying.holding(root).members
        touched = [(square, city) for square, index in members for city in _list_touching_cities(laying, square, index)]
        cities = dict.fromkeys(laying.root(city) for city in touched)
        return FARM_CITY_POINTS * sum(self._likely(laying.holding(city).open_ends) for city in cities), 0.0

    def _of_surrounded(self, laying: Laying, root: Member) -> tuple[float, float]:
        now = laying.feature(root, complete=False).size
        likely = self._likely(_MONASTERY_SQUARES - now)
        return now + likely * (_MONASTERY_SQUARES - now), likely

    def _of_built(self, laying: Laying, root: Member) -> tuple[float, float]:
        """Return the expected points of a road or a city and its probability of completion."""
        likely = self._likely(laying.holding(root).open_ends)
        now, then = (compute_feature_worth(laying.feature(root, complete), TODAY).points for complete in (False, True))
        return now + likely * (then - now), likely

    def _likely(self, open_ends: int) -> float:
        """Return the probability that this many open ends are all closed: 1 if there is none."""
        return float(self._closes**open_ends)


def _get_root(laying: Laying, piece: PlacedMeeple) -> Member:
    assert piece.segment is not None
    return laying.root((piece.square, piece.segment))


def _list_touching_cities(laying: Laying, square: Square, field: int) -> tuple[int, ...]:
    """Return the city segments of a tile that touch one of its fields."""
    placement = laying.tile(square)
    assert placement is not None
    return placement.layout.segments[field].cities
