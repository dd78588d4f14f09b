"""What stands at each possible foot: a piece or none, its colour and pose, and where exactly its foot is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.crops import crop_squares
from vision.nets import Net
from vision.reading import Warp
from vision.stands import stand_squares
from vision.warp import to_photo

Floats = NDArray[np.float64]
Image = NDArray[np.uint8]

LOOKS = 2
"""Each place is looked at again where the first look saw the foot."""
PRESENCE_LEAST = 0.75
SAME_FOOT = 0.17
"""Of a tile: two feet so near are one."""
SAME_PIECE = 0.45
"""Of a tile: two so near of one colour are one piece, found at its body and at its foot."""


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """A piece with its foot `at` lattice units (col, row): how likely it is there, and the odds of colour and pose."""

    at: tuple[float, float]
    presence: float
    colours: Floats
    poses: Floats


def name_pieces(net: Net, image: Image, scale: float, warp: Warp, feet: Floats) -> list[Piece]:
    """The pieces that stand at (n, 2) lattice places; `image` is the photo at `scale`."""
    if not len(feet):
        return []
    for _ in range(LOOKS):
        squares = stand_squares(feet)
        corners = to_photo(warp, squares.reshape(-1, 2)).reshape(-1, 4, 2) * scale
        (out,) = net(crop_squares(image, corners))
        feet = feet + np.clip(out[:, -2:], -0.3, 0.3)
    colours = len(net.metadata["colours"])
    presence = 1 / (1 + np.exp(-out[:, 0].astype(np.float64)))
    named, posed = _softmax(out[:, 1 : 1 + colours]), _softmax(out[:, 1 + colours : -2])
    pieces = [
        Piece((float(x), float(y)), float(presence[i]), named[i], posed[i])
        for i, (x, y) in enumerate(feet)
        if presence[i] >= PRESENCE_LEAST
    ]
    return _one_a_foot(pieces, warp)


def _one_a_foot(pieces: Sequence[Piece], warp: Warp) -> list[Piece]:
    """One of those whose feet are one; of a piece seen twice, at its body and at its foot, the one nearer the camera.

    What stands leans away from the camera, and what is nearer to the camera has the smaller depth w of the homography.
    """
    depth = warp.homography[2] * np.sign(warp.homography[2] @ np.array([*pieces[0].at, 1.0])) if pieces else np.zeros(3)
    kept: list[Piece] = []
    for piece in sorted(pieces, key=lambda p: float(depth @ np.array([*p.at, 1.0]))):
        same = [i for i, k in enumerate(kept) if _is_one(piece, k)]
        if not same:
            kept.append(piece)
        for i in same:
            kept[i] = replace(kept[i], presence=max(kept[i].presence, piece.presence))
    return kept


def _is_one(piece: Piece, other: Piece) -> bool:
    away = float(np.hypot(piece.at[0] - other.at[0], piece.at[1] - other.at[1]))
    alike = int(np.argmax(piece.colours)) == int(np.argmax(other.colours))
    return away < (SAME_PIECE if alike else SAME_FOOT)


def _softmax(logits: NDArray[np.float32]) -> Floats:
    odds = np.exp(logits.astype(np.float64) - logits.max(axis=1, keepdims=True))
    return np.asarray(odds / odds.sum(axis=1, keepdims=True))
