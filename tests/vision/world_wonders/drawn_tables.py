"""A drawn copy of World Wonders as its owner enrols it, and photos of one player's table and of one with monuments."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import cv2
import numpy as np

from datasets.world_wonders.deal import City, Laid
from datasets.world_wonders.own_copy import MAP_MM, MONUMENTS, RESOURCES_MM, TRACKS, build_land
from datasets.world_wonders.own_copy import format_components as written
from datasets.world_wonders.scene import Scene, draw_ground, photograph_scene, place_seat, sample_camera, sample_lamp
from datasets.world_wonders.style import Style, build_style
from datasets.world_wonders.tables import Shot, shoot, shoot_empty_board
from tests.kept import keep
from vision.arrays import Image
from vision.enrolment.games import GameEnrolment
from vision.flat_boards.board import rectify_picture
from vision.photo.decoding import Photo

PLAYER = "red"


@keep
def enrolled(art: Style, players: Collection[str] = (PLAYER,)) -> GameEnrolment:
    """Return the empty map, side A, and the resource boards of these players, each photographed once."""
    rng = np.random.default_rng(1)
    pictures = {}
    for name, size in (("map", MAP_MM), *((f"resources-{player}", RESOURCES_MM) for player in players)):
        photo, corners = shoot_empty_board(art, "A", name, rng, ("plain",), 0.6)
        pictures[name] = rectify_picture(photo, corners, size)
    return GameEnrolment("world-wonders", written("A"), pictures)


@keep
def shot_of(art: Style) -> Shot:
    """Return a table of one player, with something on it."""
    for seed in range(8, 60):  # the first few show less
        shot = shoot("one", art, "A", (62, 75), np.random.default_rng(seed), ("plain",), 0.75)
        if shot.label.table.players == (PLAYER,) and sum("#" in str(v) for v in shot.label.table.laid.values()) > 20:
            return shot
    raise AssertionError("no such table")


ART = build_style("walnut")
SIZE = (1500, 1125)
PLACES = {"giza": (6, 0), "ziggurat": (6, 3), "colosseum": (6, 6), "lighthouse": (6, 10)}
"""North-west squares."""


def empty_copy() -> GameEnrolment:
    return enrolled(ART, (PLAYER, "blue"))


def squares(name: str) -> list[str]:
    row, col = PLACES[name]
    return [f"map.{PLAYER}.{row + r}.{col + c}" for r, c in MONUMENTS[name]]


def photo_with(names: Sequence[str], seed: int, elevation: float = 68.0) -> Photo:
    """Return a photo of a road along the Sidewalk, and these monuments beside it."""
    image = _photograph(tuple(names), seed, elevation)
    return Photo.from_bytes(cv2.imencode(".png", image)[1].tobytes(), f"table-{seed}.png")


@keep
def _photograph(names: tuple[str, ...], seed: int, elevation: float) -> Image:
    rng = np.random.default_rng(seed)
    city = City(PLAYER, build_land("A", PLAYER), tracks=dict.fromkeys(TRACKS, 2))
    city.pieces += [Laid("road", "4", tuple((8, c) for c in range(at, at + 4)), 0, (8, at)) for at in (0, 4)]
    for name in names:
        row, col = PLACES[name]
        city.pieces.append(Laid(name, name, tuple((row + r, col + c) for r, c in MONUMENTS[name]), 0, (row, col)))
    seat = place_seat(ART, "A", city, (0, 0), 0.0, rng)
    camera = sample_camera(list(seat.sheets.values()), elevation, SIZE, rng)
    return photograph_scene(
        Scene((seat,), ART, camera, sample_lamp(rng), draw_ground(rng, ("plain",)), 0.8, 0.2), rng, 0.5
    )
