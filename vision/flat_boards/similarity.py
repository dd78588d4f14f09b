"""Comparison of a board's drawing with its enrolled picture, block by block: similarity and displacement.

Blocks under pieces match nothing and drop out. The others locate the print to 0.1 pixels, which features alone do not
on softly painted boards.
"""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Floats, Image, Singles

BLOCK_PX = 16
"""Size of the blocks whose likeness is measured. A guess."""
MIN_DRAWN_GREY_LEVELS = 2.5
"""Minimum contrast of a part of the board that provides evidence. A guess."""
MIN_ALIKE_CORRELATION = 0.45
"""Minimum correlation of a part that resembles the enrolled picture. A guess."""
MIN_PLACED_CORRELATION = 0.75
"""Minimum correlation of a block that is localised. A guess."""
SEARCHED_BLOCK_PX, STEP_PX = 36, 28
"""Size of the blocks that are localised, and the distance between them. A guess."""
MAX_BESIDE_PX = 6
"""Search range around a block's position. A guess."""


def compute_drawing_likeness(view: Image, picture: Image, visible: Image) -> float:
    """Compute the share (0 to 1) of a board's drawn and visible parts that resemble the enrolled picture.

    Both are (h, w, 3) BGR of one size; `visible` (h, w) is 0 outside the photo.
    """
    one, other = extract_drawing(view), extract_drawing(picture)
    mean = {name: _average_blocks(layer) for name, layer in (("ab", one * other), ("aa", one**2), ("bb", other**2))}
    usable = (_average_blocks((visible > 0).astype(np.float32)) > 0.99) & (mean["bb"] > MIN_DRAWN_GREY_LEVELS**2)
    if not usable.any():
        return 0.0
    likeness = mean["ab"] / np.sqrt(mean["aa"] * mean["bb"] + 1e-6)
    return float((likeness[usable] > MIN_ALIKE_CORRELATION).mean())


def match_drawn_blocks(view: Image, picture: Image, visible: Image) -> tuple[Floats, Floats]:
    """Return (n, 2) places in the picture, and those of the same drawing in the view, of the same size, in pixels."""
    view_drawing, picture_drawing = extract_drawing(view), extract_drawing(picture)
    h, w = view_drawing.shape
    at, there = [], []
    for y in range(MAX_BESIDE_PX, h - SEARCHED_BLOCK_PX - MAX_BESIDE_PX, STEP_PX):
        for x in range(MAX_BESIDE_PX, w - SEARCHED_BLOCK_PX - MAX_BESIDE_PX, STEP_PX):
            block = picture_drawing[y : y + SEARCHED_BLOCK_PX, x : x + SEARCHED_BLOCK_PX]
            if block.std() < MIN_DRAWN_GREY_LEVELS:
                continue
            around = np.s_[
                y - MAX_BESIDE_PX : y + SEARCHED_BLOCK_PX + MAX_BESIDE_PX,
                x - MAX_BESIDE_PX : x + SEARCHED_BLOCK_PX + MAX_BESIDE_PX,
            ]
            if not visible[around].all():
                continue
            likeness = cv2.matchTemplate(view_drawing[around], block, cv2.TM_CCOEFF_NORMED)
            move = _locate_peak(likeness)
            if move is not None:
                at.append((x + SEARCHED_BLOCK_PX / 2, y + SEARCHED_BLOCK_PX / 2))
                there.append((x + SEARCHED_BLOCK_PX / 2 + move[0], y + SEARCHED_BLOCK_PX / 2 + move[1]))
    return np.array(at, np.float64).reshape(-1, 2), np.array(there, np.float64).reshape(-1, 2)


def extract_drawing(picture: Image) -> Singles:
    """Extract the drawing (h, w) of a (h, w, 3) BGR picture: band-pass filtered grey levels."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    soft = cv2.GaussianBlur(grey.astype(np.float32), (0, 0), 1.0)
    return np.asarray(soft - cv2.GaussianBlur(soft, (0, 0), 5.0), np.float32)


def correlate_drawings(one: Singles, other: Singles, average: Callable[[Singles], Singles | float]) -> Floats:
    """Return the correlation of two drawings, where `average` gives the mean of a layer; without a drawing it is 1."""
    covariance, variance, other_variance = (
        average(layer) + MIN_DRAWN_GREY_LEVELS**2 for layer in (one * other, one**2, other**2)
    )
    return np.asarray(covariance / np.sqrt(variance * other_variance), np.float64)


def _average_blocks(layer: Singles) -> Singles:
    """Return the means (rows, cols) of a layer's complete square blocks."""
    rows, cols = layer.shape[0] // BLOCK_PX, layer.shape[1] // BLOCK_PX
    whole = layer[: rows * BLOCK_PX, : cols * BLOCK_PX]
    return np.asarray(whole.reshape(rows, BLOCK_PX, cols, BLOCK_PX).mean(axis=(1, 3)), np.float32)


def _locate_peak(likeness: NDArray[np.generic]) -> tuple[float, float] | None:
    """Return the (x, y) of the highest similarity relative to the centre, by parabolas; None if it is low or on the
    border."""
    scores = np.asarray(likeness, np.float64)
    y, x = (int(i) for i in np.unravel_index(int(scores.argmax()), scores.shape))
    if scores[y, x] < MIN_PLACED_CORRELATION or not 0 < y < scores.shape[0] - 1 or not 0 < x < scores.shape[1] - 1:
        return None
    return (
        x + _locate_vertex(*scores[y, x - 1 : x + 2]) - MAX_BESIDE_PX,
        y + _locate_vertex(*scores[y - 1 : y + 2, x]) - MAX_BESIDE_PX,
    )


def _locate_vertex(before: float, here: float, after: float) -> float:
    """Return the position of the maximum of the parabola through three equidistant points, relative to the middle
    one."""
    bend = before - 2 * here + after
    return 0.0 if bend > -1e-12 else float(np.clip(0.5 * (before - after) / bend, -0.5, 0.5))
