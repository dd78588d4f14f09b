"""Which space of each track a marker stands on: the place whose upright marker explains best what differs.

The resource board is held against its enrolled picture under the same light. A marker that stands on a space covers, as
the camera sees it, what its prism covers, which begins at its foot; all tracks are weighed together, since a marker may
lean over a neighbour's track.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Floats, Image
from vision.photo.pyramid import Halves
from vision.printed.board import BoardLie, EnrolledBoard, project_to_board
from vision.printed.detector import rectify_enrolled_board
from vision.printed.photometric_fit import relight_view
from vision.world_wonders.layout import TrackLayout

PX_MM = 2.0
HEIGHT_MM = 8.0
"""A wooden marker's, and about its width."""
WIDE = 0.8
"""Of a step."""
MOST = 70.0
"""Grey levels: what differs by more counts no more."""
NONE = 26.0
"""What light, print and blur differ by: less speaks against a marker."""
ROUNDS = 4
HONEST = 11.0
"""Grey levels of a marker's mean that make one space e times likelier than another; see the card of `maps.onnx`."""


@dataclass(frozen=True, slots=True, eq=False)
class TrackReading:
    """How likely each space of a track is, (spaces,), which adds up to 1."""

    probabilities: Floats


def locate_markers(
    photo: Halves, lie: BoardLie, board: EnrolledBoard, tracks: Mapping[str, TrackLayout]
) -> dict[str, TrackReading]:
    """Where the marker of each track stands on a resource board that lies in a photo."""
    view, shown = rectify_enrolled_board(photo, lie.homography, board, PX_MM)
    gain = _differing(view, board.at(PX_MM), shown) - NONE
    camera = lie.camera(photo.size)
    masks = {name: [_covered(camera, at, track, gain.shape) for at in track.middles] for name, track in tracks.items()}
    chosen = {name: int(np.argmax([gain[mask].sum() for mask in own])) for name, own in masks.items()}
    gains: dict[str, Floats] = {}
    for _ in range(ROUNDS):
        for name, own in masks.items():
            taken = np.zeros(gain.shape, bool)
            for other, space in chosen.items():
                if other != name:
                    taken |= masks[other][space]
            area = np.mean([mask.sum() for mask in own])
            gains[name] = np.array([gain[mask & ~taken].sum() for mask in own]) / max(float(area), 1.0)
            chosen[name] = int(gains[name].argmax())
    return {name: TrackReading(_softmax(own / HONEST)) for name, own in gains.items()}


def _differing(view: Image, picture: Image, shown: Image) -> Floats:
    """(h, w) how far a board in a photo is from its empty picture, up to MOST."""
    lit = relight_view(view, picture, shown)
    soft, known = (cv2.GaussianBlur(own, (0, 0), 1.0).astype(np.float64) for own in (lit, picture))
    away = np.linalg.norm(soft - known, axis=2)
    return np.asarray(np.where(shown > 0, np.minimum(away, MOST), NONE))


def _covered(camera: Floats, at: Floats, track: TrackLayout, shape: tuple[int, ...]) -> NDArray[np.bool_]:
    """(h, w) where a marker that stands at a (2,) place hides the board."""
    half = WIDE * float(np.linalg.norm(track.step)) / 2
    angles = np.arange(16) * np.pi / 8
    foot = at + half * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    high = [np.column_stack([foot, np.full(len(foot), z)]) for z in (0.0, HEIGHT_MM)]
    hull = cv2.convexHull((project_to_board(camera, np.vstack(high)) * PX_MM).astype(np.float32))[:, 0]
    mask = np.zeros(shape, np.uint8)
    cv2.fillConvexPoly(mask, np.rint(hull).astype(np.int32), 1)
    return mask > 0


def _softmax(values: Floats) -> Floats:
    weights = np.exp(values - values.max())
    return np.asarray(weights / weights.sum())
