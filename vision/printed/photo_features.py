"""The features of a photo at a size, found once and shared by all boards that are looked for in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple
from weakref import WeakKeyDictionary

import cv2
import numpy as np

from vision.arrays import Image
from vision.photo.pyramid import Halves
from vision.printed.features import Features, extract_features

PHOTO_FEATURES = 5000


class Viewing(NamedTuple):
    """How a photo is looked at: at what longer side, and whether for the strongest features of all, or those of each
    part (`extract_features`)."""

    longer_px: int
    spread: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """What a photo shows at `scale` of its size: its features, in pixels of a picture of `shape` (height, width)."""

    features: Features
    scale: float
    shape: tuple[int, int]


_LOOKS: WeakKeyDictionary[Halves, dict[tuple[Viewing, int], Look]] = WeakKeyDictionary()
"""The looks at each photo, and how many features they have, for as long as the photo is held."""


def extract_photo_features(photo: Halves, viewing: Viewing, most: int = PHOTO_FEATURES) -> Look:
    """Extract the features of a photo as it is looked at, at most so many, with a longer side at most twice its own."""
    looks = _LOOKS.setdefault(photo, {})
    if (viewing, most) not in looks:
        small, scale = _resize_photo(photo, viewing.longer_px)
        features = extract_features(small, most, viewing.spread)
        looks[viewing, most] = Look(features, scale, (small.shape[0], small.shape[1]))
    return looks[viewing, most]


def _resize_photo(photo: Halves, longer_px: int) -> tuple[Image, float]:
    """The photo with a longer side of so many pixels, at most twice its own, and its scale."""
    scale = longer_px / max(photo.size)
    if scale <= 1:
        return photo.shrunk(scale)
    scale = min(scale, 2.0)
    return np.asarray(cv2.resize(photo.whole, None, fx=scale, fy=scale), np.uint8), scale
