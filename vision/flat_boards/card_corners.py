"""The corners of a single piece of card, a token or an empty board, that lies on a plain background."""

from __future__ import annotations

from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Floats
from vision.photo.pyramid import Halves

OUTLINE_PX = 600
"""Longer side of the picture in which a card is separated from the background. A guess."""
BORDER_SHARE = 0.015
"""Width of the photo's border that shows only the background, as a share of its longer side. A guess."""
AREA_SHARES = (0.15, 0.9)
"""Minimum and maximum share of the photo that the card may fill. A guess."""
MIN_SPREAD_LAB = 4.0
"""Minimum standard deviation of a background's colours, even of the plainest. A guess."""
MAD_TO_SIGMA = 1.4826
"""Standard deviation of a normal distribution over its median absolute deviation. By the rule for this distribution."""
CARD_SPREAD_RATIOS = (3.0, 5.0, 8.0, 12.0)
"""Multiples of the background's standard deviation by which the card may differ from it; one of these separates the two
where the next may not. A guess."""
MIN_FILLED_SHARE = 0.9
"""Minimum share of its hull, and of the area of its four corners, that a piece of card fills, and inverse of the
maximum. A guess."""


def find_card_corners(photo: Halves) -> Floats | None:
    """Find the (4, 2) pixels NW, NE, SE, SW of the one piece of card in a photo; None if none lies alone.

    The background is estimated from the photo's border: the card, or at least its rim, differs from it by several
    standard deviations.
    """
    small, scale = photo.shrunk(min(1.0, OUTLINE_PX / max(photo.size)))
    lab = cv2.GaussianBlur(cv2.cvtColor(small, cv2.COLOR_BGR2LAB), (0, 0), 2).astype(np.float32)
    rim = max(2, round(BORDER_SHARE * max(small.shape[:2])))
    ground = np.ones(small.shape[:2], bool)
    ground[rim:-rim, rim:-rim] = False
    middle = np.median(lab[ground], axis=0)
    spread = np.maximum(MAD_TO_SIGMA * np.median(np.abs(lab[ground] - middle), axis=0), MIN_SPREAD_LAB)
    away = np.linalg.norm((lab - middle) / spread, axis=2)
    cards = [
        card
        for least in CARD_SPREAD_RATIOS
        if (card := _find_card(np.asarray(away > least, np.uint8), rim)) is not None
    ]
    largest = max(cards, key=lambda card: cv2.contourArea(card.astype(np.float32)), default=None)
    return None if largest is None else (largest + 0.5) / scale


def _find_card(mask: NDArray[np.uint8], rim: int) -> Floats | None:
    """Find the (4, 2) corners of the largest thing in a (h, w) mask; None if it is no whole card."""
    outlines = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[0]
    if not outlines:
        return None
    largest = max(outlines, key=cv2.contourArea)
    hull = cv2.convexHull(largest)
    corners = fit_four_corners(hull)
    if corners is None or (corners < rim).any() or (corners > np.array(mask.shape[::-1]) - rim).any():
        return None
    filled = cv2.contourArea(largest), cv2.contourArea(hull), cv2.contourArea(corners.astype(np.float32))
    is_card = all(MIN_FILLED_SHARE <= inner / outer <= 1 / MIN_FILLED_SHARE for inner, outer in pairwise(filled))
    return corners if is_card and AREA_SHARES[0] <= filled[-1] / mask.size <= AREA_SHARES[1] else None


def fit_four_corners(hull: cv2.typing.MatLike) -> Floats | None:
    """Approximate a (n, 1, 2) hull by (4, 2) corners, clockwise from the upper left; None if that is impossible."""
    around = cv2.arcLength(hull, closed=True)
    for off in np.linspace(0.01, 0.1, 19):
        corners = cv2.approxPolyDP(hull, off * around, closed=True)[:, 0].astype(np.float64)
        if len(corners) == 4:
            turned = corners - corners.mean(0)
            ordered = corners[np.argsort(np.arctan2(turned[:, 1], turned[:, 0]))]
            return np.asarray(np.roll(ordered, -int(ordered.sum(axis=1).argmin()), axis=0))
    return None
