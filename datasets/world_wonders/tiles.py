"""Flat pieces on a map: building tiles with colour, picture and letter, roads, and bridges on their backs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.render.tabletops import sample_fractal
from datasets.world_wonders.own_copy import BUILDINGS, MORE_SHAPES, SQUARE_MM, Cell
from datasets.world_wonders.style import MEDLEY_MOTIF, Colour, Style, convert_hsv, mix_colours, write_text
from vision.arrays import Image, Singles

PX_PER_MM = 4
"""Pixels per millimetre."""
SIDE_PX = round(SQUARE_MM * PX_PER_MM)
WHITE, BLACK = (255, 255, 255), (0, 0, 0)
MAX_LAYERS = 3


@lru_cache(maxsize=256)
def draw_building(style: Style, kind: str, shape: str, make: int) -> Image:
    """Draw the (h, w, 3) bounding rectangle of a tile as printed; pixels outside its squares are irrelevant."""
    cells = MORE_SHAPES[shape]
    rng = style.rng(100 + make)
    base = style.colours[kind]
    picture = _plate(base, cells, style, rng)
    lettered = cells[int(rng.integers(len(cells)))]
    for cell in cells:
        if cell != lettered:
            x, y = cell[1] * SIDE_PX, cell[0] * SIDE_PX
            _MOTIFS[style.motif](picture[y : y + SIDE_PX, x : x + SIDE_PX], base, style, rng)
    _letter(picture, lettered, BUILDINGS[kind], base, style)
    _products(picture, lettered, style, rng)
    _border(picture, cells, mix_colours(base, style.ink, 0.45), 2)
    return np.clip(picture, 0, 255).astype(np.uint8)


@lru_cache(maxsize=64)
def draw_road(style: Style, length: int, make: int, bridge: bool = False) -> Image:
    """Draw paving (SIDE_PX, length * SIDE_PX, 3), or the arches and planks of a bridge."""
    rng = style.rng(300 + 10 * make + length)
    cells = tuple((0, c) for c in range(length))
    if bridge:
        picture = _plate(mix_colours(style.colours["water"], style.ink, 0.25), cells, style, rng)
        deck = round(SIDE_PX * 0.17)
        picture[deck:-deck] = np.array(style.colours["bridge"], np.float32)
        for x in range(0, length * SIDE_PX, SIDE_PX // 5):
            cv2.line(picture, (x, deck), (x, SIDE_PX - deck), mix_colours(style.colours["bridge"], style.ink, 0.5), 2)
        for y in (deck, SIDE_PX - deck):
            cv2.line(picture, (0, y), (length * SIDE_PX, y), mix_colours(style.colours["bridge"], style.paper, 0.5), 4)
    elif style.motif == MEDLEY_MOTIF and rng.random() < 0.75:
        picture = _plate(style.colours["road"], cells, style, rng)
        _cobbles(picture, style, rng)
    else:
        picture = _plate(style.colours["road"], cells, style, rng)
        step = SIDE_PX // int(rng.integers(4, 7))
        for i, y in enumerate(range(0, SIDE_PX, step)):
            cv2.line(picture, (0, y), (length * SIDE_PX, y), mix_colours(style.colours["road"], style.ink, 0.4), 1)
            for x in range((i % 2) * step // 2, length * SIDE_PX, step):
                shade = mix_colours(style.colours["road"], style.ink, float(rng.uniform(0.05, 0.5)))
                cv2.line(picture, (x, y), (x, y + step), shade, 1)
    _border(picture, cells, mix_colours(style.colours["road"], style.ink, 0.5), 2)
    return np.clip(picture, 0, 255).astype(np.uint8)


def _cobbles(picture: Singles, style: Style, rng: np.random.Generator) -> None:
    """Draw round stones of any number and size, lighter and darker than the road."""
    h, w = picture.shape[:2]
    style_rng = style.rng(310)
    size, depth, density = style_rng.uniform(2, 9), style_rng.uniform(0.05, 0.4), style_rng.uniform(0, 0.6)
    for x, y in rng.uniform(0, (w, h), (int(density * h * w / size**2 / 3), 2)).tolist():
        ink = (style.ink, WHITE)[int(rng.integers(2))]
        shade = mix_colours(style.colours["road"], ink, float(rng.uniform(0, depth)))
        axes = (round(float(size * rng.uniform(0.5, 1.3))), round(float(size * rng.uniform(0.5, 1.3))))
        cv2.ellipse(picture, (round(x), round(y)), axes, 0, 0, 360, shade, -1, cv2.LINE_AA)


def _plate(base: Colour, cells: tuple[Cell, ...], style: Style, rng: np.random.Generator) -> Singles:
    rows, cols = (1 + max(cell[axis] for cell in cells) for axis in (0, 1))
    layer = cv2.resize(sample_fractal(rng, 128, 6, 3), (cols * SIDE_PX, rows * SIDE_PX))[..., None]
    return (np.array(base, np.float32) + layer * 7 * style.texture).astype(np.float32)


def _border(picture: Singles, cells: tuple[Cell, ...], ink: Colour, width: int) -> None:
    inside = np.zeros(picture.shape[:2], np.uint8)
    for row, col in cells:
        inside[row * SIDE_PX : (row + 1) * SIDE_PX, col * SIDE_PX : (col + 1) * SIDE_PX] = 1
    framed = cv2.copyMakeBorder(inside, 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=0)
    away = cv2.distanceTransform(framed, cv2.DIST_C, 3)[1:-1, 1:-1]
    picture[(away > 0) & (away <= width)] = ink


def _letter(picture: Singles, cell: Cell, letter: str, base: Colour, style: Style) -> None:
    middle = (cell[1] * SIDE_PX + SIDE_PX // 2, cell[0] * SIDE_PX + SIDE_PX // 2)
    ground = mix_colours(base, (255, 255, 255), 0.6) if sum(base) < 560 else mix_colours(base, style.ink, 0.6)
    ink = style.ink if sum(ground) > 380 else (245, 248, 250)
    if style.letter_in_disc:
        cv2.circle(picture, middle, round(SIDE_PX * 0.36), ground, -1, cv2.LINE_AA)
    elif sum(base) < 380:
        ink = (245, 248, 250)
    size = style.letter * SIDE_PX / 21
    write_text(picture, letter, middle, style.font, size, ink)


def _products(picture: Singles, cell: Cell, style: Style, rng: np.random.Generator) -> None:
    """Draw 1 to 3 dots for the building's products."""
    for i in range(int(rng.integers(1, 4))):
        at = (cell[1] * SIDE_PX + 10 + 14 * i, cell[0] * SIDE_PX + SIDE_PX - 10)
        cv2.circle(picture, at, 6, convert_hsv(rng.choice([5, 20, 110]), 180, rng.uniform(120, 230)), -1, cv2.LINE_AA)
        cv2.circle(picture, at, 6, style.ink, 1, cv2.LINE_AA)


