"""White balance of a photo under a strongly coloured lamp.

Tiles are mostly fields, roads and towns, and have about the same mean colour in every art. A large deviation is caused
by the light. A weak cast is left, since arts differ by as much and the nets were trained on such light. The correction
grows gradually with the cast: with a jump, tables in vivid pictures would suddenly appear under blue light.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.arrays import Floats, Image

USUAL_BGR = np.array([0.5, 1.0, 0.98])
"""Usual colour (3,) of tiles, relative to green. Measured: the median of 20 arts, scanned, drawn and photographed."""
MIN_ART_BGR, MAX_ART_BGR = np.array([0.26, 1.0, 0.6]), np.array([1.2, 1.0, 1.5])
"""Minimum and maximum colours (3,) of tiles, relative to green, of any art under any light the nets were trained on.

Measured: arts have 0.34 (worn prints) to 0.94 (a winter edition) of blue and 0.79 to 1.14 of red; training light
changes that by a factor of up to 1.3.
"""
EXCESS_POWER = 6
"""Exponent by which an excess in a channel is attributed to the lamp rather than the art. Measured: with 1, real tables
under a red lamp (`python -m datasets.evaluation.rephotographed LABEL... --only "a red lamp"`) are read worse.
"""
MEAN_IMAGE_PX = 400
"""Minimum longer side of the picture from which the mean is taken; it is below twice this. Bounds time."""


def correct_white_balance(image: Image, quads: Floats) -> Image:
    """Return the picture (h, w, 3) BGR without the colour cast on its tiles, given their corners (n, 4, 2) in pixels.

    If the cast is weak, return the same picture.
    """
    mean = np.maximum(_compute_mean_colour(image, quads), 1)
    colour = mean / mean[1]
    if ((colour >= MIN_ART_BGR) & (colour <= MAX_ART_BGR)).all():
        return image
    gains = estimate_art_colour(colour) / colour
    table = np.clip(np.arange(256)[:, None] * gains / gains.mean(), 0, 255).astype(np.uint8)
    return np.asarray(cv2.LUT(image, table[None]), dtype=np.uint8)


def estimate_art_colour(colour: Floats) -> Floats:
    """Estimate the colour of tiles without the lamp, given their colour (3,), each channel relative to green.

    A colour slightly outside the range of all arts is attributed mostly to the art, and mapped slightly inside the
    range; the farther outside, the farther inside, down to the usual colour for an excess in a channel. Vivid pictures
    also lack blue, so a deficit is corrected at most halfway to the usual colour.
    """
    lacking, abounding = np.minimum(colour / MIN_ART_BGR, 1.0), np.minimum(MAX_ART_BGR / colour, 1.0)
    least = np.minimum(MIN_ART_BGR / lacking, np.sqrt(MIN_ART_BGR * USUAL_BGR))
    most = np.maximum(MAX_ART_BGR * abounding**EXCESS_POWER, USUAL_BGR)
    return np.asarray(np.where(colour < MIN_ART_BGR, least, np.where(colour > MAX_ART_BGR, most, colour)))


def _compute_mean_colour(image: Image, quads: Floats) -> Floats:
    """Return the mean colour (3,) of the tiles."""
    step = max(1, max(image.shape[:2]) // MEAN_IMAGE_PX)
    small = np.ascontiguousarray(image[::step, ::step])
    mask = np.zeros(small.shape[:2], np.uint8)
    for quad in quads:
        cv2.fillConvexPoly(mask, np.round(quad / step).astype(np.int32), 1)
    return np.array(cv2.mean(small, mask)[:3])
