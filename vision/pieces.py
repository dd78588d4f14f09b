"""What stands at each possible foot: a piece or none, its colour and pose, and where exactly its foot is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.crops import crop_squares
from vision.nets import Net
from vision.reading import Warp
from vision.stands import STAND_PX, stand_squares
from vision.warp import to_photo

Floats = NDArray[np.float64]
Image = NDArray[np.uint8]

LOOK_AGAIN = 0.1
"""A place that is likelier than this to show a piece is looked at again where the first look saw the foot."""
POSSIBLE_LEAST = 0.5
"""What is less likely than this to be a piece is none."""
LONELY = 0.25
"""How much less likely a colour is of which no other piece is seen: a player's last meeple, or none."""
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
    out = _looked_at(net, image, scale, warp, feet)
    again = out[:, 0] > np.log(LOOK_AGAIN / (1 - LOOK_AGAIN))
    if not again.any():
        return []
    feet = feet[again] + _moves(out[again])
    out = _looked_at(net, image, scale, warp, feet)
    feet = feet + _moves(out)
    colours = len(net.metadata["colours"])
    presence = 1 / (1 + np.exp(-out[:, 0].astype(np.float64)))
    named, posed = _softmax(out[:, 1 : 1 + colours]), _softmax(out[:, 1 + colours : -2])
    pieces = [
        Piece((float(x), float(y)), float(presence[i]), named[i], posed[i])
        for i, (x, y) in enumerate(feet)
        if presence[i] >= POSSIBLE_LEAST
    ]
    return _one_a_foot(weighed_by_players(pieces), warp)


def _looked_at(net: Net, image: Image, scale: float, warp: Warp, feet: Floats) -> NDArray[np.float32]:
    """(n, outputs) of the net for the pictures about (n, 2) lattice places."""
    corners = to_photo(warp, stand_squares(feet).reshape(-1, 2)).reshape(-1, 4, 2) * scale
    (out,) = net(crop_squares(image, corners, STAND_PX))
    return out


def _moves(out: NDArray[np.float32]) -> Floats:
    """(n, 2) from the pictures' middles to the feet, in tiles."""
    return np.clip(out[:, -2:].astype(np.float64), -0.3, 0.3)


def weighed_by_players(pieces: Sequence[Piece]) -> list[Piece]:
    """The pieces as the others' colours tell: a colour that nobody else at the table has is likelier misread.

    The odds of each colour are weighed by how likely any other piece has it; what that leaves weighs the presence.
    """
    if not pieces:
        return []
    has = np.array([piece.presence * piece.colours * (piece.presence > 0.5) for piece in pieces])
    weighed = []
    for piece in pieces:
        apart = [j for j in range(len(pieces)) if _away(piece, pieces[j]) > SAME_PIECE]
        shared = 1 - np.prod(1 - has[apart], axis=0)
        weight = LONELY + (1 - LONELY) * shared
        odds = piece.colours * weight
        share = float(odds.sum())
        presence = piece.presence * share / (piece.presence * share + 1 - piece.presence)
        weighed.append(Piece(piece.at, presence, odds / share, piece.poses))
    return weighed


def _away(piece: Piece, other: Piece) -> float:
    """How far apart two feet are, in tiles."""
    return float(np.hypot(piece.at[0] - other.at[0], piece.at[1] - other.at[1]))


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
    away = _away(piece, other)
    alike = int(np.argmax(piece.colours)) == int(np.argmax(other.colours))
    return away < (SAME_PIECE if alike else SAME_FOOT)


def _softmax(logits: NDArray[np.float32]) -> Floats:
    odds = np.exp(logits.astype(np.float64) - logits.max(axis=1, keepdims=True))
    return np.asarray(odds / odds.sum(axis=1, keepdims=True))
