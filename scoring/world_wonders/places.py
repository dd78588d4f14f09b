"""The spots of a table of World Wonders, and their possible values.

A square's choices are empty, the player's nearby pieces, nearest first, and a new piece of every kind: a square either
extends a neighbouring piece or begins a new one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache

from scoring.errors import BoardError
from scoring.spots.game import Laid, Spot, Value, find_strange_spot
from scoring.world_wonders.board import MAX_CACHED_MAPS, OBJECTIVES, list_square_values
from scoring.world_wonders.components import Components
from scoring.world_wonders.kinds import (
    BUILDINGS,
    COLOURS,
    NOTHING,
    RESOURCES,
    ROADS,
    TOWER,
    TRACKS,
    UNNAMED,
    Numbered,
    parse_piece_name,
)
from scoring.world_wonders.terrain import Square, Terrain

REACH_SQUARES = 2
"""Maximum distance, in rows and columns, of a piece that a square may extend, which allows for a misread square
between. A guess.
"""
CARDS = (
    "green-area",
    "longest-road",
    "monuments",
    "by-natural-resources",
    "by-water",
    *(f"most-{building}" for building in BUILDINGS),
    *(f"highest-{resource}" for resource in RESOURCES),
    *(f"group-{building}" for building in BUILDINGS),
    "by-edge",
    "every-district",
)
"""The public objectives, in the order of the rule text's list (Advanced Play)."""
MODES = (NOTHING, "easy", "hard")
"""Modes of solo play: without the automaton, and its 2 ways of counting."""
MAX_RINGS = 99
"""Maximum number of rings on the automaton's monument cards. A guess."""


def list_spots(components: Components, players: Sequence[str], laid: Laid) -> tuple[Spot, ...]:
    """Return every spot of a table of these players.

    Raises BoardError `bad_players`, ComponentsError `component_missing` for a map or the length of a track.
    """
    if not players or len({*players}) < len(players) or not {*players} <= {*COLOURS}:
        text = f"Players have different colours among {', '.join(COLOURS)}"
        raise BoardError("bad_players", text, players=list(players), known=list(COLOURS))
    return tuple(_list_table_spots(components, players, laid))


def refuse_strange_spots(spots: Sequence[Spot], laid: Laid) -> None:
    """Raise BoardError `strange_spot` for a spot that the table does not have, or a value that is impossible there."""
    if strange := find_strange_spot(spots, laid):
        text = f"{strange[0]}={strange[1]} cannot be on this table"
        raise BoardError("strange_spot", text, spot=strange[0], value=strange[1])


def _list_table_spots(components: Components, players: Sequence[str], laid: Laid) -> Iterator[Spot]:
    for player in players:
        terrain, monuments = components.terrain(player), tuple(components.monuments)
        yield from _build_map_spots(player, terrain, monuments, list_square_values(player, terrain, laid))
    for player in players:
        for track in TRACKS:
            choices = tuple(range(components.last(track) + 1))
            yield Spot(f"resource.{player}.{track}", "resource", {"colour": player, "resource": track}, choices)
    for player in players:
        yield Spot(f"loan.{player}", "loan", {"colour": player}, ("no", "yes"), typed=True)
    if len(players) == 1:
        yield Spot("solo.mode", "solo_mode", {}, MODES, typed=True)
        if laid.get("solo.mode") == "hard" or "solo.monuments" in laid:
            yield Spot("solo.monuments", "solo_monuments", {}, tuple(range(MAX_RINGS + 1)), typed=True)
    else:
        for number in range(1, OBJECTIVES + 1):
            yield Spot(f"objective.{number}", "objective", {"number": number}, (NOTHING, *CARDS), typed=True)


@lru_cache(maxsize=MAX_CACHED_MAPS)
def _build_map_spots(
    player: str, terrain: Terrain, monuments: tuple[str, ...], values: tuple[Value | None, ...]
) -> tuple[Spot, ...]:
    kinds = {*ROADS, *BUILDINGS, TOWER, UNNAMED, *monuments}
    named = {square: parse_piece_name(value or NOTHING) for square, value in zip(terrain.squares, values, strict=True)}
    here = {square: name for square, name in named.items() if name is not None and name.kind in kinds}
    new, spots = tuple(_list_new_pieces(monuments, here)), []
    for row, col in terrain.squares:
        near = dict.fromkeys(
            here[place].value
            for place in _list_near_squares((row, col), terrain.rows, terrain.columns)
            if place in here
        )
        choices: tuple[Value, ...] = (NOTHING, *near, *(value for value in new if value not in near))
        spots.append(Spot(f"map.{player}.{row}.{col}", "square", {"colour": player, "row": row, "col": col}, choices))
    return tuple(spots)


def _list_new_pieces(monuments: Sequence[str], here: Mapping[Square, Numbered]) -> Iterator[str]:
    """Yield a new piece of each kind; a named monument exists once, so it is new only if it is not on the map."""
    most: dict[str, int] = {}
    for name in here.values():
        most[name.kind] = max(name.number, most.get(name.kind, 0))
    for kind in (*ROADS, *BUILDINGS, TOWER, UNNAMED):
        yield Numbered(kind, most.get(kind, 0) + 1).value
    for kind in monuments:
        yield Numbered(kind, most.get(kind, 1)).value


@cache
def _list_near_squares(square: Square, rows: int, columns: int) -> tuple[Square, ...]:
    """Return the squares of a map within reach, the square itself first, then the nearest."""
    row, col = square
    places = [
        (r, c)
        for r in range(max(0, row - REACH_SQUARES), min(rows, row + REACH_SQUARES + 1))
        for c in range(max(0, col - REACH_SQUARES), min(columns, col + REACH_SQUARES + 1))
    ]
    return tuple(sorted(places, key=lambda place: abs(place[0] - row) + abs(place[1] - col)))
