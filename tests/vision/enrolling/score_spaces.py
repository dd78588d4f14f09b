"""A score board on a table, and the words that describe its spaces."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import cv2
import numpy as np

from datasets.art.score_board import draw_score_board
from datasets.art.style import TERRA
from scoring.carcassonne.score_board.spaces import FIRST_EDITION
from tests.vision.score_track.tokens import table
from vision.arrays import Floats
from vision.flat_boards.board import project_points
from vision.photo.crops import CORNERS
from vision.photo.decoding import Photo
from vision.photo.pyramid import Halves

Named = Sequence[tuple[int, float, float]]
CORNERS_PX = np.array([(95.0, 80.0), (830.0, 60.0), (862.0, 640.0), (60.0, 610.0)])
TURNING = (0, 1, 4, 7, 8, 9, 10, 12, 13, 14, 18, 23, 24, 25, 26, 29, 33, 34, 35, 36, 37, 38, 39, 40, 44, 46, 47, 48, 49)
MIDDLES = np.array([FIRST_EDITION.middle(space) for space in range(50)])


@cache
def photo() -> Photo:
    """Return the first edition's sheet on a table, drawn by the project."""
    image = table()
    sheet = draw_score_board(TERRA, np.random.default_rng(1), 120)
    move = cv2.getPerspectiveTransform((CORNERS * sheet.shape[1::-1]).astype(np.float32), CORNERS_PX.astype(np.float32))
    size = (image.shape[1], image.shape[0])
    warped_sheet = cv2.warpPerspective(sheet, move, size, flags=cv2.INTER_AREA)
    sheet_mask = cv2.warpPerspective(np.full(sheet.shape[:2], 255, np.uint8), move, size)
    return Photo(
        Halves(np.where(sheet_mask[..., None] > 0, warped_sheet, image).astype(np.uint8)), "sheet.jpg", "", 0.0
    )


def in_photo(mm: Floats) -> Floats:
    move = cv2.getPerspectiveTransform((CORNERS * FIRST_EDITION.size).astype(np.float32), CORNERS_PX.astype(np.float32))
    return project_points(np.asarray(move, np.float64), mm)


def path() -> list[tuple[int, float, float]]:
    at = in_photo(MIDDLES[list(TURNING)])
    return [(space, float(x), float(y)) for space, (x, y) in zip(TURNING, at, strict=True)]


def told(
    spaces: Named, size: Sequence[float] = FIRST_EDITION.size, corners: Floats = CORNERS_PX, more: str = ""
) -> str:
    listed = ", ".join(f"[{space}, {x:.1f}, {y:.1f}]" for space, x, y in spaces)
    return f"size_mm = {list(size)}\ncorners_px = {corners.tolist()}\npath = [{listed}]\n{more}"
