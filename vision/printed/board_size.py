"""How large a board is that lies in a photo beside a bank card: all of those are of one size (ISO/IEC 7810, ID-1)."""

from __future__ import annotations

from itertools import combinations

import cv2
import numpy as np

from vision.arrays import Floats
from vision.geometry.camera import estimate_camera
from vision.photo.crops import CORNERS
from vision.printed.board import normalise_homography, project_points

CARD_MM = (85.6, 53.98)
CARD_BELOW_MM = 1.2
"""So much lower than the board's print lies that of a card beside it: the board is 2 mm thick, the card 0.76."""
ROUNDS = 3


def measure_board(corners_px: Floats, card_px: Floats, photo_size: tuple[int, int]) -> tuple[float, float] | None:
    """Measure a board's width and height in millimetres; None where that is no card's outline.

    `corners_px` are the board's corners NW, NE, SE, SW, `card_px` (4, 2) those of the card in their order around it.
    """
    sides = np.linalg.norm(card_px - np.roll(card_px, -1, axis=0), axis=1)
    lies_long = sides[0] + sides[2] >= sides[1] + sides[3]
    true = CORNERS * (CARD_MM if lies_long else CARD_MM[::-1])
    to_unit = cv2.getPerspectiveTransform(corners_px.astype(np.float32), CORNERS.astype(np.float32))
    to_unit = normalise_homography(np.asarray(to_unit, np.float64), corners_px.mean(axis=0))
    card = project_points(to_unit, card_px)
    if not np.isfinite(card).all():
        return None
    pairs = list(combinations(range(4), 2))
    spans = np.array([(card[i] - card[j]) ** 2 for i, j in pairs])
    lengths = np.array([float(((true[i] - true[j]) ** 2).sum()) for i, j in pairs])
    share = 1.0
    for _ in range(ROUNDS):
        squares = np.linalg.lstsq(spans / lengths[:, None], np.full(len(pairs), share**2), rcond=None)[0]
        if (squares <= 0).any():
            return None
        width, height = (float(np.sqrt(square)) for square in squares)
        to_px = cv2.getPerspectiveTransform(
            (CORNERS * (width, height)).astype(np.float32), corners_px.astype(np.float32)
        )
        camera_height = float(estimate_camera(np.asarray(to_px, np.float64), photo_size)[2])
        share = camera_height / (camera_height + CARD_BELOW_MM)
    return width, height
