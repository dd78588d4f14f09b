"""A copy of a wonder, drawn and photographed."""

from __future__ import annotations

from functools import cache
from random import Random

import cv2
import numpy as np

from datasets.scene.varied_wonders import vary_wonder
from scoring.carcassonne.deal.boards import deal_random_board
from scoring.carcassonne.wonders.tiles import WonderLayout
from tests.drawn_boards import shoot_from_above

ID = "WH/stonehenge"


@cache
def draw_copy() -> WonderLayout:
    """Draw a copy with other edges than the inferred ones: two roads of a square end at its outline, one forks."""
    return vary_wonder(ID, np.random.default_rng(6))


@cache
def photograph_table() -> bytes:
    """Photograph a board of 14 tiles and that copy, from above."""
    shot = shoot_from_above(deal_random_board(Random(2), 14, wonders=[draw_copy()]))
    return cv2.imencode(".jpg", shot.image)[1].tobytes()
