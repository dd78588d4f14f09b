"""A table of World Wonders that is read with an owner's enrolment."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from api.spots.snapshot import SpotSnapshot, build_table_snapshot
from datasets.world_wonders.own_copy import MAP_MM, RESOURCES_MM, format_components
from datasets.world_wonders.style import build_style
from datasets.world_wonders.tables import Shot, shoot, shoot_empty_board
from scoring.world_wonders.game import GAME
from tests.kept import keep
from vision.arrays import Image
from vision.enrolment.games import GameEnrolment
from vision.flat_boards.board import rectify_picture
from vision.photo.decoding import Photo
from vision.world_wonders.reader import build_reader

ART = build_style("fresco")


@keep
def build_enrolment() -> GameEnrolment:
    """Return an owner's enrolment from the page: the map and one player's resource board."""
    rng, pictures = np.random.default_rng(1), {}
    for name, shown, size in (("map", "map", MAP_MM), ("resources-red", "resources", RESOURCES_MM)):
        photo, corners = shoot_empty_board(ART, "A", name, rng, ("plain",), 0.6)
        pictures[shown] = rectify_picture(photo, corners, size)
    text = format_components("A").replace("[pictures.resources-red]", "[pictures.resources]")
    return GameEnrolment(GAME.name, text, pictures)


def to_photo(image: Image, name: str) -> Photo:
    return Photo.from_bytes(cv2.imencode(".png", image)[1].tobytes(), name)


@keep
def _shoot_table() -> Shot:
    return shoot("table", ART, "A", (70.0, 80.0), np.random.default_rng(3), ("wood",), 0.9)


@keep
def _read_table() -> SpotSnapshot:
    enrolment = build_enrolment()
    reading = build_reader(enrolment).read([to_photo(_shoot_table().image, "table.png")])
    return build_table_snapshot(reading, GAME.name, enrolment.components)


@pytest.fixture(scope="session")
def shot() -> Shot:
    """Return two players' boards in one photo."""
    return _shoot_table()


@pytest.fixture(scope="session")
def snapshot() -> SpotSnapshot:
    return _read_table()
