"""Detection of tiles: the dense net's maps over a view from above, whose cells vote for their tiles' centres."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.arrays import EVEN_ODDS, Flags, Floats, Ints, Singles, compute_sigmoid, round_to_step
from vision.geometry.rectification import Lie, apply_homography, round_homography, warp_photo
from vision.photo.crops import CORNERS
from vision.photo.pyramid import Halves
from vision.runtime.onnx import Net

FINE_TILE_PX = 44.0
"""Size of a tile in a pass over the board alone, in pixels. A guess."""
MAX_FINE_PX = 1344
"""Maximum longer side of a pass over the board alone, in pixels. Bounds time."""
GOOD_TILE_PX = (38.0, 75.0)
"""Range of tile sizes at which a pass needs no further one, in pixels. A guess."""
MIN_AREA_PROBABILITY = EVEN_ODDS
"""Minimum probability of tile area for a cell to lie on a tile."""

MAX_TILES_RATIO = 2.5
"""Minimum increase in the number of tiles at which a look is assumed to mistake patterned cloth for tiles. A guess."""
MAX_SIZE_RATIO = 1.5
"""Maximum ratio of a tile's size to the predicted one, in either direction, after such an increase. A guess."""
SIZE_STEP_PX, PHOTO_STEP_PX = 8, 16
"""Grids in pixels to which the size of a closer look, and its anchor points in the photo, are rounded. A guess."""
MIN_ALIKE_SHARE = 0.7
"""Minimum share of what an earlier look claims that must remain, of its tiles or of a tile's cells; otherwise the claim
was wrong. A guess."""
BIN_TILES = 0.16
"""Size of a bin of the votes' histogram. A guess."""
MAX_VOTE_DISTANCE_TILES = 0.28
"""Votes nearer to a peak than this belong to it. A guess."""
MIN_SUPPORT_SHARE = 0.18
"""Minimum number of votes of a tile, as a share of the cells of a whole tile. A guess."""


@dataclass(frozen=True, slots=True, eq=False)
class TileCells:
    """The net's output at the n cells that lie on a tile, in pixels of its view.

    `at` (n, 2) is the cell, `centre` (n, 2) its tile's centre, `basis` (n, 5) log(tile px / 40), shape a and b, cos and
    sin of 4 times the turn (see `models.samples.dense_targets`), `weight` (n,) the probability of tile area. `area`,
    `corners` and `seams` (the tiles' outlines) are whole maps of probability, at `scale` cells per pixel. `view` (3, 3)
    is the homography from photo pixels to the view's.
    """

    at: Floats
    centre: Floats
    basis: Floats
    weight: Floats
    area: Singles
    corners: Singles
    seams: Singles
    view: Floats
    scale: float

    @property
    def tile_px(self) -> float:
        """Return the median size of a tile in pixels of the view; 0 if there is no tile."""
        return float(np.exp(np.median(self.basis[:, 0]))) * 40.0 if len(self.basis) else 0.0

    @property
    def tiles(self) -> float:
        """Return the number of tiles that these cells cover."""
        return float((1 / (np.exp(self.basis[:, 0]) * 40.0 * self.scale) ** 2).sum())

    def select_size(self, px: float) -> TileCells:
        """Return the cells whose tiles measure about `px` pixels of the view; the others then show no tile."""
        return self._select(np.abs(self.basis[:, 0] - np.log(px / 40.0)) <= np.log(MAX_SIZE_RATIO))

    def split(self) -> list[TileCells]:
        """Return the cells of each connected area."""
        x, y = np.rint(self.to_cells(self.at)).astype(int).T
        area = np.zeros(self.area.shape, np.uint8)
        area[y, x] = 1
        number, groups = cv2.connectedComponents(area)
        return [self._select(groups[y, x] == group) for group in range(1, number)]

    def _select(self, some: Flags) -> TileCells:
        """Return some of the cells; the others then show no tile."""
        x, y = np.rint(self.to_cells(self.at[~some])).astype(int).T
        area = self.area.copy()
        area[y, x] = 0
        at, centre, basis, weight = (array[some] for array in (self.at, self.centre, self.basis, self.weight))
        return replace(self, at=at, centre=centre, basis=basis, weight=weight, area=area)

    def to_cells(self, points: Floats) -> Floats:
        """Return the cells (n, 2) of the maps, x first, for (n, 2) pixels of the view."""
        return np.asarray(points * self.scale - 0.5)


