"""Tables as a website draws them: tiles in an exact lattice, from straight above, and each piece as a small picture.

The picture of a piece is the same everywhere: a prism that leans as if seen at a slant, in a flat, bright colour.
"""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from datasets.scene.camera import Camera
from datasets.scene.pieces import Finish, Piece, build_prism
from datasets.scene.table import Table

LEAN = (0.5, 1.1)
"""Range of the slant, in radians, at which a website shows standing pieces. A guess."""
FAR = 60.0
"""Focal length in widths of the picture, at which a view is nearly parallel. A guess."""
SATURATION, VALUE = (0.75, 1.0), (0.7, 1.0)
"""Ranges of the saturation and value (HSV, 0 to 1) of pieces that have a hue. A guess."""
HUE_SPREAD_DEGREES = 6.0
"""Standard deviation of a piece's hue about that of wooden ones. A guess."""
LIGHT = (1.0, 1.4)
"""Range of the brightness of pieces relative to wooden ones under a lamp. A guess."""
MIN_HUE_SATURATION = 0.35
"""Saturation (HSV, 0 to 1) below which a piece is black, grey, white or wood and keeps its colour. A guess."""


def show_on_screen(table: Table, tile_px: float, rng: np.random.Generator) -> Table:
    """Return a table as a website draws it, with tiles `tile_px` wide about a random tile of it."""
    w, h = table.camera.size
    tile = table.tiles[int(rng.integers(len(table.tiles)))]
    focal = FAR * max(w, h)
    camera = Camera.look_at(
        tile.corners.mean(0),
        elevation=90,
        azimuth=90,
        roll=0,
        distance=focal / tile_px,
        focal_px=focal,
        size=table.camera.size,
    )
    light = rng.uniform(*LIGHT)
    lean, yaw, scale = rng.uniform(*LEAN), rng.normal(0, 0.6), rng.uniform(0.75, 1.1)
    bright = {piece.bgr: _brighten(piece.bgr, rng) for piece in table.loose}

    def draw(piece: Piece) -> Piece:
        tilt = (lean, 0.0) if piece.pose == "standing" else (0.0, 0.0)
        turned = yaw if piece.pose == "standing" else np.pi
        drawn = replace(piece, bgr=bright[piece.bgr], yaw=turned, tilt=tilt, size=scale)
        (x, y), (middle_x, middle_y) = piece.at, find_middle(drawn)
        return replace(drawn, at=(2 * x - middle_x, 2 * y - middle_y))

    return replace(
        table,
        camera=camera,
        meeples=tuple(replace(meeple, piece=draw(meeple.piece)) for meeple in table.meeples),
        strays=tuple(map(draw, table.strays)),
        light=np.array([0.0, 0.0, 1.0]),
        edge=None,
        finish=Finish(0.0, lamp=(light, light, light), shade=(light, light, light)),
        rim=(float(rng.choice([0.0, 0.3, -0.3])), 0.01),
        clutter_seed=None,
    )


def find_middle(piece: Piece) -> tuple[float, float]:
    """Return the table position (x, y) of the middle of a piece's picture, which stands where the piece does."""
    x, y = np.concatenate(build_prism(piece))[:, :2].mean(0).tolist()
    return x, y


def _brighten(bgr: tuple[int, int, int], rng: np.random.Generator) -> tuple[int, int, int]:
    """Return a flat, bright version of a paint with a hue; others stay."""
    hue, saturation, _ = cv2.cvtColor(np.array([[bgr]], np.float32) / 255, cv2.COLOR_BGR2HSV)[0, 0].tolist()
    if saturation < MIN_HUE_SATURATION:
        return bgr
    hue = (hue + rng.normal(0, HUE_SPREAD_DEGREES)) % 360
    bright = np.array([[(hue, max(saturation, rng.uniform(*SATURATION)), rng.uniform(*VALUE))]], np.float32)
    b, g, r = np.rint(255 * cv2.cvtColor(bright, cv2.COLOR_HSV2BGR)[0, 0]).astype(int).tolist()
    return b, g, r
