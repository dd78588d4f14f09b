"""What stands at a place: a small picture of the table about it, seen from above, the camera's far side up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from vision.arrays import Floats, Image
from vision.photo.crops import crop_squares, join_channels

ASIDE_TILES, BEYOND_TILES, BEFORE_TILES = 0.5, 0.65, 0.35
"""How far the picture reaches to both sides, away from the camera, where a piece leans, and toward the camera."""
STAND_PX = 80
"""The size of the picture: a meeple is about 25 pixels high in it."""
STAND_CHANNELS = 7
"""The channels of the picture: the table in blue, green and red, the table without pieces in these, and the trust in
that."""
STAND_TILE_PX = 80.0
"""The size that a tile should have in the picture that these are cut from."""
POSE_HEIGHTS_TILES: Mapping[str, float] = {"standing": 0.36, "upside_down": 0.36, "lying": 0.2, "disc": 0.12}
"""How high above the table a piece reaches in each pose."""
UPRIGHT = 1e-6
"""Leans shorter than this, in tiles, have no direction: the picture's up is then the lattice's."""


FOOT_STEPS = 64
"""Feet are looked at on a grid of so many steps a tile, so that the picture about one is the very same where its place
hardly differs (`vision.photo.crops.CUT_GRID_PX`). How far the foot is from there, the net says."""


def compute_picture_axes(leans: Floats) -> tuple[Floats, Floats]:
    """Compute (n, 2) unit steps to the right and up in the pictures of places with (n, 2) leans."""
    length = np.linalg.norm(leans, axis=1, keepdims=True)
    up = np.where(length > UPRIGHT, leans / np.maximum(length, UPRIGHT), (0.0, -1.0))
    right = np.stack([-up[:, 1], up[:, 0]], axis=1)
    return np.asarray(right), np.asarray(up)


def estimate_heights(odds: Floats, poses: Sequence[str]) -> Floats:
    """Estimate (n,) how high pieces reach with (n, poses) odds of their poses, in tiles."""
    return np.asarray(odds @ np.array([POSE_HEIGHTS_TILES[pose] for pose in poses]))


def compute_stand_corners(
    feet: Floats, leans: Floats, reach: tuple[float, float, float] = (ASIDE_TILES, BEYOND_TILES, BEFORE_TILES)
) -> Floats:
    """Compute (n, 4, 2) lattice corners of the pictures about (n, 2) places (col, row), from their upper left
    clockwise.

    `reach` is how far they go aside, beyond and before, in tiles.
    """
    right, up = compute_picture_axes(leans)
    aside, beyond, before = reach
    steps = ((-aside, beyond), (aside, beyond), (aside, -before), (-aside, -before))
    return np.stack([feet + x * right + y * up for x, y in steps], axis=1)


def crop_stands(image: Image, bare: Image, corners: Floats) -> Image:
    """Cut (n, STAND_PX, STAND_PX, STAND_CHANNELS) pictures with (n, 4, 2) corners in the pixels of both images.

    `bare` is what `vision.pieces.background` makes of `image`.
    """
    parts = [
        crop_squares(picture, corners, STAND_PX).reshape(-1, STAND_PX, picture.shape[2]) for picture in (image, bare)
    ]
    return join_channels(parts).reshape(-1, STAND_PX, STAND_PX, STAND_CHANNELS)


def round_feet(feet: Floats) -> Floats:
    """Return (n, 2) places (col, row) rounded to `FOOT_STEPS` steps a tile: about these the nets are shown pictures."""
    return np.asarray(np.rint(feet * FOOT_STEPS) / FOOT_STEPS)


def move_feet(feet: Floats, leans: Floats, offsets: Floats) -> Floats:
    """Return (n, 2) places that lie (n, 2) offsets (right, down in their pictures, in tiles) from the feet."""
    right, up = compute_picture_axes(leans)
    return np.asarray(feet + offsets[:, :1] * right - offsets[:, 1:] * up)
