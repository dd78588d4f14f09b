"""The appearance of monuments on a map, and the similarity of two of them.

A look is cropped from the rectified map in light of one colour: the bounding rectangle of the monument's
squares, and in it the pixels that differ from the empty map. Monuments stand upright, so two photos show different
sides of one. Colours are therefore compared regardless of position, and parts at approximate positions, in four turns.
"""

from __future__ import annotations

from collections.abc import Collection

import cv2
import numpy as np
from numpy.typing import ArrayLike

from vision.arrays import Flags, Image, Singles
from vision.colour.lab import convert_to_lab
from vision.flat_boards.board import BoardLie, EnrolledBoard
from vision.photo.pyramid import Halves
from vision.world_wonders.layout import Grid
from vision.world_wonders.squares import SQUARE_PX, build_planes

Square = tuple[int, int]

RIM_PX = 1
"""Margin of a square that is left out, since its neighbour's edge may be there. A guess."""
MIN_DIFFERENCE_LAB = 10.0
"""Minimum difference from the empty map; smaller ones may be the map itself. A guess."""
MIN_VISIBLE_SHARE = 0.2
"""Minimum share of a monument's squares that differs from the map. Below it, the monument has the map's colours, and
all of its squares are used. A guess."""
BINS, BIN_WIDTH_LAB = 24, 6.0
"""Number and width of the bins of the a* and b* histogram, centred on grey. A guess."""
LIGHT_BINS = 20
"""Number of bins of lightness. A guess."""
BLUR_PX = 3.0
"""Position tolerance of parts: monuments are placed by hand, and lean with the camera. A guess."""
SQUARE_CELLS = 6
"""Number of cells along a square in which the parts of a look are compared. A guess."""


def rectify_map(photo: Halves, lie: BoardLie, board: EnrolledBoard, grid: Grid) -> tuple[Image, Image]:
    """Return a map's rectified squares and its picture's in light of one colour, both (rows * s, cols * s, 3)."""
    return split_views(build_planes(photo, lie, board, grid)[2])


def split_views(views: Image) -> tuple[Image, Image]:
    """Return the same as `rectify_map`, from the views of a map (`build_planes`)."""
    return np.ascontiguousarray(views[..., :3]), np.ascontiguousarray(views[..., 3:])


def extract_look(view: Image, empty: Image, squares: Collection[Square]) -> Image:
    """Extract the look (h, w, 4) of some squares: BGR, and 255 for pixels of the piece on them, else 0."""
    top, left = (min(square[axis] for square in squares) for axis in (0, 1))
    high, wide = (1 + max(square[axis] for square in squares) for axis in (0, 1))
    part = np.s_[top * SQUARE_PX : high * SQUARE_PX, left * SQUARE_PX : wide * SQUARE_PX]
    here, there = view[part], empty[part]
    footprint = np.zeros(here.shape[:2], bool)
    for row, col in squares:
        y, x = (row - top) * SQUARE_PX, (col - left) * SQUARE_PX
        footprint[y + RIM_PX : y + SQUARE_PX - RIM_PX, x + RIM_PX : x + SQUARE_PX - RIM_PX] = True
    differs = footprint & (np.linalg.norm(_convert_to_lab(here) - _convert_to_lab(there), axis=2) > MIN_DIFFERENCE_LAB)
    visible = differs if differs.sum() >= MIN_VISIBLE_SHARE * footprint.sum() else footprint
    return np.dstack([here, np.where(visible, 255, 0).astype(np.uint8)])


class Look:
    """A look (h, w, 4), prepared for comparison."""

    def __init__(self, picture: Image) -> None:
        colours, visible = _convert_to_lab(picture[..., :3]), picture[..., 3] > 0
        self.hues, self.lights = _count_hues(colours[visible]), _count_lights(colours[visible, 0])
        blurred = cv2.GaussianBlur(colours, (0, 0), BLUR_PX, borderType=cv2.BORDER_REPLICATE)
        size = tuple(max(1, round(side * SQUARE_CELLS / SQUARE_PX)) for side in colours.shape[1::-1])
        self.parts = np.asarray(cv2.resize(blurred, size, interpolation=cv2.INTER_AREA), np.float32)
        self.shown = cv2.resize(picture[..., 3], size, interpolation=cv2.INTER_AREA) > 127


def compute_look_difference(one: Look, other: Look) -> tuple[float, float, float] | None:
    """Compute the difference of two looks: in colours (0 to 1), in light and shade (0 to 1), and part by part (CIELAB).

    Returns None if no turn makes their squares coincide.
    """
    hues, lights = (1 - float(a @ b) for a, b in ((one.hues, other.hues), (one.lights, other.lights)))
    apart = [
        _measure_distance(np.rot90(one.parts, turns), other.parts, np.rot90(one.shown, turns) | other.shown)
        for turns in range(4)
        if np.rot90(one.shown, turns).shape == other.shown.shape
    ]
    return (hues, lights, min(apart)) if apart else None


def _measure_distance(one: Singles, other: Singles, where: Flags) -> float:
    return float(np.median(np.linalg.norm(one - other, axis=2)[where])) if where.any() else 0.0


def _count_hues(pixels: Singles) -> Singles:
    """Return the root (BINS^2,) of the share of pixels (n, 3) of each colour, regardless of lightness."""
    at = np.clip(pixels[:, 1:] / BIN_WIDTH_LAB + BINS / 2, 0, BINS - 1e-3).astype(int)
    counts = np.zeros((BINS, BINS), np.float32)
    np.add.at(counts, (at[:, 0], at[:, 1]), 1)
    return _compute_root_shares(cv2.GaussianBlur(counts, (0, 0), 1.0, borderType=cv2.BORDER_CONSTANT))


def _count_lights(light: Singles) -> Singles:
    """Return the root (LIGHT_BINS,) of the share of pixels of each lightness."""
    counts = np.histogram(light, bins=LIGHT_BINS, range=(0, 100))[0].astype(np.float32)
    return _compute_root_shares(cv2.GaussianBlur(counts[None], (0, 0), 1.5, borderType=cv2.BORDER_CONSTANT))


def _compute_root_shares(blurred: ArrayLike) -> Singles:
    counts = np.asarray(blurred, np.float32)
    return np.asarray(np.sqrt(counts / max(float(counts.sum()), 1e-6)).ravel(), np.float32)


def _convert_to_lab(picture: Image) -> Singles:
    return convert_to_lab(picture).astype(np.float32)
