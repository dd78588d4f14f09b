"""Painting on a picture in tile units: smooth polygons, masks, noise and solids with shadows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.art.solids import Face, Solid, shade_colour
from datasets.art.style import Colour, Style
from scoring.carcassonne.tiles.geometry import Square
from vision.arrays import Floats

Layer = NDArray[np.floating]
"""One number or colour per pixel, or a single colour (3,)."""

FIXED_POINT_BITS = 4
OVERSAMPLING = 2
SHADOW_FALL_TILES = np.array([0.022, 0.008])


class Canvas:
    """A square picture, painted at twice its final size and shrunk at the end.

    It shows one square tile `tile_px` wide, or a tile of several `squares` (row, col) in the frame that holds them.
    """

    def __init__(
        self, tile_px: int, style: Style, rng: np.random.Generator, squares: tuple[Square, ...] = ((0, 0),)
    ) -> None:
        self.squares = squares
        self.extent = 1 + max(max(square) for square in squares)
        self.size = tile_px * self.extent
        self.side = self.size * OVERSAMPLING
        self.unit = tile_px * OVERSAMPLING
        self.style = style
        self.rng = rng
        self.pixels: NDArray[np.uint8] = np.zeros((self.side, self.side, 3), np.uint8)
        self.line = max(1, round(self.unit * (0.0025 + 0.0035 * style.outline)))

    def finished(self) -> NDArray[np.uint8]:
        """Return the picture (size, size, 3), BGR."""
        small = cv2.resize(self.pixels, (self.size, self.size), interpolation=cv2.INTER_AREA)
        return np.asarray(small, np.uint8)

    def noise(self, cells: int) -> Layer:
        """Return smooth noise (size, size) between -1 and 1, with about `cells` bumps along a tile's side."""
        count = cells * self.extent + 2
        grid = self.rng.random((count, count), np.float32) * 2 - 1
        return np.asarray(cv2.resize(grid, (self.size, self.size), interpolation=cv2.INTER_CUBIC), np.float32)

    def fine(self, layer: Layer) -> Layer:
        """Upsample a layer from the final size to the painted size."""
        return np.asarray(cv2.resize(layer, (self.side, self.side), interpolation=cv2.INTER_LINEAR), np.float32)

    def mask(self, polygons: Iterable[Floats]) -> Layer:
        """Return the polygons' coverage (side, side), 0 to 1."""
        layer = np.zeros((self.side, self.side), np.uint8)
        for polygon in polygons:
            cv2.fillPoly(layer, [self.fixed(polygon)], (255,), cv2.LINE_AA, FIXED_POINT_BITS)
        return layer.astype(np.float32) / 255

    def distance(self, paths: Sequence[Floats]) -> Layer:
        """Return each pixel's distance from the nearest path (side, side), in tiles."""
        layer = np.full((self.side, self.side), 255, np.uint8)
        cv2.polylines(layer, [self.fixed(path) for path in paths], False, (0,), 1, cv2.LINE_8, FIXED_POINT_BITS)
        away = cv2.distanceTransform(layer, cv2.DIST_L2, cv2.DIST_MASK_5)
        return np.asarray(away, np.float32) / self.unit

    def edge_window(self, reach: float) -> Layer:
        """Return a window (size, size), 0 on the edges and 1 from `reach` inwards, that fades variation between
        neighbours."""
        return np.clip(measure_edge_distance(self.squares, self.size // self.extent) / reach, 0, 1)

    def lay(self, colours: Layer, mask: Layer) -> None:
        """Cover the picture with colours, (size, size, 3) or (3,), RGB, weighted by the mask (side, side)."""
        shape = (self.size, self.size, 3)
        small = np.ascontiguousarray(np.broadcast_to(np.clip(colours[..., ::-1], 0, 255).astype(np.uint8), shape))
        cover = cv2.resize(small, (self.side, self.side), interpolation=cv2.INTER_LINEAR)
        mixed = cv2.blendLinear(self.pixels, cover, (1 - mask).astype(np.float32), mask.astype(np.float32))
        self.pixels = np.asarray(mixed, np.uint8)

    def darken(self, layer: Layer) -> None:
        """Multiply the picture by (1 - layer)."""
        black = np.zeros_like(self.pixels)
        self.pixels = np.asarray(
            cv2.blendLinear(self.pixels, black, (1 - layer).astype(np.float32), layer.astype(np.float32)), np.uint8
        )

    def stroke(self, one: Floats, other: Floats, colour: Colour) -> None:
        """Draw a short thin line."""
        (x, y), (u, v) = self.fixed(np.array([one, other]))
        cv2.line(self.pixels, (int(x), int(y)), (int(u), int(v)), to_bgr(colour), 1, cv2.LINE_AA, FIXED_POINT_BITS)

    def polygon(self, polygon: Floats, colour: tuple[float, float, float]) -> None:
        """Draw a filled polygon."""
        cv2.fillPoly(self.pixels, [self.fixed(polygon)], to_bgr(colour), cv2.LINE_AA, FIXED_POINT_BITS)

    def outline(self, polygon: Floats, colour: tuple[float, float, float], width: int) -> None:
        """Draw the outline of a polygon, `width` pixels wide."""
        cv2.polylines(self.pixels, [self.fixed(polygon)], True, to_bgr(colour), width, cv2.LINE_AA, FIXED_POINT_BITS)

    def stand(self, solids: Iterable[Solid]) -> None:
        """Draw solids, the farthest first, over their shadows."""
        ordered = sorted(solids, key=lambda solid: solid.depth)
        if not ordered:
            return
        self._shadow(ordered)
        for solid in ordered:
            for face in solid.faces:
                self._face(face)
            if solid.outline is not None and self.style.outline > 0.1:
                ink = self._inked(solid.faces[0].colour, self.style.outline)
                self.outline(solid.outline, ink, self.line)

    def fixed(self, points: Floats) -> NDArray[np.int32]:
        """Convert points in tiles to the fixed-point pixels that OpenCV draws with."""
        return np.rint((points * self.unit - 0.5) * (1 << FIXED_POINT_BITS)).astype(np.int32)

    def _face(self, face: Face) -> None:
        corners = [self.fixed(face.polygon)]
        cv2.fillPoly(self.pixels, corners, to_bgr(face.colour), cv2.LINE_AA, FIXED_POINT_BITS)
        if face.inked:
            ink = to_bgr(self._inked(face.colour, self.style.outline * 0.6))
            cv2.polylines(self.pixels, corners, True, ink, 1, cv2.LINE_AA, FIXED_POINT_BITS)

    def _inked(self, colour: tuple[float, float, float], strength: float) -> tuple[float, float, float]:
        dark = shade_colour(colour, 0.55)
        red, green, blue = (a + (b - a) * strength for a, b in zip(dark, self.style.ink, strict=True))
        return red, green, blue

    def _shadow(self, solids: Sequence[Solid]) -> None:
        layer = np.zeros((self.side, self.side), np.uint8)
        for solid in solids:
            swept = np.vstack([solid.base, solid.base + SHADOW_FALL_TILES]).astype(np.float32)
            hull = cv2.convexHull(swept)[:, 0].astype(np.float64)
            cv2.fillPoly(layer, [self.fixed(hull)], (255,), cv2.LINE_AA, FIXED_POINT_BITS)
        soft = cv2.blur(layer, (self.unit // 40, self.unit // 40)).astype(np.float32) / 255
        self.darken(0.42 * soft)


def to_rgb(colour: Colour) -> Layer:
    """Return a colour as an array (3,)."""
    return np.array(colour, np.float32)


def to_bgr(colour: tuple[float, float, float]) -> tuple[float, float, float]:
    """Return red, green and blue in OpenCV's order."""
    return colour[2], colour[1], colour[0]


def measure_edge_distance(squares: Sequence[Square], tile_px: int) -> NDArray[np.float32]:
    """Measure how far, in tiles, each pixel of a frame lies inside the outline of its squares; 0 beyond it."""
    size = tile_px * (1 + max(max(square) for square in squares))
    inside = np.zeros((size + 2, size + 2), np.uint8)
    for row, col in squares:
        inside[1 + row * tile_px :, 1 + col * tile_px :][:tile_px, :tile_px] = 1
    away = cv2.distanceTransform(inside, cv2.DIST_L2, cv2.DIST_MASK_PRECISE)[1:-1, 1:-1]
    return np.maximum(away - 0.5, 0).astype(np.float32) / tile_px
