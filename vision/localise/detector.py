"""Where tiles lie in a photo: the dense net's maps, over a view of it from above."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Floats
from vision.geometry.rectification import Lie, apply_homography, warp_photo
from vision.photo.pyramid import Halves
from vision.runtime.onnx import Net

Maps = NDArray[np.float32]

FINE_TILE_PX = 44.0
"""Size of a tile in a pass over the board alone."""
FINE_PX_MOST = 1344
TILE_PX_GOOD = (38.0, 75.0)
"""A pass that shows tiles of such a size needs no further one."""
AREA_LEAST = 0.5
SIZE_OFF_MOST = 1.8
"""Tiles that would be over six times smaller or larger than `TILE_PX` in the net's picture are none."""

SURGE = 2.5
"""A look that sees so many times more tiles than the one before takes a patterned cloth for tiles."""
SIZE_ALIKE = 1.5
"""Then only such tiles count as are at most so many times smaller or larger than the look before foretells."""
STILL_SEEN = 0.7
"""If these are fewer of the tiles that it saw, it was wrong itself."""


@dataclass(frozen=True, slots=True, eq=False)
class TileCells:
    """What the net says at the n cells that lie on a tile, in pixels of the view that it was shown.

    `at` (n, 2) is the cell, `centre` (n, 2) its tile's centre, `basis` (n, 5) log(tile px / 40), shape a and b,
    cos and sin of four times the turn (see `models.samples.dense_targets`), `weight` (n,) the probability of tile area.
    `area`, `corners` and `seams` (the tiles' outlines) are whole maps of probability, at `scale` cells a pixel.
    `view` (3, 3) is the homography from photo pixels to the view's.
    """

    at: Floats
    centre: Floats
    basis: Floats
    weight: Floats
    area: Maps
    corners: Maps
    seams: Maps
    view: Floats
    scale: float

    @property
    def tile_px(self) -> float:
        """Median size of a tile in pixels of the view; 0 where no tile is seen."""
        return float(np.exp(np.median(self.basis[:, 0]))) * 40.0 if len(self.basis) else 0.0

    @property
    def tiles(self) -> float:
        """How many tiles these cells make."""
        return float((1 / (np.exp(self.basis[:, 0]) * 40.0 * self.scale) ** 2).sum())

    def of_size(self, px: float) -> TileCells:
        """Those alone whose tiles are about `px` pixels of the view; the others show no tile."""
        alike = np.abs(self.basis[:, 0] - np.log(px / 40.0)) <= np.log(SIZE_ALIKE)
        x, y = np.rint(self.cell_of(self.at[~alike])).astype(int).T
        area = self.area.copy()
        area[y, x] = 0
        at, centre, basis, weight = (own[alike] for own in (self.at, self.centre, self.basis, self.weight))
        return replace(self, at=at, centre=centre, basis=basis, weight=weight, area=area)

    def cell_of(self, points: Floats) -> Floats:
        """(n, 2) pixels of the view to (n, 2) cells of the maps, x first."""
        return np.asarray(points * self.scale - 0.5)


def take_first_look(net: Net, photo: Halves, longer_px: int) -> TileCells:
    """The cells of a whole photo, made so small."""
    w, h = photo.size
    scale = longer_px / max(h, w)
    return _cells(net, photo, np.diag([scale, scale, 1.0]), (max(32, round(w * scale)), max(32, round(h * scale))))


def is_good_look(cells: TileCells, lie: Lie) -> bool:
    """Whether the net saw tiles of a size, and from an angle, at which it is at its best."""
    return lie.level and TILE_PX_GOOD[0] <= cells.tile_px <= TILE_PX_GOOD[1]


def take_closer_look(net: Net, photo: Halves, cells: TileCells, lie: Lie) -> TileCells:
    """The cells of the board alone, seen from above as the `lie` of its tiles in the look before tells."""
    view, size, foretold_px = _from_above(cells, lie, photo.size)
    closer = _cells(net, photo, view, size)
    if closer.tiles < SURGE * cells.tiles:
        return closer
    alike = closer.of_size(foretold_px)
    return alike if alike.tiles >= STILL_SEEN * cells.tiles else closer


def _from_above(cells: TileCells, lie: Lie, photo: tuple[int, int]) -> tuple[Floats, tuple[int, int], float]:
    """The view (homography and size) of the board from above, with room for a tile and a half around it.

    And how large tiles are in it, if the look that the cells are of was right.
    """
    at = apply_homography(lie.plane, cells.at)
    room = 1.5 * cells.tile_px
    low, high = at.min(0) - room, at.max(0) + room
    if lie.level:
        border = np.array([(0, 0), (photo[0], 0), photo, (0, photo[1])], np.float64)
        within = apply_homography(lie.plane, apply_homography(cells.view, border))
        low, high = np.maximum(low, within.min(0)), np.minimum(high, within.max(0))
    scale = min(FINE_TILE_PX / cells.tile_px, FINE_PX_MOST / float((high - low).max()))
    place = np.array([[scale, 0, -low[0] * scale], [0, scale, -low[1] * scale], [0, 0, 1]])
    width, height = (max(32, round(v)) for v in ((high - low) * scale).tolist())
    return place @ lie.plane @ cells.view, (width, height), cells.tile_px * scale


def _cells(net: Net, photo: Halves, view: Floats, size: tuple[int, int]) -> TileCells:
    seen = warp_photo(photo, view, size)
    padded = cv2.copyMakeBorder(seen, 0, -size[1] % 32, 0, -size[0] % 32, cv2.BORDER_REPLICATE)
    (maps,) = net(np.asarray(padded, dtype=np.uint8)[None])
    stride = int(net.metadata["stride"])
    return extract_cells(maps[0, :, : -(-size[1] // stride), : -(-size[0] // stride)], stride, view)


def compute_tile_axes(basis: Floats) -> Floats:
    """(n, 5) log(tile px / 40), shape a, b, cos and sin of four times the turn to (n, 2, 2) tile axes in pixels."""
    size, a, b = np.exp(basis[:, 0]) * 40.0, basis[:, 1], basis[:, 2]
    strength = np.sqrt(a**2 + b**2) / 2
    with np.errstate(invalid="ignore", divide="ignore"):
        k = np.where(strength > 1e-9, np.sinh(strength) / (2 * strength), 0.5)
    c = np.cosh(strength)
    root = np.stack([np.stack([c + a * k, b * k], -1), np.stack([b * k, c - a * k], -1)], -2)
    phi = np.arctan2(basis[:, 4], basis[:, 3]) / 4
    turn = np.stack([np.stack([np.cos(phi), -np.sin(phi)], -1), np.stack([np.sin(phi), np.cos(phi)], -1)], -2)
    return np.asarray(size[:, None, None] * root @ turn)


def extract_cells(maps: Maps, stride: int, view: Floats) -> TileCells:
    """The net's (10, h, w) maps, a cell every `stride` pixels of the view that the homography takes the photo to."""
    area, corners, seams = (1 / (1 + np.exp(-maps[i])) for i in (0, 1, 2))
    ys, xs = np.nonzero((area >= AREA_LEAST) & (np.abs(maps[3]) <= SIZE_OFF_MOST))
    here = maps[3:10, ys, xs].T.astype(np.float64)
    at = np.asarray((np.stack([xs, ys], 1) + 0.5) * stride, dtype=np.float64)
    basis = here[:, :5]
    centre = at + here[:, 5:7] * (np.exp(basis[:, :1]) * 40.0)
    return TileCells(at, centre, basis, area[ys, xs].astype(np.float64), area, corners, seams, view, 1 / stride)
