"""The colour of a painted face in any light: its paint, brighter or darker, which is a ray from black.

A place is judged by its distance from such a ray. White light that a face reflects in addition moves its colour off the
ray, equally in all channels.
"""

from __future__ import annotations

import numpy as np

from vision.arrays import Flags, Floats, Singles

NOISE_GREY = 13.0
"""Noise of a colour in grey levels. A guess."""
GLOSS_GREY = 9.0
"""Grey levels of white light that a part's faces reflect in addition, because paint shines. A guess."""
SHINE_GREY, SHINE_NATS = 36.0, 1.3
"""Grey levels of white light reflected by a face turned to the lamp, and the nats against such a face. A guess."""
MAX_PLACE_NATS = 5.0
"""Maximum nats of a single place. A guess."""

WHITE = np.ones(3, np.float32)
"""White light (3,)."""


def compute_paint_nats(pixels: Singles, paint: Floats, shades: tuple[float, float]) -> Singles:
    """Return the nats against a face of a paint, slightly glossy or, if turned to the lamp, strongly so."""
    colour = np.asarray(paint, np.float32)
    squares, dot, white = (compute_dot_product(pixels, other) for other in (pixels, colour, WHITE))
    length, paint_white = compute_dot_product(colour, colour), compute_dot_product(colour, WHITE)

    def compute_glossy_nats(gloss: float) -> Singles:
        # the covariance along white reduces the weight of a deviation in its direction
        less = np.float32(gloss**2 / (3 * gloss**2 + NOISE_GREY**2))
        shade = (dot - less * white * paint_white) / np.maximum(length - less * paint_white**2, np.float32(1))
        shade = np.clip(shade, *shades)
        away = squares - shade * (2 * dot - shade * length) - less * np.square(white - shade * paint_white)
        return np.asarray(np.clip(away / (2 * NOISE_GREY**2), 0, MAX_PLACE_NATS), np.float32)

    return np.asarray(np.minimum(compute_glossy_nats(GLOSS_GREY), compute_glossy_nats(SHINE_GREY) + SHINE_NATS))


def compute_ray_nats(pixels: Singles, colour: Singles, shades: tuple[float, float], noise: Singles | float) -> Singles:
    """Return nats (h, w) from the distance of each place to a matt colour at its most likely shade."""
    squares, dot, length = (
        compute_dot_product(pixels, pixels),
        compute_dot_product(pixels, colour),
        compute_dot_product(colour, colour),
    )
    shade = np.clip(dot / np.maximum(length, np.float32(1)), *shades)
    away = squares - shade * (2 * dot - shade * length)
    return np.asarray(np.clip(away / (2 * np.square(noise)), 0, MAX_PLACE_NATS), np.float32)


def fill_clipped_channels(
    pixels: Singles, colour: Singles | Floats, shades: tuple[float, float], clipped: Flags
) -> Singles:
    """Return pixels (h, w, 3) with clipped channels raised to the value expected from a colour, if that is higher."""
    there = clipped[..., 0] | clipped[..., 1] | clipped[..., 2]
    if not there.any():
        return pixels
    values, at_end = pixels[there], clipped[there]
    paint = np.broadcast_to(np.asarray(colour, np.float32), pixels.shape)[there]
    known = np.where(at_end, np.float32(0), paint)
    length = compute_dot_product(known, known)
    shade = np.where(length > 0, compute_dot_product(values, known) / np.maximum(length, 1.0), shades[1])
    expected = np.clip(shade, *shades)[..., None] * paint
    filled = pixels.copy()
    filled[there] = np.where(at_end, np.maximum(values, expected), values)
    return filled


def compute_dot_product(one: Singles, other: Singles) -> Singles:
    """Return the dot product over the last axis."""
    if other.ndim == 1:
        return np.asarray(one @ other, np.float32)
    return np.asarray(
        one[..., 0] * other[..., 0] + one[..., 1] * other[..., 1] + one[..., 2] * other[..., 2], np.float32
    )


def measure_lit_paint(pixels: Singles) -> Floats:
    """Return the paint's colour (3,) on tops: the median of the brighter half."""
    bright = compute_dot_product(pixels, WHITE)
    return np.asarray(np.median(pixels[bright >= np.median(bright)], axis=0), np.float64)
