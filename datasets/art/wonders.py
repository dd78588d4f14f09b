"""The wonder tiles in the project's own art: each drawn as one picture of five squares, without internal seams, with
its wonder as a building of a recognisable shape in the middle.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from zlib import crc32

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import LineString, Polygon, get_parts, line_merge, segmentize, transform, unary_union
from shapely.affinity import translate
from shapely.geometry.base import BaseGeometry

from datasets.art.canvas import Canvas, to_rgb
from datasets.art.country import CHURCH_BY_RIVER_SCALE, build_cathedral, build_church, build_country
from datasets.art.ground import paint_ground
from datasets.art.plan import STEP_TILES, STILL_TILES, STUB_TILES, Plan, compute_sway, find_walls
from datasets.art.solids import (
    Solid,
    add_windows,
    build_box,
    build_footprint,
    build_house,
    build_prism,
    build_spire,
    resize_solid,
    shade_colour,
)
from datasets.art.style import Colour, Style
from datasets.art.town import build_cities, paint_coat_of_arms
from scoring.carcassonne.tiles.geometry import Square
from scoring.carcassonne.wonders.catalogue import load_wonder_catalogue
from scoring.carcassonne.wonders.tiles import WonderLayout
from vision.arrays import Floats, Image

GROVES = 3
"""Number of passes that plant the fields, each as dense as on a single square."""
GREY: Colour = (150, 146, 140)
SAND: Colour = (222, 186, 128)
RED_CLAY: Colour = (190, 112, 84)
JUNGLE_STONE: Colour = (176, 172, 148)
CLAY: Colour = (168, 122, 96)
PIT: Colour = (134, 92, 66)


def draw_wonder_set(style: Style, seed: int, size: int = 160) -> dict[str, tuple[Image, ...]]:
    """Draw the eight wonders in one style, one picture of each, a tile `size` px wide."""
    return {wonder.id: (draw_wonder(wonder, style, seed, size),) for wonder in load_wonder_catalogue().values()}


def draw_wonder(wonder: WonderLayout, style: Style, seed: int, size: int = 160, variant: int = 0) -> Image:
    """Draw a picture (n * size, n * size, 3), BGR, of a wonder's frame of n tiles; only its five squares are printed.

    Variant 0 is viewed from the south; the others from a random side.
    """
    rng = np.random.default_rng([seed, variant, crc32(wonder.id.encode())])
    view = int(rng.integers(4)) if variant else 0
    scene = _Scene(wonder, view, rng)
    canvas = Canvas(size, style, rng, scene.squares)
    plan = scene.plan()
    paint_ground(canvas, plan)
    ground = np.array(scene.ground.exterior.coords)
    canvas.lay(to_rgb(style.city_ground) * 0.55 + to_rgb(style.grass_light) * 0.4, canvas.mask([ground]))
    canvas.outline(ground, shade_colour(style.city_ground, 0.6), canvas.line)
    canvas.stand([*build_cities(plan, style, rng), *_country(plan, scene.monastery, style, rng)])
    canvas.stand(build_wonder(wonder.id, scene.ground, style))
    for spot in plan.coats:
        paint_coat_of_arms(canvas, spot)
    return np.ascontiguousarray(np.rot90(canvas.finished(), view))


def _country(plan: Plan, monastery: Polygon | None, style: Style, rng: np.random.Generator) -> Iterator[Solid]:
    for _ in range(GROVES):
        yield from build_country(plan, style, False, rng)
    if monastery is not None:
        foot = np.array(monastery.centroid.coords[0])
        yield from (resize_solid(solid, foot, CHURCH_BY_RIVER_SCALE) for solid in build_church(monastery, style, rng))


def _list_polygons(shape: BaseGeometry) -> list[Polygon]:
    return [part for part in get_parts(shape) if isinstance(part, Polygon)]


class _Scene:
    """A wonder's shapes in its frame, turned by `view` clockwise quarter turns and slightly bent at random."""

    def __init__(self, wonder: WonderLayout, view: int, rng: np.random.Generator) -> None:
        self._wonder, self._view = wonder, view
        self._waves: NDArray[np.float64] = rng.normal(size=(2, 3)) * [1, 1, np.pi]
        self.extent = wonder.extent
        self.squares: tuple[Square, ...] = tuple(self._turned_square(square) for square in wonder.squares)
        self.outline = transform(wonder.outline, self._turned)
        self.ground = max(self._areas("wonder"), key=lambda area: area.area)
        self.monastery = next(iter(self._areas("monastery")), None)

    def plan(self) -> Plan:
        """Return everything to draw except the wonder itself and the monastery."""
        cities, roads = self._areas("city"), [np.array(road.coords) for road in self._lines()]
        inner = [end for road in roads for end in road[[0, -1]] if not self._on_edge(end)]
        return Plan(
            cities=tuple(cities),
            fields=tuple(self._areas("field")),
            roads=tuple(self._stubbed(road) for road in roads),
            walls=tuple(wall for city in cities for wall in find_walls(city, self.outline, self.ground)),
            gates=tuple(e for e in inner if any(c.exterior.distance(shapely.Point(e)) < 0.01 for c in cities)),
            monastery=None,
            road_ends=(),
            coats=tuple(self._coats()),
            extent=self.extent,
        )

    def _coats(self) -> Iterator[Floats]:
        for (row, col), cell in zip(self._wonder.squares, self._wonder.cells, strict=True):
            for x, y in cell.coat_spots:
                yield np.array(self._seen(shapely.Point(col + x, row + y)).coords[0])

    def _areas(self, kind: str) -> list[Polygon]:
        """Return the wonder's areas of a kind, each merged from its squares."""
        whole = [unary_union([*self._pieces(i)]) for i, part in enumerate(self._wonder.parts) if part.kind == kind]
        parts = [part for area in whole for part in get_parts(self._seen(area)) if part.area > STEP_TILES**2]
        outlines = [Polygon(part.exterior) for part in parts]
        return [o if o.is_valid else max(_list_polygons(o.buffer(0)), key=lambda p: p.area) for o in outlines]

    def _lines(self) -> Iterator[LineString]:
        for index, part in enumerate(self._wonder.parts):
            if part.kind == "road":
                merged = line_merge(unary_union([*self._pieces(index)]))
                yield from (LineString(self._seen(line).coords) for line in get_parts(merged))

    def _pieces(self, part: int) -> Iterator[BaseGeometry]:
        for cell, segment in self._wonder.members(part):
            row, col = self._wonder.squares[cell]
            yield translate(self._wonder.cells[cell].segments[segment].geometry, col, row)

    def _seen(self, shape: BaseGeometry) -> BaseGeometry:
        return transform(transform(segmentize(shape, STEP_TILES), self._turned), self._bent)

    def _turned(self, at: Floats) -> Floats:
        for _ in range(self._view):
            at = np.column_stack([self.extent - at[:, 1], at[:, 0]])
        return at

    def _turned_square(self, square: Square) -> Square:
        row, col = square
        for _ in range(self._view):
            row, col = col, self.extent - 1 - row
        return row, col

    def _bent(self, at: Floats) -> Floats:
        away = np.clip(shapely.distance(shapely.points(at), self.outline.exterior) / STILL_TILES, 0, 1)
        return np.asarray(at + compute_sway(at, self._waves) * (away * away * (3 - 2 * away))[:, None])

    def _on_edge(self, end: Floats) -> bool:
        return bool(self.outline.exterior.distance(shapely.Point(end)) < 1e-6)

    def _stubbed(self, road: Floats) -> Floats:
        return np.vstack([self._beyond(road[0], road[1]), road, self._beyond(road[-1], road[-2])])

    def _beyond(self, end: Floats, before: Floats) -> Floats:
        ahead = (end - before) / np.linalg.norm(end - before)
        return np.asarray(end + ahead * (STUB_TILES if self._on_edge(end) else STUB_TILES / 2))


