"""The empty boards of a style: the map with its terrain, and the resource board of each colour."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np

from datasets.render.tabletops import sample_fractal
from datasets.world_wonders.own_copy import (
    COLOURS,
    COLS,
    FIRST_MM,
    MAP_MM,
    MARGIN_MM,
    POPULATION_AT,
    RESOURCE,
    RESOURCES_MM,
    RINGS_AT,
    ROWS,
    SQUARE_MM,
    STEP_MM,
    TRACK_STEP_MM,
    TRACKS,
    WATER,
    Land,
    build_land,
)
from datasets.world_wonders.style import Colour, Style, convert_hsv, mix_colours, write_text
from vision.arrays import Image, Singles

PX_PER_MM = 5
"""Pixels per millimetre."""
SHORE_PX = 60
"""Maximum distance of water from its squares."""
PLAYERS: dict[str, Colour] = {
    "yellow": (40, 205, 240),
    "green": (60, 140, 45),
    "white": (232, 236, 238),
    "red": (45, 40, 195),
    "blue": (175, 85, 30),
}


def draw_map(style: Style, side: str, colour: str) -> Image:
    """Draw the map (h, w, 3), with the mountains at the top; on side A all colours share one map."""
    return _drawn_map(style, side, COLOURS[0] if side == "A" else colour)


@lru_cache(maxsize=24)
def _drawn_map(style: Style, side: str, colour: str) -> Image:
    w, h = (round(mm * PX_PER_MM) for mm in MAP_MM)
    rng = style.rng(1)
    return paint_map(_ground(style, rng, h, w), style, build_land(side, colour), rng)


def paint_map(ground: Singles, style: Style, terrain: Land, rng: np.random.Generator) -> Image:
    """Paint a map's terrain, grid and edges on a ground (h, w, 3) of MAP_MM at PX_PER_MM."""
    h, w = ground.shape[:2]
    where = np.zeros((h, w), np.float32)
    for row, col in terrain.cells(WATER):
        x, y = _corner(row, col)
        where[y : y + _square(), x : x + _square()] = 1
    picture = _water(ground, where, style, rng)
    for row, col in terrain.cells(RESOURCE):
        _resource(picture, _middle(row, col), style, rng)
    _grid(picture, style)
    _edges(picture, style, rng)
    return np.clip(picture, 0, 255).astype(np.uint8)


@lru_cache(maxsize=24)
def draw_resource_board(style: Style, colour: str) -> Image:
    """Draw a player's resource board (h, w, 3): five tracks on paper, framed in the player's colour."""
    w, h = (round(mm * PX_PER_MM) for mm in RESOURCES_MM)
    rng = style.rng(2)
    blotches = _blotches(rng, h, w, 5, 3)[..., None] * 6 * style.texture
    picture = np.full((h, w, 3), style.paper, np.float32) + blotches
    frame = 4 * PX_PER_MM
    for edge in _list_framed(style.frame, frame):
        picture[edge] = np.array(PLAYERS[colour], np.float32) + blotches[edge]
    spot = (round(RESOURCES_MM[0] * PX_PER_MM / 2), round(1.6 * frame))
    write_text(picture, "WONDERS", spot, style.font, 0.9, mix_colours(PLAYERS[colour], style.ink, 0.8))
    for number, (name, spaces) in enumerate(TRACKS.items()):
        tint = convert_hsv(*(rng.uniform(low, high) for low, high in ((0, 180), (20, 110), (150, 240))))
        y = FIRST_MM[1] + number * TRACK_STEP_MM
        _emblem(picture, (round(14 * PX_PER_MM), round(y * PX_PER_MM)), number, style, rng)
        for space in range(spaces):
            at = (round((FIRST_MM[0] + space * STEP_MM) * PX_PER_MM), round(y * PX_PER_MM))
            _space(picture, at, name, space, tint, style)
    return np.clip(picture, 0, 255).astype(np.uint8)


