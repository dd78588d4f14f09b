"""Wooden towers, monuments and markers: frusta stacked and set side by side, drawn with light and shade."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np

from datasets.scene.camera import Camera
from datasets.world_wonders.own_copy import MONUMENTS, SQUARE_MM
from datasets.world_wonders.style import Colour, Style, convert_hsv, mix_colours
from vision.arrays import Floats, Image


@dataclass(frozen=True, slots=True, eq=False)
class Frustum:
    """Two convex outlines (n, 2), counter-clockwise as seen from above with y down, at heights in mm."""

    low: Floats
    high: Floats
    z: tuple[float, float]
    colour: Colour

    def placed(self, turn: float, at: tuple[float, float], z: float) -> Frustum:
        c, s = np.cos(turn), np.sin(turn)
        matrix = np.array([[c, s], [-s, c]])
        low, high = (outline @ matrix + at for outline in (self.low, self.high))
        return Frustum(low, high, (self.z[0] + z, self.z[1] + z), self.colour)

    @property
    def points(self) -> Floats:
        """(2 n, 3): the lower outline, then the upper."""
        return np.vstack(
            [
                np.column_stack([outline, np.full(len(outline), z)])
                for outline, z in zip((self.low, self.high), self.z, strict=True)
            ]
        )


def build_marker(colour: Colour, round_one: bool) -> list[Frustum]:
    """Build a resource marker, 8 mm wide and high."""
    outline = _ring(8, 16) if round_one else _box(8, 8)
    return [Frustum(outline, outline, (0, 8), colour)]


def build_tower(style: Style) -> list[Frustum]:
    """Build a tower with battlements, about its foot's middle."""
    paint = style.colours["tower"]
    sides = 14 if style.round_tower else 4
    shaft, crown = _ring(12, sides), _ring(14.5, sides)
    body = [Frustum(_ring(13.5, sides), shaft, (0, 15), paint), Frustum(crown, crown, (15, 18), paint)]
    for angle in np.arange(4) * np.pi / 2 + np.pi / 4:
        at = np.array([np.cos(angle), np.sin(angle)]) * 5
        body.append(
            Frustum(_box(3.5, 3.5) + at, _box(3.5, 3.5) + at, (18, 21), mix_colours(paint, (255, 255, 255), 0.15))
        )
    return body


def build_monument(name: str, style: Style) -> list[Frustum]:
    """Build a monument on the squares of `own_copy.MONUMENTS`, the first square's corner at (0, 0), in mm."""
    rng = style.rng(500 + sorted(MONUMENTS).index(name))
    paint = convert_hsv(rng.uniform(0, 180), rng.uniform(20, 190), rng.uniform(80, 230))
    other = mix_colours(paint, (255, 255, 255), float(rng.uniform(0.1, 0.4)))
    rows, cols = (1 + max(cell[axis] for cell in MONUMENTS[name]) for axis in (0, 1))
    w, h = cols * SQUARE_MM - 1.5, rows * SQUARE_MM - 1.5
    middle = np.array([cols, rows]) * SQUARE_MM / 2
    match name:
        case "lighthouse":
            rings = [_ring(15, 4), _ring(12, 4), _ring(9, 8), _ring(7, 12), _ring(5, 12)]
            parts = _stack([(rings[0], rings[1], 8), (rings[2], rings[2], 10), (rings[3], rings[4], 8)], (paint, other))
        case "obelisks":
            parts = _stack(
                [(_box(14, 14), _box(12, 12), 3), (_box(7, 7), _box(5, 5), 20), (_box(5, 5), _box(0.4, 0.4), 4)],
                (other, paint),
            )
        case "trojan-horse":
            parts = [*_stack([(_box(w, 12), _box(w, 12), 3)], (other, other)), _lifted(_box(18, 7), 10, 3, paint)]
            parts += [_lifted(_box(6, 6, 9), 20, 3, paint)]
        case "ishtar-gate":
            parts = [_lifted(_box(10, 14, dx), 18, 0, paint) for dx in (-w / 2 + 5, w / 2 - 5)]
            parts += [Frustum(_box(w - 18, 8), _box(w - 18, 8), (9, 14), other)]
        case "great-wall":
            parts = [_lifted(_box(w, 9), 9, 0, paint)]
            parts += [_lifted(_box(9, 13, dx), 14, 0, other) for dx in (-w / 2 + 5, 0, w / 2 - 5)]
        case "theater":
            spots = [np.array([c + 0.5, r + 0.5]) * SQUARE_MM - middle for r, c in MONUMENTS[name]]
            parts = [_lifted(_box(16.5, 16.5) + spots[0], 12, 0, paint)]
            parts += [_lifted(_box(16.5, 16.5) + at, 6, 0, other) for at in spots[1:]]
            parts += [_lifted(_box(4, 16) + (spots[0] + spots[1]) / 2, 6, 0, other)]
            parts += [_lifted(_box(16, 4) + (spots[0] + spots[2]) / 2, 6, 0, other)]
        case "giza":
            parts = [Frustum(_box(w, h), _box(0.5, 0.5), (0, 22), paint)]
        case "ziggurat":
            steps = [_box(w * s, h * s) for s in (1, 0.72, 0.45)]
            parts = _stack([(step, step * 0.95, 6) for step in steps], (paint, other))
        case "parthenon":
            parts = [_lifted(_box(w, h), 3, 0, other), _lifted(_box(w - 8, h - 8), 9, 3, paint)]
            parts += [Frustum(_box(w - 4, h - 4), _box(w - 4, 1), (12, 19), mix_colours(paint, (30, 30, 60), 0.3))]
        case _:
            rings = [_ring(1, 20) * np.array([w * s, h * s]) for s in (1, 0.92, 0.6)]
            parts = [
                Frustum(rings[0], rings[1], (0, 13), paint),
                _lifted(rings[2], 0.4, 13, mix_colours(paint, (20, 30, 40), 0.6)),
            ]
    return [Frustum(part.low + middle, part.high + middle, part.z, part.colour) for part in parts]


