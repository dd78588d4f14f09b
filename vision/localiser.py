"""Where tiles lie in a photo: the dense net's maps, in photo pixels."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.nets import Net

Floats = NDArray[np.float64]
Maps = NDArray[np.float32]
Image = NDArray[np.uint8]

COARSE_PX = 512
"""Longer side of the picture in the first pass, which finds the board and the size of its tiles."""
FINE_TILE_PX = 44.0
"""Size of a tile in a pass over the board alone."""
FINE_PX_MOST = 1344
FINE_PASSES_MOST = 2
"""The coarse pass can be wrong about the size of small tiles; the pass after it then sees that."""
TILE_PX_GOOD = (38.0, 75.0)
"""A pass that shows tiles of such a size needs no further one."""
AREA_LEAST = 0.5
SIZE_OFF_MOST = 1.8
"""Tiles that would be over six times smaller or larger than `TILE_PX` in the net's picture are none."""


@dataclass(frozen=True, slots=True, eq=False)
class TileCells:
    """What the net says at the n cells that lie on a tile, in photo pixels.

    `at` (n, 2) is the cell, `centre` (n, 2) its tile's centre, `basis` (n, 5) log(tile px / 40), shape a and b,
    cos and sin of four times the turn (see `models.targets`), `weight` (n,) the probability of tile area.
    `area`, `corners` and `seams` (the tiles' outlines) are whole maps of probability, at `scale` cells a pixel from
    `origin`.
    """

    at: Floats
    centre: Floats
    basis: Floats
    weight: Floats
    area: Maps
    corners: Maps
    seams: Maps
    origin: tuple[float, float]
    scale: float

    @property
    def tile_px(self) -> float:
        """Median size of a tile in photo pixels; 0 where no tile is seen."""
        return float(np.exp(np.median(self.basis[:, 0]))) * 40.0 if len(self.basis) else 0.0

    def cell_of(self, points: Floats) -> Floats:
        """(n, 2) photo pixels to (n, 2) cells of the maps, x first."""
        return np.asarray((points - self.origin) * self.scale - 0.5)


def localise(net: Net, image: Image) -> TileCells:
    """A coarse pass over a (h, w, 3) photo, then passes over the board alone until its tiles have a good size."""
    h, w = image.shape[:2]
    cells = _cells(net, image, (0, 0, w, h), COARSE_PX / max(h, w))
    for _ in range(FINE_PASSES_MOST):
        shown = cells.tile_px * cells.scale * float(net.metadata["stride"])
        if not len(cells.at) or TILE_PX_GOOD[0] <= shown <= TILE_PX_GOOD[1]:
            break
        box = _around(cells, (w, h))
        scale = min(FINE_TILE_PX / cells.tile_px, FINE_PX_MOST / max(box[2] - box[0], box[3] - box[1]))
        cells = _cells(net, image, box, scale)
    return cells


def _around(cells: TileCells, size: tuple[int, int]) -> tuple[int, int, int, int]:
    """The board's (x, y, x, y) box in photo pixels with room for a tile and a half around it."""
    low = np.clip(cells.at.min(0) - 1.5 * cells.tile_px, 0, size)
    high = np.clip(cells.at.max(0) + 1.5 * cells.tile_px, 0, size)
    x0, y0, x1, y1 = (int(v) for v in (*low, *high))
    return x0, y0, x1, y1


def _cells(net: Net, image: Image, box: tuple[int, int, int, int], scale: float) -> TileCells:
    x0, y0, x1, y1 = box
    cut = image[y0:y1, x0:x1]
    size = (max(32, round((x1 - x0) * scale)), max(32, round((y1 - y0) * scale)))
    small = cv2.resize(cut, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)
    padded = cv2.copyMakeBorder(small, 0, -size[1] % 32, 0, -size[0] % 32, cv2.BORDER_REPLICATE)
    (maps,) = net(np.asarray(padded, dtype=np.uint8)[None])
    stride = float(net.metadata["stride"])
    rows, cols = -(-size[1] // int(stride)), -(-size[0] // int(stride))
    return cells_of_maps(maps[0, :, :rows, :cols], (x0, y0), scale / stride, scale)


def cells_of_maps(maps: Maps, origin: tuple[float, float], cells_a_px: float, scale: float) -> TileCells:
    """The net's (10, h, w) maps in photo pixels: `origin` is their corner, `scale` the net's picture to the photo's."""
    area, corners, seams = (1 / (1 + np.exp(-maps[i])) for i in (0, 1, 2))
    ys, xs = np.nonzero((area >= AREA_LEAST) & (np.abs(maps[3]) <= SIZE_OFF_MOST))
    here = maps[3:10, ys, xs].T.astype(np.float64)
    at = np.asarray((np.stack([xs, ys], 1) + 0.5) / cells_a_px + np.array(origin), dtype=np.float64)
    basis = here[:, :5].copy()
    basis[:, 0] -= np.log(scale)
    centre = at + here[:, 5:7] * (np.exp(basis[:, :1]) * 40.0)
    return TileCells(at, centre, basis, area[ys, xs].astype(np.float64), area, corners, seams, origin, cells_a_px)
