"""A copy of World Wonders in an art of its own, and photos of one city with monuments on it."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from datasets.world_wonders.deal import City, Laid
from datasets.world_wonders.own_copy import MONUMENTS, TRACKS, build_land
from datasets.world_wonders.scene import Scene, draw_ground, photograph_scene, place_seat, sample_camera, sample_lamp
from datasets.world_wonders.style import build_style
from tests.kept import keep
from tests.vision.world_wonders.drawn_tables import PLAYER, enrolled
from vision.arrays import Image
from vision.enrolment.games import GameEnrolment
from vision.photo.decoding import Photo

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
