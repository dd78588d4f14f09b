"""Targets of the dense nets: the truth in pixels as maps of a quarter of the picture's size."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Singles

STRIDE = 4
"""Pixels of a picture per cell of a map. Geometry of the nets."""
TILE_PX = 40.0
"""The tile size at which the localiser's size channel is 0. Geometry of the nets."""


def build_localiser_target(quads: NDArray[np.float64], size: tuple[int, int]) -> Singles:
    """Build (11, h/4, w/4) maps from (n, 4, 2) tile corners in pixels; `size` is the picture's (width, height).

    Channels: area, corner heat, seams (the tiles' outlines), log(tile px / 40), shape a, shape b, cos 4 phi, sin 4 phi,
    offset x, offset y to the tile's centre (in tile sizes), and the weight of the seven geometric channels at each
    cell. A tile spans the parallelogram E = [e1 e2]; E E' / area = exp([[a, b], [b, -a]]) and E = tile px * exp(that /
    2) * rotation(phi).
    """
    w, h = size[0] // STRIDE, size[1] // STRIDE
    maps = np.zeros((11, h, w), np.float32)
    outlines = np.zeros((h, w), np.uint8)
    ys, xs = np.mgrid[:h, :w].astype(np.float32)
    for quad in quads:
        cells = quad / STRIDE - 0.5
        if (cells.max(0) < -2).any() or (cells.min(0) > (w + 1, h + 1)).any():
            continue
        geometry = measure_parallelogram(quad)
        full, core = (_mask(cells.mean(0) + (cells - cells.mean(0)) * k, (w, h)) for k in (1.0, 0.94))
        maps[0] = np.maximum(maps[0], full)
        inside = core > 0.5
        maps[3:8, inside] = geometry[:, None]
        size_cells = np.exp(geometry[0]) * TILE_PX / STRIDE
        centre = cells.mean(0)
        maps[8, inside] = (centre[0] - xs[inside]) / size_cells
        maps[9, inside] = (centre[1] - ys[inside]) / size_cells
        maps[10, inside] = 1
        cv2.polylines(outlines, [np.round(cells * 16).astype(np.int32)], True, 255, 1, cv2.LINE_AA, 4)
        for corner in cells:
            add_heat(maps[1], corner, max(0.7, 0.055 * size_cells))
    maps[2] = outlines / np.float32(255)
    return maps


def measure_parallelogram(quad: NDArray[np.float64]) -> Singles:
    """Return (5,) log(tile px / 40), shape a and b, cos 4 phi, sin 4 phi of (4, 2) corners in any turn."""
    e1 = (quad[1] - quad[0] + quad[2] - quad[3]) / 2
    e2 = (quad[3] - quad[0] + quad[2] - quad[1]) / 2
    e = np.stack([e1, e2], axis=1)
    area = abs(np.linalg.det(e)) + 1e-9
    values, vectors = np.linalg.eigh(e @ e.T / area)
    log = vectors @ np.diag(np.log(np.maximum(values, 1e-9))) @ vectors.T
    root = vectors @ np.diag(1 / np.sqrt(np.maximum(values, 1e-9))) @ vectors.T
    rotation = root @ e / np.sqrt(area)
    phi = np.arctan2(rotation[1, 0], rotation[0, 0])
    return np.array(
        [np.log(np.sqrt(area) / TILE_PX), log[0, 0], log[0, 1], np.cos(4 * phi), np.sin(4 * phi)], dtype=np.float32
    )


def add_heat(heat: Singles, at: NDArray[np.float64], sigma: float) -> None:
    """Raise `heat` to a Gaussian of height 1 about the cell position `at` (x, y)."""
    h, w = heat.shape
    reach = int(np.ceil(3 * sigma))
    x0, y0 = int(np.floor(at[0])) - reach, int(np.floor(at[1])) - reach
    x1, y1 = min(w, x0 + 2 * reach + 2), min(h, y0 + 2 * reach + 2)
    x0, y0 = max(0, x0), max(0, y0)
    if x0 >= x1 or y0 >= y1:
        return
    ys, xs = np.mgrid[y0:y1, x0:x1]
    blob = np.exp(-((xs - at[0]) ** 2 + (ys - at[1]) ** 2) / (2 * sigma**2))
    heat[y0:y1, x0:x1] = np.maximum(heat[y0:y1, x0:x1], blob)


def _mask(cells: NDArray[np.float64], size: tuple[int, int]) -> Singles:
    mask = np.zeros(size[::-1], np.uint8)
    cv2.fillConvexPoly(mask, np.round(np.clip(cells, -2000, 2000) * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
    return (mask / np.float32(255)).astype(np.float32)


def build_meeple_target(
    feet: NDArray[np.float64],
    colours: NDArray[np.int64],
    poses: NDArray[np.int64],
    size: int,
    counts: NDArray[np.bool_],
) -> Singles:
    """Build (4, size/4, size/4) maps: foot heat, colour and pose index or -1, and the cells that count.

    `feet` (n, 2) are pixels; `counts` (size/4, size/4) is False where the truth is unknown.
    """
    n = size // STRIDE
    maps = np.zeros((4, n, n), np.float32)
    maps[1:3] = -1
    maps[3] = counts
    for foot, colour, pose in zip(feet, colours, poses, strict=True):
        cell = foot / STRIDE - 0.5
        add_heat(maps[0], cell, 1.1)
        x, y = np.round(cell).astype(int)
        y0, y1, x0, x1 = max(0, y - 1), y + 2, max(0, x - 1), x + 2
        if y1 > 0 and x1 > 0:
            maps[1, y0:y1, x0:x1] = colour
            maps[2, y0:y1, x0:x1] = pose
    return maps
