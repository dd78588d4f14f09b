"""Whether what a photo shows may be glare: a lamp's light thrown back so strongly that it hides what lies there.

Glare is white: where it lies even the darkest of a pixel's three channels is bright. How bright it must be depends on
what is asked, so each question has a number of its own. Pixels are measured in grey levels of a channel, 0 to 255, as
an sRGB photo has them (`_GREY`). Only of a piece's paint, which is measured as a colour and not by pixels, are they
those of CIE Lab (`_LAB`).
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.arrays import Flags, Floats, Image, Singles

Pixels = Image | Singles

MIN_COLOURLESS_DARKEST_GREY = 215
"""A pixel whose darkest channel is at least this bright may be glare, so its colour cannot tell table from tile.

Even faint glare must be left out, and a pale cloth loses little by it. Counted by hand on calibration tables, a lower
number lets more of a cloth pass for tiles, a higher one takes more tiles under glare for cloth.
"""
MIN_UNREADABLE_DARKEST_GREY = 245
"""A pixel whose darkest channel is at least this bright has nothing left of what lies there.

The number is far above the one before, for a tile is supposed where a square beside the board is unreadable, and white
cloth or paper must not be taken for one.
"""
CLIPPED_GREY = 248.0
"""A channel that is brighter than this is at the end of its range: it tells no more than that it is no darker.

The number is higher than those before, since it is for each channel by itself: a bright print is not clipped.
"""
MAX_FITTED_VIEW_GREY, MAX_FITTED_PICTURE_GREY = 250, 252
"""A pixel tells the light on a board only where it is darker than this in the photo and in the enrolled picture.

These numbers are not `CLIPPED_GREY`, since they are for a view whose reflections may have been taken off, and for a
picture, whose white print is no glare.
"""
MIN_REFLECTION_GREY = 7.0
"""Light that was added to a pixel is a reflection where it is brighter than this, whatever the pixel itself is."""
MAX_REFLECTION_SPREAD_GREY = 45.0
"""Light that was added is white where the amounts that it adds to the channels differ by less than this; else it is
something else."""
MIN_DAZZLING_REFLECTION_GREY, MIN_DAZZLING_SHARE = 60.0, 0.25
"""A reflection that is brighter than this hides what lies there, where more than this share about the place is clipped
in all channels: nobody knows how strong the reflection is there."""
MIN_WASHED_OUT_LIGHTNESS_LAB, MAX_WASHED_OUT_CHROMA_LAB = 80.0, 40.0
"""A piece's measured paint that is lighter than this, with less chroma, may be any paint: glare lightens it without
hiding it. The lightness is that of a grey of 198."""


def find_colourless_pixels(image: Pixels) -> Flags:
    """Return for (..., 3) pixels which may be glare, so that their colour tells nothing."""
    return np.asarray(_find_darkest(image) >= MIN_COLOURLESS_DARKEST_GREY)


def find_unreadable_pixels(image: Pixels) -> Flags:
    """Return for (..., 3) pixels which are so white that nothing of what lies there is left."""
    return np.asarray(_find_darkest(image) >= MIN_UNREADABLE_DARKEST_GREY)


def compute_unreadable_shares(crops: Image) -> Floats:
    """Return for (n, h, w, 3) crops what share (n,) of each is so white that nothing is left of what lies there."""
    return np.asarray(find_unreadable_pixels(crops).mean(axis=(1, 2)))


def find_clipped_channels(pixels: Pixels) -> Flags:
    """Return for (..., 3) pixels which of their channels only tell that they are no darker."""
    return np.asarray(pixels > CLIPPED_GREY)


def find_unclipped_pixels(pixels: Pixels) -> Flags:
    """Return for (..., 3) pixels which have no channel at the end of its range, the last level before that included."""
    return np.asarray(_find_brightest(pixels) < CLIPPED_GREY)


def find_light_fit_pixels(view: Pixels, picture: Pixels) -> Flags:
    """Return where (..., 3) pixels of a board's view and of its enrolled picture are both fit to tell the light."""
    return np.asarray(
        (_find_brightest(view) < MAX_FITTED_VIEW_GREY) & (_find_brightest(picture) < MAX_FITTED_PICTURE_GREY)
    )


def find_white_light(spread: Singles) -> Flags:
    """Return where light that was added is white, by how far apart in grey levels the channels' excesses lie."""
    return np.asarray(spread < MAX_REFLECTION_SPREAD_GREY)


def exclude_faint_reflections(reflection: Singles) -> Singles:
    """Return the grey levels of a reflection, 0 where it is too faint to be one."""
    return np.asarray(np.where(reflection > MIN_REFLECTION_GREY, reflection, 0), np.float32)


def find_dazzled_places(pixels: Image, reflection: Singles, window_px: int) -> Flags:
    """Return where (h, w) a reflection hides what lies there, by the pixels (h, w, 3) in a window about each place."""
    white = (_find_darkest(pixels) >= CLIPPED_GREY).astype(np.float32)
    shares = cv2.blur(white, (window_px, window_px))
    return np.asarray((reflection > MIN_DAZZLING_REFLECTION_GREY) & (shares > MIN_DAZZLING_SHARE))


def is_washed_out(paint: Floats) -> bool:
    """Return whether a paint (3,) in CIE Lab is nearly white by the light on it: it may be red as well as pink."""
    return bool(paint[0] > MIN_WASHED_OUT_LIGHTNESS_LAB and np.hypot(paint[1], paint[2]) < MAX_WASHED_OUT_CHROMA_LAB)


def _find_darkest(pixels: Pixels) -> Pixels:
    return np.minimum(np.minimum(pixels[..., 0], pixels[..., 1]), pixels[..., 2])


def _find_brightest(pixels: Pixels) -> Pixels:
    return np.maximum(np.maximum(pixels[..., 0], pixels[..., 1]), pixels[..., 2])
