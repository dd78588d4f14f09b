"""Crops of places: a small picture of the table around each, rectified, with the far side from the camera up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from vision.arrays import Floats, Image, round_to_step
from vision.photo.crops import crop_squares, join_channels

ASIDE_TILES, BEYOND_TILES, BEFORE_TILES = 0.5, 0.65, 0.35
"""Extent of the picture to both sides, away from the camera, where a piece leans, and toward the camera, in tiles.
Geometry of the net."""
STAND_PX = 80
"""Size of the picture: a meeple is about 25 pixels high in it. Geometry of the net."""
STAND_CHANNELS = 7
"""Channels of the picture: the table in blue, green and red, the table without pieces in these, and the trust in the
latter. Geometry of the net."""
STAND_TILE_PX = 80.0
"""Size of a tile in the source of these pictures. A guess."""
POSE_HEIGHTS_TILES: Mapping[str, float] = {"standing": 0.36, "upside_down": 0.36, "lying": 0.2, "disc": 0.12}
"""Height of a piece above the table in each pose. Geometry of the piece."""
UPRIGHT = 1e-6
"""Maximum length of a lean without a direction, in tiles: the picture's up is then the lattice's. A guess."""


FOOT_GRID_TILES = 1 / 64
"""Grid to which feet are rounded, in tiles, so that the picture around a foot is identical if its place
hardly differs (`vision.photo.crops.CUT_GRID_PX`). A guess. The net estimates the remaining offset of the foot.
"""


def compute_picture_axes(leans: Floats) -> tuple[Floats, Floats]:
    """Return unit steps (n, 2) to the right and up in the pictures of places with (n, 2) leans."""
    length = np.linalg.norm(leans, axis=1, keepdims=True)
    up = np.where(length > UPRIGHT, leans / np.maximum(length, UPRIGHT), (0.0, -1.0))
    right = np.stack([-up[:, 1], up[:, 0]], axis=1)
    return np.asarray(right), np.asarray(up)


def estimate_heights(odds: Floats, poses: Sequence[str]) -> Floats:
    """Return the expected heights (n,) of pieces with (n, poses) odds of their poses, in tiles."""
    return np.asarray(odds @ np.array([POSE_HEIGHTS_TILES[pose] for pose in poses]))


def compute_stand_corners(
    feet: Floats, leans: Floats, reach: tuple[float, float, float] = (ASIDE_TILES, BEYOND_TILES, BEFORE_TILES)
) -> Floats:
    """Return the lattice corners (n, 4, 2) of the pictures around (n, 2) places (col, row), clockwise from the upper
    left.

    `reach` is their extent aside, beyond and before, in tiles.
    """
    right, up = compute_picture_axes(leans)
    aside, beyond, before = reach
    steps = ((-aside, beyond), (aside, beyond), (aside, -before), (-aside, -before))
    return np.stack([feet + x * right + y * up for x, y in steps], axis=1)


def crop_stands(image: Image, bare: Image, corners: Floats) -> Image:
    """Return (n, STAND_PX, STAND_PX, STAND_CHANNELS) pictures with (n, 4, 2) corners in the pixels of both images.

    `bare` is the reconstruction of `image` by `vision.pieces.background`.
    """
    parts = [
        crop_squares(picture, corners, STAND_PX).reshape(-1, STAND_PX, picture.shape[2]) for picture in (image, bare)
    ]
    return join_channels(parts).reshape(-1, STAND_PX, STAND_PX, STAND_CHANNELS)


def round_feet(feet: Floats) -> Floats:
    """Return places (n, 2) (col, row) rounded to `FOOT_GRID_TILES`, around which the nets see pictures."""
    return round_to_step(feet, FOOT_GRID_TILES)


def move_feet(feet: Floats, leans: Floats, offsets: Floats) -> Floats:
    """Return places (n, 2) at (n, 2) offsets (right, down in their pictures, in tiles) from the feet."""
    right, up = compute_picture_axes(leans)
    return np.asarray(feet + offsets[:, :1] * right - offsets[:, 1:] * up)
