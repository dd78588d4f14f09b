"""A wonder's coats of arms: in which of its cities a photo shows one.

No text tells whether a wonder has any. They are looked for as `vision.board.wonders.coat_matching` does; one that is
found belongs to the city that is nearest to it.
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
from vision.board.wonders.coat_matching import CoatMatcher, FoundCoat
from vision.reading.values import CoatAlternative, WonderReading

SURE_DOUBT = 0.02
"""Of another copy that may lie there, coats of arms are settled where none is more doubtful than this."""


def read_coats(wonder: WonderReading, matcher: CoatMatcher) -> WonderReading:
    """Return the reading with the coats of arms that a photo shows on its squares, and those that it may have instead.

    As it was where its coats of arms are known, or where the photo tells nothing.
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
    """Return another wonder that may lie on some of the same squares, its coats of arms settled where they are sure."""
    if not {*other.squares} <= found.keys() or not list_unsettled_cities(other.layout):
        return other
    placed, coats = settle_cities(other, found)
    if any(coat.probability > SURE_DOUBT for coat in coats):
        return placed
    return replace(placed, layout=settle_layout(placed.layout))


def settle_cities(
    placed: PlacedWonder, found: Mapping[Square, FoundCoat]
) -> tuple[PlacedWonder, tuple[CoatAlternative, ...]]:
    """Return the wonder with the likeliest coats of arms, and for each city what else it may have."""
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
    """Compute how likely each square of a city has a coat of arms: one of them has as often as cities have one.

    A wonder may be of another printing than the tiles, and its coats of arms look otherwise.
    """
    known = load_weights("carcassonne", "wonders")["coat"]
    prior = known["share"] / len(nats)
    likelier = np.logaddexp(np.log(known["same_print"]) + np.array(nats), np.log(1 - known["same_print"]))
    return [float(chance) for chance in 1 / (1 + np.exp(np.log(1 / prior - 1) - likelier))]


def _share_among_cities(placed: PlacedWonder, found: Mapping[Square, FoundCoat]) -> Mapping[int, list[float]]:
    """What speaks, in nats, for a coat of arms on each square of each city; what the photo does not show tells nothing.

    Of several cities on one square the nearest to the likeliest place has what speaks for it there.
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
