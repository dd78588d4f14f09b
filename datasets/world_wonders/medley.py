"""Pictures on tiles of training-only arts: rows, grids and heaps of plain shapes, by a random recipe."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.world_wonders.style import Colour, Style, mix_colours
from vision.arrays import Singles

WHITE, BLACK = (255, 255, 255), (0, 0, 0)
MAX_LAYERS = 3


@dataclass(frozen=True, slots=True)
class _Layer:
    """One sort of shape: its size as a share of the square, its arrangement, and its colour."""

    outline: Callable[[np.random.Generator], Sequence[tuple[float, float]]]
    size: tuple[float, float]
    stretch: float
    place: str
    count: int
    paint: Colour
    line: int
    """Width of the outline in pixels, or -1 for a filled shape."""
    turned: bool
    kept_share: float
    """Share of places with a shape."""


def draw_medley(part: Singles, base: Colour, style: Style, rng: np.random.Generator) -> None:
    """Draw on one (h, w, 3) square of a tile; all tiles of a style with the colour `base` share one recipe."""
    for layer in _recipe(base, style):
        for x, y in _places(layer, rng):
            if rng.random() < layer.kept_share:
                _shape(part, layer, (x, y), rng)


def _recipe(base: Colour, style: Style) -> list[_Layer]:
    rng = style.rng(700 + sum((i + 1) * channel for i, channel in enumerate(base)))
    return [_layer(base, style, rng) for _ in range(int(rng.integers(1, MAX_LAYERS + 1)))]


def _layer(base: Colour, style: Style, rng: np.random.Generator) -> _Layer:
    other = (style.ink, style.paper, WHITE, BLACK)[int(rng.choice(4, p=(0.4, 0.3, 0.2, 0.1)))]
    count = int(rng.integers(1, 6))
    size = float(rng.uniform(0.5, 1.1)) / (count + 1)
    return _Layer(
        outline=_OUTLINES[int(rng.integers(len(_OUTLINES)))],
        size=(0.6 * size, 1.2 * size),
        stretch=float(np.exp(rng.normal(0, 0.6))),
        place=str(rng.choice(["row", "grid", "heap"])),
        count=count,
        paint=mix_colours(base, other, float(rng.uniform(0.15, 0.7))),
        line=-1 if rng.random() < 0.65 else int(rng.integers(1, 5)),
        turned=bool(rng.random() < 0.4),
        kept_share=float(rng.uniform(0.5, 1.0)),
    )


def _places(layer: _Layer, rng: np.random.Generator) -> list[tuple[float, float]]:
    """Return centres as shares of the square's width and height."""
    along = (np.arange(layer.count) + 0.5) / layer.count * 0.8 + 0.1
    if layer.place == "row":
        y = float(rng.uniform(0.25, 0.75))
        return [(float(x), y) for x in along]
    if layer.place == "grid":
        return [(float(x), float(y)) for x in along for y in along]
    return [(float(x), float(y)) for x, y in rng.uniform(0.15, 0.85, (layer.count + 1, 2))]


def _shape(part: Singles, layer: _Layer, at: tuple[float, float], rng: np.random.Generator) -> None:
    side = part.shape[0]
    size = rng.uniform(*layer.size) * side
    outline = np.array(layer.outline(rng)) * (size * layer.stretch, size / layer.stretch) / 2
    if layer.turned:
        angle = rng.uniform(0, np.pi)
        outline = outline @ np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    points: NDArray[np.int32] = np.rint(outline + np.array(at) * side).astype(np.int32)
    if layer.line < 0:
        cv2.fillPoly(part, [points], layer.paint, cv2.LINE_AA)
    else:
        cv2.polylines(part, [points], True, layer.paint, layer.line, cv2.LINE_AA)


def _regular(corners: int, inner: float = 1.0) -> Callable[[np.random.Generator], Sequence[tuple[float, float]]]:
    """Return a regular polygon, or a star with every second corner at the fraction `inner` of the radius."""
    angles = np.arange(corners) * 2 * np.pi / corners
    reach = np.where(np.arange(corners) % 2, inner, 1.0)
    points = [(float(x), float(y)) for x, y in zip(np.cos(angles) * reach, np.sin(angles) * reach, strict=True)]
    return lambda _: points


def _jagged(rng: np.random.Generator) -> Sequence[tuple[float, float]]:
    angles = np.sort(rng.uniform(0, 2 * np.pi, 7))
    reach = rng.uniform(0.4, 1.0, 7)
    return [(float(x), float(y)) for x, y in zip(np.cos(angles) * reach, np.sin(angles) * reach, strict=True)]


_OUTLINES: tuple[Callable[[np.random.Generator], Sequence[tuple[float, float]]], ...] = (
    _regular(3),
    _regular(4),
    _regular(6),
    _regular(24),
    _regular(8, 0.4),
    _regular(10, 0.6),
    _jagged,
    lambda _: [(-1, -1), (1, -1), (1, 1), (-1, 1)],
    lambda _: [(-0.25, -1.6), (0.25, -1.6), (0.25, 1.6), (-0.25, 1.6)],
    lambda _: [(-1, 1), (-1, -0.2), (0, -1), (1, -0.2), (1, 1)],
    lambda _: [(-1, 1), (-1, -1), (-0.4, -1), (-0.4, 0.3), (0.4, 0.3), (0.4, -1), (1, -1), (1, 1)],
)
