"""The contents of each square of a map, and which neighbours form one piece, from a net with two views of the map.

Its input is the rectified map from the photo in the light of its enrolled picture, that picture itself, the lean of
objects, and the difference and likeness of both views that no small shift explains. A kind is recognised by comparing a
square with its empty appearance and by its surroundings: colour, outline, letter, and standing pieces that hide
neighbours. The net sees each map in four turns, and its outputs are averaged.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Flags, Floats, Image, Singles
from vision.colour.photometric_fit import Light, fit_view_light
from vision.flat_boards.board import BoardLie, EnrolledBoard
from vision.flat_boards.detector import rectify_enrolled_board
from vision.photo.pyramid import Halves
from vision.runtime.onnx import Net
from vision.world_wonders.layout import Grid

KINDS = ("-", "road", "bridge", "library", "farm", "habitation", "market", "temple", "tower", "monument")
"""The possible contents of a square, in the order of the net's logits."""
SQUARE_PX = 24
"""Pixels of a square in the net's input. Geometry of the net."""
AROUND = 1
"""Number of squares beyond the map on each side in the net's input. Geometry of the net."""
HEIGHT_MM = 20.0
"""Height to which the leans in the net's input refer. Geometry of the net."""
LEAN_STEP = 48
"""Steps of uint8 per square of lean in the net's input. Geometry of the net."""
PLANES = 10
"""Number of planes of the net's input. Geometry of the net."""
SHIFT_PX = 2
"""Maximum shift between photo and picture, in pixels of the net's input. Geometry of the net."""
BLUR_PX, WINDOW_PX = 3, 5
"""Side of the box that blurs both views before their comparison, and of the window compared. Geometry of the net."""
EVEN_VARIANCE = 60.0
"""Variance in grey levels below which a window counts as even. Geometry of the net."""
MIN_VISIBLE_SHARE = 0.9
"""Minimum share of a square inside the photo; below it, the square counts as not shown. A guess."""


@dataclass(frozen=True, slots=True, eq=False)
class Sighted:
    """Logits of a map: `kinds` (rows, cols, 10), `joined` (rows, cols, 2) with the square to the right and below.

    `seen` (rows, cols) masks the squares that the photo shows.
    """

    kinds: Floats
    joined: Floats
    seen: NDArray[np.bool_]


def classify_map(photo: Halves, lie: BoardLie, board: EnrolledBoard, grid: Grid, net: Net) -> Sighted:
    """Return the net's logits of a map board in a photo."""
    planes, visible, _ = build_planes(photo, lie, board, grid)
    return classify_planes(planes, visible, grid, net)


def classify_planes(shown_planes: Image, visible: Image, grid: Grid, net: Net) -> Sighted:
    """Return the net's logits of a map board from the output of `build_planes`."""
    kinds, joined = _average_turns(shown_planes, net)
    part = visible.reshape(grid.rows, SQUARE_PX, grid.cols, SQUARE_PX).mean(axis=(1, 3)) / 255
    temperatures = net.metadata["temperatures"]
    return Sighted(
        kinds / temperatures[0],
        joined / temperatures[1],
        part >= MIN_VISIBLE_SHARE,
    )


def _average_turns(planes: Image, net: Net) -> tuple[Floats, Floats]:
    """Return the logits of a map, averaged over its quarter turns."""
    kinds, joined = [], []
    for turns in range(4):
        turned_kinds, turned_seams = (logits.astype(np.float64) for logits in net(turn_planes(planes[None], turns)))
        kinds.append(np.rot90(turned_kinds, -turns, (1, 2))[0])
        joined.append(turn_seams(turned_seams, 4 - turns)[0])
    return np.asarray(np.mean(kinds, axis=0)), np.asarray(np.mean(joined, axis=0))


def build_planes(photo: Halves, lie: BoardLie, board: EnrolledBoard, grid: Grid) -> tuple[Image, Image, Image]:
    """Build the net's input (`stack_planes`), the mask (h, w) of the squares that the photo shows (255, else 0), and
    the views (h, w, 6) of the squares in which pieces are compared: photo and picture in light of one colour."""
    px_mm = SQUARE_PX / grid.square
    view, visible = rectify_enrolled_board(photo, lie.homography, board, px_mm)
    picture = board.at(px_mm)
    light = _fit_light(view, visible, picture, grid)
    lit = light.relight(view)
    views = np.concatenate([light.even_colour(layer) for layer in (lit, picture)], axis=2)
    planes = _stack_views(lit, picture, lie.camera(photo.size), grid)
    return planes, cut_squares(visible, grid), cut_squares(views, grid)


def cut_squares(layer: Image, grid: Grid) -> Image:
    """Crop the squares from a layer of the whole board at the scale of the net's input."""
    return _cut_window(layer, grid, SQUARE_PX / grid.square, 0)


def stack_planes(view: Image, visible: Image, picture: Image, camera: Floats, grid: Grid) -> Image:
    """Return the net's input (h, w, 10) from a rectified board, its visibility, its picture, and the camera's place.

    The planes are the photo's three channels, the picture's three, an object's lean to the right and down, with 128 for
    none, and the difference and the likeness of photo and picture (`compare_views`).
    """
    return _stack_views(_fit_light(view, visible, picture, grid).relight(view), picture, camera, grid)


def _fit_light(view: Image, visible: Image, picture: Image, grid: Grid) -> Light:
    return fit_view_light(view, picture, visible, _mask_frame(picture, grid, SQUARE_PX / grid.square))


