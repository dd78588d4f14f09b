"""A photo of all monuments of the copy set apart on an empty map: shown once, so that each is known from then on."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from datasets.render.tabletops import KINDS
from datasets.world_wonders.deal import City, Laid
from datasets.world_wonders.own_copy import COLOURS, COLS, MONUMENTS, ROWS, TRACKS, WATER, Cell, build_land, turn_cells
from datasets.world_wonders.scene import Scene, draw_ground, photograph_scene, place_seat, sample_camera, sample_lamp
from datasets.world_wonders.style import Style
from datasets.world_wonders.tables import SIZE_PX, Shot, list_laid
from scoring.spots.text import SpotLabel, SpotTable

ELEVATION = (55.0, 80.0)
TRIES = 400
SIDEWALK_ROAD = Laid("road", "4", tuple((ROWS - 1, col) for col in range(4)), 0, (ROWS - 1, 0))


def shoot_monuments(name: str, style: Style, side: str, rng: np.random.Generator, kinds: Sequence[str] = KINDS) -> Shot:
    """Photograph the monuments on one player's map, each apart from the others."""
    colour = str(rng.choice(COLOURS))
    city = deal_monuments(colour, side, rng)
    seat = place_seat(style, side, city, (0, 0), 0.0, rng)
    angle = float(rng.uniform(*ELEVATION))
    camera = sample_camera(list(seat.sheets.values()), angle, SIZE_PX, rng)
    scene = Scene((seat,), style, camera, sample_lamp(rng), draw_ground(rng, kinds), float(rng.uniform(0.3, 1.0)), 0.2)
    table = SpotTable("world-wonders", (colour,), dict(list_laid(city)))
    about = {"art": style.name, "side": side, "elevation": round(angle, 1), "players": 1}
    return Shot(photograph_scene(scene, rng), SpotLabel(f"{name}.jpg", table, about), scene)


def deal_monuments(colour: str, side: str, rng: np.random.Generator) -> City:
    """Deal a city of a road and all monuments on land, none beside another."""
    city = City(colour, build_land(side, colour), [SIDEWALK_ROAD], dict.fromkeys(TRACKS, 0))
    for name in sorted(MONUMENTS, key=lambda each: -len(MONUMENTS[each])):
        near_cells = {near for cell in city.owner for near in _list_around(cell)}
        for _ in range(TRIES):
            turns = int(rng.integers(4))
            cells = turn_cells(MONUMENTS[name], turns)
            high, wide = (1 + max(cell[axis] for cell in cells) for axis in (0, 1))
            at = int(rng.integers(ROWS - high + 1)), int(rng.integers(COLS - wide + 1))
            placed = tuple((at[0] + row, at[1] + col) for row, col in cells)
            if not any(cell in near_cells or city.land.at(cell) == WATER for cell in placed):
                city.pieces.append(Laid(name, name, placed, turns, at))
                break
        else:
            raise ValueError(f"no room for {name}")
    return city


def _list_around(cell: Cell) -> list[Cell]:
    row, col = cell
    return [(row + down, col + right) for down in (-1, 0, 1) for right in (-1, 0, 1)]
