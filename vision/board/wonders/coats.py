"""A wonder's coats of arms: the cities of it in which a photo shows one.

No text states whether a wonder has any. `vision.board.wonders.coat_matching` searches for them; one that is found
belongs to the nearest city.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from shapely import Point

from scoring.calibration import load_weights
from scoring.carcassonne.board.board import PlacedWonder
from scoring.carcassonne.tiles.geometry import Square, turn_point
from scoring.carcassonne.wonders.files import change_coats, list_unsettled_cities, settle_layout
from vision.arrays import compute_sigmoid
from vision.board.wonders.coat_matching import CoatMatcher, FoundCoat
from vision.reading.values import CoatAlternative, WonderReading

SURE_DOUBT = 0.02
"""The coats of arms of another possible copy are settled if none is more doubtful than this. A guess."""


def read_coats(wonder: WonderReading, matcher: CoatMatcher) -> WonderReading:
    """Return the reading with the coats of arms that a photo shows on its squares, and their alternatives.

    The reading is unchanged if its coats of arms are known, or if the photo provides no evidence.
    """
    if not list_unsettled_cities(wonder.placed.layout):
        return wonder
    found = matcher.weigh(wonder.placed.squares)
    if not found:
        return wonder
    placed, coats = settle_cities(wonder.placed, found)
    others = tuple((settle_other(other, found), probability) for other, probability in wonder.alternatives)
    return replace(wonder, placed=placed, coats=coats, alternatives=others)


def settle_other(other: PlacedWonder, found: Mapping[Square, FoundCoat]) -> PlacedWonder:
    """Return another possible wonder on some of the same squares, with its coats of arms settled if they are sure."""
    if not {*other.squares} <= found.keys() or not list_unsettled_cities(other.layout):
        return other
    placed, coats = settle_cities(other, found)
    if any(coat.probability > SURE_DOUBT for coat in coats):
        return placed
    return replace(placed, layout=settle_layout(placed.layout))


def settle_cities(
    placed: PlacedWonder, found: Mapping[Square, FoundCoat]
) -> tuple[PlacedWonder, tuple[CoatAlternative, ...]]:
    """Return the wonder with the most likely coats of arms, and the alternative for each city."""
    layout, coats = placed.layout, []
    by_city = _share_among_cities(placed, found)
    for city in list_unsettled_cities(layout):
        chances = compute_chances(by_city[city])
        count = sum(chance > 0.5 for chance in chances)
        doubts = [min(chance, 1 - chance) for chance in chances]
        least_sure = chances[int(np.argmax(doubts))]
        other = count - 1 if least_sure > 0.5 else count + 1
        coats.append(CoatAlternative(city, other, float(1 - np.prod(1 - np.array(doubts)))))
        if count != layout.count_coats(city):
            layout = change_coats(layout, city, count)
    return replace(placed, layout=layout), tuple(coats)


def compute_chances(nats: Sequence[float]) -> list[float]:
    """Compute the probability of a coat of arms on each square of a city, given how often cities have one.

    A wonder may be of another printing than the tiles, and its coats of arms may look different.
    """
    known = load_weights("carcassonne", "wonders")["coat"]
    prior = known["share"] / len(nats)
    likelier = np.logaddexp(np.log(known["same_print"]) + np.array(nats), np.log(1 - known["same_print"]))
    return [float(chance) for chance in compute_sigmoid(likelier - np.log(1 / prior - 1))]


def _share_among_cities(placed: PlacedWonder, found: Mapping[Square, FoundCoat]) -> Mapping[int, list[float]]:
    """Return the evidence in nats for a coat of arms on each square of each city; 0 for hidden squares.

    If a square has several cities, the one nearest to the most likely place gets the evidence.
    """
    layout, least = placed.layout, load_weights("carcassonne", "wonders")["coat_look"]["least"]
    by_city: dict[int, list[float]] = {}
    for square, cell in zip(placed.squares, layout.cells, strict=True):
        cities = {
            part: segment.geometry
            for part, segment in zip(cell.parts, cell.segments, strict=True)
            if segment.kind == "city"
        }
        coat = found.get(square)
        spot = Point(turn_point(coat.at, -placed.turns)) if coat else None
        nearest = min(cities, key=lambda part: cities[part].distance(spot), default=None) if spot else None
        for part in cities:
            nats = 0.0 if coat is None else coat.nats if part == nearest else min(coat.nats, least)
            by_city.setdefault(part, []).append(nats)
    return by_city
