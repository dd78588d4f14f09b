"""The project's own score boards: the printed board's spaces and walls, in any style."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.art.canvas import to_bgr
from datasets.art.style import Colour, Style
from scoring.carcassonne.score_board.spaces import (
    FIRST_EDITION,
    HEIGHT_MM,
    LAP_SPACES,
    SPACES,
    TILE_MM,
    WALLS,
    WIDTH_MM,
    is_dark_space,
)
from vision.arrays import Image

WOBBLE_MM = 1.2
"""Standard deviation of hand-drawn lines from the measured ones."""
WOBBLE_CELLS = (10, 7)
TOWER_STEP_MM = 17.0
"""Distance between towers along a wall."""


def draw_score_board(style: Style, rng: np.random.Generator, tile_px: int = 120) -> Image:
    """Draw the score board (h, w, 3), BGR, with space 0 in its lower right corner, for tiles `tile_px` wide."""
    k = tile_px / TILE_MM
    picture = np.full((round(HEIGHT_MM * k), round(WIDTH_MM * k), 3), to_bgr(style.grass), np.uint8)
    pale = max(style.road, style.house, style.grass_light, key=sum)
    for space, corners in enumerate(SPACES):
        shade = vary_colour(style.city_ground if is_dark_space(space) else pale, rng)
        cv2.fillPoly(picture, [to_fixed_point(corners, k)], to_bgr(shade), cv2.LINE_AA, 4)
    line = max(1, round((0.6 + 1.4 * style.outline) * k))
    for corners in SPACES:
        cv2.polylines(picture, [to_fixed_point(corners, k)], True, to_bgr(style.ink), line, cv2.LINE_AA, 4)
    _draw_walls(picture, style, k)
    for space in range(LAP_SPACES):
        _number(picture, space, style, k)
    return add_texture(wobble_lines(picture, k, rng), style, rng)


def to_fixed_point(corners: Sequence[tuple[float, float]] | NDArray[np.float64], k: float) -> NDArray[np.int32]:
    """Convert millimetres at `k` pixels each to the fixed-point pixels that OpenCV draws with, 4 fractional bits."""
    return np.rint((np.array(corners) * k - 0.5) * 16).astype(np.int32)


def vary_colour(colour: Colour, rng: np.random.Generator) -> tuple[float, float, float]:
    """Vary a colour slightly."""
    red, green, blue = (float(np.clip(channel * rng.uniform(0.93, 1.03), 0, 255)) for channel in colour)
    return red, green, blue


def _draw_walls(picture: Image, style: Style, k: float) -> None:
    for wall in WALLS:
        for colour, width in ((style.ink, 6.0), (style.wall, 4.5)):
            dark = tuple(0.8 * channel for channel in to_bgr(colour))
            cv2.polylines(picture, [to_fixed_point(wall, k)], False, dark, round(width * k), cv2.LINE_AA, 4)
        for x, y in _along(wall):
            at = (round(x * k), round(y * k))
            cv2.circle(picture, at, round(3.5 * k), to_bgr(style.ink), -1, cv2.LINE_AA)
            cv2.circle(picture, at, round(2.8 * k), to_bgr(style.tower_roof), -1, cv2.LINE_AA)


def _along(wall: Sequence[tuple[int, int]]) -> list[tuple[float, float]]:
    """Return points along a wall, TOWER_STEP_MM apart."""
    points = np.array(wall, float)
    run = np.concatenate([[0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))])
    at = np.arange(0, run[-1], TOWER_STEP_MM)
    return list(zip(np.interp(at, run, points[:, 0]).tolist(), np.interp(at, run, points[:, 1]).tolist(), strict=True))


def _number(picture: Image, space: int, style: Style, k: float) -> None:
    x, y = FIRST_EDITION.middle(space)
    size = 0.12 * k
    (w, h), _ = cv2.getTextSize(str(space), cv2.FONT_HERSHEY_DUPLEX, size, 1)
    at = (round(x * k - w / 2), round((y + 7) * k + h / 2))
    ink = to_bgr(style.road if is_dark_space(space) else style.ink)
    cv2.putText(picture, str(space), at, cv2.FONT_HERSHEY_DUPLEX, size, ink, 1, cv2.LINE_AA)


def wobble_lines(picture: Image, k: float, rng: np.random.Generator) -> Image:
    """Warp a picture as if its lines were drawn by hand, with its border fixed."""
    h, w = picture.shape[:2]
    shift = rng.normal(0, WOBBLE_MM * k, (2, WOBBLE_CELLS[1], WOBBLE_CELLS[0])).astype(np.float32)
    shift[:, [0, -1]] = shift[:, :, [0, -1]] = 0
    off = [cv2.resize(one, (w, h), interpolation=cv2.INTER_CUBIC) for one in shift]
    ys, xs = np.mgrid[:h, :w].astype(np.float32)
    moved = cv2.remap(picture, xs + off[0], ys + off[1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(moved, np.uint8)


def add_texture(picture: Image, style: Style, rng: np.random.Generator) -> Image:
    """Cover a picture with blotches like those of paint and parchment."""
    h, w = picture.shape[:2]
    noise = [
        cv2.resize(rng.normal(0, 1, (n, round(n * w / h))), (w, h), interpolation=cv2.INTER_CUBIC) for n in (9, 60)
    ]
    strength = 1 + 0.07 * style.texture * (noise[0] + noise[1])
    return np.asarray(np.clip(picture * strength[..., None], 0, 255), np.uint8)
