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
    """Measure (2,) by how much two axes are to be stretched so that (4, 2) corners are as far apart as true ones are;
    None where they cannot be."""
    if not np.isfinite(shares).all():
        return None
    pairs = list(combinations(range(4), 2))
    spans = np.array([(shares[i] - shares[j]) ** 2 for i, j in pairs])
    lengths = np.array([float(((true[i] - true[j]) ** 2).sum()) for i, j in pairs])
    squares = np.linalg.lstsq(spans / lengths[:, None], np.ones(len(pairs)), rcond=None)[0]
    return None if (squares <= 0).any() else np.asarray(np.sqrt(squares))
