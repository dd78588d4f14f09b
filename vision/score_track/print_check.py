"""A check whether an enrolled score board shows its own print at a supposed piece: then none stands there."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Floats, Image
from vision.colour.lab import convert_to_lab
from vision.flat_boards.board import EnrolledBoard, rectify_board

PX_MM = 1.5
"""Pixels per millimetre. A guess."""
UNDER_MM, FORM_MM = 6.5, 8.0
"""Radii about a foot within which a piece hides the print's colours, and its lines. A guess."""
AROUND_MM = (11.0, 24.0)
"""Inner and outer radius of the ring in which the light is measured. A guess."""
LIGHTNESS = 0.6
"""Weight of lightness in differences of colour. A guess."""
UNLIKE, UNLIKE_NAT = 15.0, 4.0
"""Lab units: a place that differs from the print by the former may be a piece; every multiple of the latter below it is
a nat against one. Measured: pieces have 24 and more, bare print mostly less than 10."""
ALIKE, ALIKE_NAT = 0.55, 0.06
"""The same for the correlation with the print, in the other direction. Measured: pieces have at most 0.55, bare print
0.75 and more, under a glare as well."""


def compute_print_evidence(photo: Image, homography: Floats, board: EnrolledBoard, feet: Floats) -> Floats:
    """Return (n,) the evidence in nats against pieces at (n, 2) millimetres: the likeness to the empty board.

    Places beside the board have none. `homography` (3, 3) maps its millimetres to pixels of the photo.
    """
    view = _soft(rectify_board(photo, homography, board.size_mm, PX_MM)[0])
    picture = _soft(board.at(PX_MM))
    return np.array([_against(view, picture, at * PX_MM) for at in feet]).reshape(-1)


def _soft(picture: Image) -> Image:
    return np.asarray(cv2.blur(picture, (3, 3)), np.uint8)


def _against(view: Image, picture: Image, at: Floats) -> float:
    """Return the evidence against a piece with its foot at (2,) pixels of the two pictures."""
    height, width = picture.shape[:2]
    if not ((at >= 0) & (at < (width, height))).all():
        return 0.0
    reach = round(AROUND_MM[1] * PX_MM)
    x, y = at.astype(int).tolist()
    rows, cols = slice(max(0, y - reach), y + reach + 1), slice(max(0, x - reach), x + reach + 1)
    patch, printed = view[rows, cols].astype(np.float32), picture[rows, cols].astype(np.float32)
    ys, xs = np.mgrid[rows.start : rows.start + patch.shape[0], cols.start : cols.start + patch.shape[1]]
    away = np.hypot(xs + 0.5 - at[0], ys + 0.5 - at[1]) / PX_MM
    about = (away >= AROUND_MM[0]) & (away <= AROUND_MM[1])
    gain = np.median((patch[about] + 4) / (printed[about] + 4), axis=0)
    unlike = np.median(np.linalg.norm(_lab(patch) - _lab(printed * gain), axis=2)[away <= UNDER_MM])
    alike = _correlation(patch[away <= FORM_MM], printed[away <= FORM_MM])
    return float(max(UNLIKE - unlike, 0.0) / UNLIKE_NAT + max(alike - ALIKE, 0.0) / ALIKE_NAT)


def _correlation(one: NDArray[np.float32], other: NDArray[np.float32]) -> float:
    """Return the correlation of (n, 3) colours with (n, 3) others, each about its mean."""
    a, b = one - one.mean(axis=0), other - other.mean(axis=0)
    return float((a * b).sum() / np.sqrt(max(float((a * a).sum() * (b * b).sum()), 1e-6)))


def _lab(picture: NDArray[np.float32]) -> Floats:
    return np.asarray(convert_to_lab(np.clip(picture, 0, 255)) * (LIGHTNESS, 1, 1))
