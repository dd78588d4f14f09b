"""Features of prints: points that are found again in a photo of the same print, by what is drawn about them.

SIFT (Lowe 2004, free of patents since 2020) finds most of them from the side, under other light and partly covered, at
a quarter of a second a look. Weighed against it, all in OpenCV: ORB (Rublee et al. 2011) is ten times as fast and loses
boards seen from 50 degrees and lower; AKAZE (Alcantarilla et al. 2013) comes between the two and finds little on plain,
softly painted boards. Learned ones (SuperPoint with LightGlue and the like) need a large net and a graphics card's time
for what a flat print does not ask.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Floats, Image, Ints

Descriptors = NDArray[np.float32]

CONTRAST = 0.02
"""SIFT's threshold, half of the usual: softly painted boards have faint points."""
ROOT_LEAST = 1e-7


@dataclass(frozen=True, slots=True, eq=False)
class Features:
    """Points of a picture: `at` (n, 2) pixels, `told` (n, 128) what is drawn about them."""

    at: Floats
    told: Descriptors

    def only(self, kept: Ints | NDArray[np.bool_]) -> Features:
        """Some of them, by number or mask."""
        return Features(self.at[kept], self.told[kept])


def extract_features(picture: Image, most: int) -> Features:
    """The strongest features of a (h, w, 3) BGR picture, with the roots of SIFT's numbers (Arandjelovic 2012)."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    sift = cv2.SIFT.create(nfeatures=most, contrastThreshold=CONTRAST, enable_precise_upscale=True)
    points, told = sift.detectAndCompute(grey, None)
    if told is None or not len(points):
        return Features(np.zeros((0, 2)), np.zeros((0, 128), np.float32))
    at = np.array([point.pt for point in points]) + 0.5
    roots = np.sqrt(told / np.maximum(told.sum(axis=1, keepdims=True), ROOT_LEAST))
    return Features(at, roots.astype(np.float32))


def match_features(seen: Features, known: Features, ratio: float) -> tuple[Ints, Ints]:
    """Numbers (n,) of those seen, best first, and of the known ones that they are likeliest to be (Lowe's ratio test).

    Each of those seen is held against all that are known, so that a print may be seen more than once.
    """
    if not len(seen.at) or len(known.at) < 2:
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    like = seen.told @ known.told.T
    best = like.argmax(axis=1)
    rows = np.arange(len(like))
    near = 2 - 2 * like[rows, best]
    like[rows, best] = -1.0
    other = 2 - 2 * like.max(axis=1)
    share = near / np.maximum(other, 1e-9)
    good = np.flatnonzero(share < ratio**2)
    good = good[np.argsort(share[good], kind="stable")]
    return good, best[good]


def match_nearby_features(seen: Features, known: Features, within: float, least: float) -> tuple[Ints, Ints]:
    """As `matched`, of two pictures that lie over each other up to `within` pixels: nothing far away is held against.

    A pair counts where it is as like as `least` (cosine).
    """
    if not len(seen.at) or not len(known.at):
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    like = seen.told @ known.told.T
    one, other = seen.at.astype(np.float32), known.at.astype(np.float32)
    away = (one**2).sum(1)[:, None] + (other**2).sum(1)[None] - 2 * one @ other.T
    like[away > within**2] = -1.0
    best = like.argmax(axis=1)
    good = np.flatnonzero(like[np.arange(len(like)), best] >= least)
    return good, best[good]
