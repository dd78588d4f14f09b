"""Classification of each piece's kind by its outline: a picture around its foot in true size, and a net.

A big meeple is only a sixth larger than another: the picture shows little more than the piece, and a mask of the
piece's own paint.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.arrays import Floats, Image, compute_softmax
from vision.geometry.camera import compute_leans, estimate_camera
from vision.geometry.warp import project_to_photo, scale_warp
from vision.photo.crops import crop_squares
from vision.pieces.crops import compute_stand_corners, round_feet
from vision.reading.piece import Piece
from vision.reading.values import Warp
from vision.runtime.onnx import Net

OUTLINE_PX = 72
"""Size of the picture: a meeple is about 28 pixels wide in it. Geometry of the net."""
OUTLINE_CHANNELS = 4
"""Channels of the picture: the table in blue, green and red, and the similarity to the piece's own paint. Geometry of
the net."""
OUTLINE_REACH_TILES = (0.45, 0.64, 0.26)
"""Extent of the picture aside, beyond the foot and before it, in tiles. Geometry of the net."""
OUTLINE_TILE_PX = OUTLINE_PX / sum(OUTLINE_REACH_TILES[1:])
"""Size of a tile in these pictures, and in their source."""
BODY_HEIGHT_TILES, BODY_PX = 0.13, 4
"""Height at which a piece's paint is sampled, standing or lying, in tiles, and sampling radius in pixels. A guess."""
DARK_GREY_LEVELS, PAINT_DIFFERENCE_SHARE = 60.0, 0.1
"""Offset of the sum of a paint's colours, since black is a paint too, and difference of another paint's colours as
shares of that sum: faces of one paint differ in light. A guess.
"""


def compute_outline_corners(feet: Floats, leans: Floats) -> Floats:
    """Return the lattice corners (n, 4, 2) of the pictures of pieces with (n, 2) feet and (n, 2) leans."""
    return compute_stand_corners(feet, leans, OUTLINE_REACH_TILES)


def crop_outlines(image: Image, corners: Floats, lengths: Floats) -> Image:
    """Return (n, OUTLINE_PX, OUTLINE_PX, OUTLINE_CHANNELS) pictures with (n, 4, 2) corners in pixels and (n,) lengths
    of leans.
    """
    crops = crop_squares(image, corners, OUTLINE_PX, margin=0.0)
    return np.stack([_add_paint_channel(crop, length) for crop, length in zip(crops, lengths.tolist(), strict=True)])


def _add_paint_channel(crop: Image, length: float) -> Image:
    """Return the picture of a piece with a channel of its similarity to the paint seen slightly above the foot."""
    soft = cv2.blur(crop, (2, 2)).astype(np.float32)
    hue = soft / (soft.sum(axis=2, keepdims=True) + DARK_GREY_LEVELS)
    aside, beyond, before = OUTLINE_REACH_TILES
    x, y = np.array([aside, beyond - BODY_HEIGHT_TILES * length]) / (beyond + before) * OUTLINE_PX
    near = hue[max(0, int(y) - BODY_PX) : int(y) + BODY_PX, int(x) - BODY_PX : int(x) + BODY_PX]
    off = hue - np.median(near.reshape(-1, 3), axis=0)
    paint = 255 * np.exp(-(off**2).sum(2) / PAINT_DIFFERENCE_SHARE**2)
    return np.dstack([crop, paint.astype(np.uint8)])


def classify_kinds(net: Net, image: Image, scale: float, warp: Warp, pieces: Sequence[Piece]) -> list[Piece]:
    """Return the pieces with the net's odds of their kinds, under a uniform prior.

    `image` is the photo at `scale`.
    """
    if not pieces:
        return []
    h, w = image.shape[:2]
    feet = round_feet(np.array([piece.at for piece in pieces]))
    leans = compute_leans(estimate_camera(scale_warp(warp, scale).homography, (w, h)), feet)
    corners = project_to_photo(warp, compute_outline_corners(feet, leans).reshape(-1, 2)).reshape(-1, 4, 2) * scale
    lengths = np.linalg.norm(leans, axis=1)
    (logits,) = net(crop_outlines(image, corners, lengths), leans=lengths.astype(np.float32))
    scores = logits.astype(np.float64) / net.metadata["temperature"]
    shares = compute_softmax(scores, axis=1)
    return [replace(piece, kinds=kind_odds) for piece, kind_odds in zip(pieces, shares, strict=True)]


@dataclass(frozen=True, slots=True)
class Names:
    """The names behind the odds of a piece."""

    colours: tuple[str, ...]
    poses: tuple[str, ...]
    kinds: tuple[str, ...]

    @classmethod
    def of(cls, classifier: Net, kinds: Net | None = None) -> Names:
        """Return the names from the nets' metadata; without a net for kinds, all are meeples."""
        metadata = classifier.metadata
        return cls(
            tuple(metadata["colours"]),
            tuple(metadata["poses"]),
            tuple(kinds.metadata["kinds"]) if kinds else ("meeple",),
        )
