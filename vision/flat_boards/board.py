"""An enrolled printed board and its pose in a photo: conversion between millimetres and pixels, and rectification.

Millimetres (x to the right, y down, from the board's north-west corner) and pixels are positions, not pixel indices:
the centre of a picture's first pixel is at 0.5.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.arrays import Floats, Image
from vision.geometry.camera import estimate_camera
from vision.photo.crops import CORNERS, scale_image

PICTURE_PX = 1400
"""Longer side of an enrolled picture: enough for parts and prints of 1 mm on a board of 0.5 m. A guess."""
HALF = np.array([(1, 0, -0.5), (0, 1, -0.5), (0, 0, 1.0)])
"""The matrix (3, 3) from positions to pixel indices, in which OpenCV warps. By the rules of OpenCV, for which a pixel's
middle is an integer."""
MAX_HEIGHT_SHARE = 0.9
"""Maximum height relative to the camera's; higher points are projected as if at this height. A guess."""


@dataclass(frozen=True, slots=True, eq=False)
class EnrolledBoard:
    """A rectified picture (h, w, 3) BGR of an empty board alone, the board's size in millimetres, and the name under
    which the picture was enrolled; "" for a board that is the only one.
    """

    picture: Image
    size_mm: tuple[float, float]
    name: str = ""

    @property
    def corners(self) -> Floats:
        """The (4, 2) corners NW, NE, SE, SW in millimetres."""
        return np.asarray(CORNERS * self.size_mm, np.float64)

    def at(self, px_mm: float) -> Image:
        """Return the picture at `px_mm` pixels per millimetre."""
        size = compute_picture_size(self.size_mm, px_mm)
        shrinks = size[0] < self.picture.shape[1]
        how = cv2.INTER_AREA if shrinks else cv2.INTER_LINEAR
        return np.asarray(cv2.resize(self.picture, size, interpolation=how), np.uint8)


@dataclass(frozen=True, slots=True, eq=False)
class BoardLie:
    """A board's pose in a photo: `homography` (3, 3) maps its millimetres to pixels.

    `inliers` is the number of consistent features, `error_px` their median error in the photo, `alike` the share of the
    board's visible parts that resemble the enrolled picture, and `shown` the share of the board in the photo.
    """

    homography: Floats
    inliers: int
    error_px: float
    alike: float
    shown: float

    def to_photo(self, mm: Floats) -> Floats:
        """Project (n, 2) millimetres to (n, 2) pixels; NaN behind the camera."""
        return project_points(self.homography, mm)

    def to_mm(self, pixels: Floats) -> Floats:
        """Project (n, 2) pixels to (n, 2) millimetres, the inverse of `to_photo`."""
        return project_points(np.asarray(np.linalg.inv(self.homography)), pixels)

    def camera(self, size: tuple[int, int]) -> Floats:
        """Estimate the camera's position over the board, (3,) millimetres, in a photo of `size` (width, height)."""
        return estimate_camera(self.homography, size)


def project_points(homography: Floats, points: Floats) -> Floats:
    """Project (n, 2) points through a (3, 3) homography; NaN if a point is mapped behind the camera.

    A homography from `normalise_homography` has positive depth in front of the camera.
    """
    points = np.asarray(points, np.float64).reshape(-1, 2)
    through = np.column_stack([points, np.ones(len(points))]) @ homography.T
    depth = np.where(through[:, 2] > 1e-12, through[:, 2], np.nan)
    return np.asarray(through[:, :2] / depth[:, None])


def normalise_homography(homography: Floats, middle: Floats) -> Floats:
    """Return the (3, 3) homography scaled to depth 1 at a (2,) point, which also makes its inverse's depth positive
    there."""
    depth = homography[2] @ (*middle, 1.0)
    return np.asarray(homography / depth)


