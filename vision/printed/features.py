"""Features of prints: points that are found again in a photo of the same print, by what is drawn about them.

SIFT (Lowe 2004, free of patents since 2020) finds most of them from the side, under other light and partly covered, at
a quarter of a second a look. Weighed against it, all in OpenCV: ORB (Rublee et al. 2011) is ten times as fast and loses
boards seen from 50 degrees and lower; AKAZE (Alcantarilla et al. 2013) comes between the two and finds little on plain,
softly painted boards. Learned ones (SuperPoint with LightGlue and the like) need a large net and a graphics card's time
for what a flat print does not ask.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Floats, Image, Ints, Singles

MIN_CONTRAST = 0.02
"""SIFT's threshold, half of the usual: softly painted boards have faint points. It is a share of the picture's own
brightness, since a photo taken in the dark has fainter ones still."""
BRIGHT_PERCENTILE, BRIGHT_GREY = 99.0, 240.0
"""What is brightest in a picture, and its grey level in a well exposed one."""
SPREAD_CELLS = 8
"""Spread features are the strongest of so many by so many parts of a picture: one richly drawn thing has its share."""
MIN_ROOT_SUM = 1e-7
TILT_BLUR = 0.8
"""The blur before a picture is shortened, as in ASIFT: by this times the root of the tilt's square less one."""


@dataclass(frozen=True, slots=True, eq=False)
class Features:
    """The features of a picture: `at` (n, 2) pixels, and `descriptors` (n, 128) of what is drawn about them."""

    at: Floats
    descriptors: Singles

    @property
    def is_matchable(self) -> bool:
        """Whether a photo's features can be told to be these: Lowe's ratio asks for a second nearest one."""
        return len(self.at) > 1

    def select(self, selection: Ints | NDArray[np.bool_]) -> Features:
        """Return some of the features, by number or mask."""
        return Features(self.at[selection], self.descriptors[selection])


NO_FEATURES = Features(np.zeros((0, 2)), np.zeros((0, 128), np.float32))


def extract_features(picture: Image, most: int, spread: bool = False) -> Features:
    """Extract the strongest features of a (h, w, 3) BGR picture, with the roots of SIFT's numbers (Arandjelovic 2012).

    They are the strongest of all, or those of each part of the picture where they are to be `spread`.
    """
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    bright = min(1.0, float(np.percentile(grey, BRIGHT_PERCENTILE)) / BRIGHT_GREY)
    sift = cv2.SIFT.create(
        nfeatures=0 if spread else most, contrastThreshold=MIN_CONTRAST * bright, enable_precise_upscale=True
    )
    if spread:
        selection = _select_spread_points(sift.detect(grey, None), most, grey.shape[:2])
        points, descriptors = sift.compute(grey, selection) if selection else ((), None)
    else:
        points, descriptors = sift.detectAndCompute(grey, None)
    if descriptors is None or not len(points):
        return NO_FEATURES
    at = np.array([point.pt for point in points]) + 0.5
    roots = np.sqrt(descriptors / np.maximum(descriptors.sum(axis=1, keepdims=True), MIN_ROOT_SUM))
    return Features(at, roots.astype(np.float32))


def _select_spread_points(
    points: Sequence[cv2.KeyPoint], most: int, shape: tuple[int, int]
) -> tuple[cv2.KeyPoint, ...]:
    """The strongest point of each part of a picture of that (height, width), then the second of each, and so on."""
    parts: dict[tuple[int, int], list[cv2.KeyPoint]] = defaultdict(list)
    for point in points:
        x, y = point.pt
        parts[int(y * SPREAD_CELLS / shape[0]), int(x * SPREAD_CELLS / shape[1])].append(point)
    ranked = [
        (rank, -point.response, number, point)
        for part in parts.values()
        for rank, (number, point) in enumerate(sorted(enumerate(part), key=lambda each: -each[1].response))
    ]
    return tuple(point for *_, point in sorted(ranked, key=lambda each: each[:3])[:most])


def extract_tilted_features(picture: Image, most: int, tilt: float, direction: float) -> Features:
    """Extract the features of a (h, w, 3) BGR picture as it is seen from the side, at their places in the picture.

    It is shortened by `tilt` along a direction in radians: seen so, its features are like those of a photo that shows
    it from there, which SIFT by itself does not find below about 45 degrees (ASIFT, Yu and Morel 2011).
    """
    h, w = picture.shape[:2]
    turn = np.array([(np.cos(direction), -np.sin(direction)), (np.sin(direction), np.cos(direction))])
    corners = np.array([(0, 0), (w, 0), (w, h), (0, h)]) @ turn.T
    low, size = corners.min(axis=0), np.ceil(np.ptp(corners, axis=0)).astype(int)
    if size[0] < tilt:
        return NO_FEATURES
    move = np.column_stack([turn, -low])
    turned = cv2.warpAffine(picture, move, (int(size[0]), int(size[1])), borderMode=cv2.BORDER_REPLICATE)
    blurred = cv2.GaussianBlur(turned, (0, 0), sigmaX=TILT_BLUR * float(np.sqrt(tilt**2 - 1)), sigmaY=0.01)
    narrow = np.asarray(cv2.resize(blurred, None, fx=1 / tilt, fy=1, interpolation=cv2.INTER_NEAREST), np.uint8)
    features = extract_features(narrow, most)
    at = (features.at * (tilt, 1.0) + low) @ turn
    inside = np.all((at > 0) & (at < (w, h)), axis=1)
    return Features(at[inside], features.descriptors[inside])


def match_features(photo: Features, board: Features, ratio: float) -> tuple[Ints, Ints]:
    """Return the numbers (n,) of a photo's features, best first, and of the board's likeliest ones (Lowe's ratio test).

    Each of the photo's is compared with all of the board's, so that a print may be seen more than once.
    """
    if not len(photo.at) or not board.is_matchable:
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    like = photo.descriptors @ board.descriptors.T
    best = like.argmax(axis=1)
    rows = np.arange(len(like))
    near = 2 - 2 * like[rows, best]
    like[rows, best] = -1.0
    other = 2 - 2 * like.max(axis=1)
    share = near / np.maximum(other, 1e-9)
    good = np.flatnonzero(share < ratio**2)
    good = good[np.argsort(share[good], kind="stable")]
    return good, best[good]


def match_nearby_features(photo: Features, board: Features, within: float, least: float) -> tuple[Ints, Ints]:
    """Match features as `match_features` does, of two pictures that lie over each other up to `within` pixels.

    Nothing farther away is compared. A pair counts where it is as like as `least` (cosine).
    """
    if not len(photo.at) or not len(board.at):
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    like = photo.descriptors @ board.descriptors.T
    one, other = photo.at.astype(np.float32), board.at.astype(np.float32)
    away = (one**2).sum(1)[:, None] + (other**2).sum(1)[None] - 2 * one @ other.T
    like[away > within**2] = -1.0
    best = like.argmax(axis=1)
    good = np.flatnonzero(like[np.arange(len(like)), best] >= least)
    return good, best[good]
