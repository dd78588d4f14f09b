"""Features of prints: points that can be matched between photos of the same print by their local appearance.

SIFT (Lowe 2004, free of patents since 2020) finds most of them from the side, in other light and partly covered, in
0.25 s per look. Alternatives in OpenCV: ORB (Rublee et al. 2011) is ten times as fast and loses boards seen from 50
degrees and lower; AKAZE (Alcantarilla et al. 2013) is between the two and finds little on plain, softly painted boards.
Learned features (SuperPoint with LightGlue and the like) need a large net and GPU time that a flat print does not
require.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple
from weakref import WeakKeyDictionary

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import FLOOR, Floats, Image, Ints, Singles
from vision.photo.pyramid import Halves

MIN_CONTRAST = 0.02
"""SIFT's contrast threshold, half of the usual one, since softly painted boards have faint points. It is relative to
the picture's own brightness, since points are fainter still in a dark photo. A guess."""
BRIGHT_PERCENTILE, BRIGHT_GREY = 99.0, 240.0
"""Percentile of a picture's brightest pixels, and their grey level in a well exposed one. A guess."""
SPREAD_CELLS = 8
"""Number of rows and columns of cells that each contribute spread features, so that no richly drawn object dominates. A
guess."""
TILT_BLUR = 0.8
"""Factor of the blur before foreshortening, times the root of the squared tilt less one. By the rule of ASIFT."""


@dataclass(frozen=True, slots=True, eq=False)
class Features:
    """The features of a picture: `at` (n, 2) pixels, and `descriptors` (n, 128) of their local appearance."""

    at: Floats
    descriptors: Singles

    @property
    def is_matchable(self) -> bool:
        """Whether a photo's features can be matched with these; Lowe's ratio test needs a second nearest one."""
        return len(self.at) > 1

    def select(self, selection: Ints | NDArray[np.bool_]) -> Features:
        """Return some of the features, by index or mask."""
        return Features(self.at[selection], self.descriptors[selection])


NO_FEATURES = Features(np.zeros((0, 2)), np.zeros((0, 128), np.float32))


def extract_features(picture: Image, most: int, spread: bool = False) -> Features:
    """Extract the strongest features of a (h, w, 3) BGR picture, as RootSIFT descriptors (Arandjelovic 2012).

    They are the strongest overall, or those of each part of the picture if `spread`.
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
    roots = np.sqrt(descriptors / np.maximum(descriptors.sum(axis=1, keepdims=True), FLOOR))
    return Features(at, roots.astype(np.float32))


def _select_spread_points(
    points: Sequence[cv2.KeyPoint], most: int, shape: tuple[int, int]
) -> tuple[cv2.KeyPoint, ...]:
    """Return the strongest point of each part of a picture of that (height, width), then the second of each, and so
    on."""
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
    """Extract the features of a (h, w, 3) BGR picture as seen from the side, at their positions in the picture.

    It is foreshortened by `tilt` along a direction in radians. Its features then match those of a photo taken from
    there, which plain SIFT does not below an elevation of about 45 degrees (ASIFT, Yu and Morel 2011).
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
    """Return the indices (n,) of a photo's features, best first, and of their matches on the board (Lowe's ratio test).

    Each of the photo's features is compared with all of the board's, so a print may appear more than once.
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
    """Match features as `match_features` does, between two pictures aligned to within `within` pixels.

    Features farther apart are not compared. A pair counts if its cosine similarity is at least `least`.
    """
    if not len(photo.at) or not len(board.at):
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    from scipy.spatial import KDTree  # takes a tenth of a second to load, and few photos need it

    pairs = KDTree(photo.at).sparse_distance_matrix(KDTree(board.at), within, output_type="ndarray")
    rows, columns = pairs["i"], pairs["j"]
    like = np.einsum("ij,ij->i", photo.descriptors[rows], board.descriptors[columns])
    order = np.lexsort((-like, rows))
    first = order[np.flatnonzero(np.diff(rows[order], prepend=-1))]
    good = first[like[first] >= least]
    return rows[good], columns[good]


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
