"""Photos of the copy's monuments set apart on an empty map, for enrolling them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from datasets.render.tabletops import KINDS
from datasets.world_wonders.deal import City, Laid
from datasets.world_wonders.own_copy import (
    COLOURS,
    COLS,
    MONUMENTS,
    PIECES,
    ROWS,
    TRACKS,
    WATER,
    Cell,
    build_land,
    turn_cells,
)
from datasets.world_wonders.scene import Scene, draw_ground, photograph_scene, place_seat, sample_camera, sample_lamp
from datasets.world_wonders.style import Style
from datasets.world_wonders.tables import SIZE_PX, Shot, list_laid
from scoring.spots.text import SpotLabel, SpotTable

ELEVATION = (55.0, 80.0)
MAX_DEALS = 400
HALVES = (0, 1)
"""The two photos that share the monuments: a map lacks the room to set all of them apart, so each shows every second
one."""
SIDEWALK_ROAD = Laid("road", "4", tuple((ROWS - 1, col) for col in range(4)), 0, (ROWS - 1, 0))


def shoot_monuments(
    name: str, style: Style, side: str, half: int, rng: np.random.Generator, kinds: Sequence[str] = KINDS
) -> Shot:
    """Photograph half of the monuments on one player's map, each apart from the others."""
    colour = str(rng.choice(COLOURS))
    city = deal_monuments(colour, side, half, rng)
    seat = place_seat(style, side, city, (0, 0), 0.0, rng)
    angle = float(rng.uniform(*ELEVATION))
    camera = sample_camera(list(seat.sheets.values()), angle, SIZE_PX, rng)
    scene = Scene((seat,), style, camera, sample_lamp(rng), draw_ground(rng, kinds), float(rng.uniform(0.3, 1.0)), 0.2)
    table = SpotTable("world-wonders", (colour,), dict(list_laid(city)))
    about = {"art": style.name, "side": side, "elevation": round(angle, 1), "players": 1}
    return Shot(photograph_scene(scene, rng), SpotLabel(f"{name}.jpg", table, about), scene)


def deal_monuments(colour: str, side: str, half: int, rng: np.random.Generator) -> City:
    """Deal a city of one road and half of the monuments on land, with all their pieces, none adjacent to another."""
    for _ in range(MAX_DEALS):
        city = City(colour, build_land(side, colour), [SIDEWALK_ROAD], dict.fromkeys(TRACKS, 0))
        names = [name for name in sorted(MONUMENTS)[half :: len(HALVES)] for _ in range(PIECES.get(name, 1))]
        if all(_lay_apart(city, name, rng) for name in sorted(names, key=lambda each: -len(MONUMENTS[each]))):
            return city
    raise ValueError(f"no room for half {half}")


def _lay_apart(city: City, name: str, rng: np.random.Generator) -> bool:
    near_cells = {near for cell in city.owner for near in _list_around(cell)}
    places = []
    for turns in range(4):
        cells = turn_cells(MONUMENTS[name], turns)
        high, wide = (1 + max(cell[axis] for cell in cells) for axis in (0, 1))
        for at in ((row, col) for row in range(ROWS - high + 1) for col in range(COLS - wide + 1)):
            placed = tuple((at[0] + row, at[1] + col) for row, col in cells)
            if not any(cell in near_cells or city.land.at(cell) == WATER for cell in placed):
                places.append(Laid(name, name, placed, turns, at))
    if places:
        city.pieces.append(places[int(rng.integers(len(places)))])
    return bool(places)


def _list_around(cell: Cell) -> list[Cell]:
    row, col = cell
    return [(row + down, col + right) for down in (-1, 0, 1) for right in (-1, 0, 1)]
