"""Where on a tile its coat of arms is printed: where a net that sees it no longer does once that part is covered.

Occlusion sensitivity (Zeiler and Fergus, Visualizing and understanding convolutional networks, 2014). Every copy of a
tile is printed alike, so one that is seen in full tells of the others whether a piece hides that place.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from vision.coats import Ints
from vision.crops import CROP_MARGIN, CROP_PX
from vision.nets import Net

Floats = NDArray[np.float64]
Image = NDArray[np.uint8]

CELLS = 16
"""A tile is told of in so many rows and columns of cells."""
PATCH_PX, STEP_PX, RIM_PX = 16, 16, 3
"""Of a crop: how large a part is covered at a time, how far the next lies, and how wide the rim is whose mean colour
covers it."""
LEAST_DROP, LEAST_SHARE = 0.35, 0.5
"""Of the largest drop, or share: what covering loses less has another reason, and what is less likely the place is
not."""


def places_of_coats(net: Net, crops: Image, twins: Ints) -> Floats:
    """(k, CELLS, CELLS) where the coats of arms lie on tiles that surely show one, each adding up to 1.

    `crops` (k, CROP_PX, CROP_PX, 3) show them, `twins` (k, 2) are their classes without a coat and with it.
    """
    starts = patch_starts()
    shown = np.concatenate([np.stack([crop, *(_covered(crop, *start) for start in starts.tolist())]) for crop in crops])
    logits = net(shown)[0].astype(np.float64).reshape(len(crops), 1 + len(starts), -1)
    odds = np.array(
        [own[:, coat] - own[:, without] for own, (without, coat) in zip(logits, twins.tolist(), strict=True)]
    )
    drops = np.maximum(odds[:, :1] - odds[:, 1:], 0)
    drops = np.maximum(drops - LEAST_DROP * drops.max(axis=1, keepdims=True), 0)
    inside = _patches_of_cells()
    places = drops @ inside / inside.sum(axis=0)
    places *= places >= LEAST_SHARE * places.max(axis=1, keepdims=True)
    return np.asarray((places / np.maximum(places.sum(axis=1, keepdims=True), 1e-9)).reshape(-1, CELLS, CELLS))


def patch_starts() -> Ints:
    """(p, 2) rows and columns at which the covered parts of a crop begin."""
    along = np.arange(0, CROP_PX - PATCH_PX + 1, STEP_PX)
    return np.stack(np.meshgrid(along, along, indexing="ij"), axis=-1).reshape(-1, 2)


def _covered(crop: Image, row: int, col: int) -> Image:
    """The crop with one part covered by what is usual around it."""
    low, left = max(row - RIM_PX, 0), max(col - RIM_PX, 0)
    rim = np.ones(crop.shape[:2], bool)[low : row + PATCH_PX + RIM_PX, left : col + PATCH_PX + RIM_PX]
    rim[row - low : row - low + PATCH_PX, col - left : col - left + PATCH_PX] = False
    covered = crop.copy()
    around = crop[low : row + PATCH_PX + RIM_PX, left : col + PATCH_PX + RIM_PX][rim]
    covered[row : row + PATCH_PX, col : col + PATCH_PX] = around.mean(axis=0)
    return covered


@cache
def _patches_of_cells() -> Floats:
    """(p, CELLS * CELLS) 1 where the middle of a cell lies in a covered part, else 0."""
    middles = (CROP_MARGIN + (np.arange(CELLS) + 0.5) / CELLS) / (1 + 2 * CROP_MARGIN) * CROP_PX
    starts = patch_starts()[:, :, None]
    rows, cols = np.moveaxis((middles >= starts) & (middles < starts + PATCH_PX), 1, 0)
    return np.asarray(rows[:, :, None] & cols[:, None, :], np.float64).reshape(len(starts), -1)
