"""Possible feet of pieces on the table: peaks of the dense finder over the photo as seen from above.

The finder also sees the print, since a piece on a square is not on its twins (`vision.pieces.background`).
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Floats, Image, Singles, compute_sigmoid
from vision.colour.lab import compute_colour_distance, convert_to_lab
from vision.geometry.warp import rectify_images, scale_warp
from vision.pieces.crops import FOOTPRINT_TILES
from vision.reading.values import Warp
from vision.runtime.onnx import Net

MIN_HEAT = 0.06
"""Minimum value of peaks in the finder's map. A guess, low on purpose, since the piece classifier examines them
again.
"""
MIN_FAINT_HEAT, MIN_DIFFERENCE_LAB = 0.03, 3.0
"""Minimum value of fainter peaks, and minimum difference of the photo from the print there: the finder hardly sees a
piece whose colours are close to the print behind it. A guess.
"""
MARGIN_SQUARES = 1
"""Number of squares around the board that are searched too: meeples lean out of it. A guess."""


def find_possible_feet(
    net: Net, image: Image, bare: Image, scale: float, warp: Warp, box: tuple[int, int, int, int]
) -> tuple[Floats, Floats]:
    """Return lattice places (n, 2) (col, row) of possible feet, and their probabilities (n,).

    `image` is the photo at `scale`, `bare` its reconstruction by `vision.pieces.background`. `box` is the board's (col,
    row, col, row).
    """
    around = (box[0] - MARGIN_SQUARES, box[1] - MARGIN_SQUARES, box[2] + MARGIN_SQUARES, box[3] + MARGIN_SQUARES)
    stride, tile_px = int(net.metadata["stride"]), int(net.metadata["tile_px"])
    picture = rectify_images((image, bare), scale_warp(warp, scale), around, tile_px)
    h, w = picture.shape[:2]
    padded = cv2.copyMakeBorder(picture, 0, -h % 32, 0, -w % 32, cv2.BORDER_REPLICATE)
    (maps,) = net(np.asarray(padded, dtype=np.uint8)[None])
    heat = compute_sigmoid(maps[0, 0, : h // stride, : w // stride]).astype(np.float32)
    off = _map_print_difference(picture, heat.shape, FOOTPRINT_TILES * tile_px / stride)
    peaks = (heat == cv2.dilate(heat, np.ones((3, 3)))) & (heat >= MIN_FAINT_HEAT)
    ys, xs = np.nonzero(peaks & ((heat >= MIN_HEAT) | (off >= MIN_DIFFERENCE_LAB)))
    tops = np.array([_locate_summit(heat, x, y) for y, x in zip(ys.tolist(), xs.tolist(), strict=True)]).reshape(-1, 2)
    places = np.asarray((tops + 0.5) * stride / tile_px + np.array(around[:2]))
    return places, heat[ys, xs].astype(np.float64)


def _map_print_difference(picture: Image, size: tuple[int, int], spread: float) -> Singles:
    """Return a map of `size` (h, w) of the difference, in Lab units, of a picture (h', w', 7) from the print.

    It is 0 where the print is unknown; `spread` is in cells of the map.
    """
    cells = np.asarray(cv2.resize(picture, size[::-1], interpolation=cv2.INTER_AREA), np.uint8)
    off = compute_colour_distance(convert_to_lab(cells[..., :3]), convert_to_lab(cells[..., 3:6])) * cells[..., 6] / 255
    return np.asarray(cv2.GaussianBlur(off, (0, 0), spread), np.float32)


def is_near_square(places: Floats, squares: NDArray[np.int_], reach: float) -> NDArray[np.bool_]:
    """Return a mask (n,) of the (n, 2) places (col, row) on, or within `reach` tiles of, one of (m, 2) squares (row,
    col).
    """
    middles = squares[:, ::-1] + 0.5
    away = np.abs(places[:, None] - middles[None]).max(axis=2)
    return np.asarray((away <= 0.5 + reach).any(axis=1))


def _locate_summit(heat: Singles, x: int, y: int) -> tuple[float, float]:
    """Return the top of a peak between cells, weighted by its neighbours."""
    y0, x0 = max(0, y - 1), max(0, x - 1)
    part = heat[y0 : y + 2, x0 : x + 2].astype(np.float64)
    ys, xs = np.mgrid[y0 : y0 + part.shape[0], x0 : x0 + part.shape[1]]
    weight = part**2
    return float((xs * weight).sum() / weight.sum()), float((ys * weight).sum() / weight.sum())
