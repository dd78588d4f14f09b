"""A lamp's reflection on a printed board: white light over the print, equal on all three channels.

If the board is brighter than its picture in the same light, equally in every channel, the excess is a veil of reflected
light. Pieces are darker or of another colour and give no evidence; veils change slowly.
"""

from __future__ import annotations

from itertools import pairwise

import cv2
import numpy as np

from vision.arrays import Flags, Image, Singles
from vision.colour.glare import (
    exclude_faint_reflections,
    find_brightest_channel,
    find_clipped_channels,
    find_darkest_channel,
    find_unclipped_pixels,
    find_white_light,
)
from vision.colour.photometric_fit import EVEN_LIGHT_WEIGHT, fit_board_light, prepare_light_fit

ROUNDS = 3
"""Number of rounds in which light and veil are estimated in turn. Bounds time."""
WINDOW_PX = 13
"""Size of the window from which a veil is estimated, at `photometric_fit.FITTED_PX`. A guess."""
ABOVE = 0.4
"""Share of a window at least as bright as the veil makes it; parts hide some of the board. A guess."""
LEVELS = 26
"""Number of grey levels at which the excess brightness is sampled. Bounds time."""


def estimate_reflection(view: Image, picture: Image, coverage: Image) -> Singles:
    """Return the grey levels (h, w) of white light over the rectified view (h, w, 3) BGR of a board.

    They have the size of the board's picture. `coverage` (h, w) is 0 outside the photo.
    """
    h, w = picture.shape[:2]
    pixels, print_pixels, usable = prepare_light_fit(view, picture, coverage)
    veil = np.zeros(pixels.shape[:2], np.float32)
    for _ in range(ROUNDS):
        clear = np.maximum(pixels - veil[..., None], 0)
        lit = usable & find_unclipped_pixels(pixels) & find_unclipped_pixels(print_pixels)
        more = pixels - fit_board_light(clear, print_pixels, lit).of_picture(print_pixels)
        veil = _estimate_veil(more, usable, find_clipped_channels(pixels))
    return np.asarray(cv2.resize(veil, (w, h), interpolation=cv2.INTER_LINEAR), np.float32)


def _estimate_veil(more: Singles, usable: Flags, clipped: Flags) -> Singles:
    """Return the excess brightness (h, w) of the board around each place, from that of each channel (h, w, 3)."""
    excess = find_darkest_channel(np.where(clipped, np.inf, more))
    spread = np.asarray(find_brightest_channel(np.where(clipped, -np.inf, more)) - excess, np.float32)
    there = np.asarray(usable & np.isfinite(excess) & find_white_light(spread), np.float32)
    excess = np.where(there > 0, excess, 0).astype(np.float32)
    window = (WINDOW_PX, WINDOW_PX)
    trust = cv2.boxFilter(there, -1, window)
    levels = np.linspace(0, 255, LEVELS, dtype=np.float32)
    veil = np.zeros(excess.shape, np.float32)
    for low, high in pairwise(levels):
        above = cv2.boxFilter(np.clip((excess - low) / (high - low), 0, 1) * there, -1, window)
        veil += (high - low) * np.clip((above / np.maximum(trust, 1e-3) - ABOVE) / 0.4 + 0.5, 0, 1)
    sums, weights = (
        cv2.GaussianBlur(layer, (0, 0), WINDOW_PX / 5) + EVEN_LIGHT_WEIGHT * cv2.GaussianBlur(layer, (0, 0), WINDOW_PX)
        for layer in (np.asarray(veil * trust, np.float32), trust)
    )
    return exclude_faint_reflections(np.asarray(sums / np.maximum(weights, 1e-3), np.float32))
