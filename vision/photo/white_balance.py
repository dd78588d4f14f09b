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
"""What tiles look like on the whole, of their green: the middle of twenty arts, scanned, drawn and photographed."""
LEAST_BGR, MOST_BGR = np.array([0.26, 1.0, 0.6]), np.array([1.2, 1.0, 1.5])
"""Beyond this no art is under light that the nets saw.

Of blue arts have 0.34 (worn prints) to 0.94 (a winter's), of red 0.79 to 1.14; the light changes that by up to 1.3.
"""
STEEP = 6
"""How much faster tiles that seem to have too much of a channel are taken to lie within all arts than they lie beyond:
real tables under a red lamp (`python -m datasets.evaluation.rephotographed LABEL... --only "a red lamp"`) are read
worse with 1."""
LOOKED_AT_PX = 400
"""So many pixels along the longer side, and less than twice as many, are enough for a mean."""
DARK = 4.0
"""A channel with less than this on the whole holds nothing that could be brought back."""


def correct_white_balance(image: Image, quads: Floats) -> Image:
    """The picture (h, w, 3) BGR without the cast that lies over its tiles, whose corners (n, 4, 2) are given in pixels.

    The same picture where the cast is weak.
    """
    mean = np.maximum(_mean_of(image, quads), DARK)
    colour = mean / mean[1]
    if ((colour >= LEAST_BGR) & (colour <= MOST_BGR)).all():
        return image
    gains = estimate_art_colour(colour) / colour
    table = np.clip(np.arange(256)[:, None] * gains / gains.mean(), 0, 255).astype(np.uint8)
    return np.asarray(cv2.LUT(image, table[None]), dtype=np.uint8)


def estimate_art_colour(colour: Floats) -> Floats:
    """(3,) what tiles that seem to have a colour (3,), each channel against green, may be like without the lamp.

    What lies a little beyond all arts is rather the art's than a lamp's, and taken to lie a little within; the farther
    beyond, the farther within, down to the usual colour where there is too much of a channel. Vivid pictures, too, lack
    blue: what there is too little of is brought half way to the usual colour at most.
    """
    lacking, abounding = np.minimum(colour / LEAST_BGR, 1.0), np.minimum(MOST_BGR / colour, 1.0)
    least = np.minimum(LEAST_BGR / lacking, np.sqrt(LEAST_BGR * USUAL_BGR))
    most = np.maximum(MOST_BGR * abounding**STEEP, USUAL_BGR)
    return np.asarray(np.where(colour < LEAST_BGR, least, np.where(colour > MOST_BGR, most, colour)))


def _mean_of(image: Image, quads: Floats) -> Floats:
    """(3,) the mean colour of the tiles."""
    step = max(1, max(image.shape[:2]) // LOOKED_AT_PX)
    small = np.ascontiguousarray(image[::step, ::step])
    mask = np.zeros(small.shape[:2], np.uint8)
    for quad in quads:
        cv2.fillConvexPoly(mask, np.round(quad / step).astype(np.int32), 1)
    return np.array(cv2.mean(small, mask)[:3])
