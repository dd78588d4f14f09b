"""Photos of random tables with their labels, and photos of the empty boards for enrolling the copy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from datasets.render.tabletops import KINDS
from datasets.world_wonders import boards
from datasets.world_wonders.components import format_components, list_pictures
from datasets.world_wonders.deal import City, deal_city, list_values
from datasets.world_wonders.own_copy import COLOURS, MAP_MM, RESOURCES_MM, build_land
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
    rare: float = 1.0,
) -> Shot:
    """Photograph a random table from the given range of elevations in degrees; `scale` below 1 makes the photo smaller.

    Towers and monuments are `rare` times as likely as in a game.
    """
    two = rng.random() < TWO_PLAYERS_SHARE
    colours = [str(colour) for colour in rng.permutation(COLOURS)[: 1 + two]]
    cities = [deal_city(colour, build_land(side, colour), int(rng.integers(4, 44)), rng, rare) for colour in colours]
    seats = [place_seat(style, side, cities[0], (0, 0), 0.0, rng)]
    if two:
        seats.append(_second(seats[0], style, side, cities[1], rng))
    angle = float(rng.uniform(*elevation))
    width, height = SIZE_OF_TWO_PX if two else SIZE_PX
    size = (round(width * scale), round(height * scale))
    sheets = [sheet for seat in seats for sheet in seat.sheets.values()]
    camera = sample_camera(sheets, angle, size, rng)
    scene = Scene(
        tuple(seats),
        style,
        camera,
        sample_lamp(rng),
        draw_ground(rng, kinds),
        float(rng.uniform(0.3, 1.3)),
        float(rng.uniform(0, 0.5)),
    )
    image = photograph_scene(scene, rng)
    about = {"art": style.name, "side": side, "elevation": round(angle, 1), "players": len(colours)}
    players = tuple(colour for colour in COLOURS if colour in colours)
    table = SpotTable("world-wonders", players, dict(pair for city in cities for pair in list_laid(city)))
    return Shot(image, SpotLabel(f"{name}.jpg", table, about), scene)


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
