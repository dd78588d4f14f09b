"""Copies of a wonder, as files and as photos."""

from __future__ import annotations

from random import Random
from typing import Any

import cv2
import numpy as np

from datasets.scene.varied_wonders import vary_wonder
from scoring.carcassonne.deal.boards import deal_random_board
from scoring.carcassonne.wonders.plans import plan_layout, write_plan
from tests.drawn_boards import shoot_from_above
from tests.kept import keep
from vision.arrays import Image

COPY = vary_wonder("WH/stonehenge", np.random.default_rng(6))
"""A copy with other edges than the inferred ones: two roads of a square end at its outline, one forks."""


@keep
def _shoot_copy() -> Image:
    return shoot_from_above(deal_random_board(Random(2), 14, wonders=[COPY])).image


def photograph_copy(quality: int = 95) -> bytes:
    """Photograph a board of 14 tiles and the copy, from above."""
    return cv2.imencode(".jpg", _shoot_copy(), [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes()


def write_copy(layout: Any = COPY) -> dict[str, Any]:
    return write_plan(plan_layout(layout))
