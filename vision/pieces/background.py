"""The table without its pieces, reconstructed from other squares of the photo with the same print.

Most tiles of a box have twins. A piece that looks like the art (a yellow monk on a monastery's roof) does not also
stand on the twin, so the piece classifier sees both.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Floats, Image
from vision.photo.crops import COARSE_PX, CORNERS, CROP_PX, crop_squares

MAX_TWINS = 4
"""Maximum number of most likely twins examined closely. Bounds time."""
MAX_LOG_DIFFERENCE = 0.3
"""Maximum difference in log brightness that a cell contributes. A guess."""
TWIN_DIFFERENCE_RATIO = 1.3
"""Minimum difference of another print, relative to the best twin, beyond `PIECE_GREY_LEVELS`. A guess."""
PIECE_GREY_LEVELS = 5.0
"""Mean difference that a piece on a square causes, in grey levels. A guess."""
MAX_PIXEL_GREY_LEVELS = 60
"""Maximum difference that a pixel contributes: beyond it, the pixels show different things. A guess."""
MAX_PRINT_GREY_LEVELS = 35.0
"""Maximum mean difference between squares with the same print. A guess."""
MAX_SHIFT_PX = 5.0
"""Maximum offset of a square from its place, in pixels of CROP_PX. A guess."""
ROTATIONS = (cv2.ROTATE_90_COUNTERCLOCKWISE, cv2.ROTATE_180, cv2.ROTATE_90_CLOCKWISE)
TRUST_GREY_LEVELS = 20.0
"""Difference in grey levels at which the trust in a reconstruction falls to about a third. A guess."""


def reconstruct_bare_table(image: Image, quads: Floats) -> Image:
    """Reconstruct the picture without pieces, (h, w, 4) uint8: BGR from the squares' twins, and the trust in it.

    The trust is 0 where nothing is known. `quads` are (n, 4, 2) corners NW, NE, SE, SW of the squares in pixels of
    `image`.
    """
    bare = np.zeros((*image.shape[:2], 4), np.uint8)
    if len(quads) < 2:
        return bare
    pictures = crop_squares(image, quads, margin=0)
    lights = np.median(pictures[:, ::3, ::3].reshape(len(quads), -1, 3), axis=1)
    squares = [TwinSquare.from_picture(picture, light) for picture, light in zip(pictures, lights, strict=True)]
    shifts: dict[tuple[int, int, int], tuple[float, float]] = {}
    for i, twins in enumerate(_find_likely_twins([square.picture for square in squares])):
        fitted = []
        for j, turns in twins:
            twin = squares[j].rotate(turns)
            if (i, j, turns) not in shifts:  # the shift of a twin is the reverse of the shift from it
                shifts[i, j, turns] = shift = twin.measure_shift(squares[i])
                shifts[j, i, -turns % 4] = turn_shift((-shift[0], -shift[1]), -turns % 4)
            fitted.append(twin.fit(squares[i], shifts[i, j, turns]))
        _paste_trusted(bare, *_merge_twins(squares[i].picture, fitted), quads[i])
    return bare


def reconstruct_bare_print(image: Image, quads: Floats, print_picture: Image, print_quads: Floats) -> Image:
    """Reconstruct the picture (h, w, 4) uint8 without pieces for squares with a known print, with the trust in it.

    `quads` are the squares' (n, 4, 2) corners in `image`, `print_quads` those in the picture of the print.
    """
    bare = np.zeros((*image.shape[:2], 4), np.uint8)
    sides = [
        crop_squares(picture, corners, margin=0) for picture, corners in ((image, quads), (print_picture, print_quads))
    ]
    lights = [np.median(pictures[:, ::3, ::3].reshape(len(quads), -1, 3), axis=1) for pictures in sides]
    for i, quad in enumerate(quads):
        square, printed = (
            TwinSquare.from_picture(pictures[i], light[i]) for pictures, light in zip(sides, lights, strict=True)
        )
        _paste_trusted(bare, *_merge_twins(square.picture, [printed.fit(square, printed.measure_shift(square))]), quad)
    return bare


@dataclass(frozen=True, slots=True, eq=False)
class TwinSquare:
    """A square from above: its `picture`, its windowed `grey` version, and its `light`, the median of each colour.

    The window fades out the border, so that it does not affect the alignment of squares.
    """

    picture: Image
    grey: NDArray[np.float32]
    light: Floats

    @classmethod
    def from_picture(cls, picture: Image, light: Floats) -> TwinSquare:
        """Return the square of a picture (CROP_PX, CROP_PX, 3) and its light (3,)."""
        return cls(picture, cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY) * _build_window(), light)

    def rotate(self, quarters: int) -> TwinSquare:
        """Return the square after counterclockwise quarter turns."""
        if quarters == 0:
            return self
        way = ROTATIONS[quarters - 1]
        picture, grey = cv2.rotate(self.picture, way), cv2.rotate(self.grey, way)
        return TwinSquare(np.asarray(picture, np.uint8), np.asarray(grey, np.float32), self.light)

    def measure_shift(self, other: TwinSquare) -> tuple[float, float]:
        """Return the offset (x, y) of the other square from this one, in pixels."""
        (dx, dy), _ = cv2.phaseCorrelate(self.grey, other.grey)
        return dx, dy

    def fit(self, other: TwinSquare, shift: tuple[float, float]) -> Image:
        """Return the picture aligned with the other square, unless it is too far off, and matched to its light."""
        picture = self.picture
        if max(abs(shift[0]), abs(shift[1])) <= MAX_SHIFT_PX:
            middle = (CROP_PX - 1) / 2
            moved = cv2.getRectSubPix(picture, (CROP_PX, CROP_PX), (middle - shift[0], middle - shift[1]))
            picture = np.asarray(moved, np.uint8)
        blue, green, red = np.minimum(np.maximum((other.light + 4) / (self.light + 4), 0.5), 2.0).tolist()
        return np.asarray(cv2.transform(picture, np.array([(blue, 0, 0), (0, green, 0), (0, 0, red)])), np.uint8)


@cache
def _build_window() -> NDArray[np.float32]:
    return np.asarray(cv2.createHanningWindow((CROP_PX, CROP_PX), cv2.CV_32F), np.float32)


def _find_likely_twins(squares: list[Image]) -> list[list[tuple[int, int]]]:
    """Return for each square the most similar others (number, counterclockwise quarter turns), best first.

    No cell contributes more than MAX_LOG_DIFFERENCE, so that a piece on one of 2 twins does not outweigh the print.
    """
    small = np.array([cv2.resize(s, (COARSE_PX, COARSE_PX), interpolation=cv2.INTER_AREA) for s in squares], np.float32)
    small = np.log(small + 8)
    small -= np.median(small, axis=(1, 2), keepdims=True)
    n = len(small)
    turned = np.stack([np.rot90(small, k, axes=(1, 2)) for k in range(4)], axis=1).reshape(4 * n, -1, 3)
    planes = [np.ascontiguousarray(turned[..., channel]) for channel in range(3)]
    costs = np.full((n, n, 4), np.inf)
    for i in range(n - 1):
        off = [np.abs(plane[4 * i + 4 :] - plane[4 * i]) for plane in planes]
        unlike = np.maximum(np.maximum(off[0], off[1], out=off[0]), off[2], out=off[0])
        later = np.minimum(unlike, MAX_LOG_DIFFERENCE, out=unlike).mean(axis=1).reshape(-1, 4)
        costs[i, i + 1 :], costs[i + 1 :, i] = later, later[:, -np.arange(4)]
    best = np.argsort(costs.min(axis=2), axis=1)[:, : min(MAX_TWINS, n - 1)]
    return [[(j, int(costs[i, j].argmin())) for j in near] for i, near in enumerate(best.tolist())]


def turn_shift(shift: tuple[float, float], quarters: int) -> tuple[float, float]:
    """Return an offset (x, y) after counterclockwise quarter turns."""
    x, y = shift
    for _ in range(quarters):
        x, y = y, -x
    return x, y


def _merge_twins(picture: Image, fitted: list[Image]) -> tuple[Image, int]:
    """Return the consensus of a square's best fitted twins, and its trust, 0 to 255."""
    softened = _soften(picture)
    off = np.array([_measure_difference(_soften(twin), softened) for twin in fitted])
    best = float(off.min())
    if best > MAX_PRINT_GREY_LEVELS:
        return picture, 0
    near = [fitted[i] for i in np.argsort(off) if off[i] <= TWIN_DIFFERENCE_RATIO * best + PIECE_GREY_LEVELS]
    trust = max(1, round(255 * float(np.exp(-best / TRUST_GREY_LEVELS))))
    return (_compute_median(*near[:3]) if len(near) >= 3 else near[0]), trust


