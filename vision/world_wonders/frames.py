"""The frames of resource boards: each is printed in its player's colour, so that one board shows what all look like."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import cv2
import numpy as np

from vision.arrays import Flags, Floats
from vision.flat_boards.board import EnrolledBoard

FRAMES: Mapping[str, tuple[int, int, int]] = {
    "yellow": (45, 190, 232),
    "green": (60, 140, 45),
    "white": (232, 236, 238),
    "red": (45, 40, 190),
    "blue": (165, 85, 30),
}
"""Blue, green and red of a frame by colour. A guess."""
RING_SHARE = 0.01
"""Width of the outermost ring of a board, which a frame certainly covers, relative to its longer side. A guess."""


def build_framed_boards(board: EnrolledBoard, spread: float, colour: str = "") -> dict[str, EnrolledBoard]:
    """Build the boards of all colours from one of them, {} if it has no frame in a player's colour.

    `spread` is the standard deviation of a colour's prints in grey levels, `colour` that of the board if it is known. A
    white frame may be bare paper, so it does not count. The light is taken to be that of the paper within the frame.
    """
    frame, paint = _find_frame(board, spread)
    if frame.all():
        return {}
    tint = _scale(board.picture[~frame].mean(axis=0)) / 255
    paints = {name: np.array(bgr) * tint for name, bgr in FRAMES.items()}
    away = {name: float(np.linalg.norm(_scale(paint) - _scale(other))) for name, other in paints.items()}
    nearest = colour or min(away, key=lambda name: away[name])
    if nearest == "white" or (not colour and away[nearest] > away["white"] / 2):
        return {}
    boards, light = {}, paint.max() / paints[nearest].max()
    for name, other in paints.items():
        picture = board.picture.astype(np.float64)
        picture[frame] += light * other - paint
        painted = np.clip(picture, 0, 255).astype(np.uint8)
        boards[name] = board if name == nearest else replace(board, picture=painted)
    return boards


def _find_frame(board: EnrolledBoard, spread: float) -> tuple[Flags, Floats]:
    """Return the mask (h, w) of the frame, the outermost ring and all that joins it in its colour, and that colour."""
    h, w = board.picture.shape[:2]
    width = max(1, round(RING_SHARE * max(h, w)))
    ring = np.ones((h, w), bool)
    ring[width:-width, width:-width] = False
    paint = np.median(board.picture[ring], axis=0)
    alike = np.linalg.norm(board.picture - paint, axis=2) < 3 * spread
    _, parts = cv2.connectedComponents((alike | ring).astype(np.uint8))
    return np.asarray((parts == parts[0, 0]) & alike), np.asarray(paint, np.float64)


def _scale(bgr: Floats) -> Floats:
    """Return a colour at the same brightness as all others."""
    return np.asarray(255 * bgr / (bgr.max() + 1e-6))