def take_first_look(net: Net, photo: Halves, longer_px: int) -> TileCells:
    """Return the cells of a whole photo, scaled to `longer_px` pixels on its longer side."""
    w, h = photo.size
    scale = longer_px / max(h, w)
    return _compute_cells(
        net, photo, np.diag([scale, scale, 1.0]), (max(32, round(w * scale)), max(32, round(h * scale)))
    )


def is_good_look(cells: TileCells, lie: Lie) -> bool:
    """Return whether the net saw tiles at a size and angle at which it is most accurate."""
    return lie.level and GOOD_TILE_PX[0] <= cells.tile_px <= GOOD_TILE_PX[1]


def take_closer_look(net: Net, photo: Halves, cells: TileCells, lie: Lie) -> TileCells:
    """Return the cells of the board alone, seen from above, by the pose (`lie`) of its tiles in the previous look."""
    view, size, foretold_px = _plan_view(cells, lie, photo.size)
    closer = _compute_cells(net, photo, view, size)
    if closer.tiles < MAX_TILES_RATIO * cells.tiles:
        return closer
    alike = closer.select_size(foretold_px)
    return alike if alike.tiles >= MIN_ALIKE_SHARE * cells.tiles else closer


def _plan_view(cells: TileCells, lie: Lie, photo: tuple[int, int]) -> tuple[Floats, tuple[int, int], float]:
    """Return homography and size of a view of the board from above, with 1.5 tiles around it, and its tile size.

    The tile size in pixels is a prediction from the cells.
    """
    at = apply_homography(lie.plane, cells.at)
    room = 1.5 * cells.tile_px
    low, high = at.min(0) - room, at.max(0) + room
    if lie.level:
        border = np.array([(0, 0), (photo[0], 0), photo, (0, photo[1])], np.float64)
        within = apply_homography(lie.plane, apply_homography(cells.view, border))
        low, high = np.maximum(low, within.min(0)), np.minimum(high, within.max(0))
    scale = min(FINE_TILE_PX / cells.tile_px, MAX_FINE_PX / float((high - low).max()))
    place = np.array([[scale, 0, -low[0] * scale], [0, scale, -low[1] * scale], [0, 0, 1]])
    width, height = (max(32, round(v / SIZE_STEP_PX) * SIZE_STEP_PX) for v in ((high - low) * scale).tolist())
    view = _round_view(
        place @ lie.plane @ cells.view, apply_homography(np.asarray(np.linalg.inv(cells.view)), cells.at)
    )
    return view, (width, height), cells.tile_px * scale


def _round_view(view: Floats, at: Floats) -> Floats:
    """Return the view (3, 3) with anchors about the photo's pixels `at` (n, 2) rounded to whole pixels.

    The closer look then shows an identical picture if the look before differs by rounding alone.
    """
    middle, reach = (round_to_step(part, PHOTO_STEP_PX) for part in (at.mean(axis=0), at.std(axis=0) / 2))
    return round_homography(view, middle + (2 * CORNERS - 1) * np.maximum(reach, PHOTO_STEP_PX))


