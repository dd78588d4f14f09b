"""Looks for a print on the table beside a board that was found, whose lie tells the table's plane and its millimetres.

Seen from above at a known size, only where the print lies and how it is turned is left open: its picture is held
against every place at every turn. That finds prints of rows and columns that are all alike, which single features do
not tell apart, on table tops that are full of lines.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from vision.arrays import Flags, Floats, Image, Singles
from vision.photo.pyramid import Halves
from vision.printed.board import HALF, BoardLie, EnrolledBoard, project_points, rectify_board
from vision.printed.similarity import extract_drawing

PRINT_PX = 96
"""The print's longer side when it is looked for."""
TURN_STEP_DEGREES, FINE_TURNS_DEGREES = 4.0, (-2.0, -1.0, 1.0, 2.0)
"""The turns that are tried lie `TURN_STEP_DEGREES` apart; these are then tried about each of the best."""
MAX_FINE_TURNS = 3
"""So many of the best turns are looked at more closely: between two steps a print is less like itself."""
MAX_PLACES, APART_PX = 4, 3
"""Up to `MAX_PLACES` places this far apart are kept: rows of spaces are nearly alike, and a closer look tells which
it is."""
CONTRAST_SIGMA_PX = 6.0
"""Contrast is measured over this (a Gaussian's sigma): a table's loud lines count no more than a print's soft ones."""
MIN_CONTRAST_GREY_LEVELS = 3.0
"""Contrasts below this are noise."""


def find_print_places(
    photo: Halves,
    board: EnrolledBoard,
    lie: BoardLie,
    prints: Sequence[EnrolledBoard],
    reach_mm: float,
    taken_corners: Sequence[Floats] = (),
    open_mm: Sequence[Floats] = (),
) -> list[tuple[float, Floats]]:
    """Find the best places for a print: their likeness (to 1) and (3, 3) homographies, millimetres to pixels.

    It is looked for up to `reach_mm` from the board that lies in the photo; `prints` are its pictures, which differ in
    their colours at most. Nothing is looked for on other boards, whose (4, 2) corners in the photo are `taken_corners`.
    Where pieces may cover most of a print, only what lies in none of its (4, 2) outlines `open_mm` is held against the
    photo.
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
    """(h, w, 3) the table about a board from above, (h, w) where it shows, the board apart, and (3, 3) its pixels, as
    places, to the board's millimetres."""
    whole = (board.size_mm[0] + 2 * reach_mm, board.size_mm[1] + 2 * reach_mm)
    moved = np.array([(1, 0, -reach_mm), (0, 1, -reach_mm), (0, 0, 1.0)])
    near, scale = photo.at_least(_compute_photo_scale(board, lie, px_mm))
    through = np.diag([scale, scale, 1.0]) @ lie.homography @ moved
    picture, visible = rectify_board(near, through, whole, px_mm)
    h, w = visible.shape
    from_view = moved @ np.diag([whole[0] / w, whole[1] / h, 1.0])
    y, x = np.mgrid[:h, :w] + 0.5
    mm = np.stack([x.ravel(), y.ravel(), np.ones(x.size)], axis=1) @ from_view.T
    before = mm @ lie.homography[2] > 0.2  # what lies behind the camera is mirrored into the view
    on_board = np.all((mm[:, :2] > 0) & (mm[:, :2] < board.size_mm), axis=1)
    return picture, (visible > 0) & (before & ~on_board).reshape(h, w), from_view


def _cut_visible(picture: Image, visible: Flags, from_view: Floats) -> tuple[Image, Flags, Floats]:
    """The rectangle of a view that the photo shows some of, and so much about it that a print may reach out of it, with
    what takes its pixels to millimetres."""
    rows, cols = (np.flatnonzero(visible.any(axis=axis)) for axis in (1, 0))
    if not len(rows):
        return picture, visible, from_view
    top, left = max(0, rows[0] - PRINT_PX), max(0, cols[0] - PRINT_PX)
    part = np.s_[top : rows[-1] + PRINT_PX, left : cols[-1] + PRINT_PX]
    moved = np.array([(1, 0, left), (0, 1, top), (0, 0, 1.0)])
    return picture[part], visible[part], np.asarray(from_view @ moved)


def _compute_photo_scale(board: EnrolledBoard, lie: BoardLie, px_mm: float) -> float:
    """The scale of the photo in which a millimetre of the board is so many pixels."""
    corners = project_points(lie.homography, board.corners)
    area = abs(cv2.contourArea(np.nan_to_num(corners).astype(np.float32)))
    return float(min(1.0, px_mm / np.sqrt(max(area, 1.0) / (board.size_mm[0] * board.size_mm[1]))))


def _compute_contrast(picture: Image) -> Singles:
    drawing = extract_drawing(picture)
    loud = np.sqrt(cv2.GaussianBlur(drawing**2, (0, 0), CONTRAST_SIGMA_PX) + MIN_CONTRAST_GREY_LEVELS**2)
    return np.asarray(drawing / loud, np.float32)


def _match_turned_print(
    view: Singles, loud: Singles, print_contrast: Singles, turn: float, counted: Singles
) -> tuple[Singles, Floats]:
    """(h, w) the likeness of a print turned by so many degrees, by the north-west corner of the rectangle about it, and
    (3, 3) where its pixels, as places, lie in that.

    `counted` (h, w) is 1 where the print is held against the view, else 0. `loud` (h, w) is how much is drawn about
    each place of the view; where only a part of the print is counted, at it.
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