def project_to_board(camera: Floats, points_mm: Floats, heights: Floats | float) -> Floats:
    """Project points at one or (n,) heights above (n, 2) `points_mm` onto the board, as seen by the (3,) camera, to (n,
    2) millimetres."""
    share = np.minimum(np.broadcast_to(heights, len(points_mm)) / camera[2], MAX_HEIGHT_SHARE)[:, None]
    return np.asarray((points_mm - share * camera[:2]) / (1 - share))


def lift_from_board(camera: Floats, points_mm: Floats, height: float) -> Floats:
    """Compute the (n, 2) millimetres below points at a height that appear at (n, 2) `points_mm`.

    This is the inverse of `project_to_board`.
    """
    share = min(height / camera[2], MAX_HEIGHT_SHARE)
    return np.asarray(points_mm * (1 - share) + share * camera[:2])


def compute_picture_size(size_mm: tuple[float, float], px_mm: float) -> tuple[int, int]:
    """Compute the (width, height) in pixels of a board at `px_mm` pixels per millimetre."""
    return max(1, round(size_mm[0] * px_mm)), max(1, round(size_mm[1] * px_mm))


def compute_photo_scale(board: EnrolledBoard, homography: Floats, px_mm: float) -> float:
    """Compute the scale of a photo, 1 at most, at which a millimetre of a board in it is `px_mm` pixels."""
    corners = project_points(homography, board.corners)
    area = abs(cv2.contourArea(np.nan_to_num(corners).astype(np.float32)))
    return float(min(1.0, px_mm / np.sqrt(max(area, 1.0) / (board.size_mm[0] * board.size_mm[1]))))


def rectify_board(photo: Image, homography: Floats, size_mm: tuple[float, float], px_mm: float) -> tuple[Image, Image]:
    """Return a rectified board (h, w, 3), and the mask (h, w) of its part in the photo (255, else 0).

    `homography` (3, 3) maps its millimetres to pixels of the photo.
    """
    size = compute_picture_size(size_mm, px_mm)
    to_mm = np.diag([size_mm[0] / size[0], size_mm[1] / size[1], 1.0])
    through = HALF @ homography @ to_mm @ np.linalg.inv(HALF)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    view = cv2.warpPerspective(photo, through, size, flags=flags, borderMode=cv2.BORDER_REPLICATE)
    whole = np.full(photo.shape[:2], 255, np.uint8)
    visible = cv2.warpPerspective(whole, through, size, flags=cv2.INTER_NEAREST | cv2.WARP_INVERSE_MAP)
    return np.asarray(view, np.uint8), np.asarray(visible, np.uint8)


def is_valid_quad(corners: Floats, size: tuple[int, int]) -> bool:
    """Return whether (4, 2) pixels are the corners NW, NE, SE, SW of a board in a photo of `size` (width, height)."""
    inside = (corners >= -1).all() and (corners <= np.array(size) + 1).all()
    around = np.roll(corners, -1, axis=0) - corners
    turns = around[:, 0] * np.roll(around, -1, axis=0)[:, 1] - around[:, 1] * np.roll(around, -1, axis=0)[:, 0]
    return bool(inside and (turns > 0).all())


def rectify_picture(photo: Image, corners: Floats | Sequence[Sequence[float]], size_mm: tuple[float, float]) -> Image:
    """Return the picture to enrol, of a board with corners NW, NE, SE, SW at (4, 2) pixels of its photo."""
    board = (CORNERS * size_mm).astype(np.float32)
    homography = cv2.getPerspectiveTransform(board, np.asarray(corners, np.float32))
    px_mm = PICTURE_PX / max(size_mm)
    view_scale = px_mm * np.sqrt(
        size_mm[0] * size_mm[1] / max(abs(cv2.contourArea(np.asarray(corners, np.float32))), 1.0)
    )
    if view_scale < 0.5:  # downscale first, so that lines do not break up
        scale = 2 * float(view_scale)
        photo = scale_image(photo, scale)
        homography = np.diag([scale, scale, 1.0]) @ homography
    return rectify_board(photo, np.asarray(homography, np.float64), size_mm, px_mm)[0]
