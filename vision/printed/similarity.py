"""What is drawn on a board held against its enrolled picture, block by block: how alike, and how far beside.

Blocks that something lies on look like nothing of the board and drop out; all others tell where the print really lies
to a tenth of a pixel, which features alone do not on softly painted boards.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Floats, Image

Layer = NDArray[np.float32]

BLOCK_PX = 16
PLAIN = 2.5
"""Grey levels: a part of the board with less drawn on it tells nothing."""
ALIKE_LEAST = 0.45
"""Correlation: what is like the enrolled picture."""
TRUE_LEAST = 0.75
"""Correlation from which a block tells where it lies."""
WIDE_PX, STEP_PX = 36, 28
"""Blocks that are looked for beside their place, and how far they lie from each other."""
BESIDE_PX = 6
"""How far they are looked for."""


def compute_drawing_likeness(view: Image, picture: Image, shown: Image) -> float:
    """The share (0 to 1) of a board's drawn and visible parts that look like the enrolled picture, of the same size.

    Both are (h, w, 3) BGR; `shown` (h, w) is 0 where the view shows nothing.
    """
    one, other = extract_drawing(view), extract_drawing(picture)
    mean = {name: _blocks(layer) for name, layer in (("ab", one * other), ("aa", one**2), ("bb", other**2))}
    told = (_blocks((shown > 0).astype(np.float32)) > 0.99) & (mean["bb"] > PLAIN**2)
    if not told.any():
        return 0.0
    likeness = mean["ab"] / np.sqrt(mean["aa"] * mean["bb"] + 1e-6)
    return float((likeness[told] > ALIKE_LEAST).mean())


def match_drawn_blocks(view: Image, picture: Image, shown: Image) -> tuple[Floats, Floats]:
    """(n, 2) places in the picture, and where in the view, of the same size, the same is drawn; in pixels."""
    seen, known = extract_drawing(view), extract_drawing(picture)
    h, w = seen.shape
    at, there = [], []
    for y in range(BESIDE_PX, h - WIDE_PX - BESIDE_PX, STEP_PX):
        for x in range(BESIDE_PX, w - WIDE_PX - BESIDE_PX, STEP_PX):
            block = known[y : y + WIDE_PX, x : x + WIDE_PX]
            if block.std() < PLAIN:
                continue
            around = np.s_[y - BESIDE_PX : y + WIDE_PX + BESIDE_PX, x - BESIDE_PX : x + WIDE_PX + BESIDE_PX]
            if not shown[around].all():
                continue
            likeness = cv2.matchTemplate(seen[around], block, cv2.TM_CCOEFF_NORMED)
            move = _peak(likeness)
            if move is not None:
                at.append((x + WIDE_PX / 2, y + WIDE_PX / 2))
                there.append((x + WIDE_PX / 2 + move[0], y + WIDE_PX / 2 + move[1]))
    return np.array(at, np.float64).reshape(-1, 2), np.array(there, np.float64).reshape(-1, 2)


def extract_drawing(picture: Image) -> Layer:
    """(h, w) what is drawn on a (h, w, 3) BGR picture: softened, without its slow changes."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    soft = cv2.GaussianBlur(grey.astype(np.float32), (0, 0), 1.0)
    return np.asarray(soft - cv2.GaussianBlur(soft, (0, 0), 5.0), np.float32)


def _blocks(layer: Layer) -> Layer:
    """(rows, cols) means of a layer's square blocks, those that are cut off at its end left out."""
    rows, cols = layer.shape[0] // BLOCK_PX, layer.shape[1] // BLOCK_PX
    whole = layer[: rows * BLOCK_PX, : cols * BLOCK_PX]
    return np.asarray(whole.reshape(rows, BLOCK_PX, cols, BLOCK_PX).mean(axis=(1, 3)), np.float32)


def _peak(likeness: NDArray[np.generic]) -> tuple[float, float] | None:
    """(x, y) of the highest likeness about the middle, by parabolas; None where it is low, or on the border."""
    scores = np.asarray(likeness, np.float64)
    y, x = (int(i) for i in np.unravel_index(int(scores.argmax()), scores.shape))
    if scores[y, x] < TRUE_LEAST or not 0 < y < scores.shape[0] - 1 or not 0 < x < scores.shape[1] - 1:
        return None
    return (
        x + _vertex(*scores[y, x - 1 : x + 2]) - BESIDE_PX,
        y + _vertex(*scores[y - 1 : y + 2, x]) - BESIDE_PX,
    )


def _vertex(before: float, here: float, after: float) -> float:
    """Where the parabola through three points, one apart, is highest, from the middle one."""
    bend = before - 2 * here + after
    return 0.0 if bend > -1e-12 else float(np.clip(0.5 * (before - after) / bend, -0.5, 0.5))
