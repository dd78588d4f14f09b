"""Photos of random tables with their labels, and photos of the empty boards for showing the copy once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from datasets.render.tabletops import KINDS
from datasets.world_wonders import boards
from datasets.world_wonders.components import components, pictures
from datasets.world_wonders.deal import City, deal, values
from datasets.world_wonders.own_copy import COLOURS, MAP_MM, RESOURCES_MM, land
from datasets.world_wonders.scene import BOARD_MM, Scene, Seat, Sheet, camera_over, ground, lamp, photo_of, seat
from datasets.world_wonders.style import Style
from scoring.spots.game import Value
from scoring.spots.text import SpotLabel, SpotTable
from vision.arrays import Image

SIZE = (2000, 1500)
SIZE_OF_TWO = (2400, 1800)
TWO_PLAYERS = 0.2
"""The share of photos that show two players' boards."""
EMPTY_SIZE = (1800, 1350)
GAP_MM = 40.0


@dataclass(frozen=True, slots=True, eq=False)
class Shot:
    """A photo (h, w, 3), its label, and the scene that it shows."""

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
) -> Shot:
    """A random table from so many degrees (from, to); `scale` makes the photo smaller."""
    two = rng.random() < TWO_PLAYERS
    colours = [str(colour) for colour in rng.permutation(COLOURS)[: 1 + two]]
    cities = [deal(colour, land(side, colour), int(rng.integers(4, 44)), rng) for colour in colours]
    seats = [seat(style, side, cities[0], (0, 0), 0.0, rng)]
    if two:
        seats.append(_second(seats[0], style, side, cities[1], rng))
    angle = float(rng.uniform(*elevation))
    width, height = SIZE_OF_TWO if two else SIZE
    size = (round(width * scale), round(height * scale))
    sheets = [sheet for own in seats for sheet in own.sheets.values()]
    camera = camera_over(sheets, angle, size, rng)
    scene = Scene(
        tuple(seats),
        style,
        camera,
        lamp(rng),
        ground(rng, kinds),
        float(rng.uniform(0.3, 1.3)),
        float(rng.uniform(0, 0.5)),
    )
    image = photo_of(scene, rng)
    about = {"art": style.name, "side": side, "elevation": round(angle, 1), "players": len(colours)}
    players = tuple(colour for colour in COLOURS if colour in colours)
    table = SpotTable("world-wonders", players, dict(pair for city in cities for pair in _laid(city)))
    return Shot(image, SpotLabel(f"{name}.jpg", table, about), scene)


def empty_boards(
    style: Style, side: str, rng: np.random.Generator, kinds: Sequence[str] = KINDS
) -> tuple[dict[str, Image], str]:
    """A photo of each board alone as a person takes it, by picture's name, and the components file of the copy."""
    taken = {name: empty_board(style, side, name, rng, kinds) for name in pictures(side)}
    corners = {name: where for name, (_, where) in taken.items()}
    return {name: photo for name, (photo, _) in taken.items()}, components(side, corners)


def empty_board(
    style: Style, side: str, name: str, rng: np.random.Generator, kinds: Sequence[str] = KINDS, scale: float = 1.0
) -> tuple[Image, list[list[float]]]:
    """A photo of one empty board, and the pixels of its corners NW, NE, SE, SW."""
    what, _, colour = name.partition("-")
    if what == "map":
        sheet = Sheet(boards.map_board(style, side, colour or COLOURS[0]), MAP_MM, (0.0, 0.0), 0.0)
    else:
        sheet = Sheet(boards.resource_board(style, colour), RESOURCES_MM, (0.0, 0.0), 0.0)
    size = (round(EMPTY_SIZE[0] * scale), round(EMPTY_SIZE[1] * scale))
    camera = camera_over([sheet], float(rng.uniform(74, 88)), size, rng)
    scene = Scene((Seat({what: sheet}),), style, camera, lamp(rng), ground(rng, kinds), 0.0, 0.0)
    corners = camera.project(np.column_stack([sheet.corners, np.full(4, BOARD_MM)]))
    return photo_of(scene, rng, strength=0.3), corners.tolist()


def _second(first: Seat, style: Style, side: str, city: City, rng: np.random.Generator) -> Seat:
    """A second player's boards below the first's, or across the table, facing them."""
    lowest = max(float(sheet.corners[:, 1].max()) for sheet in first.sheets.values())
    highest = min(float(sheet.corners[:, 1].min()) for sheet in first.sheets.values())
    turn = float(rng.normal(0, 0.05))
    if rng.random() < 0.5:
        return seat(style, side, city, (0, lowest + GAP_MM + rng.uniform(0, 40)), turn, rng)
    return seat(style, side, city, (MAP_MM[0], highest - GAP_MM - rng.uniform(0, 40)), np.pi + turn, rng)


def _laid(city: City) -> list[tuple[str, Value]]:
    squares: list[tuple[str, Value]] = [(f"map.{city.colour}.{r}.{c}", value) for (r, c), value in values(city)]
    tracks = [name for name in city.tracks if name != "gold"]
    return squares + [(f"resource.{city.colour}.{name}", city.tracks[name]) for name in sorted(tracks)]
