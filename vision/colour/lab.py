"""Colours in CIE Lab, whose distances are those that a person sees."""

from __future__ import annotations

import cv2
import numpy as np

from vision.arrays import Floats, Image, Singles

LIGHTNESS_WEIGHT = 0.5
"""Weight of a unit of lightness relative to one of hue: a shadow is no piece. A guess."""


def convert_to_lab(pixels: Image | Singles | Floats) -> Floats:
    """Convert pixels (h, w, 3) BGR, 0 to 255, to CIE Lab."""
    return np.asarray(cv2.cvtColor((pixels / 255).astype(np.float32), cv2.COLOR_BGR2LAB), np.float64)


def compute_colour_distance(photo: Floats, printed: Floats) -> Floats:
    """Return the distance (h, w) of a photo from the print, both (h, w, 3) CIE Lab; a shadow counts less."""
    return np.asarray(np.linalg.norm((photo - printed) * (LIGHTNESS_WEIGHT, 1, 1), axis=2))