def _houses(part: Singles, base: Colour, style: Style, rng: np.random.Generator) -> None:
    for _ in range(int(rng.integers(2, 5))):
        x, y = (int(v) for v in rng.integers(8, SIDE_PX - 30, 2))
        w, h = (int(v) for v in rng.integers(14, 24, 2))
        cv2.rectangle(part, (x, y), (x + w, y + h), mix_colours(base, style.paper, 0.4), -1)
        roof = np.array([(x - 3, y), (x + w + 3, y), (x + w // 2, y - 9)], np.int32)
        cv2.fillPoly(part, [roof], mix_colours(base, style.ink, 0.35), cv2.LINE_AA)


def _domes(part: Singles, base: Colour, style: Style, rng: np.random.Generator) -> None:
    for _ in range(int(rng.integers(1, 4))):
        at = tuple(int(v) for v in rng.integers(18, SIDE_PX - 18, 2))
        radius = int(rng.integers(7, 14))
        cv2.circle(part, at, radius, mix_colours(base, style.paper, 0.45), -1, cv2.LINE_AA)
        cv2.ellipse(part, at, (radius, radius), 0, 20, 200, mix_colours(base, style.ink, 0.4), 2, cv2.LINE_AA)


def _blocks(part: Singles, base: Colour, style: Style, rng: np.random.Generator) -> None:
    for _ in range(int(rng.integers(3, 7))):
        x, y = (int(v) for v in rng.integers(6, SIDE_PX - 22, 2))
        w, h = (int(v) for v in rng.integers(8, 18, 2))
        cv2.rectangle(part, (x, y), (x + w, y + h), mix_colours(base, style.ink, float(rng.uniform(0.1, 0.4))), -1)
        cv2.line(part, (x, y), (x + w, y), mix_colours(base, (255, 255, 255), 0.5), 2)


def _columns(part: Singles, base: Colour, style: Style, rng: np.random.Generator) -> None:
    y, count = int(rng.integers(14, 30)), int(rng.integers(3, 6))
    cv2.rectangle(part, (10, y), (SIDE_PX - 10, y + 6), mix_colours(base, style.paper, 0.5), -1)
    for x in np.linspace(14, SIDE_PX - 18, count).astype(int).tolist():
        cv2.rectangle(part, (x, y + 6), (x + 5, y + 30), mix_colours(base, style.paper, 0.4), -1)
        cv2.line(part, (x + 5, y + 6), (x + 5, y + 30), mix_colours(base, style.ink, 0.4), 1)
    cv2.line(part, (8, y + 31), (SIDE_PX - 8, y + 31), mix_colours(base, style.ink, 0.4), 3)


def _gardens(part: Singles, base: Colour, style: Style, rng: np.random.Generator) -> None:
    for x in range(12, SIDE_PX - 8, 16):
        for y in range(12, SIDE_PX - 8, 16):
            if rng.random() < 0.6:
                cv2.ellipse(
                    part, (x, y), (6, 4), float(rng.uniform(0, 180)), 0, 360, mix_colours(base, style.ink, 0.3), -1
                )
                cv2.circle(part, (x + 2, y - 2), 2, mix_colours(base, (255, 255, 255), 0.5), -1, cv2.LINE_AA)


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

_MOTIFS: dict[str, Callable[[Singles, Colour, Style, np.random.Generator], None]] = {
    "houses": _houses,
    "domes": _domes,
    "blocks": _blocks,
    "columns": _columns,
    "gardens": _gardens,
    MEDLEY_MOTIF: draw_medley,
}