def _stack(levels: Sequence[tuple[Floats, Floats, float]], paints: tuple[Colour, Colour]) -> list[Frustum]:
    ends = np.cumsum([0.0, *(high for _, _, high in levels)]).tolist()
    return [
        Frustum(low, high, span, paints[i % 2])
        for i, ((low, high, _), span) in enumerate(zip(levels, pairwise(ends), strict=True))
    ]


def _lifted(outline: Floats, high: float, z: float, colour: Colour) -> Frustum:
    return Frustum(outline, outline, (z, z + high), colour)


def _box(w: float, h: float, x: float = 0.0) -> Floats:
    return np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * np.array([w, h]) / 2 + np.array([x, 0.0])


def _ring(width: float, sides: int) -> Floats:
    angles = np.arange(sides) * 2 * np.pi / sides + np.pi / sides
    reach = width / 2 / np.cos(np.pi / sides) if sides == 4 else width / 2
    return np.stack([np.cos(angles), np.sin(angles)], 1) * reach


def draw_piece(image: Image, parts: Sequence[Frustum], camera: Camera, light: Floats, gloss: float) -> None:
    """Paint a piece's frusta, the lower ones first and the far before the near."""
    depths = [float(camera.depth(part.points.mean(0)[None])[0]) for part in parts]
    for i in sorted(range(len(parts)), key=lambda i: (round(parts[i].z[0]), -depths[i])):
        _draw_frustum(image, parts[i], camera, light, gloss)


def compute_shadow(part: Frustum, camera: Camera, light: Floats, ground: float) -> Floats:
    """Compute the (n, 2) hull in pixels of a frustum's shadow on the plane at height `ground`."""
    points = part.points
    flat = points[:, :2] - (points[:, 2:] - ground) * light[:2] / max(light[2], 0.3)
    pixels = camera.project(np.column_stack([flat, np.full(len(flat), ground)]))
    return np.asarray(cv2.convexHull(pixels.astype(np.float32))[:, 0], np.float64)


def _draw_frustum(image: Image, part: Frustum, camera: Camera, light: Floats, gloss: float) -> None:
    n = len(part.low)
    points = part.points
    pixels = camera.project(points)
    low, high = points[:n], points[n:]
    middle = points.mean(0)
    for i in range(n):
        j = (i + 1) % n
        normal = np.cross(low[j] - low[i], high[i] - low[i])
        normal /= np.linalg.norm(normal) + 1e-9
        centre = (low[i] + low[j] + high[i] + high[j]) / 4
        normal *= 1 if normal @ (centre - middle) >= 0 else -1
        if normal @ (camera.position - centre) > 0:
            _face(image, pixels[[i, j, n + j, n + i]], _lit(part.colour, normal, light, camera, centre, gloss))
    top = high.mean(0)
    _face(image, pixels[n:], _lit(part.colour, np.array([0.0, 0, 1]), light, camera, top, gloss))


def _lit(colour: Colour, normal: Floats, light: Floats, camera: Camera, at: Floats, gloss: float) -> Floats:
    view = camera.position - at
    half = light + view / np.linalg.norm(view)
    shine = max(0.0, float(normal @ half / np.linalg.norm(half))) ** 12
    return np.clip(
        np.array(colour, float) * (0.55 + 0.5 * max(0.0, float(normal @ light))) + 100 * gloss * shine, 0, 255
    )


def _face(image: Image, polygon: Floats, colour: Floats) -> None:
    cv2.fillPoly(image, [np.round(polygon * 16).astype(np.int32)], colour.tolist(), cv2.LINE_AA, 4)
