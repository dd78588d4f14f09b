"""Crops of places, rectified, with the far side from the camera up, and the part of each that shows a piece's body."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from vision.arrays import SUREST, Floats, Image, round_to_step
from vision.colour.appearance import Body
from vision.colour.lab import convert_to_lab
from vision.photo.crops import CROP_PX, crop_squares, join_channels

ASIDE_TILES, BEYOND_TILES, BEFORE_TILES = 0.5, 0.65, 0.35
"""Extent of the picture to both sides, away from the camera, where a piece leans, and toward the camera, in tiles.
Geometry of the net."""
STAND_PX = 80
"""Size of the picture: a meeple is about 25 pixels high in it. Geometry of the net."""
STAND_CHANNELS = 7
"""Channels of the picture: the table in blue, green and red, the table without pieces in these, and the trust in the
latter. Geometry of the net."""
STAND_TILE_PX = STAND_PX / (BEYOND_TILES + BEFORE_TILES)
"""Size of a tile in these pictures, and in their source."""
POSE_HEIGHTS_TILES: Mapping[str, float] = {"standing": 0.36, "upside_down": 0.36, "lying": 0.2, "disc": 0.12}
"""Height of a piece above the table in each pose. Geometry of the piece."""
FOOT_GRID_TILES = 1 / CROP_PX
"""Grid to which feet are rounded, in tiles: a pixel of a square's crop. The picture around a foot is then identical if
its place hardly differs (`vision.photo.crops.CUT_GRID_PX`), and the net estimates the remaining offset.
"""
FOOTPRINT_TILES, BODY_WIDTH_PX = 0.075, 8.0
"""Widths of the weights along and across a piece around its middle. A guess."""
MIN_WEIGHT_SHARE = 0.01
"""Minimum weight of rows and columns of a body, relative to the largest. A guess."""


def compute_picture_axes(leans: Floats) -> tuple[Floats, Floats]:
    """Return unit steps (n, 2) to the right and up in the pictures of places with (n, 2) leans.

    Without a lean, the picture's up is the lattice's.
    """
    length = np.linalg.norm(leans, axis=1, keepdims=True)
    up = np.where(length > SUREST, leans / np.maximum(length, SUREST), (0.0, -1.0))
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


def extract_bodies(pictures: Image, leans: Floats, offsets: Floats, high: Floats) -> list[Body]:
    """Extract the bodies of the pieces in (n, STAND_PX, STAND_PX, STAND_CHANNELS) pictures.

    `leans` are (n,) lengths in tiles, `offsets` (n, 2) the offsets of the feet from the places, right and down, in
    tiles; `high` (n,) is the height of the pieces above the table, in tiles.
    """
    return [_extract_body(*inputs) for inputs in zip(pictures, leans, offsets, high, strict=True)]


def _extract_body(picture: Image, lean: float, offset: Floats, high: float) -> Body:
    x, y = (ASIDE_TILES + offset[0]) * STAND_TILE_PX, (BEYOND_TILES + offset[1]) * STAND_TILE_PX
    half = float(lean) * high * STAND_TILE_PX / 2
    tall = half + FOOTPRINT_TILES * STAND_TILE_PX
    y -= half
    along = np.arange(STAND_PX)
    down, across = np.exp(-(((along - y) / tall) ** 2)), np.exp(-(((along - x) / BODY_WIDTH_PX) ** 2))
    rows, cols = (np.flatnonzero(profile >= MIN_WEIGHT_SHARE * profile.max()) for profile in (down, across))
    part, weight = picture[np.ix_(rows, cols)], np.outer(down[rows], across[cols])
    return Body(convert_to_lab(part[..., :3]), convert_to_lab(part[..., 3:6]), part[..., 6] / 255.0, weight)