def _soften(picture: Image) -> Image:
    """Return the picture blurred, at half the resolution."""
    blurred = cv2.blur(picture, (5, 5))
    return np.asarray(cv2.resize(blurred, (CROP_PX // 2,) * 2, interpolation=cv2.INTER_NEAREST), np.uint8)


def _measure_difference(a: Image, b: Image) -> float:
    """Return the mean difference of 2 pictures in grey levels, at most MAX_PIXEL_GREY_LEVELS per pixel."""
    blue, green, red = cv2.split(cv2.absdiff(a, b))
    return float(cv2.mean(np.minimum(cv2.max(cv2.max(blue, green), red), MAX_PIXEL_GREY_LEVELS))[0])


def _compute_median(a: Image, b: Image, c: Image) -> Image:
    """Return the median of 3 pictures."""
    return np.asarray(np.maximum(np.minimum(a, b), np.minimum(np.maximum(a, b), c)), np.uint8)


def _paste_trusted(bare: Image, likeness: Image, trust: int, quad: Floats) -> None:
    """Paste a reconstruction, a CROP_PX picture, onto its square if it has any trust."""
    h, w = bare.shape[:2]
    low = np.clip(np.floor(quad.min(0)).astype(int), 0, (w, h))
    high = np.clip(np.ceil(quad.max(0)).astype(int) + 1, 0, (w, h))
    if trust == 0 or (high <= low).any():
        return
    trusted = cv2.merge([likeness, np.full((CROP_PX, CROP_PX), trust, np.uint8)])
    target = (CORNERS * CROP_PX - 0.5).astype(np.float32)
    m = cv2.getPerspectiveTransform(target, (quad - low - 0.5).astype(np.float32))
    size = tuple((high - low).tolist())
    pasted = cv2.warpPerspective(trusted, m, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
    part = bare[low[1] : high[1], low[0] : high[0]]
    cv2.copyTo(pasted, cv2.compare(pasted[..., 3], part[..., 3], cv2.CMP_GE), part)