def _stack_views(lit: Image, picture: Image, camera: Floats, grid: Grid) -> Image:
    both = _cut_window(np.concatenate([lit, picture], axis=2), grid, SQUARE_PX / grid.square, AROUND)
    return np.concatenate([both, _map_leans(camera, grid), compare_views(both[..., :3], both[..., 3:])], axis=2)


def compare_views(view: Image, picture: Image) -> Image:
    """Return the least difference (h, w, 2) between two views at any small shift, and their greatest likeness.

    The likeness is that of their brightness around each pixel, from -1 to 1, scaled to 0 to 255.
    """
    here, there = (cv2.blur(layer, (BLUR_PX, BLUR_PX)).astype(np.float32) for layer in (view, picture))
    grey, grey_there = (cv2.cvtColor(layer, cv2.COLOR_BGR2GRAY).astype(np.float32) for layer in (view, picture))
    margins = (SHIFT_PX, SHIFT_PX, SHIFT_PX, SHIFT_PX)
    wide = cv2.copyMakeBorder(there, *margins, cv2.BORDER_REPLICATE)
    wide_grey = np.asarray(cv2.copyMakeBorder(grey_there, *margins, cv2.BORDER_REPLICATE), np.float32)
    mean, wide_mean = _average(grey), _average(wide_grey)
    spread, wide_spread = _average(grey**2) - mean**2, _average(wide_grey**2) - wide_mean**2
    h, w = grey.shape
    least, most = np.full((h, w), 255, np.float32), np.full((h, w), -1, np.float32)
    for y, x in np.ndindex(2 * SHIFT_PX + 1, 2 * SHIFT_PX + 1):
        part = np.s_[y : y + h, x : x + w]
        blue, green, red = cv2.split(cv2.absdiff(here, wide[part]))
        least = np.minimum(least, _average(np.maximum(np.maximum(blue, green), red)))
        joint = _average(grey * wide_grey[part]) - mean * wide_mean[part]
        most = np.maximum(most, (2 * joint + EVEN_VARIANCE) / (spread + wide_spread[part] + EVEN_VARIANCE))
    return np.asarray(np.clip(np.stack([2 * least, 127.5 * (1 + most)], axis=2), 0, 255), np.uint8)


def _average(layer: Singles) -> Singles:
    return np.asarray(cv2.blur(layer, (WINDOW_PX, WINDOW_PX)))


def _mask_frame(picture: Image, grid: Grid, px_mm: float) -> Flags:
    """Return the mask (h, w) of the board around the map's squares, which holds no pieces: mountains and Sidewalk."""
    mask = np.ones(picture.shape[:2], bool)
    left, top = (round(px_mm * at) for at in grid.first)
    mask[top : top + grid.rows * SQUARE_PX, left : left + grid.cols * SQUARE_PX] = False
    return mask


def _cut_window(layer: Image, grid: Grid, px_mm: float, around: int) -> Image:
    """Crop the squares and `around` more on each side from a layer of the whole board."""
    size = ((grid.cols + 2 * around) * SQUARE_PX, (grid.rows + 2 * around) * SQUARE_PX)
    x, y = (around * SQUARE_PX - px_mm * at for at in grid.first)
    move = np.array([(1, 0, x), (0, 1, y)], float)
    parts = [layer] if layer.ndim == 2 else [layer[..., :3], layer[..., 3:]]
    moved = [
        cv2.warpAffine(part, move, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE) for part in parts
    ]
    return np.asarray(moved[0] if layer.ndim == 2 else np.concatenate(moved, axis=2), np.uint8)


def _map_leans(camera: Floats, grid: Grid) -> Image:
    """Return the apparent shift (h, w, 2), to the right and down in squares, of a point at height HEIGHT_MM."""
    xs = grid.first[0] + (np.arange((grid.cols + 2 * AROUND) * SQUARE_PX) / SQUARE_PX - AROUND) * grid.square
    ys = grid.first[1] + (np.arange((grid.rows + 2 * AROUND) * SQUARE_PX) / SQUARE_PX - AROUND) * grid.square
    scale = HEIGHT_MM / grid.square / camera[2]
    across = np.broadcast_to((xs - camera[0]) * scale, (len(ys), len(xs)))
    down = np.broadcast_to(((ys - camera[1]) * scale)[:, None], (len(ys), len(xs)))
    leans = 128 + LEAN_STEP * np.stack([across, down], -1)
    return np.asarray(np.clip(leans, 0, 255), np.uint8)


Number = TypeVar("Number", np.int64, np.float64)

NONE = -1
"""The value of a seam without a neighbour."""


def turn_planes(planes: Image, turns: int) -> Image:
    """Return (n, h, w, 10) planes of `squares` after counter-clockwise quarter turns; leans turn as well."""
    turned = np.rot90(planes, turns, (1, 2)).copy()
    for _ in range(turns % 4):
        turned[..., 6:8] = np.stack([turned[..., 7], np.uint8(255) - turned[..., 6] + np.uint8(1)], -1)
    return turned


def turn_seams(joined: NDArray[Number], turns: int) -> NDArray[Number]:
    """Return (n, rows, cols, 2), the seams to the right and below, after counter-clockwise quarter turns."""
    for _ in range(turns % 4):
        right, down = joined[:, :, :-1, 0], joined[:, :-1, :, 1]
        right, down = np.rot90(down, 1, (1, 2)), np.rot90(right, 1, (1, 2))
        joined = np.full((len(joined), joined.shape[2], joined.shape[1], 2), NONE, joined.dtype)
        joined[:, :, :-1, 0], joined[:, :-1, :, 1] = right, down
    return joined
