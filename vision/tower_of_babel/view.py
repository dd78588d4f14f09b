"""The rectified board with a margin of the table, in the light of its enrolled picture."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.arrays import Flags, Floats, Image, Singles
from vision.colour.glare import find_clipped_channels, find_dazzled_places, find_unclipped_pixels
from vision.colour.photometric_fit import relight_view
from vision.colour.reflection import estimate_reflection
from vision.colour.shaded_paint import NOISE_GREY, WHITE, compute_dot_product
from vision.flat_boards.board import BoardLie, EnrolledBoard
from vision.flat_boards.detector import rectify_enrolled_board
from vision.photo.pyramid import Halves

PX_MM = 1.8
"""Pixels per millimetre of the rectified board. A guess."""
PAD_MM = 24.0
"""Maximum distance at which a piece appears beside its place, and so beyond the board's border. A guess."""
STAND_SPREAD_MM = 3.2
"""Standard deviation of a piece's distance from the middle of its place. A guess."""
MIN_VISIBLE_SHARE = 0.2
"""Minimum visible share of a place or piece; below it, nothing is known of it. A guess."""
DAZZLE_WINDOW_MM = 20.0
"""Window around a place in which white pixels indicate that a reflection hides it. A guess."""


SMOOTH_PX = 0.6
"""Standard deviation of the smoothing of a view. A guess."""


@dataclass(frozen=True, slots=True, eq=False)
class BoardView:
    """A rectified board, seen and empty, at PX_MM pixels per millimetre with PAD_MM of the table on each side.

    `seen` and `empty` are (h, w, 3) BGR. `board` (h, w) masks the part of the board that the photo shows; `camera` (3,)
    is the camera's position in millimetres. `clipped` (h, w, 3) masks saturated channels of the photo, whose true value
    is as bright as seen or brighter. `veil` (h, w, 3) are the grey levels of a lamp's reflection that were removed from
    the view, and `dazzled` (h, w) is where that reflection hides the board.
    """

    seen: Image
    empty: Image
    board: Flags
    camera: Floats
    clipped: Flags
    veil: Singles
    dazzled: Flags

    @property
    def px_mm(self) -> float:
        """Pixels per millimetre."""
        return PX_MM

    @staticmethod
    def pixels(mm: Floats) -> Floats:
        """Convert (n, 2) millimetres of the board to (n, 2) pixels of the view."""
        return np.asarray((np.asarray(mm) + PAD_MM) * PX_MM)

    def find_lightened(self) -> Flags:
        """Return the mask (h, w) of possible glare over the board: it adds light, so no channel is darker than the
        board's."""
        added = (self.seen.astype(np.int16) > self.empty.astype(np.int16) - NOISE_GREY) | self.clipped
        return np.asarray(added[..., 0] & added[..., 1] & added[..., 2])

    def find_veil_nearby(self) -> Singles:
        """Return the most of a lamp's reflection (h, w, 3) within PAD_MM: a part's faces are tilted, so that
        they may reflect what lies beside them."""
        window = np.ones((2 * round(PAD_MM * PX_MM) + 1,) * 2, np.uint8)
        return np.asarray(cv2.dilate(self.veil, window), np.float32)

    def measure_brightness(self, part: tuple[slice, slice]) -> Singles:
        """Return the channel mean (h, w) of a part, smoothed against pixel noise."""
        smooth = cv2.GaussianBlur(self.seen[part], (0, 0), SMOOTH_PX)
        return compute_dot_product(np.asarray(smooth, np.float32), WHITE) / np.float32(len(WHITE))

    def filled(self, outline: Floats, grown_mm: float) -> Flags:
        """Return the mask (h, w) of an outline (n, 2) in millimetres, grown by `grown_mm`."""
        mask = np.zeros(self.board.shape, np.uint8)
        cv2.fillPoly(mask, [np.rint(self.pixels(outline)).astype(np.int32)], 1)
        reach = round(grown_mm * PX_MM)
        return np.asarray((cv2.dilate(mask, np.ones((2 * reach + 1,) * 2, np.uint8)) if reach else mask) > 0)

    def cut(self, outline: Floats, margin_px: int = 0) -> tuple[tuple[slice, slice], Flags]:
        """Return the part of the view around an outline (n, 2) in millimetres, and the mask (h, w) of the outline in
        it."""
        points = np.rint(self.pixels(outline)).astype(np.int32)
        x, y, wide, high = cv2.boundingRect(points)
        h, w = self.board.shape
        x0, y0 = (min(max(0, low - margin_px), most) for low, most in ((x, w), (y, h)))
        x1, y1 = (max(first, end + margin_px) for first, end in ((x0, x + wide), (y0, y + high)))
        part = np.s_[y0:y1, x0:x1]
        mask = np.zeros(self.board[part].shape, np.uint8)
        if mask.size:
            cv2.fillPoly(mask, [points - (x0, y0)], 1)
        return part, mask > 0

    def covered(self, middles: Floats, reach_mm: float) -> Flags:
        """Return the mask (h, w) of the squares that reach `reach_mm` from (n, 2) centres in millimetres."""
        mask = np.zeros(self.board.shape, np.uint8)
        for low, high in zip(self.pixels(middles - reach_mm), self.pixels(middles + reach_mm), strict=True):
            x0, y0 = (max(0, round(float(v))) for v in low)
            mask[y0 : round(float(high[1])), x0 : round(float(high[0]))] = 1
        return mask > 0


def build_board_view(photo: Halves, lie: BoardLie, board: EnrolledBoard) -> BoardView:
    """Build the view of the board at its pose in a photo."""
    w, h = board.size_mm
    padded = EnrolledBoard(board.picture, (w + 2 * PAD_MM, h + 2 * PAD_MM))
    away = np.array([(1, 0, -PAD_MM), (0, 1, -PAD_MM), (0, 0, 1.0)])
    rectified, coverage = rectify_enrolled_board(photo, lie.homography @ away, padded, PX_MM)
    picture = board.at(PX_MM)
    left, top = round(PAD_MM * PX_MM), round(PAD_MM * PX_MM)
    right, bottom = rectified.shape[1] - picture.shape[1] - left, rectified.shape[0] - picture.shape[0] - top
    empty = np.asarray(cv2.copyMakeBorder(picture, top, bottom, left, right, cv2.BORDER_REPLICATE), np.uint8)
    inside = np.zeros(rectified.shape[:2], np.uint8)
    inside[top : top + picture.shape[0], left : left + picture.shape[1]] = 255
    usable = np.asarray(np.minimum(inside, coverage), np.uint8)
    return build_lit_view(rectified, empty, usable, lie.camera(photo.size))


def build_lit_view(rectified: Image, empty: Image, usable: Image, camera: Floats) -> BoardView:
    """Build the view in the light of the empty board and without reflections; it is 0 outside `usable`."""
    veil = estimate_reflection(rectified, empty, usable)
    clear = np.clip(rectified - veil[..., None], 0, 255).astype(np.uint8)
    fit_mask = np.where(find_unclipped_pixels(rectified), usable, 0).astype(np.uint8)
    lit = relight_view(clear, empty, fit_mask)
    gains = [float(lit[..., c].mean()) / max(float(clear[..., c].mean()), 1.0) for c in range(3)]
    dazzled = find_dazzled_places(rectified, veil, round(DAZZLE_WINDOW_MM * PX_MM))
    clipped = find_clipped_channels(rectified)
    return BoardView(lit, empty, usable > 0, camera, clipped, veil[..., None] * np.array(gains, np.float32), dazzled)
