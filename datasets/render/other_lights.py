"""Lights of other people's photos: lamps of two colours, the photographer's shadow, and a lamp's veil.

`datasets.render.photometric` varies one light and what a camera makes of it; these lie over the table before that.
"""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

from vision.arrays import Floats, Image, Singles

LIGHT_PX = 96
"""Side of the square on which lights are drawn; they are soft."""
MAX_LIGHTS = 2
"""Maximum number of these lights in one photo. A guess."""
FINGERS = 4
"""Number of fingers beside a camera. Geometry of the hand."""


def cast_other_lights(image: Image, rng: np.random.Generator) -> tuple[Image, tuple[str, ...]]:
    """Cast one or two of these lights over a clean picture (h, w, 3), and return it with their names."""
    names = sorted(str(name) for name in rng.permutation(sorted(LIGHTS))[: int(rng.integers(1, MAX_LIGHTS + 1))])
    for name in names:
        image = LIGHTS[name](image, rng)
    return image, tuple(names)


def light_by_two_lamps(image: Image, rng: np.random.Generator) -> Image:
    """Light the two sides of a picture by lamps of different colours, such as a bulb and a window."""
    warm, cold = (np.exp(sign * np.array([-1.0, 0.0, 0.6]) * rng.uniform(0.1, 0.5)) for sign in (1, -1))
    one, other = (warm, cold) if rng.random() < 0.7 else (warm, np.exp(rng.normal(0, 0.2, 3)))
    ys, xs = _grid()
    angle = rng.uniform(0, 2 * np.pi)
    side = (np.cos(angle) * xs + np.sin(angle) * ys - rng.uniform(-0.5, 0.5)) * rng.uniform(1.5, 6)
    share = (1 / (1 + np.exp(-side)))[..., None]
    return _scale(image, share * one + (1 - share) * other)


def shade_by_hand(image: Image, rng: np.random.Generator) -> Image:
    """Shade a picture by a hand that holds a camera: an arm from an edge, a palm, and fingers or a telephone."""
    mask = np.zeros((LIGHT_PX, LIGHT_PX), np.uint8)
    angle, palm = rng.uniform(0, 2 * np.pi), LIGHT_PX * (0.5 + rng.uniform(-0.3, 0.3, 2))
    away = np.array([np.cos(angle), np.sin(angle)])
    across, size = np.array([-away[1], away[0]]), LIGHT_PX * rng.uniform(0.08, 0.16)
    _draw_limb(mask, palm, palm + 2 * LIGHT_PX * away, 1.1 * size)
    _draw_limb(mask, palm, palm, 2 * size)
    if rng.random() < 0.5:
        corners = [palm - along * 2.4 * size * away + wide * 1.3 * size * across for along, wide in TELEPHONE]
        cv2.fillConvexPoly(mask, np.rint(corners).astype(np.int32), 255)
    else:
        for spread in np.linspace(-0.5, 0.5, FINGERS):
            tip = palm - rng.uniform(1.6, 2.4) * size * (away * np.cos(spread) + across * np.sin(spread))
            _draw_limb(mask, palm, tip, 0.4 * size)
    soft = cv2.GaussianBlur(mask, (0, 0), rng.uniform(0.8, 4)).astype(np.float32)[..., None] / 255
    dark = rng.uniform(0.2, 0.6) * np.array([1 - rng.uniform(0, 0.25), 1.0, 1.0])  # the sky lights shadows, bluish
    return _scale(image, 1 - dark * soft)


def lay_veil(image: Image, rng: np.random.Generator) -> Image:
    """Lay the wide, pale reflection of a lamp over a picture, and a little of it everywhere."""
    ys, xs = _grid()
    x, y, angle = rng.uniform(-0.8, 0.8), rng.uniform(-0.8, 0.8), rng.uniform(0, np.pi)
    along = np.cos(angle) * (xs - x) + np.sin(angle) * (ys - y)
    across = np.cos(angle) * (ys - y) - np.sin(angle) * (xs - x)
    wide, narrow = rng.uniform(0.2, 0.7), rng.uniform(0.1, 0.35)
    spot = np.exp(-((along / wide) ** 2 + (across / narrow) ** 2))
    colour = np.array([rng.uniform(0.75, 1.05), 1.0, rng.uniform(0.95, 1.1)])
    veil = (rng.uniform(40, 130) * spot + rng.uniform(0, 18))[..., None] * colour
    return np.clip(image.astype(np.float32) + _enlarge(veil, image), 0, 255).astype(np.uint8)


TELEPHONE = ((-0.5, -1.0), (1.0, -1.0), (1.0, 1.0), (-0.5, 1.0))
"""Corners of a telephone in a hand: along the arm, and across it."""
LIGHTS: dict[str, Callable[[Image, np.random.Generator], Image]] = {
    "hand": shade_by_hand,
    "two lamps": light_by_two_lamps,
    "veil": lay_veil,
}


def _grid() -> tuple[Floats, Floats]:
    ys, xs = np.mgrid[-1 : 1 : LIGHT_PX * 1j, -1 : 1 : LIGHT_PX * 1j]
    return ys, xs


def _draw_limb(mask: Image, start: Floats, end: Floats, width_px: float) -> None:
    ends = [(round(float(x)), round(float(y))) for x, y in (start, end)]
    cv2.line(mask, ends[0], ends[1], 255, max(1, round(width_px)))


def _enlarge(layer: Floats, image: Image) -> Singles:
    """Enlarge a layer of light (LIGHT_PX, LIGHT_PX, 3) to the size of a picture."""
    large = cv2.resize(layer.astype(np.float32), image.shape[1::-1], interpolation=cv2.INTER_CUBIC)
    return np.asarray(large, np.float32)


def _scale(image: Image, gains: Floats) -> Image:
    return np.clip(image * np.maximum(_enlarge(gains, image), 0), 0, 255).astype(np.uint8)