def _compute_cells(net: Net, photo: Halves, view: Floats, size: tuple[int, int]) -> TileCells:
    warped = warp_photo(photo, view, size)
    padded = cv2.copyMakeBorder(warped, 0, -size[1] % 32, 0, -size[0] % 32, cv2.BORDER_REPLICATE)
    (maps,) = net(np.asarray(padded, dtype=np.uint8)[None])
    stride = int(net.metadata["stride"])
    return extract_cells(maps[0, :, : -(-size[1] // stride), : -(-size[0] // stride)], stride, view)


def compute_tile_axes(basis: Floats) -> Floats:
    """Return the tile axes (n, 2, 2) in pixels from (n, 5) log(tile px / 40), shape a, b, cos and sin of 4 times the
    turn.
    """
    size, a, b = np.exp(basis[:, 0]) * 40.0, basis[:, 1], basis[:, 2]
    strength = np.sqrt(a**2 + b**2) / 2
    with np.errstate(invalid="ignore", divide="ignore"):
        k = np.where(strength > 1e-9, np.sinh(strength) / (2 * strength), 0.5)
    c = np.cosh(strength)
    root = np.stack([np.stack([c + a * k, b * k], -1), np.stack([b * k, c - a * k], -1)], -2)
    phi = np.arctan2(basis[:, 4], basis[:, 3]) / 4
    turn = np.stack([np.stack([np.cos(phi), -np.sin(phi)], -1), np.stack([np.sin(phi), np.cos(phi)], -1)], -2)
    return np.asarray(size[:, None, None] * root @ turn)


def extract_cells(maps: Singles, stride: int, view: Floats) -> TileCells:
    """Extract the cells on tiles from the net's (10, h, w) maps.

    There is a cell every `stride` pixels of the view, which the homography `view` (3, 3) maps the photo to.
    """
    area, corners, seams = (compute_sigmoid(maps[i]) for i in (0, 1, 2))
    ys, xs = np.nonzero(area >= MIN_AREA_PROBABILITY)
    here = maps[3:10, ys, xs].T.astype(np.float64)
    at = np.asarray((np.stack([xs, ys], 1) + 0.5) * stride, dtype=np.float64)
    basis = here[:, :5]
    centre = at + here[:, 5:7] * (np.exp(basis[:, :1]) * 40.0)
    return TileCells(at, centre, basis, area[ys, xs].astype(np.float64), area, corners, seams, view, 1 / stride)


@dataclass(frozen=True, slots=True, eq=False)
class TileSpots:
    """n tiles: `centres` (n, 2) pixels of the view, `axes` (n, 2, 2) with the columns e1, e2 that span the tile.

    The side of a tile that e1 faces is arbitrary; `support` (n,) is the share of a tile's cells that voted.
    """

    centres: Floats
    axes: Floats
    support: Floats

    def __len__(self) -> int:
        return len(self.centres)


def find_tiles(cells: TileCells) -> TileSpots:
    """Find the tiles whose cells agree on a centre, the best supported first."""
    peaks = _find_peaks(cells) if len(cells.at) else np.zeros((0, 2))
    if not len(peaks):
        return TileSpots(np.zeros((0, 2)), np.zeros((0, 2, 2)), np.zeros(0))
    distance, nearest = (found[:, 0] for found in find_nearest(cells.centre, peaks, 1))
    near = distance < MAX_VOTE_DISTANCE_TILES * np.exp(cells.basis[:, 0]) * 40.0
    voting = np.flatnonzero(near)[np.argsort(nearest[near], kind="stable")]
    groups = np.split(voting, np.searchsorted(nearest[voting], np.arange(1, len(peaks))))
    groups = [group for group in groups if len(group)]
    votes = np.concatenate([cells.centre, cells.basis], axis=1)
    # The median of an even number of votes is the upper one.
    halves = [np.partition(votes[group], len(group) // 2, axis=0)[len(group) // 2] for group in groups]
    middles = np.array(halves).reshape(-1, votes.shape[1])
    axes = compute_tile_axes(middles[:, 2:])
    expected = np.abs(np.linalg.det(axes)) * cells.scale**2
    support = np.minimum(np.array([cells.weight[group].sum() for group in groups]) / expected, 1.0)
    order = np.argsort(-support, kind="stable")[: int((support >= MIN_SUPPORT_SHARE).sum())]
    return TileSpots(middles[order, :2], axes[order], support[order])


def _find_peaks(cells: TileCells) -> Floats:
    """Find (n, 2) pixels of the maxima of a smoothed histogram of votes, at least about half a tile apart."""
    size = cells.tile_px
    low = cells.centre.min(0) - size
    bins = np.floor((cells.centre - low) / (BIN_TILES * size)).astype(int)
    shape = bins.max(0) + 8
    votes = np.zeros((shape[1], shape[0]), np.float32)
    np.add.at(votes, (bins[:, 1], bins[:, 0]), cells.weight)
    votes = cv2.GaussianBlur(votes, (0, 0), 0.9)
    highest = cv2.dilate(votes, np.ones((5, 5), np.uint8))
    full = (size * cells.scale) ** 2
    ys, xs = np.nonzero((votes == highest) & (votes > 0.02 * full))
    return np.asarray((np.stack([xs, ys], 1) + 0.5) * BIN_TILES * size + low)


def find_nearest(points: Floats, others: Floats, count: int) -> tuple[Floats, Ints]:
    """Find the distances (n, count) from each of (n, 2) points to the nearest of (m, 2) others, and their indices.

    There must be a point, and at least `count` others. OpenCV's tree spares the import of SciPy's.
    """
    targets = others.astype(np.float32)
    tree = cv2.flann.Index(targets, {"algorithm": 4})  # a single k-d tree, whose answers are exact
    nearest, squares = tree.knnSearch(points.astype(np.float32), count, params={"checks": -1})
    return np.sqrt(squares, dtype=np.float64), np.asarray(nearest, np.int64)
