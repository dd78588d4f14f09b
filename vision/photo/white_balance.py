"""A photo under a strongly coloured lamp, seen as under white light.

Tiles are mostly fields, roads and towns, on the whole of much the same colour in every art: where theirs is far from
that, it is the light's. A weak cast is left: arts differ by as much, and the nets saw such light. One that is hardly
stronger is hardly changed: by leaps, tables in vivid pictures would lie under blue light all at once.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.arrays import Floats, Image

USUAL_BGR = np.array([0.5, 1.0, 0.98])
"""The usual colour (3,) of tiles, relative to green: the middle of twenty arts, scanned, drawn and photographed."""
MIN_ART_BGR, MAX_ART_BGR = np.array([0.26, 1.0, 0.6]), np.array([1.2, 1.0, 1.5])
"""The least and the greatest colours (3,) of tiles, relative to green: beyond these no art is under light that the nets
saw.

Arts have 0.34 (worn prints) to 0.94 (a winter's) of blue, 0.79 to 1.14 of red; the light changes that by up to 1.3.
"""
EXCESS_POWER = 6
"""How much faster tiles that seem to have too much of a channel are taken to lie within all arts than they lie beyond:
real tables under a red lamp (`python -m datasets.evaluation.rephotographed LABEL... --only "a red lamp"`) are read
worse with 1."""
MEAN_IMAGE_PX = 400
"""This many pixels along the longer side, and less than twice as many, are enough for a mean."""
MIN_CHANNEL_MEAN = 4.0
"""A channel with a lower mean (of 255) holds nothing that could be brought back."""


def correct_white_balance(image: Image, quads: Floats) -> Image:
    """Return the picture (h, w, 3) BGR without the cast that lies over its tiles, whose corners (n, 4, 2) are in
    pixels.

    It is the same picture where the cast is weak.
    """
    mean = np.maximum(_compute_mean_colour(image, quads), MIN_CHANNEL_MEAN)
    colour = mean / mean[1]
    if ((colour >= MIN_ART_BGR) & (colour <= MAX_ART_BGR)).all():
        return image
    gains = estimate_art_colour(colour) / colour
    table = np.clip(np.arange(256)[:, None] * gains / gains.mean(), 0, 255).astype(np.uint8)
    return np.asarray(cv2.LUT(image, table[None]), dtype=np.uint8)


def estimate_art_colour(colour: Floats) -> Floats:
    """Estimate what tiles of a colour (3,), each channel relative to green, may look like without the lamp.

    What lies a little beyond all arts is rather the art's than a lamp's, and taken to lie a little within; the farther
    beyond, the farther within, down to the usual colour where there is too much of a channel. Vivid pictures, too, lack
    blue: what there is too little of is brought half way to the usual colour at most.
    """
    lacking, abounding = np.minimum(colour / MIN_ART_BGR, 1.0), np.minimum(MAX_ART_BGR / colour, 1.0)
    least = np.minimum(MIN_ART_BGR / lacking, np.sqrt(MIN_ART_BGR * USUAL_BGR))
    most = np.maximum(MAX_ART_BGR * abounding**EXCESS_POWER, USUAL_BGR)
    return np.asarray(np.where(colour < MIN_ART_BGR, least, np.where(colour > MAX_ART_BGR, most, colour)))


def _compute_mean_colour(image: Image, quads: Floats) -> Floats:
    """(3,) the mean colour of the tiles."""
    step = max(1, max(image.shape[:2]) // MEAN_IMAGE_PX)
    small = np.ascontiguousarray(image[::step, ::step])
    mask = np.zeros(small.shape[:2], np.uint8)
    for quad in quads:
        cv2.fillConvexPoly(mask, np.round(quad / step).astype(np.int32), 1)
    return np.array(cv2.mean(small, mask)[:3])
