"""Search for a print on the table beside a board of known pose, which defines the table's plane and its scale.

On the rectified view at known scale, only the print's position and rotation are unknown, so its picture is correlated
with every place at every rotation. This finds prints with uniform rows and columns, which single features do not
distinguish, on table tops that are full of lines.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from vision.arrays import Flags, Floats, Image, Singles
from vision.flat_boards.board import HALF, BoardLie, EnrolledBoard, compute_photo_scale, project_points, rectify_board
from vision.flat_boards.similarity import MIN_DRAWN_GREY_LEVELS, extract_drawing
from vision.photo.pyramid import Halves

PRINT_PX = 96
"""Longer side of the print in the search. A guess."""
TURN_STEP_DEGREES, FINE_TURNS_DEGREES = 4.0, (-2.0, -1.0, 1.0, 2.0)
"""Step between the rotations tried, and the offsets then tried around each of the best. Bounds time."""
MAX_FINE_TURNS = 3
"""Number of the best rotations that are refined, since a print between two steps matches less well. Bounds time."""
MAX_PLACES = 4
"""Maximum number of places: rows of spaces are nearly alike, and a closer inspection decides. Bounds time."""
APART_PX = 3
"""Minimum distance of two places. A guess."""
CONTRAST_SIGMA_PX = 6.0
"""Scale of the contrast normalisation (sigma of a Gaussian), which equalises strong lines of a table and soft ones of a
print. A guess."""


def find_print_places(
    photo: Halves,
    board: EnrolledBoard,
    lie: BoardLie,
    prints: Sequence[EnrolledBoard],
    reach_mm: float,
    taken_corners: Sequence[Floats] = (),
    open_mm: Sequence[Floats] = (),
) -> list[tuple[float, Floats]]:
    """Find the best places for a print: their likeness (up to 1) and (3, 3) homographies, millimetres to pixels.

    It is searched for up to `reach_mm` from a board in the photo; `prints` are its pictures, which differ at most in
    their colours. Other boards, whose (4, 2) corners in the photo are `taken_corners`, are skipped. If pieces may cover
    most of a print, only the area outside its (4, 2) outlines `open_mm` is compared with the photo.
    """
    px_mm = PRINT_PX / max(prints[0].size_mm)
    picture, visible, from_view = _cut_visible(*_rectify_surroundings(photo, board, lie, reach_mm, px_mm))
    view = np.where(visible, _compute_contrast(picture), 0).astype(np.float32)
    template = np.mean([_compute_contrast(print_picture.at(px_mm)) for print_picture in prints], axis=0).astype(
        np.float32
    )
    for corners in taken_corners:
        there = project_points(np.asarray(np.linalg.inv(lie.homography @ from_view), np.float64), corners)
        if np.isfinite(there).all():
            cv2.fillConvexPoly(view, np.rint(there).astype(np.int32), 0.0)
    counted = np.ones(template.shape, np.float32)
    for outline in open_mm:
        cv2.fillConvexPoly(counted, np.rint(np.asarray(outline) * px_mm).astype(np.int32), 0.0)
    loud = np.asarray(view**2, np.float32)
    if not open_mm:
        loud = np.asarray(cv2.boxFilter(loud, -1, template.shape[1::-1], borderType=cv2.BORDER_CONSTANT), np.float32)
    tries = [
        (_match_turned_print(view, loud, template, turn, counted)[0].max(), turn)
        for turn in np.arange(0.0, 360.0, TURN_STEP_DEGREES)
    ]
    likeliest = sorted(tries, reverse=True)[:MAX_FINE_TURNS]
    turns = [turn + more for _, turn in likeliest for more in (0.0, *FINE_TURNS_DEGREES)]
    likeness, turned = max(
        (_match_turned_print(view, loud, template, turn, counted) for turn in turns), key=lambda result: result[0].max()
    )
    size = np.array(prints[0].size_mm)
    to_px = np.diag([*(np.array(template.shape[1::-1]) / size), 1.0])
    places = []
    for _ in range(MAX_PLACES):
        y, x = (int(i) for i in np.unravel_index(int(likeness.argmax()), likeness.shape))
        there = np.array([(1, 0, x), (0, 1, y), (0, 0, 1.0)]) @ turned
        places.append((float(likeness[y, x]), np.asarray(lie.homography @ from_view @ there @ to_px)))
        likeness[max(0, y - APART_PX) : y + APART_PX + 1, max(0, x - APART_PX) : x + APART_PX + 1] = 0.0
    return places


def _rectify_surroundings(
    photo: Halves, board: EnrolledBoard, lie: BoardLie, reach_mm: float, px_mm: float
) -> tuple[Image, Flags, Floats]:
    """Return the rectified table around a board (h, w, 3), the mask (h, w) of its visible part without the board, and
    the (3, 3) matrix from its pixels, as positions, to the board's millimetres."""
    whole = (board.size_mm[0] + 2 * reach_mm, board.size_mm[1] + 2 * reach_mm)
    moved = np.array([(1, 0, -reach_mm), (0, 1, -reach_mm), (0, 0, 1.0)])
    near, scale = photo.at_least(compute_photo_scale(board, lie.homography, px_mm))
    through = np.diag([scale, scale, 1.0]) @ lie.homography @ moved
    picture, visible = rectify_board(near, through, whole, px_mm)
    h, w = visible.shape
    from_view = moved @ np.diag([whole[0] / w, whole[1] / h, 1.0])
    y, x = np.mgrid[:h, :w] + 0.5
    mm = np.stack([x.ravel(), y.ravel(), np.ones(x.size)], axis=1) @ from_view.T
    before = mm @ lie.homography[2] > 0.2  # points behind the camera are mirrored into the view
    on_board = np.all((mm[:, :2] > 0) & (mm[:, :2] < board.size_mm), axis=1)
    return picture, (visible > 0) & (before & ~on_board).reshape(h, w), from_view


