"""The table without its pieces: what lies on each square as other squares of this photo show the same print.

Most tiles of a box have twins. A piece that looks like the art (a yellow monk on a monastery's roof) does not stand on
the twin as well, so the piece classifier is shown both.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Floats, Image
from vision.photo.crops import CORNERS, crop_squares
from vision.runtime.parallel import map_concurrently

TILE_PX = 64
SMALL_PX = 14
"""Sizes that squares are compared at: first all with all, roughly, then each with its likeliest twins."""
COMPARED = 4
"""So many of the likeliest twins are looked at closely."""
UNLIKE_MOST = 0.3
"""Of the log of brightness: what differs by so much differs."""
AS_GOOD = 1.3
A_PIECE = 5.0
"""Another print differs by so many times as much as the best twin, and by as many grey levels as a piece would cost."""
FAR_OFF = 60
STRANGE = 35.0
"""Grey levels: pixels that differ by FAR_OFF show other things, and squares that differ by STRANGE another print."""
SHIFT_MOST = 5.0
"""Pixels of TILE_PX that a square may lie off its place."""
BACK = [0, 3, 2, 1]
"""How one square must be turned to look like another that looks like it after 0 to 3 turns."""
TURNS = (cv2.ROTATE_90_COUNTERCLOCKWISE, cv2.ROTATE_180, cv2.ROTATE_90_CLOCKWISE)
PARTS = 2
"""Squares are looked at side by side, in so many parts."""
SOFT = 20.0
"""Grey levels of difference that cost a likeness about two thirds of its trust."""


def reconstruct_bare_table(image: Image, quads: Floats) -> Image:
    """(h, w, 4) uint8: the picture as its squares' twins show it, and how far that is to be trusted (0: nowhere known).

    `quads` are (n, 4, 2) corners NW, NE, SE, SW of the squares in pixels of `image`.
    """
    bare = np.zeros((*image.shape[:2], 4), np.uint8)
    if len(quads) < 2:
        return bare
    pictures = crop_squares(image, quads, TILE_PX, margin=0)
    lights = np.median(pictures[:, ::3, ::3].reshape(len(quads), -1, 3), axis=1)
    squares = [_Square.of(picture, light) for picture, light in zip(pictures, lights, strict=True)]
    twins = _likeliest([square.picture for square in squares])

    def agreed(part: range) -> list[tuple[Image, int]]:
        return [_agreed(squares[i], [squares[j].turned(k) for j, k in twins[i]]) for i in part]

    parts = [range(first, len(squares), PARTS) for first in range(PARTS)]
    for part, told in zip(parts, map_concurrently(agreed, parts), strict=True):
        for i, (likeness, trust) in zip(part, told, strict=True):
            _trust(bare, likeness, trust, quads[i])
    return bare


def reconstruct_bare_print(image: Image, quads: Floats, known: Image, own: Floats) -> Image:
    """The same of squares whose print is known: `own` are (n, 4, 2) their corners in a picture `known` of it."""
    bare = np.zeros((*image.shape[:2], 4), np.uint8)
    sides = [crop_squares(picture, corners, TILE_PX, margin=0) for picture, corners in ((image, quads), (known, own))]
    lights = [np.median(pictures[:, ::3, ::3].reshape(len(quads), -1, 3), axis=1) for pictures in sides]
    for i, quad in enumerate(quads):
        seen, bared = (_Square.of(pictures[i], light[i]) for pictures, light in zip(sides, lights, strict=True))
        _trust(bare, *_agreed(seen, [bared]), quad)
    return bare


@dataclass(frozen=True, slots=True, eq=False)
class _Square:
    """A square from above: its `picture`, the same in `grey` (faded out towards its border, lest the border count when
    squares are laid over each other), and its `light`, what is usual in each colour."""

    picture: Image
    grey: NDArray[np.float32]
    light: Floats

    @classmethod
    def of(cls, picture: Image, light: Floats) -> _Square:
        return cls(picture, cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY) * _window(), light)

    def turned(self, quarters: int) -> _Square:
        """The square after counter-clockwise quarter turns."""
        if quarters == 0:
            return self
        way = TURNS[quarters - 1]
        picture, grey = cv2.rotate(self.picture, way), cv2.rotate(self.grey, way)
        return _Square(np.asarray(picture, np.uint8), np.asarray(grey, np.float32), self.light)


@cache
def _window() -> NDArray[np.float32]:
    return np.asarray(cv2.createHanningWindow((TILE_PX, TILE_PX), cv2.CV_32F), np.float32)


def _sides() -> NDArray[np.float32]:
    return (CORNERS * TILE_PX - 0.5).astype(np.float32)


def _likeliest(squares: list[Image]) -> list[list[tuple[int, int]]]:
    """For each square the others (number, counter-clockwise quarter turns) that look most like it, best first.

    No cell costs more than UNLIKE_MOST, lest a piece that one of two twins bears outweigh the print.
    """
    small = np.array([cv2.resize(s, (SMALL_PX, SMALL_PX), interpolation=cv2.INTER_AREA) for s in squares], np.float32)
    small = np.log(small + 8)
    small -= np.median(small, axis=(1, 2), keepdims=True)
    n = len(small)
    turned = np.stack([np.rot90(small, k, axes=(1, 2)) for k in range(4)], axis=1).reshape(4 * n, -1, 3)
    planes = [np.ascontiguousarray(turned[..., channel]) for channel in range(3)]
    costs = np.full((n, n, 4), np.inf)
    for i in range(n - 1):
        off = [np.abs(plane[4 * i + 4 :] - plane[4 * i]) for plane in planes]
        unlike = np.maximum(np.maximum(off[0], off[1], out=off[0]), off[2], out=off[0])
        later = np.minimum(unlike, UNLIKE_MOST, out=unlike).mean(axis=1).reshape(-1, 4)
        costs[i, i + 1 :], costs[i + 1 :, i] = later, later[:, BACK]
    best = np.argsort(costs.min(axis=2), axis=1)[:, : min(COMPARED, n - 1)]
    return [[(j, int(costs[i, j].argmin())) for j in near] for i, near in enumerate(best.tolist())]


def _agreed(square: _Square, twins: list[_Square]) -> tuple[Image, int]:
    """What the best of the twins agree on, in the light of the square itself, and its trust, 0 to 255."""
    fitted = [_fitted(twin, square) for twin in twins]
    own = _soft(square.picture)
    off = np.array([_unlike(_soft(twin), own) for twin in fitted])
    best = float(off.min())
    if best > STRANGE:
        return square.picture, 0
    near = [fitted[i] for i in np.argsort(off) if off[i] <= AS_GOOD * best + A_PIECE]
    trust = max(1, round(255 * float(np.exp(-best / SOFT))))
    return (_middle(*near[:3]) if len(near) >= 3 else near[0]), trust


def _soft(picture: Image) -> Image:
    """The picture blurred, every other pixel of it."""
    blurred = cv2.blur(picture, (5, 5))
    return np.asarray(cv2.resize(blurred, (TILE_PX // 2,) * 2, interpolation=cv2.INTER_NEAREST), np.uint8)


def _unlike(a: Image, b: Image) -> float:
    """Grey levels that two pictures differ by, no pixel by more than FAR_OFF."""
    blue, green, red = cv2.split(cv2.absdiff(a, b))
    return float(cv2.mean(np.minimum(cv2.max(cv2.max(blue, green), red), FAR_OFF))[0])


def _middle(a: Image, b: Image, c: Image) -> Image:
    """The median of three pictures."""
    return np.asarray(np.maximum(np.minimum(a, b), np.minimum(np.maximum(a, b), c)), np.uint8)


def _fitted(twin: _Square, square: _Square) -> Image:
    """The twin moved onto the square, and as bright in each colour as it."""
    (dx, dy), _ = cv2.phaseCorrelate(twin.grey, square.grey)
    picture = twin.picture
    if max(abs(dx), abs(dy)) <= SHIFT_MOST:
        step = np.array([(1, 0, dx), (0, 1, dy)], np.float32)
        moved = cv2.warpAffine(picture, step, (TILE_PX, TILE_PX), borderMode=cv2.BORDER_REPLICATE)
        picture = np.asarray(moved, np.uint8)
    blue, green, red = np.minimum(np.maximum((square.light + 4) / (twin.light + 4), 0.5), 2.0).tolist()
    return np.asarray(cv2.transform(picture, np.array([(blue, 0, 0), (0, green, 0), (0, 0, red)])), np.uint8)


def _trust(bare: Image, likeness: Image, trust: int, quad: Floats) -> None:
    """Put a likeness where its square lies, if it is to be trusted at all."""
    if trust > 0:
        trusted = cv2.merge([likeness, np.full((TILE_PX, TILE_PX), trust, np.uint8)])
        _paste(bare, np.asarray(trusted, np.uint8), quad)


def _paste(bare: Image, likeness: Image, quad: Floats) -> None:
    """Put a TILE_PX picture where its square lies."""
    h, w = bare.shape[:2]
    low = np.clip(np.floor(quad.min(0)).astype(int), 0, (w, h))
    high = np.clip(np.ceil(quad.max(0)).astype(int) + 1, 0, (w, h))
    if (high <= low).any():
        return
    m = cv2.getPerspectiveTransform(_sides(), (quad - low - 0.5).astype(np.float32))
    size = tuple((high - low).tolist())
    laid = cv2.warpPerspective(likeness, m, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
    part = bare[low[1] : high[1], low[0] : high[0]]
    cv2.copyTo(laid, cv2.compare(laid[..., 3], part[..., 3], cv2.CMP_GE), part)