def build_wonder(wonder: str, ground: Polygon, style: Style) -> list[Solid]:
    """Build the wonder with the given id on its bare ground."""
    middle = np.array(ground.centroid.coords[0])
    left, top, right, bottom = ground.bounds
    reach = np.array([right - left, bottom - top]) / 2
    return list(_SIGHTS[wonder](middle, reach, style))


def _stonehenge(middle: Floats, reach: Floats, style: Style) -> Iterator[Solid]:
    """Build a ring of stones, with a lintel on every other pair."""
    at, angles = _ellipse(middle, reach * 0.68, 12)
    for spot, angle in zip(at, angles, strict=True):
        yield build_box(build_footprint(spot, 0.075, 0.045, angle + np.pi / 2), 0, 0.13, GREY, GREY)
    for one, other in zip(at[::2], at[1::2], strict=True):
        along = other - one
        base = build_footprint(
            (one + other) / 2, float(np.linalg.norm(along)) + 0.05, 0.05, float(np.arctan2(*along[::-1]))
        )
        lintel = build_box(base, 0.13, 0.035, GREY, GREY)
        yield Solid(lintel.depth + 0.03, lintel.faces, lintel.base, lintel.outline)


def _notre_dame(middle: Floats, reach: Floats, style: Style) -> Iterator[Solid]:
    yield from build_cathedral(middle - [0, 0.05], style)


