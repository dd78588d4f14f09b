"""Glare in a photo: reflections of a lamp strong enough to hide the table beneath.

Glare is white: even the darkest of a pixel's 3 channels is bright. The required brightness depends on the question, so
each question has its own threshold. Pixels are measured in grey levels of a channel, 0 to 255, as in an sRGB photo
(`_GREY`). Only the paint of a piece, measured as a colour and not by pixels, uses CIE Lab (`_LAB`).
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.arrays import FLOOR, Flags, Floats, Image, Singles

Pixels = Image | Singles

MIN_COLOURLESS_DARKEST_GREY = 215
"""Minimum level of the darkest channel at which a pixel may be glare, so its colour cannot separate table from tile.

Even faint glare must be excluded, and a pale cloth loses little by it. Measured: counted by hand on calibration tables,
a lower threshold lets more of a cloth pass for tiles, a higher one removes more tiles under glare as cloth.
"""
MIN_UNREADABLE_DARKEST_GREY = 245
"""Minimum level of the darkest channel at which nothing of the table remains visible. A guess.

It is far above `MIN_COLOURLESS_DARKEST_GREY`, because an unreadable square beside the board is assumed to hold a tile,
and white cloth or paper must not be mistaken for one.
"""
CLIPPED_GREY = 248.0
"""Level above which a channel is saturated: its true value may be brighter. A guess.

It is above the thresholds for glare because it applies to each channel separately: a bright print is not clipped.
"""
MIN_REFLECTION_GREY = 7.0
"""Minimum brightness of added light to count as a reflection, whatever the pixel's own level is. A guess."""
MAX_REFLECTION_SPREAD_GREY = 45.0
"""Maximum difference between the channels' amounts of added light for it to be white; otherwise it is no reflection. A
guess.
"""
MIN_DAZZLING_REFLECTION_GREY, MIN_DAZZLING_SHARE = 60.0, 0.25
"""Minimum brightness of a reflection, and minimum share of fully clipped pixels around a place, for the reflection to
hide it: its strength there is then unknown. A guess.
"""
MIN_WASHED_OUT_LIGHTNESS_LAB = 80.0
"""Minimum lightness of a piece's measured paint that may be any paint, that of a grey of 198: glare lightens it without
hiding it. A guess.
"""
MAX_WASHED_OUT_CHROMA_LAB = 40.0
"""Maximum chroma of such a paint. Measured: halving and doubling it changes no colour and no doubt on 42 real tables,
nor on 32 under a coloured lamp.
"""

WHITE_LAB = cv2.cvtColor(np.ones((1, 1, 3), np.float32), cv2.COLOR_BGR2LAB)[0, 0].astype(np.float64)
"""White light (3,) in CIE Lab."""


def find_colourless_pixels(image: Pixels) -> Flags:
    """Return a mask of (..., 3) pixels that may be glare, so their colour is no evidence."""
    return np.asarray(find_darkest_channel(image) >= MIN_COLOURLESS_DARKEST_GREY)


def find_unreadable_pixels(image: Pixels) -> Flags:
    """Return a mask of (..., 3) pixels that are too white to show anything of the table."""
    return np.asarray(find_darkest_channel(image) >= MIN_UNREADABLE_DARKEST_GREY)


def compute_unreadable_shares(crops: Image) -> Floats:
    """Return the share (n,) of each of (n, h, w, 3) crops that is too white to show anything."""
    return np.asarray(find_unreadable_pixels(crops).mean(axis=(1, 2)))


def find_clipped_channels(pixels: Pixels) -> Flags:
    """Return a mask of the saturated channels of (..., 3) pixels."""
    return np.asarray(pixels > CLIPPED_GREY)


def find_unclipped_pixels(pixels: Pixels) -> Flags:
    """Return a mask of (..., 3) pixels without any saturated channel, or one at the level just below."""
    return np.asarray(find_brightest_channel(pixels) < CLIPPED_GREY)


def find_white_light(spread: Singles) -> Flags:
    """Return a mask of the places where added light is white, given the spread of the channels' excesses in grey
    levels.
    """
    return np.asarray(spread < MAX_REFLECTION_SPREAD_GREY)


def exclude_faint_reflections(reflection: Singles) -> Singles:
    """Return the grey levels of a reflection, with 0 where it is too faint to be one."""
    return np.asarray(np.where(reflection > MIN_REFLECTION_GREY, reflection, 0), np.float32)


def find_dazzled_places(pixels: Image, reflection: Singles, window_px: int) -> Flags:
    """Return a mask (h, w) of places hidden by a reflection, given the pixels (h, w, 3) in a window around each."""
    white = (find_darkest_channel(pixels) >= CLIPPED_GREY).astype(np.float32)
    shares = cv2.blur(white, (window_px, window_px))
    return np.asarray((reflection > MIN_DAZZLING_REFLECTION_GREY) & (shares > MIN_DAZZLING_SHARE))


def is_washed_out(paint: Floats) -> bool:
    """Return whether a paint (3,) in CIE Lab is nearly white because of the light: its hue is then unreliable."""
    return bool(paint[0] > MIN_WASHED_OUT_LIGHTNESS_LAB and np.hypot(paint[1], paint[2]) < MAX_WASHED_OUT_CHROMA_LAB)


def remove_veil(paints: Floats, others: Floats, units: Floats) -> Floats:
    """Return the differences (n, m, 3) of n paints from m others in CIE Lab, scaled by `units` (3,), less a veil of
    white light.

    A lamp's reflection on a piece mixes its paint with white. The difference that such a mixture explains is removed,
    unless the paint is too light to show its hue.
    """
    apart = (paints[:, None] - others[None]) * units
    towards_white = (WHITE_LAB - others) * units
    share = (apart * towards_white).sum(axis=2) / np.maximum((towards_white**2).sum(axis=1), FLOOR)
    hued = paints[:, 0] < MIN_WASHED_OUT_LIGHTNESS_LAB
    return np.asarray(apart - np.clip(share, 0, 1)[..., None] * hued[:, None, None] * towards_white)


def find_darkest_channel(pixels: Pixels) -> Pixels:
    """Return the least channel (...) of (..., 3) pixels, which NumPy's reduction over the last axis finds slowly."""
    return np.minimum(np.minimum(pixels[..., 0], pixels[..., 1]), pixels[..., 2])


def find_brightest_channel(pixels: Pixels) -> Pixels:
    """Return the greatest channel (...) of (..., 3) pixels."""
    return np.maximum(np.maximum(pixels[..., 0], pixels[..., 1]), pixels[..., 2])