def _list_framed(kind: str, width: int) -> list[tuple[slice, slice]]:
    """List the parts of a resource board in its player's colour, for a frame of a kind that is `width` pixels wide."""
    whole, low, high, title = slice(None), slice(width), slice(-width, None), (slice(3 * width), slice(None))
    thin = slice(width // 4), slice(-(width // 4), None)
    square = slice(3 * width), slice(-3 * width, None)
    return {
        "band": [(low, whole), (high, whole), (whole, low), (whole, high), title],
        "line": [*((end, whole) for end in thin), *((whole, end) for end in thin)],
        "left": [(whole, slice(2 * width))],
        "corners": [(one, other) for one in square for other in square],
        "title": [title],
    }[kind]


def _ground(style: Style, rng: np.random.Generator, h: int, w: int) -> Singles:
    base = np.full((h, w, 3), style.colours["grass"], np.float32)
    layer = _blotches(rng, h, w, 4, 3) * 6 + _GROUNDS[style.ground](rng, h, w)
    shade = np.array([0.7, 1.0, 0.8], np.float32) * style.texture
    return base + layer[..., None] * shade


def _blotches(rng: np.random.Generator, h: int, w: int, cells: int, octaves: int) -> Singles:
    return cv2.resize(sample_fractal(rng, 512, cells, octaves), (w, h), interpolation=cv2.INTER_CUBIC).astype(
        np.float32
    )


def _patches(rng: np.random.Generator, h: int, w: int) -> Singles:
    return (_blotches(rng, h, w, 14, 2) > 0.4).astype(np.float32) * rng.choice([-1, 1]) * rng.uniform(8, 25)


def _strokes(rng: np.random.Generator, h: int, w: int) -> Singles:
    layer = np.zeros((h, w), np.float32)
    for x, y in rng.integers(0, (w, h), (1200, 2)).tolist():
        cv2.line(layer, (x, y), (x + int(rng.integers(-4, 5)), y - int(rng.integers(6, 16))), rng.uniform(-35, 35), 2)
    return layer


def _plain(rng: np.random.Generator, h: int, w: int) -> Singles:
    return _blotches(rng, h, w, 40, 2) * 2


def _speckle(rng: np.random.Generator, h: int, w: int) -> Singles:
    layer = np.zeros((h, w), np.float32)
    for x, y in rng.integers(0, (w, h), (1500, 2)).tolist():
        cv2.circle(layer, (x, y), int(rng.integers(1, 6)), rng.uniform(-30, 30), -1)
    return layer


def _hatch(rng: np.random.Generator, h: int, w: int) -> Singles:
    step, depth = int(rng.integers(10, 22)), rng.uniform(8, 26)
    ys, xs = np.mgrid[:h, :w]
    lines = ((xs + ys * rng.choice([-1, 1])) % step < 2).astype(np.float32)
    return -depth * lines * (_blotches(rng, h, w, 8, 2) > -0.3)


def _tufts(rng: np.random.Generator, h: int, w: int) -> Singles:
    layer = np.zeros((h, w), np.float32)
    for x, y in rng.integers(0, (w, h), (420, 2)).tolist():
        for lean in (-5, 0, 5):
            cv2.line(layer, (x, y), (x + lean, y - int(rng.integers(8, 15))), -rng.uniform(15, 40), 2, cv2.LINE_AA)
    return layer


_GROUNDS = {
    "patches": _patches,
    "strokes": _strokes,
    "plain": _plain,
    "speckle": _speckle,
    "hatch": _hatch,
    "tufts": _tufts,
}


def _water(picture: Singles, where: Singles, style: Style, rng: np.random.Generator) -> Singles:
    """Paint water with a wavy shore that roughly follows its squares, within their bounding rectangle."""
    h, w = where.shape
    shore, mottle = (_blotches(rng, h, w, cells, 2) for cells in (20, 30))
    period, curl, depth = rng.uniform(4, 9), _blotches(rng, h, w, 6, 2), rng.uniform(8, 25)
    x, y, wide, high = cv2.boundingRect(where.astype(np.uint8))
    part = np.s_[max(0, y - SHORE_PX) : y + high + SHORE_PX, max(0, x - SHORE_PX) : x + wide + SHORE_PX]
    soft = cv2.GaussianBlur(where[part], (0, 0), 4.0 * PX_PER_MM / 2)
    deep = soft + 0.05 * shore[part] > 0.5
    water = np.array(style.colours["water"], np.float32) + mottle[part][..., None] * 6 * style.texture
    ys = np.arange(h)[part[0], None]
    waves = (np.sin(ys / period + 2 * curl[part]) > 0.85)[..., None] * depth
    edge = cv2.morphologyEx(deep.astype(np.uint8), cv2.MORPH_GRADIENT, np.ones((7, 7), np.uint8)) > 0
    painted = np.where(deep[..., None], water + waves, picture[part])
    picture[part] = np.where(edge[..., None], painted * 0.55 + np.array(style.paper) * 0.35, painted)
    return picture


def _resource(picture: Singles, at: tuple[int, int], style: Style, rng: np.random.Generator) -> None:
    """Draw a heap of stones, trees or sheaves on a paler disc."""
    x, y = at
    reach = _square() // 2
    cv2.circle(picture, at, round(reach * 0.8), mix_colours(style.colours["grass"], style.paper, 0.5), -1, cv2.LINE_AA)
    cv2.circle(picture, at, round(reach * 0.8), style.ink, 2, cv2.LINE_AA)
    paint = convert_hsv(rng.uniform(0, 180), rng.uniform(30, 200), rng.uniform(60, 230))
    corners = int(rng.integers(3, 8))
    for _ in range(int(rng.integers(3, 7))):
        dx, dy = rng.uniform(-0.4, 0.4, 2) * reach
        angles = np.arange(corners) * 2 * np.pi / corners + rng.uniform(0, 6)
        lump = np.stack([np.cos(angles), np.sin(angles)], 1) * rng.uniform(0.18, 0.32) * reach + (x + dx, y + dy)
        cv2.fillPoly(picture, [np.rint(lump).astype(np.int32)], mix_colours(paint, style.ink, rng.uniform(0, 0.3)))
        cv2.polylines(picture, [np.rint(lump).astype(np.int32)], True, style.ink, 1, cv2.LINE_AA)


def _grid(picture: Singles, style: Style) -> None:
    lines = np.zeros(picture.shape[:2], np.uint8)
    for row in range(ROWS + 1):
        cv2.line(lines, _corner(row, 0), _corner(row, COLS), 255, 2)
    for col in range(COLS + 1):
        cv2.line(lines, _corner(0, col), _corner(ROWS, col), 255, 2)
    share = style.grid * lines[..., None].astype(np.float32) / 255
    picture[:] = picture * (1 - share) + np.array(style.ink, np.float32) * share


def _edges(picture: Singles, style: Style, rng: np.random.Generator) -> None:
    """Draw mountains along three edges and paving along the fourth."""
    h, w = picture.shape[:2]
    m = round(MARGIN_MM * PX_PER_MM)
    rock = np.array(style.colours["mountain"], np.float32) + _blotches(rng, h, w, 16, 3)[..., None] * 10
    for edge in (np.s_[:m], np.s_[:, :m], np.s_[:, -m:]):
        picture[edge] = rock[edge]
    _peaks(picture, style, rng, m)
    paving = np.array(style.colours["sidewalk"], np.float32) + _blotches(rng, h, w, 30, 2)[..., None] * 5
    picture[-m:] = paving[-m:]
    step = int(rng.integers(24, 60))
    for i, top in enumerate(range(h - m, h, m // 3)):
        cv2.line(picture, (0, top), (w, top), style.ink, 1)
        for x in range((i % 2) * step // 2, w, step):
            cv2.line(picture, (x, top), (x, top + m // 3), style.ink, 1)


def _peaks(picture: Singles, style: Style, rng: np.random.Generator, m: int) -> None:
    h, w = picture.shape[:2]
    feet = [(x, m) for x in range(0, w, m)] + [(x, y) for y in range(2 * m, h - m, m) for x in (m // 2, w - m // 2)]
    for x, y in feet:
        high, wide = rng.uniform(0.6, 0.95) * m, rng.uniform(0.35, 0.5) * m
        left = np.rint([(x - wide, y), (x + rng.uniform(-0.2, 0.2) * wide, y - high), (x, y)]).astype(np.int32)
        right = np.array([left[1], (x + wide, y), (x, y)]).astype(np.int32)
        paint = mix_colours(style.colours["mountain"], style.ink, rng.uniform(0, 0.3))
        cv2.fillPoly(picture, [left], mix_colours(paint, (250, 250, 250), 0.3), cv2.LINE_AA)
        cv2.fillPoly(picture, [right], mix_colours(paint, style.ink, 0.4), cv2.LINE_AA)


def _space(picture: Singles, at: tuple[int, int], name: str, space: int, tint: Colour, style: Style) -> None:
    half = round(STEP_MM * PX_PER_MM * 0.44)
    low, high = (at[0] - half, at[1] - half), (at[0] + half, at[1] + half)
    paint = mix_colours(tint, style.paper, 0.3 if space % 2 else 0.55)
    if name == "population" and space == TRACKS[name] - 1:
        paint = style.colours["temple"]
    cv2.rectangle(picture, low, high, paint, -1)
    cv2.rectangle(picture, low, high, style.ink, 2)
    write_text(picture, str(space), (at[0], at[1] - half // 3), style.font, 0.55, style.ink)
    if name == "population" and space in RINGS_AT:
        cv2.circle(picture, (at[0], at[1] + half // 2), half // 3, style.ink, 2, cv2.LINE_AA)
    if space in POPULATION_AT.get(name, ()):
        cv2.circle(picture, (at[0], at[1] + half // 2), half // 4, style.ink, -1, cv2.LINE_AA)


def _emblem(picture: Singles, at: tuple[int, int], number: int, style: Style, rng: np.random.Generator) -> None:
    corners = number + 3
    angles = np.arange(corners) * 2 * np.pi / corners
    outline = np.stack([np.cos(angles), np.sin(angles)], 1) * 6 * PX_PER_MM + at
    paint = convert_hsv(rng.uniform(0, 180), rng.uniform(60, 200), rng.uniform(90, 220))
    cv2.fillPoly(picture, [np.rint(outline).astype(np.int32)], paint, cv2.LINE_AA)
    cv2.polylines(picture, [np.rint(outline).astype(np.int32)], True, style.ink, 3, cv2.LINE_AA)


def _square() -> int:
    return round(SQUARE_MM * PX_PER_MM)


def _corner(row: int, col: int) -> tuple[int, int]:
    return round((MARGIN_MM + col * SQUARE_MM) * PX_PER_MM), round((MARGIN_MM + row * SQUARE_MM) * PX_PER_MM)


def _middle(row: int, col: int) -> tuple[int, int]:
    x, y = _corner(row, col)
    return x + _square() // 2, y + _square() // 2