def _circus_maximus(middle: Floats, reach: Floats, style: Style) -> Iterator[Solid]:
    """Build rows of arches around a long track, with a wall along its middle."""
    at, angles = _ellipse(middle, reach * [0.42, 0.5], 18)
    for spot, angle in zip(at, angles, strict=True):
        block = build_box(build_footprint(spot, 0.12, 0.06, angle + np.pi / 2), 0, 0.11, style.wall, style.wall)
        yield add_windows(block, shade_colour(style.ink, 1.4))
    yield build_box(build_footprint(middle, reach[0] * 0.7, 0.03, 0.0), 0, 0.03, RED_CLAY, RED_CLAY)
    yield build_spire(build_footprint(middle, 0.03, 0.03, 0.0), 0.03, 0.14, SAND)


def _alhambra(middle: Floats, reach: Floats, style: Style) -> Iterator[Solid]:
    """Build red palaces around a court, between square towers."""
    dark = shade_colour(style.ink, 1.3)
    for back, length in ((-0.1, 0.62), (0.1, 0.5)):
        base = build_footprint(_from(middle, 0, back), length, 0.12, 0.0)
        yield add_windows(build_house(base, 0.1, 0.05, RED_CLAY, style.church_roof), dark)
    for right, back, height in ((-0.34, 0.0, 0.26), (0.02, -0.06, 0.2), (0.33, 0.04, 0.23)):
        base = build_footprint(_from(middle, right, back), 0.11, 0.11, 0.0)
        yield add_windows(build_box(base, 0, height, RED_CLAY, _toned(RED_CLAY, 0.8)), dark)


def _abu_simbel(middle: Floats, reach: Floats, style: Style) -> Iterator[Solid]:
    """Build four seated figures in front of a cliff."""
    cliff = build_footprint(middle - [0, 0.07], 0.66, 0.2, 0.0)
    yield build_box(cliff, 0, 0.24, SAND, _toned(SAND, 0.9))
    for right in (-0.24, -0.09, 0.09, 0.24):
        foot = _from(middle, right, 0.08)
        yield build_box(build_footprint(foot, 0.09, 0.07, 0.0), 0, 0.07, SAND, SAND)
        body = build_prism(foot - [0, 0.02], 0.035, 0.17, SAND)
        yield Solid(body.depth + 0.04, body.faces, body.base, body.outline)


