"""A drawn copy of World Wonders as its owner enrols it, and a photo of one player's table in that art."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from datasets.world_wonders.own_copy import MAP_MM, RESOURCES_MM
from datasets.world_wonders.own_copy import format_components as written
from datasets.world_wonders.style import Style
from datasets.world_wonders.tables import Shot, shoot, shoot_empty_board
from tests.kept import keep
from vision.enrolment.games import GameEnrolment
from vision.flat_boards.board import rectify_picture

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
