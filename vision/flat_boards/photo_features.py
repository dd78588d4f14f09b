"""The features of a photo at one scale, extracted once and shared by all boards searched for in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple
from weakref import WeakKeyDictionary

import cv2
import numpy as np

from vision.arrays import Image
from vision.flat_boards.features import Features, extract_features
from vision.photo.pyramid import Halves

PHOTO_FEATURES = 5000
"""Maximum number of features of a photo. Bounds time."""


class Viewing(NamedTuple):
    """A way of viewing a photo: its longer side, and whether to use the strongest features overall or those of each
    part (`extract_features`)."""

    longer_px: int
    spread: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """A photo at `scale` of its size: its features, in pixels of a picture of `shape` (height, width)."""

    features: Features
    scale: float
    shape: tuple[int, int]


_LOOKS: WeakKeyDictionary[Halves, dict[tuple[Viewing, int], Look]] = WeakKeyDictionary()
"""Cached looks at each photo, by viewing and number of features, for as long as the photo exists."""


def extract_photo_features(photo: Halves, viewing: Viewing, most: int = PHOTO_FEATURES) -> Look:
    """Extract up to `most` features of a photo for a viewing, which enlarges it at most twice."""
    looks = _LOOKS.setdefault(photo, {})
    if (viewing, most) not in looks:
        small, scale = _resize_photo(photo, viewing.longer_px)
        features = extract_features(small, most, viewing.spread)
        looks[viewing, most] = Look(features, scale, (small.shape[0], small.shape[1]))
    return looks[viewing, most]


def _resize_photo(photo: Halves, longer_px: int) -> tuple[Image, float]:
    """Return the photo with a longer side of `longer_px`, enlarged at most twice, and its scale."""
    scale = longer_px / max(photo.size)
    if scale <= 1:
        return photo.shrunk(scale)
    scale = min(scale, 2.0)
    return np.asarray(cv2.resize(photo.whole, None, fx=scale, fy=scale), np.uint8), scale
