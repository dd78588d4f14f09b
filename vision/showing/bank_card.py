"""A bank card beside a board: its position in a photo, and the board's size derived from it.

All bank cards have the same size (ISO/IEC 7810, ID-1).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import cv2
import numpy as np

from vision.arrays import Floats, Image
from vision.flat_boards.board import normalise_homography, project_points
from vision.geometry.camera import estimate_camera
from vision.photo.crops import CORNERS, shrink_image
from vision.showing.outlines import load_shape_rules, measure_edges

CARD_MM = (85.6, 53.98)
"""Sides of a bank card in millimetres. Geometry of the piece (ISO/IEC 7810, ID-1)."""
CARD_BELOW_MM = 1.2
"""Height of the board's print above that of a card beside it: the board is 2 mm thick, the card 0.76. Geometry of the
pieces."""
ROUNDS = 3
"""Number of iterations of the correction for the card's height. Bounds time."""
WINDOW_SHARE, SEARCH_PX, MIN_WINDOW_PX = 0.13, 700, 40
"""Search window around the place as a share of the photo's longer side, the size in pixels to which it is scaled, and
its minimum size. A guess."""
EDGE_QUANTILES = (0.6, 0.7, 0.78, 0.84, 0.88, 0.91, 0.94, 0.96)
"""Quantiles of the edge strength in the window that serve as thresholds. A guess."""
MIN_AREA_SHARE, MAX_AREA_SHARE = 0.002, 0.06
"""Range of a card's area relative to the squared longer side of the photo. A guess."""
CORNER_SHARE = 0.04
"""Tolerance of outline simplification, relative to the outline's length. A guess."""


def find_card(photo: Image, at: tuple[float, float]) -> Floats | None:
    """Find the (4, 2) corners of the card around a place in a photo (h, w, 3); None if no card is visible there."""
    reach = WINDOW_SHARE * max(photo.shape[:2])
    low = np.maximum(np.array(at) - reach, 0).astype(int)
    high = np.minimum(np.array(at) + reach, photo.shape[1::-1]).astype(int)
    if (high - low < MIN_WINDOW_PX).any():
        return None
    window = photo[low[1] : high[1], low[0] : high[0]]
    small, scale = shrink_image(window, min(1.0, SEARCH_PX / max(window.shape[:2])))
    strength = measure_edges(np.asarray(cv2.bilateralFilter(small, 7, 30, 5), np.uint8))
    middle = (np.array(at) - low) * scale
    longer = SEARCH_PX / (2 * WINDOW_SHARE) if scale < 1 else max(photo.shape[:2])
    cards = [
        card
        for least in np.quantile(strength, EDGE_QUANTILES)
        for card in _list_cards(np.asarray(strength > least, np.uint8), middle, longer**2)
    ]
    best = max(cards, key=lambda card: card[0], default=None)
    return None if best is None else best[1] / scale + low


def _list_cards(edges: Image, middle: Floats, photo_area: float) -> Iterator[tuple[float, Floats]]:
    """Yield outlines of a card's shape around a place, each with its score."""
    rules = load_shape_rules("card")
    contours, _ = cv2.findContours(cv2.dilate(edges, np.ones((3, 3), np.uint8)), cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
    for contour in contours:
        hull = cv2.convexHull(contour)
        area = cv2.contourArea(hull)
        if not MIN_AREA_SHARE * photo_area < area < MAX_AREA_SHARE * photo_area:
            continue
        if cv2.pointPolygonTest(hull, (float(middle[0]), float(middle[1])), False) < 0:
            continue
        corners = _fit_corners(hull)
        if corners is None:
            continue
        sides = np.linalg.norm(corners - np.roll(corners, -1, axis=0), axis=1)
        long, short = sorted((sides[0] + sides[2], sides[1] + sides[3]), reverse=True)
        misfit = abs(np.log(long / short) - np.log(CARD_MM[0] / CARD_MM[1]))
        filled = area / max(cv2.contourArea(corners.astype(np.float32)), 1.0)
        uneven = max(abs(np.log(sides[0] / sides[2])), abs(np.log(sides[1] / sides[3])))
        if max(misfit, uneven) < rules["misfit"] and rules["filled"] < filled < 1 / rules["filled"]:
            yield float(filled - misfit - uneven), corners


def _fit_corners(hull: cv2.typing.MatLike) -> Floats | None:
    """Return the (4, 2) corners of a hull's simplified outline, None unless it has four."""
    around = cv2.arcLength(hull, closed=True)
    sides = cv2.approxPolyDP(hull, CORNER_SHARE * around, closed=True)[:, 0].astype(np.float64)
    if len(sides) != 4:
        return None
    turned = sides - sides.mean(axis=0)
    return np.asarray(sides[np.argsort(np.arctan2(turned[:, 1], turned[:, 0]))] + 0.5)


def measure_board(corners_px: Floats, card_px: Floats, photo_size: tuple[int, int]) -> tuple[float, float] | None:
    """Measure a board's width and height in millimetres; None if `card_px` is no card's outline.

    `corners_px` are the board's corners NW, NE, SE, SW, `card_px` (4, 2) those of the card in their order around it.
    """
    sides = np.linalg.norm(card_px - np.roll(card_px, -1, axis=0), axis=1)
    lies_long = sides[0] + sides[2] >= sides[1] + sides[3]
    true = CORNERS * (CARD_MM if lies_long else CARD_MM[::-1])
    to_unit = cv2.getPerspectiveTransform(corners_px.astype(np.float32), CORNERS.astype(np.float32))
    to_unit = normalise_homography(np.asarray(to_unit, np.float64), corners_px.mean(axis=0))
    scale = measure_scale(project_points(to_unit, card_px), true)
    if scale is None:
        return None
    share = 1.0
    for _ in range(ROUNDS):
        width, height = (share * float(side) for side in scale)
        to_px = cv2.getPerspectiveTransform(
            (CORNERS * (width, height)).astype(np.float32), corners_px.astype(np.float32)
        )
        camera_height = float(estimate_camera(np.asarray(to_px, np.float64), photo_size)[2])
        share = camera_height / (camera_height + CARD_BELOW_MM)
    return width, height


def measure_scale(shares: Floats, true: Floats) -> Floats | None:
    """Measure the stretch (2,) of two axes under which (4, 2) corners have their true distances; None if there is
    none."""
    if not np.isfinite(shares).all():
        return None
    pairs = list(combinations(range(4), 2))
    spans = np.array([(shares[i] - shares[j]) ** 2 for i, j in pairs])
    lengths = np.array([float(((true[i] - true[j]) ** 2).sum()) for i, j in pairs])
    squares = np.linalg.lstsq(spans / lengths[:, None], np.ones(len(pairs)), rcond=None)[0]
    return None if (squares <= 0).any() else np.asarray(np.sqrt(squares))
