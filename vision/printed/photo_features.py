"""The features of a photo at a size, found once and shared by all boards that are looked for in it."""

from __future__ import annotations

from dataclasses import dataclass
from weakref import WeakKeyDictionary

import cv2
import numpy as np

from vision.arrays import Image
from vision.photo.pyramid import Halves
from vision.printed.features import Features, extract_features

PHOTO_FEATURES = 5000


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """What a photo shows at `scale` of its size: its features, in pixels of a picture of `shape` (height, width)."""

    features: Features
    scale: float
    shape: tuple[int, int]


_LOOKS: WeakKeyDictionary[Halves, dict[tuple[int, int], Look]] = WeakKeyDictionary()
"""The looks at each photo by their longer side and how many features they have, for as long as the photo is held."""


def extract_photo_features(photo: Halves, longer_px: int, most: int = PHOTO_FEATURES) -> Look:
    """Extract the strongest features of a photo with a longer side of `longer_px`, at most twice its own."""
    looks = _LOOKS.setdefault(photo, {})
    if (longer_px, most) not in looks:
        small, scale = _resize_photo(photo, longer_px)
        looks[longer_px, most] = Look(extract_features(small, most), scale, (small.shape[0], small.shape[1]))
    return looks[longer_px, most]


def _resize_photo(photo: Halves, longer_px: int) -> tuple[Image, float]:
    """The photo with a longer side of so many pixels, at most twice its own, and its scale."""
    scale = longer_px / max(photo.size)
    if scale <= 1:
        return photo.shrunk(scale)
    scale = min(scale, 2.0)
    return np.asarray(cv2.resize(photo.whole, None, fx=scale, fy=scale), np.uint8), scale
