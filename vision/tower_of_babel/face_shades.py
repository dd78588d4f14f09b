"""How evenly lit the faces of blocks are: a face is flat, so that one light shows all of it equally bright.

Where two blocks are taken for one, or one for two, an edge between bright and dark runs across a face.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Flags
from vision.printed.blocks import Block, project_visible_faces
from vision.tower_of_babel.scene import SUBPIXEL_BITS, Scene

FACE_NOISE, FACE_GRAIN = 3.0, 0.08
"""Grey levels, and the share of a face's brightness, by which a place of it is off."""
MOST = 1.0
"""Nats: no one place says more, for shadows of other blocks fall on faces too."""
MIN_FACE_PX = 6
"""What is seen of less than this tells nothing."""


def compute_shade_nats(scene: Scene, blocks: Sequence[Block]) -> float:
    """Compute the nats against a set of blocks by how unevenly their faces are lit."""
    labels = _label_faces(scene, blocks)
    there = _shrink(labels) & scene.known
    if not there.any():
        return 0.0
    faces = labels[there]
    order = np.argsort(faces, kind="stable")
    values = scene.brightness[there][order]
    nats = 0.0
    for shades in np.split(values, np.flatnonzero(np.diff(faces[order])) + 1):
        if len(shades) >= MIN_FACE_PX:
            noise = np.square(FACE_NOISE) + np.square(FACE_GRAIN * shades)
            nats += float(np.minimum(np.square(shades - np.median(shades)) / (2 * noise), MOST).sum())
    return nats * scene.pixel_nats


def _label_faces(scene: Scene, blocks: Sequence[Block]) -> NDArray[np.int32]:
    """(h, w) the number of the face that is seen at each place, 0 where none is."""
    labels = np.zeros(scene.inside.shape, np.int32)
    number = 0
    for block in sorted(blocks, key=scene.away, reverse=True):
        for outline in project_visible_faces(block, scene.get_projection(block), scene.camera):
            number += 1
            points = np.rint((scene.pixels(outline) - 0.5) * (1 << SUBPIXEL_BITS)).astype(np.int32)
            cv2.fillConvexPoly(labels, points, number, cv2.LINE_8, SUBPIXEL_BITS)
    return labels


def _shrink(labels: NDArray[np.int32]) -> Flags:
    """(h, w) the faces without their edges, where two colours mix."""
    inner = np.zeros(labels.shape, bool)
    middle = labels[1:-1, 1:-1]
    inner[1:-1, 1:-1] = middle > 0
    for beside in (labels[:-2, 1:-1], labels[2:, 1:-1], labels[1:-1, :-2], labels[1:-1, 2:]):
        inner[1:-1, 1:-1] &= beside == middle
    return inner
