"""Photos of random tables with their labels, and for enrolment those of empty boards and of monuments set apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from datasets.render.tabletops import KINDS
from datasets.world_wonders import boards
from datasets.world_wonders.deal import City, Laid, deal_city, list_values
from datasets.world_wonders.own_copy import (
    COLOURS,
    COLS,
    MAP_MM,
    MONUMENTS,
    PIECES,
    RESOURCES_MM,
    ROWS,
    SHAPES,
    TRACKS,
    WATER,
    Cell,
    build_land,
    format_components,
    list_pictures,
    turn_cells,
)
from datasets.world_wonders.scene import (
    BOARD_MM,
    Scene,
    Seat,
    Sheet,
    draw_ground,
    photograph_scene,
    place_seat,
    sample_camera,
    sample_lamp,
)
from datasets.world_wonders.style import Style
from scoring.spots.game import Value
from scoring.spots.text import SpotLabel, SpotTable
from vision.arrays import Image

SIZE_PX = (2000, 1500)
SIZE_OF_TWO_PX = (2400, 1800)
TWO_PLAYERS_SHARE = 0.2
"""Share of photos that show two players' boards."""
EMPTY_SIZE_PX = (1800, 1350)
GAP_MM = 40.0
ELEVATION = (55.0, 80.0)
MAX_DEALS = 400
HALVES = (0, 1)
"""The two photos that share the monuments: a map lacks the room to set all of them apart, so each shows every second
one."""
SIDEWALK_ROAD = Laid("road", "4", tuple((ROWS - 1, col) for col in range(4)), 0, (ROWS - 1, 0))


@dataclass(frozen=True, slots=True, eq=False)
class Shot:
    """A photo (h, w, 3), its label, and its scene."""

    image: Image
    label: SpotLabel
    scene: Scene


def shoot(
    name: str,
    style: Style,
    side: str,
    elevation: tuple[float, float],
    rng: np.random.Generator,
    kinds: Sequence[str] = KINDS,
    scale: float = 1.0,
    other_lights: bool = False,
) -> Shot:
    """Photograph a random table from the given range of elevations in degrees; `scale` below 1 makes the photo
    smaller.
    """
    scene, angle = deal_scene(style, side, elevation, rng, kinds, scale)
    image = photograph_scene(scene, rng, other_lights=other_lights)
    cities = [seat.city for seat in scene.seats if seat.city is not None]
    about = {"art": style.name, "side": side, "elevation": round(angle, 1), "players": len(cities)}
    players = tuple(colour for colour in COLOURS if colour in {city.colour for city in cities})
    table = SpotTable("world-wonders", players, dict(pair for city in cities for pair in list_laid(city)))
    return Shot(image, SpotLabel(f"{name}.jpg", table, about), scene)


def deal_scene(
    style: Style,
    side: str,
    elevation: tuple[float, float],
    rng: np.random.Generator,
    kinds: Sequence[str] = KINDS,
    scale: float = 1.0,
    rare: float = 1.0,
    shapes: Sequence[str] = tuple(SHAPES),
) -> tuple[Scene, float]:
    """Deal a random table, seen from an angle in the range of elevations, which is returned too.

    `scale` below 1 makes the photo smaller. Towers and monuments are `rare` times as likely as in a game; buildings
    have one of the `shapes`.
    """
    two = rng.random() < TWO_PLAYERS_SHARE
    colours = [str(colour) for colour in rng.permutation(COLOURS)[: 1 + two]]
    cities = [
        deal_city(colour, build_land(side, colour), int(rng.integers(4, 44)), rng, rare, shapes) for colour in colours
    ]
    seats = [place_seat(style, side, cities[0], (0, 0), 0.0, rng)]
    if two:
        seats.append(_second(seats[0], style, side, cities[1], rng))
    angle = float(rng.uniform(*elevation))
    width, height = SIZE_OF_TWO_PX if two else SIZE_PX
    size = (round(width * scale), round(height * scale))
    sheets = [sheet for seat in seats for sheet in seat.sheets.values()]
    camera = sample_camera(sheets, angle, size, rng)
    lamp, ground = sample_lamp(rng), draw_ground(rng, kinds)
    scene = Scene(tuple(seats), style, camera, lamp, ground, float(rng.uniform(0.3, 1.3)), float(rng.uniform(0, 0.5)))
    return scene, angle


def shoot_empty_boards(
    style: Style, side: str, rng: np.random.Generator, kinds: Sequence[str] = KINDS
) -> tuple[dict[str, Image], str]:
    """Photograph each board alone like a user, keyed by picture name, and format the copy's components file."""
    shots = {name: shoot_empty_board(style, side, name, rng, kinds) for name in list_pictures(side)}
    corners = {name: where for name, (_, where) in shots.items()}
    return {name: photo for name, (photo, _) in shots.items()}, format_components(side, corners)


def shoot_empty_board(
    style: Style, side: str, name: str, rng: np.random.Generator, kinds: Sequence[str] = KINDS, scale: float = 1.0
) -> tuple[Image, list[list[float]]]:
    """Photograph one empty board, and return the photo and the pixels of its corners NW, NE, SE, SW."""
    what, _, colour = name.partition("-")
    if what == "map":
        sheet = Sheet(boards.draw_map(style, side, colour or COLOURS[0]), MAP_MM, (0.0, 0.0), 0.0)
    else:
        sheet = Sheet(boards.draw_resource_board(style, colour), RESOURCES_MM, (0.0, 0.0), 0.0)
    size = (round(EMPTY_SIZE_PX[0] * scale), round(EMPTY_SIZE_PX[1] * scale))
    camera = sample_camera([sheet], float(rng.uniform(74, 88)), size, rng)
    scene = Scene((Seat({what: sheet}),), style, camera, sample_lamp(rng), draw_ground(rng, kinds), 0.0, 0.0)
    corners = camera.project(np.column_stack([sheet.corners, np.full(4, BOARD_MM)]))
    return photograph_scene(scene, rng, strength=0.3), corners.tolist()


def _second(first: Seat, style: Style, side: str, city: City, rng: np.random.Generator) -> Seat:
    """Return a second player's boards below the first's, or across the table, facing them."""
    lowest = max(float(sheet.corners[:, 1].max()) for sheet in first.sheets.values())
    highest = min(float(sheet.corners[:, 1].min()) for sheet in first.sheets.values())
    turn = float(rng.normal(0, 0.05))
    if rng.random() < 0.5:
        return place_seat(style, side, city, (0, lowest + GAP_MM + rng.uniform(0, 40)), turn, rng)
    return place_seat(style, side, city, (MAP_MM[0], highest - GAP_MM - rng.uniform(0, 40)), np.pi + turn, rng)


def list_laid(city: City) -> list[tuple[str, Value]]:
    """List the values of all spots of a player's boards that a photo shows."""
    squares: list[tuple[str, Value]] = [(f"map.{city.colour}.{r}.{c}", value) for (r, c), value in list_values(city)]
    tracks = [name for name in city.tracks if name != "gold"]
    return squares + [(f"resource.{city.colour}.{name}", city.tracks[name]) for name in sorted(tracks)]


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
