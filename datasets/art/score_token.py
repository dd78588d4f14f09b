"""The project's tokens of 50 and 100 points: a shield with the number in a wreath of roofs and trees, in any style."""

from __future__ import annotations

import cv2
import numpy as np

from datasets.art.canvas import to_bgr
from datasets.art.score_board import add_texture, to_fixed_point, vary_colour
from datasets.art.style import Style
from vision.arrays import Image

SIDE_MM = 40.0
"""Side of the square card."""
RIM_MM = 2.2
WREATH_MM = (13.0, 18.0)
"""Range of distances of roofs and trees from the centre."""
WREATH_COUNT = 46
SHIELD_MM = ((-10, -10), (10, -10), (10, 2), (7, 8), (0, 12), (-7, 8), (-10, 2))
"""Corners of the shield relative to the token's centre."""


def draw_score_token(points: int, style: Style, rng: np.random.Generator, px: int = 240) -> Image:
    """Draw the side of a token that shows `points`: a picture (px, px, 3), BGR."""
    k = px / SIDE_MM
    picture = np.full((px, px, 3), to_bgr(vary_colour(style.city_ground, rng)), np.uint8)
    _wreath(picture, style, k, rng)
    middle = np.full(2, SIDE_MM / 2)
    shield = to_fixed_point(np.array(SHIELD_MM) + middle, k)
    field, charge = style.shield
    cv2.fillPoly(picture, [shield], to_bgr(vary_colour(field, rng)), cv2.LINE_AA, 4)
    cv2.polylines(picture, [shield], True, to_bgr(style.ink), round(0.9 * k), cv2.LINE_AA, 4)
    _number(picture, points, to_bgr(charge), k)
    rim = round(RIM_MM * k)
    cv2.rectangle(picture, (0, 0), (px - 1, px - 1), to_bgr(style.wall), rim)
    cv2.rectangle(picture, (rim // 2, rim // 2), (px - rim // 2, px - rim // 2), to_bgr(style.ink), max(1, rim // 6))
    return add_texture(picture, style, rng)


def _wreath(picture: Image, style: Style, k: float, rng: np.random.Generator) -> None:
    """Draw roofs and trees around the middle, each at a random position and size."""
    for angle in np.sort(rng.uniform(0, 2 * np.pi, WREATH_COUNT)):
        at = SIDE_MM / 2 + rng.uniform(*WREATH_MM) * np.array([np.cos(angle), np.sin(angle)])
        size = rng.uniform(1.0, 2.4)
        if rng.random() < 0.5:
            roof = at + size * np.array([(-1.0, 0.6), (0.0, -1.0), (1.0, 0.6)])
            shape, shade = roof, vary_colour(style.roofs[int(rng.integers(len(style.roofs)))], rng)
        else:
            around = np.linspace(0, 2 * np.pi, 9)[:-1]
            leaf = style.foliage[int(rng.integers(len(style.foliage)))]
            shape = at + 0.8 * size * np.stack([np.cos(around), np.sin(around)], axis=1)
            shade = vary_colour(leaf, rng)
        cv2.fillPoly(picture, [to_fixed_point(shape, k)], to_bgr(shade), cv2.LINE_AA, 4)
        cv2.polylines(
            picture, [to_fixed_point(shape, k)], True, to_bgr(style.ink), max(1, round(0.25 * k)), cv2.LINE_AA, 4
        )


def _number(picture: Image, points: int, colour: tuple[float, float, float], k: float) -> None:
    text, size, stroke = str(points), (0.36 if points < 100 else 0.27) * k, max(1, round(1.1 * k))
    (width, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_TRIPLEX, size, stroke)
    half = picture.shape[0] / 2
    at = (round(half - width / 2), round(half + height / 2 - 1.5 * k))
    cv2.putText(picture, text, at, cv2.FONT_HERSHEY_TRIPLEX, size, colour, stroke, cv2.LINE_AA)
