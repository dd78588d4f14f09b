"""A tile in the words of somebody who describes it aloud: `curve from west to south`."""

from __future__ import annotations

from collections.abc import Iterator

from api.i18n import Words
from scoring.carcassonne.board.board import Placement
from scoring.carcassonne.tiles.geometry import SIDE_LINES, SIDES, get_opposite_side, turn_edge
from scoring.carcassonne.tiles.layout import Segment


def describe_tile(words: Words, placement: Placement) -> str:
    """Describe a placed tile: cities, then roads, rivers, buildings and marks; a tile without any is only a field."""
    layout, turns = placement.layout, placement.turns
    cities = [segment for segment in layout.segments if segment.kind == "city"]
    roads = [segment for segment in layout.segments if segment.kind == "road"]
    others = [segment.kind for segment in layout.segments if segment.kind not in ("city", "road", "field")]
    parts = [_describe_city(words, city, turns) for city in cities]
    parts += _describe_roads(words, roads, turns)
    for river in layout.rivers:
        sides = [turn_edge(side, turns) for side in SIDES if river.intersects(SIDE_LINES[side])]
        parts.append(words.say("tile-river", sides=_join_sides(words, sides)))
    parts += [words.name("kind", kind) for kind in others]
    marks = {"inn": sum(road.inn for road in roads), "cathedral": sum(city.cathedral for city in cities)}
    marks |= {"pig": sum(segment.pig_herd for segment in layout.segments)}
    parts += [words.name("printed", mark) for mark, number in marks.items() if number]
    parts += [words.name("goods", city.goods) for city in cities if city.goods]
    return ", ".join(parts) or words.say("tile-field")


def _describe_city(words: Words, city: Segment, turns: int) -> str:
    sides = _turn_sides(city, turns)
    return words.say("tile-city", n=len(sides), sides=_join_sides(words, sides), coats=city.shields)


def _describe_roads(words: Words, roads: list[Segment], turns: int) -> Iterator[str]:
    """Yield the roads that pass, each by itself, then all that end on the tile together."""
    ends = []
    for road in roads:
        sides = _turn_sides(road, turns)
        if len(sides) < 2:
            ends += sides
        elif len(sides) > 2:
            yield words.say("tile-fork", sides=_join_sides(words, sides))
        else:
            one, other = (words.name("side", side) for side in sides)
            bend = "straight" if sides[1] == get_opposite_side(sides[0]) else "curve"
            yield words.say(f"tile-{bend}", one=one, other=other)
    if ends:
        yield words.say("tile-roads", n=len(ends), sides=_join_sides(words, sorted(ends, key=SIDES.index)))


def _turn_sides(segment: Segment, turns: int) -> list[str]:
    return sorted((turn_edge(side, turns) for side in segment.edges), key=SIDES.index)


def _join_sides(words: Words, sides: list[str]) -> str:
    return words.join(words.name("side", side) for side in sides)
