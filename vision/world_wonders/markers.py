"""The space of each track's marker: the place whose upright marker best explains the difference from the empty board.

The resource board is compared with its enrolled picture under the same light. A marker on a space covers, in the
camera's view, the projection of its prism from its foot up. All tracks are estimated jointly, since a marker may lean
over a neighbouring track.
"""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.calibration import load_weights
from vision.arrays import Floats, Image, compute_softmax
from vision.colour.photometric_fit import relight_view
from vision.flat_boards.board import BoardLie, EnrolledBoard, project_to_board
from vision.flat_boards.detector import rectify_enrolled_board
from vision.photo.pyramid import Halves
from vision.world_wonders.layout import TrackLayout

PX_MM = 2.0
"""Pixels per millimetre of the rectified board. A guess."""
MARKER_WIDTH_STEPS = 0.8
"""Width of a marker, which is also its height, in steps of its track. A guess."""
MAX_GREY_LEVELS = 70.0
"""Maximum difference that counts for a pixel. A guess."""
NO_MARKER_GREY_LEVELS = 26.0
"""Difference caused by light, print and blur; anything below it is evidence against a marker. A guess."""
CHOICE_ROUNDS = 4
"""Number of rounds in which markers are chosen. Bounds time."""


def load_marker_spread() -> float:
    """Return the difference of a marker's mean, in grey levels, that makes one space e times as likely as another.

    `python -m models.calibration.printed.wonder_looks` fits it. Raises ScoringError as
    `scoring.calibration.load_weights` does.
    """
    return load_weights("world_wonders", "looks")["marker"]["spread"]


def locate_markers(
    photo: Halves, lie: BoardLie, board: EnrolledBoard, tracks: Mapping[str, TrackLayout]
) -> dict[str, Floats]:
    """Locate the marker of each track on a resource board in a photo: the probabilities (spaces,) of its spaces.

    Raises ScoringError as `scoring.calibration.load_weights` does.
    """
    spread = load_marker_spread()
    view, visible = rectify_enrolled_board(photo, lie.homography, board, PX_MM)
    gain = _measure_difference(view, board.at(PX_MM), visible) - NO_MARKER_GREY_LEVELS
    camera = lie.camera(photo.size)
    masks = {
        name: [_mask_marker(camera, at, track, gain.shape) for at in track.middles] for name, track in tracks.items()
    }
    chosen = {name: int(np.argmax([gain[mask].sum() for mask in track_masks])) for name, track_masks in masks.items()}
    gains: dict[str, Floats] = {}
    for _ in range(CHOICE_ROUNDS):
        for name, space_masks in masks.items():
            covered = np.zeros(gain.shape, bool)
            for other, space in chosen.items():
                if other != name:
                    covered |= masks[other][space]
            area = np.mean([mask.sum() for mask in space_masks])
            gains[name] = np.array([gain[mask & ~covered].sum() for mask in space_masks]) / max(float(area), 1.0)
            chosen[name] = int(gains[name].argmax())
    return {name: compute_softmax(track_gains / spread) for name, track_gains in gains.items()}


def _measure_difference(view: Image, picture: Image, visible: Image) -> Floats:
    """Return the difference (h, w) of a board in a photo from its empty picture, up to MAX_GREY_LEVELS."""
    lit = relight_view(view, picture, visible)
    soft, soft_picture = (cv2.GaussianBlur(layer, (0, 0), 1.0).astype(np.float64) for layer in (lit, picture))
    away = np.linalg.norm(soft - soft_picture, axis=2)
    return np.asarray(np.where(visible > 0, np.minimum(away, MAX_GREY_LEVELS), NO_MARKER_GREY_LEVELS))


def _mask_marker(camera: Floats, at: Floats, track: TrackLayout, shape: tuple[int, ...]) -> NDArray[np.bool_]:
    """Return the mask (h, w) of the board hidden by a marker at a (2,) place."""
    half = MARKER_WIDTH_STEPS * float(np.linalg.norm(track.step)) / 2
    angles = np.arange(16) * np.pi / 8
    foot = at + half * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    ends = np.vstack([foot, project_to_board(camera, foot, 2 * half)])
    hull = cv2.convexHull((ends * PX_MM).astype(np.float32))[:, 0]
    mask = np.zeros(shape, np.uint8)
    cv2.fillConvexPoly(mask, np.rint(hull).astype(np.int32), 1)
    return mask > 0
