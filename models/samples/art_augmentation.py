"""Made-up coats of arms and colours of tile art, so that a net does not rely on the printed ones.

A set's tile with a coat of arms is replaced by its twin without one, on which a shield is painted: of any shape,
colours and bearings, anywhere in the city. All shields on one table share a design, and have the same place on each
layout, as in a set.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

import cv2
import numpy as np
import shapely

from datasets.art.style import sample_colour
from datasets.render.compositor import build_pyramid
from datasets.render.random_tables import Props
from datasets.scene.table import LaidTile, Table
from scoring.carcassonne.tiles.catalogue import list_layout_turns
from scoring.carcassonne.tiles.layout import TileLayout
from vision.arrays import Flags, Floats, Image
from vision.squares.catalogue import build_reading_catalogue
from vision.squares.coat_posterior import find_coat_twins

PATCH_PX = 96
"""Size in pixels at which a shield is drawn. A guess."""
HALF_HEIGHT_TILES = (0.045, 0.095)
"""Range of half a shield's height, in tiles. A guess."""
AT_SPOT_SHARE = 0.5
"""Share of shields near the catalogue's place; the others are anywhere in their city. A guess."""
ASKEW_SHARE = 0.3
"""Share of designs that are not upright in the tile. A guess."""
MAX_TRIES = 12
"""Maximum number of places tried for a shield. Bounds time."""


def recolour_table(table: Table, rng: np.random.Generator) -> Table:
    """Rotate the hues of a table's art, and make its colours stronger or paler."""
    angle, strength = rng.uniform(0, 2 * np.pi), rng.uniform(0.4, 1.5)
    grey = np.full((3, 3), 1 / 3)
    c, s = np.cos(angle), np.sin(angle) / np.sqrt(3)
    turn = grey + strength * (c * (np.eye(3) - grey) + s * np.array([(0, -1, 1), (1, 0, -1), (-1, 1, 0)]))
    turned_pictures: dict[int, tuple[Image, ...]] = {}
    for tile in table.tiles:
        if id(tile.picture) not in turned_pictures:
            turned_pictures[id(tile.picture)] = tuple(
                np.asarray(cv2.transform(p, turn), np.uint8) for p in tile.picture
            )
    return replace(table, tiles=tuple(replace(tile, picture=turned_pictures[id(tile.picture)]) for tile in table.tiles))


@dataclass(frozen=True, slots=True, eq=False)
class Blazon:
    """A design: its picture (p, p, 3), BGR, and its opacity (p, p), 0 to 1.

    `half` is half its height in tiles; it is turned clockwise by `angle` radians.
    """

    picture: Image
    cover: Floats
    half: float
    angle: float


@cache
def find_bare_twins() -> dict[str, str]:
    """Find the layouts with a coat of arms that have a twin without one, and that twin, in the same orientation."""
    catalogue = build_reading_catalogue()
    names = [tile for tile, _ in list_layout_turns(catalogue)]
    return {names[coat]: names[without] for without, coat in find_coat_twins(catalogue)}


def strip_coats(props: Props) -> Props:
    """Give each tile with a coat of arms the picture of its twin without; a tile without a twin is removed."""
    art = []
    for pictures in props.art:
        plain = {layout: several for layout, several in pictures.items() if layout not in find_bare_twins()}
        art.append(plain | {coat: plain[bare] for coat, bare in find_bare_twins().items() if bare in plain})
    return replace(props, art=tuple(art))


def paint_coats(table: Table, rng: np.random.Generator) -> Table:
    """Paint coats of arms of one design on the tiles that have one, on a table of `strip_coats` props."""
    blazon = sample_blazon(rng)
    layouts = [
        build_reading_catalogue()[tile]
        for tile in sorted({tile.layout for tile in table.tiles if tile.layout in find_bare_twins()})
    ]
    places = {
        layout.id: [_somewhere(layout, spot, blazon.half, rng) for spot in layout.coat_spots] for layout in layouts
    }
    return replace(table, tiles=tuple(_painted(tile, blazon, places, rng) for tile in table.tiles))


