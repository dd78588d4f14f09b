"""Evenness of lighting on the faces of blocks: a face is flat, so one light shows all of it equally bright.

If two blocks are mistaken for one, or one for two, an edge between bright and dark runs across a face.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Flags
from vision.tower_of_babel.blocks import Block, project_visible_faces
from vision.tower_of_babel.calibration import load_face_weights
from vision.tower_of_babel.scene import SUBPIXEL_BITS, Scene

MIN_FACE_PX = 6
"""Minimum number of visible pixels of a face that is evaluated. A guess."""


def compute_shade_nats(scene: Scene, blocks: Sequence[Block]) -> float:
    """Compute the nats against a set of blocks from the unevenness of its faces' lighting."""
    labels = _label_faces(scene, blocks)
    there = _shrink(labels) & scene.known
    if not there.any():
        return 0.0
    faces = labels[there]
    order = np.argsort(faces, kind="stable")
    values = scene.brightness[there][order]
    weights = load_face_weights()
    nats = 0.0
    for shades in np.split(values, np.flatnonzero(np.diff(faces[order])) + 1):
        if len(shades) >= MIN_FACE_PX:
            noise = np.square(weights.noise) + np.square(weights.grain * shades)
            nats += float(np.minimum(np.square(shades - np.median(shades)) / (2 * noise), weights.most).sum())
    return nats * scene.pixel_nats


def _label_faces(scene: Scene, blocks: Sequence[Block]) -> NDArray[np.int32]:
    """Return the number of the visible face at each place (h, w), 0 for none."""
    labels = np.zeros(scene.inside.shape, np.int32)
    number = 0
    for block in sorted(blocks, key=scene.away, reverse=True):
        for outline in project_visible_faces(block, scene.get_projection(block), scene.camera):
            number += 1
            cv2.fillConvexPoly(labels, scene.subpixels(outline), number, cv2.LINE_8, SUBPIXEL_BITS)
    return labels


def _shrink(labels: NDArray[np.int32]) -> Flags:
    """Return the mask (h, w) of the faces without their edges, where two colours mix."""
    inner = np.zeros(labels.shape, bool)
    middle = labels[1:-1, 1:-1]
    inner[1:-1, 1:-1] = middle > 0
    for beside in (labels[:-2, 1:-1], labels[2:, 1:-1], labels[1:-1, :-2], labels[1:-1, 2:]):
        inner[1:-1, 1:-1] &= beside == middle
    return inner
