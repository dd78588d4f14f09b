"""Single tiles in a photo, from the localiser's cells: every cell votes for its tile's centre."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.arrays import Floats
from vision.geometry.nearest import find_nearest
from vision.localise.detector import TileCells, compute_tile_axes

BIN_TILES = 0.16
"""Size of a bin of the votes' histogram. A guess."""
MAX_VOTE_DISTANCE_TILES = 0.28
"""Votes nearer to a peak than this belong to it. A guess."""
MIN_SUPPORT_SHARE = 0.18
"""Minimum number of votes of a tile, as a share of the cells of a whole tile. A guess."""


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
    distance, nearest = find_nearest(cells.centre, peaks)
    near = distance < MAX_VOTE_DISTANCE_TILES * np.exp(cells.basis[:, 0]) * 40.0
    voting = np.flatnonzero(near)[np.argsort(nearest[near], kind="stable")]
    groups = np.split(voting, np.searchsorted(nearest[voting], np.arange(1, len(peaks))))
    groups = [group for group in groups if len(group)]
    votes = np.concatenate([cells.centre, cells.basis], axis=1)
    middles = np.array([_compute_upper_medians(votes[group]) for group in groups]).reshape(-1, votes.shape[1])
    axes = compute_tile_axes(middles[:, 2:])
    expected = np.abs(np.linalg.det(axes)) * cells.scale**2
    support = np.minimum(np.array([cells.weight[group].sum() for group in groups]) / expected, 1.0)
    order = np.argsort(-support, kind="stable")[: int((support >= MIN_SUPPORT_SHARE).sum())]
    return TileSpots(middles[order, :2], axes[order], support[order])


def _compute_upper_medians(votes: Floats) -> Floats:
    """Compute (k,) the medians of (n, k) votes; of an even number the upper one."""
    return np.asarray(np.partition(votes, len(votes) // 2, axis=0)[len(votes) // 2])


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