def _tikal(middle: Floats, reach: Floats, style: Style) -> Iterator[Solid]:
    """Build a steep stepped pyramid with a temple on top."""
    for step in range(6):
        width = 0.46 - 0.06 * step
        level = build_box(build_footprint(middle, width, width, 0.0), 0.055 * step, 0.055, JUNGLE_STONE, JUNGLE_STONE)
        yield Solid(middle[1] + 0.24 + 0.01 * step, level.faces, level.base, level.outline)
    temple = build_house(build_footprint(middle, 0.12, 0.1, 0.0), 0.42, 0.06, JUNGLE_STONE, RED_CLAY)
    yield Solid(middle[1] + 0.235, temple.faces, temple.base, temple.outline)


def _angkor_wat(middle: Floats, reach: Floats, style: Style) -> Iterator[Solid]:
    """Build five bud-shaped towers on a terrace."""
    terrace = build_footprint(middle, 0.62, 0.36, 0.0)
    yield add_windows(build_box(terrace, 0, 0.07, GREY, JUNGLE_STONE), shade_colour(style.ink, 1.4))
    towers = ((-0.22, -0.09, 0.9), (0.22, -0.09, 0.9), (0.0, 0.0, 1.35), (-0.22, 0.1, 1.0), (0.22, 0.1, 1.0))
    for right, back, size in towers:
        foot = _from(middle, right, back - 0.05)
        trunk = build_prism(foot, 0.055 * size, 0.12 * size, JUNGLE_STONE)
        yield Solid(terrace[:, 1].max() + back + 0.2, trunk.faces, trunk.base, trunk.outline)
        bud = build_spire(_ellipse(foot, np.array([0.062, 0.062]) * size, 9)[0], 0.12 * size, 0.17 * size, JUNGLE_STONE)
        yield Solid(terrace[:, 1].max() + back + 0.201, bud.faces, trunk.base, bud.outline)


def _terracotta_army(middle: Floats, reach: Floats, style: Style) -> Iterator[Solid]:
    """Build ranks of clay soldiers in a pit."""
    floor = build_box(build_footprint(middle, reach[0] * 1.5, reach[1] * 1.5, 0.0), 0, 0.004, PIT, PIT)
    yield Solid(0.0, floor.faces, floor.base, floor.outline)
    for row in np.arange(-reach[1] * 0.62, reach[1] * 0.66, 0.075):
        for right in np.arange(-reach[0] * 0.66, reach[0] * 0.7, 0.07):
            foot = _from(middle, right, row)
            yield build_prism(foot, 0.019, 0.06, CLAY, 6)
            head = build_prism(foot - [0, 0.06], 0.012, 0.02, SAND, 6)
            yield Solid(float(foot[1]) + 0.02, head.faces, head.base, head.outline)


def _toned(colour: Colour, light: float) -> Colour:
    """Return a colour under more or less light, as integers."""
    red, green, blue = (int(channel) for channel in shade_colour(colour, light))
    return red, green, blue


def _from(middle: Floats, right: float, back: float) -> Floats:
    return np.asarray(middle + np.array([right, back]))


def _ellipse(middle: Floats, reach: Floats, count: int) -> tuple[Floats, Floats]:
    """Return points (count, 2) of an ellipse and their angles."""
    angles = np.linspace(0, 2 * np.pi, count, endpoint=False)
    return middle + reach * np.column_stack([np.cos(angles), np.sin(angles)]), angles


_SIGHTS: dict[str, Callable[[Floats, Floats, Style], Iterator[Solid]]] = {
    "WH/stonehenge": _stonehenge,
    "WH/notre-dame": _notre_dame,
    "WH/circus-maximus": _circus_maximus,
    "WH/alhambra": _alhambra,
    "WH/abu-simbel": _abu_simbel,
    "WH/tikal": _tikal,
    "WH/angkor-wat": _angkor_wat,
    "WH/terracotta-army": _terracotta_army,
}
"""Builders by wonder id; each takes the middle of the ground, half its width and height, and the style."""