def _cut_visible(picture: Image, visible: Flags, from_view: Floats) -> tuple[Image, Flags, Floats]:
    """Crop a view to its visible part with a margin of one print, and adapt the matrix from its pixels to
    millimetres."""
    rows, cols = (np.flatnonzero(visible.any(axis=axis)) for axis in (1, 0))
    if not len(rows):
        return picture, visible, from_view
    top, left = max(0, rows[0] - PRINT_PX), max(0, cols[0] - PRINT_PX)
    part = np.s_[top : rows[-1] + PRINT_PX, left : cols[-1] + PRINT_PX]
    moved = np.array([(1, 0, left), (0, 1, top), (0, 0, 1.0)])
    return picture[part], visible[part], np.asarray(from_view @ moved)


def _compute_contrast(picture: Image) -> Singles:
    drawing = extract_drawing(picture)
    loud = np.sqrt(cv2.GaussianBlur(drawing**2, (0, 0), CONTRAST_SIGMA_PX) + MIN_DRAWN_GREY_LEVELS**2)
    return np.asarray(drawing / loud, np.float32)


def _match_turned_print(
    view: Singles, loud: Singles, print_contrast: Singles, turn: float, counted: Singles
) -> tuple[Singles, Floats]:
    """Return the likeness (h, w) of a print rotated by `turn` degrees, and the (3, 3) matrix to its bounding rectangle.

    The likeness is by the north-west corner of that rectangle; the matrix maps the print's pixels, as positions, to it.
    `counted` (h, w) is 1 for the pixels of the print that are compared, else 0. `loud` (h, w) is the local energy
    around each place of the view, or at each place if only part of the print is compared.
    """
    h, w = print_contrast.shape
    c, s = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    wide, high = int(np.ceil(abs(w * c) + abs(h * s))), int(np.ceil(abs(w * s) + abs(h * c)))
    middle = np.array([(1, 0, -w / 2), (0, 1, -h / 2), (0, 0, 1.0)])
    about = np.array([(1, 0, wide / 2), (0, 1, high / 2), (0, 0, 1.0)])
    turned = np.asarray(about @ np.array([(c, -s, 0), (s, c, 0), (0, 0, 1.0)]) @ middle)
    if view.shape[0] < high or view.shape[1] < wide:
        return np.zeros((1, 1), np.float32), turned
    move = (HALF @ turned @ np.linalg.inv(HALF))[:2]
    template, part = (cv2.warpAffine(layer, move, (wide, high)) for layer in (print_contrast * counted, counted))
    shared = cv2.matchTemplate(view, template, cv2.TM_CCORR)
    there = loud[high // 2 : high // 2 + shared.shape[0], wide // 2 : wide // 2 + shared.shape[1]]
    if not counted.all():
        there = np.asarray(cv2.matchTemplate(loud, part, cv2.TM_CCORR) / float(part.sum()), np.float32)
    size = float(counted.sum())
    print_power = float((print_contrast**2 * counted).sum()) / size
    return np.asarray(shared / (size * np.sqrt(print_power * np.maximum(there, print_power))), np.float32), turned