def _painted(
    tile: LaidTile, blazon: Blazon, places: Mapping[str, Sequence[tuple[float, float]]], rng: np.random.Generator
) -> LaidTile:
    if not (spots := places.get(tile.layout or "")):
        return tile
    picture = tile.picture[0].copy()
    for place in spots:
        paint_blazon(picture, blazon, place, rng)
    return replace(tile, picture=build_pyramid(picture))


def _somewhere(
    layout: TileLayout, spot: tuple[float, float], half: float, rng: np.random.Generator
) -> tuple[float, float]:
    """Draw a place near a coat of arms' spot, or anywhere in its city where it fits."""
    city = next(segment.geometry for segment in layout.segments if segment.shields).buffer(-half)
    near = rng.random() < AT_SPOT_SHARE
    for _ in range(MAX_TRIES):
        x, y = rng.normal(spot, 0.03) if near else rng.uniform(0, 1, 2)
        if shapely.contains_xy(city, x, y):
            return float(x), float(y)
    return spot


def paint_blazon(picture: Image, blazon: Blazon, at: tuple[float, float], rng: np.random.Generator) -> None:
    """Paint a blazon about the point `at` (0 to 1 along the picture's sides) into a picture (s, s, 3), BGR."""
    size = picture.shape[0]
    scale = 2 * blazon.half * size / PATCH_PX
    step = max(1, round(0.5 / scale))
    small = cv2.blur(blazon.picture, (step, step)), cv2.blur(blazon.cover, (step, step))
    angle = blazon.angle + rng.normal(0, 0.05)
    c, s = scale * np.cos(angle), scale * np.sin(angle)
    middle = (PATCH_PX - 1) / 2
    x, y = np.array(at) * size - 0.5
    m = np.array([[c, -s, x - middle * (c - s)], [s, c, y - middle * (s + c)]])
    colours = cv2.warpAffine(small[0], m, (size, size), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    cover = cv2.warpAffine(small[1], m, (size, size), flags=cv2.INTER_LINEAR)[..., None]
    picture[:] = np.rint(picture * (1 - cover) + colours * cover).astype(np.uint8)


def sample_blazon(rng: np.random.Generator) -> Blazon:
    """Sample a shield, disc, lozenge or banner, with or without a rim, divided and charged in any colours."""
    y, x = np.mgrid[-1 : 1 : PATCH_PX * 1j, -1 : 1 : PATCH_PX * 1j] * 1.15
    outer = OUTLINES[int(rng.integers(len(OUTLINES)))](x, y)
    colours = [_tincture(rng) for _ in range(4)]
    rim, line = rng.choice([0.0, 0.08, 0.16, 0.24]), rng.choice([0.0, 0.05, 0.1])
    picture = np.empty((PATCH_PX, PATCH_PX, 3))
    picture[:] = colours[0]
    for part in range(int(rng.integers(0, 3))):
        picture[PARTITIONS[int(rng.integers(len(PARTITIONS)))](x, y)] = colours[1 + part]
    if rng.random() < 0.3:
        picture[_charge(x, y, rng)] = colours[3]
    if rim:
        picture[outer > 1 - rim] = _pale(rng) if rng.random() < 0.6 else _tincture(rng)
        if rng.random() < 0.5:
            picture[np.abs(outer - (1 - rim)) < 0.03] = _dark(rng)
    if line:
        picture[outer > 1 - line] = _dark(rng)
    lean = rng.normal(0, 0.15, 2)
    picture *= (rng.uniform(0.85, 1.1) + lean[0] * x + lean[1] * y)[..., None]
    picture += rng.normal(0, rng.uniform(0, 12), picture.shape)
    angle = float(rng.choice([-0.78, 0.78, np.pi / 2, np.pi, -np.pi / 2])) if rng.random() < ASKEW_SHARE else 0.0
    cover = np.where(outer < 1, rng.uniform(0.85, 1.0), 0.0)
    return Blazon(np.clip(picture, 0, 255).astype(np.uint8), cover, rng.uniform(*HALF_HEIGHT_TILES), angle)


def _heater(x: Floats, y: Floats) -> Floats:
    wide = 0.85 * np.sqrt(np.clip(1 - ((y + 0.25) / 1.25).clip(0) ** 2, 1e-3, 1))
    return np.asarray(np.maximum(np.abs(x) / wide, np.abs(y)))


def _pointed(x: Floats, y: Floats) -> Floats:
    wide = 0.85 * (1 - ((y - 0.1) / 0.95).clip(0, 1)) + 1e-3
    return np.asarray(np.maximum(np.abs(x) / wide, np.abs(y)))


def _round_footed(x: Floats, y: Floats) -> Floats:
    foot = np.hypot(x, (y - 0.1).clip(0)) / 0.85
    return np.asarray(np.maximum(foot, np.abs(y)))


def _disc(x: Floats, y: Floats) -> Floats:
    return np.asarray(np.hypot(x, y))


def _oval(x: Floats, y: Floats) -> Floats:
    return np.asarray(np.hypot(x / 0.75, y))


def _lozenge(x: Floats, y: Floats) -> Floats:
    return np.asarray(np.abs(x) / 0.85 + np.abs(y))


def _square(x: Floats, y: Floats) -> Floats:
    return np.asarray(np.maximum(np.abs(x) / 0.85, np.abs(y)))


def _banner(x: Floats, y: Floats) -> Floats:
    """Return the distances for a banner with a notch in its foot."""
    return np.asarray(np.maximum(np.abs(x) / 0.7, np.where(y > 0, y + 0.5 * (0.7 - np.abs(x)).clip(0), -y)))


OUTLINES: tuple[Callable[[Floats, Floats], Floats], ...] = (
    *(_heater, _heater, _heater, _pointed, _round_footed, _round_footed),
    *(_disc, _oval, _lozenge, _square, _banner),
)
"""Relative distance of a point from the middle, 1 on the outline; x to the right and y down, about -1 to 1. Shields
come up more often."""

PARTITIONS: tuple[Callable[[Floats, Floats], Flags], ...] = (
    lambda x, y: x * y > 0,
    lambda x, y: x * y > 0,
    lambda x, y: x > 0,
    lambda x, y: y > 0,
    lambda x, y: x > y,
    lambda x, y: -x > y,
    lambda x, y: np.abs(x) < 0.28,
    lambda x, y: np.abs(y) < 0.28,
    lambda x, y: np.abs(x - y) < 0.35,
    lambda x, y: (np.abs(x) < 0.2) | (np.abs(y) < 0.2),
    lambda x, y: (np.abs(x - y) < 0.25) | (np.abs(x + y) < 0.25),
    lambda x, y: np.abs(y - np.abs(x) + 0.2) < 0.25,
    lambda x, y: y < -0.4,
    lambda x, y: (np.floor(x * 2.5) + np.floor(y * 2.5)) % 2 == 0,
    lambda x, y: np.floor(x * 3) % 2 == 0,
    lambda x, y: np.floor(y * 3) % 2 == 0,
)
"""Parts of a shield in another colour: quarterly, per pale, per fess, bend, pale, cross, chevron, chequy, ...
Quarterly, as on the printed tiles, comes up more often."""


def _charge(x: Floats, y: Floats, rng: np.random.Generator) -> Flags:
    """Draw a disc, a star or a beast's rough shape in the middle."""
    angle, away = np.arctan2(y, x), np.hypot(x, y)
    points, depth, size = int(rng.integers(3, 9)), rng.choice([0.0, 0.3, 0.5]), rng.uniform(0.25, 0.6)
    return np.asarray(away < size * (1 + depth * np.sin(points * angle + rng.uniform(0, 6))))


def _tincture(rng: np.random.Generator) -> tuple[int, int, int]:
    """Sample any heraldic colour, BGR: strong, white, gold or black."""
    kind = rng.random()
    if kind < 0.5:
        return sample_colour(rng, (0, 360), (0.45, 1.0), (0.3, 0.95))[::-1]
    if kind < 0.75:
        return _pale(rng)
    if kind < 0.9:
        return sample_colour(rng, (38, 56), (0.3, 0.9), (0.7, 1.0))[::-1]
    return _dark(rng)


def _pale(rng: np.random.Generator) -> tuple[int, int, int]:
    return sample_colour(rng, (20, 60), (0.0, 0.2), (0.82, 1.0))[::-1]


def _dark(rng: np.random.Generator) -> tuple[int, int, int]:
    return sample_colour(rng, (0, 360), (0.0, 0.6), (0.05, 0.3))[::-1]
